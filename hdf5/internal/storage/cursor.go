package storage

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"

	"github.com/npygo/npy/hdf5/internal/fault"
)

// A Cursor takes a structure apart from its start to its end. After the first error all that it takes is zero, so that
// a structure can be read as a whole before Err is looked at.
type Cursor struct {
	In   *Input
	What string // the name of the structure
	At   uint64 // its address
	Data []byte
	Pos  int
	Err  error
}

// Cursor returns a cursor over n bytes at an address.
func (f *Input) Cursor(what string, at uint64, n int) Cursor {
	b, err := f.Structure(what, at, n)
	return Cursor{In: f, What: what, At: at, Data: b, Err: err}
}

// UpTo returns a cursor over the n bytes at an address, or over fewer if the file ends before.
func (f *Input) UpTo(what string, at uint64, n int) Cursor {
	if at <= uint64(f.Size) {
		n = int(min(int64(n), f.Size-int64(at)))
	}
	return f.Cursor(what, at, n)
}

// Fail makes an error of the cursor at its position.
func (c *Cursor) Fail(format string, args ...any) {
	if c.Err == nil {
		c.Err = fault.Invalid(c.What, c.offset(), format, args...)
	}
}

// Unsupported makes an error of the cursor for a valid feature that is not supported.
func (c *Cursor) Unsupported(format string, args ...any) {
	if c.Err == nil {
		c.Err = fault.Unsupported(c.What, c.offset(), format, args...)
	}
}

// offset returns the position in the file.
func (c *Cursor) offset() int64 { return c.In.Offset(c.At + uint64(c.Pos)) }

// Left returns the number of bytes up to the end.
func (c *Cursor) Left() int { return len(c.Data) - c.Pos }

// Bytes takes n bytes. They are shared and must not be changed.
func (c *Cursor) Bytes(n int) []byte {
	if c.Err == nil && (n < 0 || n > c.Left()) {
		c.Err = &fault.Error{Structure: c.What, Offset: c.offset(), Err: fault.Malformed(fmt.Errorf("it ends after %d bytes, and %d more are needed: %w", len(c.Data), n, io.ErrUnexpectedEOF))}
	}
	if c.Err != nil {
		return nil
	}
	b := c.Data[c.Pos : c.Pos+n : c.Pos+n]
	c.Pos += n
	return b
}

// Skip takes n bytes that do not matter.
func (c *Cursor) Skip(n int) { c.Bytes(n) }

// Uint takes a little-endian number of n bytes, at most 8.
func (c *Cursor) Uint(n int) uint64 {
	b := c.Bytes(n)
	x := uint64(0)
	for i, v := range b {
		x |= uint64(v) << (8 * i)
	}
	return x
}

// U8 takes a byte.
func (c *Cursor) U8() int {
	if b := c.Bytes(1); b != nil {
		return int(b[0])
	}
	return 0
}

// U16 takes a little-endian number of two bytes.
func (c *Cursor) U16() int {
	if b := c.Bytes(2); b != nil {
		return int(binary.LittleEndian.Uint16(b))
	}
	return 0
}

// U32 takes a little-endian number of four bytes.
func (c *Cursor) U32() uint32 {
	if b := c.Bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// Address takes an address. The undefined address is undefined, whatever its size.
func (c *Cursor) Address() uint64 { return widest(c.Uint(c.In.OffsetSize), c.In.OffsetSize) }

// Length takes a length.
func (c *Cursor) Length() uint64 { return widest(c.Uint(c.In.LengthSize), c.In.LengthSize) }

// widest returns x, a number of n bytes, with all bits set if all bits of the n bytes are.
func widest(x uint64, n int) uint64 {
	if n < 8 && x == 1<<(8*n)-1 {
		return Undefined
	}
	return x
}

// Size takes a length that must fit an int.
func (c *Cursor) Size() int {
	n := c.Length()
	if n > MaxInt {
		c.Fail("a length of %d bytes is more than this machine can address", n)
		return 0
	}
	return int(n)
}

// Signature takes the four letters that a structure begins with.
func (c *Cursor) Signature(want string) {
	if got := c.Bytes(len(want)); got != nil && string(got) != want {
		c.Pos -= len(want)
		c.Fail("it begins with %q instead of %q", got, want)
	}
}

// Version takes the version of a structure, which must be from low to high.
func (c *Cursor) Version(low, high int) int {
	v := c.U8()
	if c.Err == nil && (v < low || v > high) {
		c.Pos--
		c.Unsupported("version %d, and versions %d to %d are known", v, low, high)
	}
	return v
}

// Text takes n bytes as text that ends at the first NUL.
func (c *Cursor) Text(n int) string { return UpToNUL(c.Bytes(n)) }

// Name takes text up to a NUL, and the NUL. With padded set its length is made a multiple of 8.
func (c *Cursor) Name(padded bool) string {
	length := bytes.IndexByte(c.Data[c.Pos:], 0)
	if length < 0 {
		c.Fail("a name has no end")
		return ""
	}
	s := string(c.Bytes(length))
	n := 1
	if padded {
		n = (length+8)/8*8 - length
	}
	c.Skip(min(n, c.Left())) // some writers leave out the padding at the end
	return s
}

// Checksum verifies the checksum that follows the bytes taken so far.
func (c *Cursor) Checksum() {
	if c.Err != nil {
		return
	}
	got := Lookup3(c.Data[:c.Pos])
	if want := c.U32(); c.Err == nil && got != want && !c.In.Unsummed {
		c.Pos -= 4
		c.Fail("its checksum is %08x, and its bytes have %08x", want, got)
	}
}

const MaxInt = uint64(^uint(0) >> 1)

// UpToNUL returns the text before the first NUL.
func UpToNUL(b []byte) string {
	text, _, _ := bytes.Cut(b, []byte{0})
	return string(text)
}

// MinBytes returns the number of bytes that x needs, at least 1.
func MinBytes(x uint64) int { return max((bits.Len64(x)+7)/8, 1) }

// IsPower reports whether x is a power of two.
func IsPower(x uint64) bool { return bits.OnesCount64(x) == 1 }
