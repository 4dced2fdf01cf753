package opcode

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"slices"

	"github.com/npygo/npy/internal/bounded"
)

// A peeker is a source that can be read without taking the bytes: a *bufio.Reader, or any reader inside an exactReader.
type peeker interface {
	io.Reader
	Peek(n int) ([]byte, error)
	Discard(n int) (int, error)
	Buffered() int
}

// A window moves over the bytes of a pickle. Bytes of src after the last byte taken stay in src, so that it can be read
// on.
type window struct {
	bytes    []byte
	pos      int   // the position of the next byte in bytes
	base     int64 // the offset of the first byte of bytes
	limit    int64 // MaxBytes
	src      peeker
	borrowed bool // the window is src's memory, and none of it was taken from src yet
}

// newWindow returns a window that reads from r on demand.
func newWindow(r io.Reader, limit int64) *window {
	src, ok := r.(peeker)
	if !ok {
		src = &exactReader{r: r}
	}
	return &window{src: src, limit: limit}
}

// bytesWindow returns a window for a pickle in memory.
func bytesWindow(data []byte, limit int64) *window {
	return &window{bytes: data[:min(int64(len(data)), limit)], limit: limit}
}

// offset returns the number of bytes taken.
func (in *window) offset() int64 { return in.base + int64(in.pos) }

// need makes the window hold n more bytes.
func (in *window) need(n uint64) error {
	if n <= uint64(len(in.bytes)-in.pos) {
		return nil
	}
	if n > math.MaxInt64 || int64(n) > in.limit-in.offset() {
		return bounded.Over("MaxBytes", in.limit, 0, "the pickle is over MaxBytes %d", in.limit)
	}
	if in.src == nil || n > math.MaxInt {
		return io.ErrUnexpectedEOF
	}
	return in.fill(int(n))
}

// fill is need for bytes that are not in the window yet.
func (in *window) fill(n int) error {
	rest := in.bytes[in.pos:]
	in.base = in.offset()
	if in.borrowed {
		if _, err := in.src.Discard(in.pos); err != nil {
			return err
		}
		rest = nil // the bytes are still in src
	}
	in.bytes, in.pos, in.borrowed = rest, 0, false
	if len(rest) == 0 {
		_, err := in.src.Peek(n)
		if err == nil {
			return in.borrow()
		}
		if err != bufio.ErrBufferFull {
			return endIsUnexpected(err)
		}
	}
	var err error
	in.bytes, err = readMore(in.src, rest, n-len(rest))
	return endIsUnexpected(err)
}

// borrow makes src's buffer the window.
func (in *window) borrow() (err error) {
	n := min(int64(in.src.Buffered()), in.limit-in.base)
	in.bytes, err = in.src.Peek(int(n))
	in.borrowed = true
	return err
}

// close takes from src the bytes that were taken from the window.
func (in *window) close() error {
	if !in.borrowed {
		return nil
	}
	_, err := in.src.Discard(in.pos)
	return err
}

// readMore appends n bytes of r to data, allocating memory only for bytes that have arrived.
func readMore(r io.Reader, data []byte, n int) ([]byte, error) {
	if n > bounded.First {
		more, err := bounded.ReadAll(r, n)
		return append(data, more...), err
	}
	have := len(data)
	data = slices.Grow(data, n)[:have+n]
	m, err := bounded.ReadFull(r, data[have:])
	return data[:have+m], err
}

func endIsUnexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// code takes an opcode.
func (in *window) code() (byte, error) {
	if in.pos == len(in.bytes) {
		if err := in.need(1); err != nil {
			return 0, err
		}
	}
	c := in.bytes[in.pos]
	in.pos++
	return c, nil
}

// take takes n bytes. They are valid until the next take.
func (in *window) take(n uint64) ([]byte, error) {
	if err := in.need(n); err != nil {
		return nil, err
	}
	b := in.bytes[in.pos : in.pos+int(n)]
	in.pos += int(n)
	return b, nil
}

// line takes the bytes up to a newline, and the newline. It returns the bytes without the newline.
func (in *window) line() ([]byte, error) {
	for seen := 0; ; {
		rest := in.bytes[in.pos:]
		if i := bytes.IndexByte(rest[seen:], '\n'); i >= 0 {
			in.pos += seen + i + 1
			return rest[:seen+i], nil
		}
		seen = len(rest)
		if err := in.need(uint64(seen) + 1); err != nil {
			return nil, err
		}
	}
}

// An exactReader is a peeker for a reader without a buffer. It takes no more bytes from the reader than requested.
type exactReader struct {
	r    io.Reader
	held []byte
}

func (e *exactReader) Buffered() int { return len(e.held) }

func (e *exactReader) Peek(n int) (_ []byte, err error) {
	if n > len(e.held) {
		e.held, err = readMore(e.r, e.held, n-len(e.held))
	}
	return e.held[:min(n, len(e.held))], err
}

func (e *exactReader) Discard(n int) (int, error) {
	if n == len(e.held) {
		e.held = e.held[:0] // peeked bytes are not valid any more, so their memory is used again
		return n, nil
	}
	e.held = e.held[n:]
	return n, nil
}

func (e *exactReader) Read(p []byte) (int, error) {
	n := copy(p, e.held)
	e.held = e.held[n:]
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	return e.r.Read(p)
}
