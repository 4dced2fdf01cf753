package convert

import (
	"fmt"
	"io"
	"math"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// RawOptions say what elements without a header are.
type RawOptions struct {
	DType dtype.Type // of the elements, any but Python objects

	// Shape is that of the array. One of its axes may be -1, which is then as long as the bytes make it. A nil Shape stands
	// for one axis of that kind.
	Shape []int

	Offset  int64 // bytes before the first element, which are skipped
	Fortran bool  // the first index varies fastest
}

// OpenRaw takes elements without a header for an array: numpy.fromfile and numpy.memmap of a file that ndarray.tofile or
// another program has written. r has size bytes. Only what is asked for is read, and r must allow calls of ReadAt by
// several goroutines.
//
// Where Shape leaves the length open it is an error if the bytes end within an element or row. Where it does not, bytes
// behind the array are ignored, and too few are io.ErrUnexpectedEOF.
func OpenRaw(r io.ReaderAt, size int64, o RawOptions) (*npy.File, error) {
	if o.DType.HasObject() {
		return nil, fmt.Errorf("convert: raw bytes cannot be Python objects: %w", npy.ErrObjects)
	}
	if o.Offset < 0 || o.Offset > size {
		return nil, fmt.Errorf("convert: an offset of %d bytes is not within the %d that there are", o.Offset, size)
	}
	shape, err := o.shapeFor(size - o.Offset)
	if err != nil {
		return nil, err
	}
	h := format.Header{DType: o.DType, Shape: shape, FortranOrder: o.Fortran}
	head, err := h.Append(nil)
	if err != nil {
		return nil, err
	}
	if have, want := size-o.Offset, h.NBytes(); have < want {
		return nil, fmt.Errorf("convert: the data ends after %d of %d bytes: a wrong dtype, shape or offset, or the end is missing: %w",
			have, want, io.ErrUnexpectedEOF)
	}
	return npy.OpenReaderAt(headed{head, r, o.Offset}, int64(len(head))+size-o.Offset)
}

// shapeFor fills in the axis that is left open, for so many bytes.
func (o RawOptions) shapeFor(size int64) ([]int, error) {
	shape := append([]int{}, o.Shape...)
	if o.Shape == nil {
		shape = []int{-1}
	}
	open, row := -1, int64(o.DType.ItemSize())
	for i, n := range shape {
		switch {
		case n == -1 && open < 0:
			open = i
		case n < 0:
			return nil, fmt.Errorf("convert: shape %s: axes are not negative, but for one of -1", format.ShapeString(shape))
		case n > 0 && row > size/int64(n): // longer than there is, by however much
			row = size + 1
		default:
			row *= int64(n)
		}
	}
	if open < 0 {
		return shape, nil
	}
	if row == 0 {
		return nil, fmt.Errorf("convert: shape %s: -1 could be anything, for the others have no bytes", format.ShapeString(shape))
	}
	if rest := size % row; rest != 0 {
		return nil, fmt.Errorf("convert: %d bytes are %d times %d and %d more: a wrong dtype, shape or offset, or the end is missing: %w",
			size, size/row, row, rest, io.ErrUnexpectedEOF)
	}
	if size/row > math.MaxInt {
		return nil, fmt.Errorf("convert: %d rows are more than a shape can say here; give a shape: %w", size/row, npy.ErrLimit)
	}
	shape[open] = int(size / row)
	return shape, nil
}

// headed is a header with bytes of another reader behind it.
type headed struct {
	head   []byte
	data   io.ReaderAt
	offset int64 // of the data in its reader
}

// ReadAt implements io.ReaderAt.
func (h headed) ReadAt(p []byte, at int64) (n int, err error) {
	if at < int64(len(h.head)) {
		n = copy(p, h.head[at:])
		if n == len(p) {
			return n, nil
		}
		at, p = int64(len(h.head)), p[n:]
	}
	m, err := h.data.ReadAt(p, h.offset+at-int64(len(h.head)))
	return n + m, err
}

// CopyRaw writes the elements of a[index...] in C order and nothing else, ndarray.tofile, in memory that does not grow with the
// file. The settings of c are those of its Write, but for Order: there is no header to say another.
func CopyRaw(w io.Writer, src *npy.File, c npy.Copier, index ...npy.Index) error {
	if src.DType().HasObject() || c.DType.IsValid() && c.DType.HasObject() {
		return fmt.Errorf("convert: Python objects have no raw bytes: %w", npy.ErrObjects)
	}
	c.Order = npy.COrder
	return c.Write(&bodyWriter{w: w}, src, index...)
}

// A bodyWriter drops the header of an .npy file that is written to it.
type bodyWriter struct {
	w    io.Writer
	head []byte // as far as it has come
	gone bool
}

// Write implements io.Writer.
func (b *bodyWriter) Write(p []byte) (int, error) {
	if b.gone {
		return b.w.Write(p)
	}
	b.head = append(b.head, p...)
	n, err := format.Decoder{MaxHeader: -1}.HeaderSize(b.head)
	if err != nil || n > len(b.head) {
		return len(p), nil // more of it is to come
	}
	body := b.head[n:]
	b.head, b.gone = nil, true
	if len(body) > 0 {
		if _, err := b.w.Write(body); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// CopyRawFile is [CopyRaw] to a file, which is replaced as by [WriteFile].
func CopyRawFile(path string, src *npy.File, c npy.Copier, index ...npy.Index) error {
	return writeFile(path, c.Encoder.Sync, func(w io.Writer) error { return CopyRaw(w, src, c, index...) })
}
