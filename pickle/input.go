package pickle

import (
	"bufio"
	"bytes"
	"encoding/binary"
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

// An input is a window that moves over the bytes of a pickle. Bytes of src after the last byte taken stay in src, so
// that it can be read on.
type input struct {
	window   []byte
	pos      int   // the position of the next byte in the window
	base     int64 // the offset of the window's first byte
	limit    int64 // MaxBytes
	src      peeker
	borrowed bool // the window is src's memory, and none of it was taken from src yet
}

// newInput returns an input that reads what it needs from r.
func newInput(r io.Reader, limit int64) *input {
	src, ok := r.(peeker)
	if !ok {
		src = &exactReader{r: r}
	}
	return &input{src: src, limit: limit}
}

// bytesInput returns an input for a pickle in memory.
func bytesInput(data []byte, limit int64) *input {
	return &input{window: data[:min(int64(len(data)), limit)], limit: limit}
}

// offset returns the number of bytes taken.
func (in *input) offset() int64 { return in.base + int64(in.pos) }

// need makes the window hold n more bytes.
func (in *input) need(n uint64) error {
	if n <= uint64(len(in.window)-in.pos) {
		return nil
	}
	if n > math.MaxInt64 || int64(n) > in.limit-in.offset() {
		return over("the pickle is", in.limit, "MaxBytes")
	}
	if in.src == nil || n > math.MaxInt {
		return io.ErrUnexpectedEOF
	}
	return in.fill(int(n))
}

// fill is need for bytes that are not in the window yet.
func (in *input) fill(n int) error {
	rest := in.window[in.pos:]
	in.base = in.offset()
	if in.borrowed {
		if _, err := in.src.Discard(in.pos); err != nil {
			return err
		}
		rest = nil // the bytes are still in src
	}
	in.window, in.pos, in.borrowed = rest, 0, false
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
	in.window, err = readMore(in.src, rest, n-len(rest))
	return endIsUnexpected(err)
}

// borrow makes src's buffer the window.
func (in *input) borrow() (err error) {
	n := min(int64(in.src.Buffered()), in.limit-in.base)
	in.window, err = in.src.Peek(int(n))
	in.borrowed = true
	return err
}

// close takes from src the bytes that were taken from the window.
func (in *input) close() error {
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
func (in *input) code() (byte, error) {
	if in.pos == len(in.window) {
		if err := in.need(1); err != nil {
			return 0, err
		}
	}
	c := in.window[in.pos]
	in.pos++
	return c, nil
}

// take takes n bytes. They are valid until the next take.
func (in *input) take(n uint64) ([]byte, error) {
	if err := in.need(n); err != nil {
		return nil, err
	}
	b := in.window[in.pos : in.pos+int(n)]
	in.pos += int(n)
	return b, nil
}

// line takes the bytes up to a newline, and the newline. It returns the bytes without the newline.
func (in *input) line() ([]byte, error) {
	for seen := 0; ; {
		rest := in.window[in.pos:]
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

// An operand is the argument of an opcode: a number, or bytes that are valid until more is taken.
type operand struct {
	n     uint64
	data  []byte
	lines [2]string
}

// operand takes the argument of an opcode.
func (in *input) operand(kind argument) (arg operand, err error) {
	switch kind {
	case argNone:
	case argUint8:
		arg.n, err = in.uint(1)
	case argUint16:
		arg.n, err = in.uint(2)
	case argInt32, argUint32:
		arg.n, err = in.uint(4)
	case argUint64, argFloat64:
		arg.n, err = in.uint(8)
	case argLine:
		arg.data, err = in.line()
	case argLines:
		for i := range arg.lines {
			if arg.data, err = in.line(); err != nil {
				break
			}
			arg.lines[i] = string(arg.data)
		}
	case argBytes8:
		arg.data, err = in.counted(1)
	case argBytes32:
		arg.data, err = in.counted(4)
	case argBytes64:
		arg.data, err = in.counted(8)
	}
	return arg, err
}

// counted takes a count of the given size, and as many bytes as it says.
func (in *input) counted(size uint64) ([]byte, error) {
	n, err := in.uint(size)
	if err != nil {
		return nil, err
	}
	return in.take(n)
}

// uint takes a little-endian integer.
func (in *input) uint(size uint64) (uint64, error) {
	b, err := in.take(size)
	if err != nil {
		return 0, err
	}
	switch size {
	case 1:
		return uint64(b[0]), nil
	case 2:
		return uint64(binary.LittleEndian.Uint16(b)), nil
	case 4:
		return uint64(binary.LittleEndian.Uint32(b)), nil
	}
	return binary.LittleEndian.Uint64(b), nil
}

// An exactReader is a peeker for a reader without a buffer: it takes no more bytes from the reader than requested.
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
