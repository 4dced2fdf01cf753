package hdf5

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
)

// A cursor takes a structure apart from its start to its end. After the first error all that it takes is zero, so that
// a structure can be read as a whole before err is looked at.
type cursor struct {
	f    *input
	what string // the name of the structure
	at   uint64 // its address
	b    []byte
	pos  int
	err  error
}

// cursor returns a cursor over n bytes at an address.
func (f *input) cursor(what string, at uint64, n int) cursor {
	b, err := f.structure(what, at, n)
	return cursor{f: f, what: what, at: at, b: b, err: err}
}

// upTo returns a cursor over the n bytes at an address, or over fewer if the file ends before.
func (f *input) upTo(what string, at uint64, n int) cursor {
	if at <= uint64(f.size) {
		n = int(min(int64(n), f.size-int64(at)))
	}
	return f.cursor(what, at, n)
}

// fail makes an error of the cursor at its position.
func (c *cursor) fail(format string, args ...any) {
	if c.err == nil {
		c.err = invalid(c.what, c.offset(), format, args...)
	}
}

// unsupported makes an error of the cursor for what is valid and not supported.
func (c *cursor) unsupported(format string, args ...any) {
	if c.err == nil {
		c.err = unsupported(c.what, c.offset(), format, args...)
	}
}

// offset returns the position in the file.
func (c *cursor) offset() int64 { return c.f.offset(c.at + uint64(c.pos)) }

// left returns the number of bytes up to the end.
func (c *cursor) left() int { return len(c.b) - c.pos }

// bytes takes n bytes. They are shared and must not be changed.
func (c *cursor) bytes(n int) []byte {
	if c.err == nil && (n < 0 || n > c.left()) {
		c.err = &Error{Structure: c.what, Offset: c.offset(), Err: fault{fmt.Errorf("it ends after %d bytes, and %d more are needed: %w", len(c.b), n, io.ErrUnexpectedEOF)}}
	}
	if c.err != nil {
		return nil
	}
	b := c.b[c.pos : c.pos+n : c.pos+n]
	c.pos += n
	return b
}

func (c *cursor) skip(n int) { c.bytes(n) }

// uint takes a little-endian number of n bytes, at most 8.
func (c *cursor) uint(n int) uint64 {
	b := c.bytes(n)
	x := uint64(0)
	for i, v := range b {
		x |= uint64(v) << (8 * i)
	}
	return x
}

func (c *cursor) u8() int {
	if b := c.bytes(1); b != nil {
		return int(b[0])
	}
	return 0
}

func (c *cursor) u16() int {
	if b := c.bytes(2); b != nil {
		return int(binary.LittleEndian.Uint16(b))
	}
	return 0
}

func (c *cursor) u32() uint32 {
	if b := c.bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// address takes an address. The undefined address is undefined, whatever its size.
func (c *cursor) address() uint64 { return widest(c.uint(c.f.offsetSize), c.f.offsetSize) }

// length takes a length.
func (c *cursor) length() uint64 { return widest(c.uint(c.f.lengthSize), c.f.lengthSize) }

// widest returns x, a number of n bytes, with all bits set if those of the n bytes are.
func widest(x uint64, n int) uint64 {
	if n < 8 && x == 1<<(8*n)-1 {
		return undefined
	}
	return x
}

// size takes a length that must fit an int.
func (c *cursor) size() int {
	n := c.length()
	if n > maxInt {
		c.fail("a length of %d bytes is more than this machine can address", n)
		return 0
	}
	return int(n)
}

// signature takes the four letters that a structure begins with.
func (c *cursor) signature(want string) {
	if got := c.bytes(len(want)); got != nil && string(got) != want {
		c.pos -= len(want)
		c.fail("it begins with %q instead of %q", got, want)
	}
}

// version takes the version of a structure, which must be from low to high.
func (c *cursor) version(low, high int) int {
	v := c.u8()
	if c.err == nil && (v < low || v > high) {
		c.pos--
		c.unsupported("version %d, and versions %d to %d are known", v, low, high)
	}
	return v
}

// text takes n bytes as text that ends at the first NUL.
func (c *cursor) text(n int) string { return upToNUL(c.bytes(n)) }

// name takes text up to a NUL, and the NUL. With padded set its length is made a multiple of 8.
func (c *cursor) name(padded bool) string {
	length := bytes.IndexByte(c.b[c.pos:], 0)
	if length < 0 {
		c.fail("a name has no end")
		return ""
	}
	s := string(c.bytes(length))
	n := 1
	if padded {
		n = (length+8)/8*8 - length
	}
	c.skip(min(n, c.left())) // some writers leave out the padding at the end
	return s
}

// checksum verifies the checksum that follows what was taken.
func (c *cursor) checksum() {
	if c.err != nil {
		return
	}
	got := lookup3(c.b[:c.pos])
	if want := c.u32(); c.err == nil && got != want && !c.f.unsummed {
		c.pos -= 4
		c.fail("its checksum is %08x, and its bytes have %08x", want, got)
	}
}

const maxInt = uint64(^uint(0) >> 1)

// upToNUL returns the text before the first NUL.
func upToNUL(b []byte) string {
	text, _, _ := bytes.Cut(b, []byte{0})
	return string(text)
}

// minBytes returns the number of bytes that x needs, at least 1.
func minBytes(x uint64) int { return max((bits.Len64(x)+7)/8, 1) }

// isPower reports whether x is a power of two.
func isPower(x uint64) bool { return bits.OnesCount64(x) == 1 }
