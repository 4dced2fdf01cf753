package convert

import (
	"context"
	"io"
	"math"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
)

// RawOptions describes elements without a header.
type RawOptions struct {
	DType dtype.Type // of the elements, any but Python objects

	// Shape is the shape of the array. One axis may be -1; its length is computed from the number of bytes. A nil Shape
	// is one axis of -1.
	Shape []int

	Offset  int64 // bytes to skip before the first element
	Fortran bool  // the first index varies fastest
}

// OpenRaw opens elements without a header as an array, like numpy.fromfile and numpy.memmap on a file that
// ndarray.tofile or another program has written. r has size bytes. Elements are read on demand, and r must allow
// concurrent calls of ReadAt.
//
// If Shape has an axis of -1, the bytes must not end within an element or row. If it has none, bytes after the array are
// ignored, and too few bytes are io.ErrUnexpectedEOF.
func OpenRaw(r io.ReaderAt, size int64, o RawOptions) (*npy.File, error) {
	if o.DType.HasObject() {
		return nil, diag.Errorf("convert", "raw bytes cannot be Python objects: %w", npy.ErrObjects)
	}
	if o.Offset < 0 || o.Offset > size {
		return nil, diag.Errorf("convert", "offset %d is outside of the data, which has %d bytes", o.Offset, size)
	}
	shape, err := o.shapeFor(size - o.Offset)
	if err != nil {
		return nil, err
	}
	h := format.Header{DType: o.DType, Shape: shape, FortranOrder: o.Fortran}
	if err := h.Validate(); err != nil {
		return nil, err
	}
	if have, want := size-o.Offset, h.NBytes(); have < want {
		return nil, diag.Errorf("convert", "the data ends after %d of %d bytes: the dtype, shape or offset is wrong, or the end is missing: %w",
			have, want, io.ErrUnexpectedEOF)
	}
	h.DataOffset = o.Offset
	return npy.FileOf(h, r, size)
}

// shapeFor returns the shape for size bytes, with the axis of -1 filled in.
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
			return nil, diag.Errorf("convert", "shape %s: only one dimension may be -1", format.ShapeString(shape))
		case n > 0 && row > size/int64(n): // longer than the data; the exact excess may overflow
			row = size + 1
		default:
			row *= int64(n)
		}
	}
	if open < 0 {
		return shape, nil
	}
	if row == 0 {
		return nil, diag.Errorf("convert", "shape %s: -1 could be any length, since the other dimensions have no bytes", format.ShapeString(shape))
	}
	if rest := size % row; rest != 0 {
		return nil, diag.Errorf("convert", "%d bytes are %d rows of %d bytes, with %d bytes left over: the dtype, shape or offset is wrong, or the end is missing: %w",
			size, size/row, row, rest, io.ErrUnexpectedEOF)
	}
	if size/row > math.MaxInt {
		return nil, diag.Wrap("convert", bounded.Over("", 0, 0, "%d rows are more than this machine can address; give a shape", size/row))
	}
	shape[open] = int(size / row)
	return shape, nil
}

// WriteRaw writes the elements of src in C order without a header, like ndarray.tofile. Memory does not grow with src.
// The settings of c apply as in [npy.Copier.WriteData], except for Order, which is C.
func WriteRaw(ctx context.Context, w io.Writer, src npy.Source, c npy.Copier) error {
	if src.DType().HasObject() || c.DType.IsValid() && c.DType.HasObject() {
		return diag.Errorf("convert", "Python objects have no raw bytes: %w", npy.ErrObjects)
	}
	c.Order = npy.COrder
	return c.WriteData(ctx, w, src)
}

// WriteRawFile is [WriteRaw] to a file, which is replaced as by [WriteFile].
func WriteRawFile(ctx context.Context, path string, src npy.Source, c npy.Copier) error {
	return writeFile(path, c.Encoder.Sync, func(w io.Writer) error { return WriteRaw(ctx, w, src, c) })
}
