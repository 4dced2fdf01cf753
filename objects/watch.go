package objects

import (
	"bytes"
	"io"

	"github.com/npygo/npy/pickle"
)

// A watch looks at the first bytes of a pickle, which say its protocol.
type watch struct {
	r    io.Reader
	head [watched]byte
	n    int
}

// watched is how many bytes of a pickle of protocol 0 or 1 are looked at: the name of a function of NumPy's.
const watched = 80

// peeker is what a bufio.Reader has besides Read; package pickle reads through it.
type peeker interface {
	io.Reader
	Peek(n int) ([]byte, error)
	Discard(n int) (int, error)
	Buffered() int
}

// watch starts to watch a pickle.
func newWatch(r io.Reader) *watch {
	w := &watch{r: r}
	if p, ok := r.(peeker); ok {
		w.peek(p)
	}
	return w
}

// peek takes as many bytes as it takes to tell the protocol, and never more than the pickle must have. A pickle that is shorter is an
// error when it is read.
func (w *watch) peek(p peeker) {
	for w.n < watched && w.protocol() == unknownProtocol {
		head, err := p.Peek(w.n + 1)
		if err != nil {
			return
		}
		w.n = copy(w.head[:], head)
	}
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

// unknownProtocol is that of a pickle which does not show it in its first bytes.
const unknownProtocol = 0

// protocol returns the version that the first opcode says. Protocols 0 and 1 have none: there it is the way in which the memo is
// numbered behind the name of a function that shows it, as text or as a byte.
func (w *watch) protocol() int {
	const proto, global, put, binPut = 0x80, 'c', 'p', 'q'
	head := w.head[:w.n]
	if len(head) < 2 {
		return unknownProtocol
	}
	if head[0] == proto {
		return int(head[1])
	}
	lines := bytes.SplitN(head, []byte("\n"), 3)
	if head[0] != global || len(lines) < 3 || len(lines[2]) == 0 {
		return unknownProtocol
	}
	switch lines[2][0] {
	case put:
		return pickle.Protocol0
	case binPut:
		return 1
	}
	return unknownProtocol
}
