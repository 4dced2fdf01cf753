package objects

import "io"

// A watch looks at the first bytes of a pickle, which say its protocol.
type watch struct {
	r    io.Reader
	head [2]byte
	n    int
}

// peeker is what a bufio.Reader has besides Read; package pickle reads through it.
type peeker interface {
	io.Reader
	Peek(n int) ([]byte, error)
	Discard(n int) (int, error)
	Buffered() int
}

func watched(r io.Reader) *watch {
	w := &watch{r: r}
	if p, ok := r.(peeker); ok {
		head, _ := p.Peek(len(w.head)) // a shorter pickle is an error when it is read
		w.n = copy(w.head[:], head)
	}
	return w
}

// reader returns what the pickle is to be read from.
func (w *watch) reader() io.Reader {
	if _, ok := w.r.(peeker); ok {
		return w.r
	}
	return w
}

// Read implements io.Reader.
func (w *watch) Read(b []byte) (int, error) {
	n, err := w.r.Read(b)
	w.n += copy(w.head[w.n:], b[:n])
	return n, err
}

// protocol returns the version that the first opcode says; 0 stands for 0 and 1, which have none.
func (w *watch) protocol() int {
	const proto = 0x80
	if w.n < 2 || w.head[0] != proto {
		return 0
	}
	return int(w.head[1])
}
