package objects

import (
	"bytes"
	"io"

	"github.com/npygo/npy/pickle"
)

// A watch records the first bytes of a pickle, which say its protocol.
type watch struct {
	r    io.Reader
	head [watched]byte
	n    int
}

// watched is the number of bytes of a pickle of protocol 0 or 1 that are examined: up to the name of a function of
// NumPy.
const watched = 80

// peeker has the methods of a bufio.Reader besides Read; package pickle reads through it.
type peeker interface {
	io.Reader
	Peek(n int) ([]byte, error)
	Discard(n int) (int, error)
	Buffered() int
}

// watch starts watching a pickle.
func newWatch(r io.Reader) *watch {
	w := &watch{r: r}
	if p, ok := r.(peeker); ok {
		w.peek(p)
	}
	return w
}

// peek peeks at as many bytes as the protocol needs, and never more than the pickle must have. A shorter pickle gives
// an error when it is read.
func (w *watch) peek(p peeker) {
	for w.n < watched && w.protocol() == unknownProtocol {
		head, err := p.Peek(w.n + 1)
		if err != nil {
			return
		}
		w.n = copy(w.head[:], head)
	}
}

// reader returns the reader to decode the pickle from.
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

// unknownProtocol is the protocol of a pickle that does not show it in its first bytes.
const unknownProtocol = 0

// protocol returns the version in the first opcode. Protocols 0 and 1 have no version: they differ in the number of the
// memo after the name of a function, which is text or a byte.
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
