package npy

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/source"
)

// ErrFortranOrder is wrapped by the error for arrays in Fortran order, whose rows are not contiguous in the file.
var ErrFortranOrder = errors.New("array in Fortran order")

// ErrCOrder is wrapped by the error for arrays in C order, whose columns are not contiguous in the file.
var ErrCOrder = errors.New("array in C order")

// A RowReader reads an array of any size a few rows at a time, in memory for these rows alone. One index of the first
// axis selects a row, a[i], with elements in C order. An array without dimensions is one row of one element.
//
// Elements become values of T as in [Load]. A RowReader must be used by one goroutine only.
type RowReader[T Element] struct {
	header format.Header
	shape  []int
	rows   *source.Rows[T]
}

// NewRowReader reads the header of the array that begins at the position of r. At the end of r the error is io.EOF.
//
// Data is read on demand and never beyond the array: after the last row the position of r is the end of the array,
// where the next NewRowReader finds the next array. Data that is too short is an error of NewRowReader if the length
// of r is known (a file, a bytes.Reader), and otherwise an error of Next.
//
// The error wraps [ErrFortranOrder] for an array in Fortran order, whose columns [NewColumnReader] reads, and
// [ErrObjects] for Python objects. A T that does not hold every value of the dtype is a [*TypeError], unless
// [Decoder.Casting] allows it.
func NewRowReader[T Element](r io.Reader) (*RowReader[T], error) { return Loader[T]{}.NewRowReader(r) }

// NewRowReader is the function [NewRowReader] with the settings of l. MaxBytes limits the size of one row: the length
// of a row comes from the header and is not trusted.
func (l Loader[T]) NewRowReader(r io.Reader) (*RowReader[T], error) {
	d := Decoder(l)
	s, err := source.Open(r, d.Format())
	if err != nil {
		return nil, err
	}
	if !s.InCOrder() && s.Header.Size() > 0 {
		return nil, fmt.Errorf("npy: the rows of shape %s are not together: %w; NewColumnReader reads along the last axis, Load takes the whole",
			format.ShapeString(s.Header.Shape), ErrFortranOrder)
	}
	return newRowReader[T](s, d, s.Header.Shape)
}

// NewColumnReader is [NewRowReader] for arrays in Fortran order, which it reads as the transposed array. One index of
// the last axis selects a row, a[..., i], with the first index running fastest. Shape gives the reversed shape. The
// error wraps [ErrCOrder] for an array in C order.
func NewColumnReader[T Element](r io.Reader) (*RowReader[T], error) {
	return Loader[T]{}.NewColumnReader(r)
}

// NewColumnReader is the function [NewColumnReader] with the settings of l.
func (l Loader[T]) NewColumnReader(r io.Reader) (*RowReader[T], error) {
	d := Decoder(l)
	s, err := source.Open(r, d.Format())
	if err != nil {
		return nil, err
	}
	if !s.InFortranOrder() && s.Header.Size() > 0 {
		return nil, fmt.Errorf("npy: the columns of shape %s are not together: %w; NewRowReader reads along the first axis, Load takes the whole",
			format.ShapeString(s.Header.Shape), ErrCOrder)
	}
	shape := slices.Clone(s.Header.Shape)
	slices.Reverse(shape)
	return newRowReader[T](s, d, shape)
}

func newRowReader[T Element](s *source.Source, d Decoder, shape []int) (*RowReader[T], error) {
	t := s.Header.DType
	if err := noObjects(t, "; LoadFrom reads them whole"); err != nil {
		return nil, err
	}
	decode, err := decoderOf[T](d, s.Header)
	if err != nil {
		return nil, err
	}
	n := 1
	if len(shape) > 0 {
		n = shape[0]
	}
	if err := source.CheckSize(s.Header.NBytes()/int64(max(n, 1)), d.MaxBytes); err != nil {
		return nil, err
	}
	r := &RowReader[T]{header: s.Header, shape: shape}
	if sharesMemory[T](t.WithByteOrder(dtype.NativeEndian)) {
		r.rows, err = source.NewSharedRows[T](s, n, swapWidth(t))
	} else {
		r.rows, err = source.NewRows(s, n, decode)
	}
	return r, err
}

// Header returns the header of the array.
func (r *RowReader[T]) Header() format.Header {
	h := r.header
	h.Shape = slices.Clone(h.Shape)
	return h
}

// Shape returns the number of rows, followed by the shape of a row. The slice is a copy.
func (r *RowReader[T]) Shape() []int { return slices.Clone(r.shape) }

// RowLen returns the number of elements of a row: the product of the axes after the first.
func (r *RowReader[T]) RowLen() int { return r.rows.RowLen() }

// Next fills dst with as many whole rows as fit, up to the end of the array, and returns their number. At the end of
// the array it returns 0 and io.EOF. A dst too short for one row is io.ErrShortBuffer. Data that ends early is a
// [*format.Error] with the offset, which wraps io.ErrUnexpectedEOF. That call delivers no rows then, except for rows
// that [RowReader.Rows] has read ahead: they come before the error. After an error every further call returns the
// error again.
func (r *RowReader[T]) Next(dst []T) (rows int, err error) { return r.rows.Next(dst) }

// Rows yields one row after another, or an error, which ends it. The slice is only valid until the next row: its
// memory is reused. Strings and byte slices may be kept. Some 64 KB of rows are read ahead. When a loop is left, its
// remaining rows are the next rows of another loop over Rows, and of Next and Blocks, which read no more than they
// deliver.
func (r *RowReader[T]) Rows() iter.Seq2[[]T, error] { return r.rows.All() }

// Blocks yields n rows at a time in one slice, at the end the remaining rows, or an error, which ends it. The slice
// is only valid until the next block: its memory is reused.
func (r *RowReader[T]) Blocks(n int) iter.Seq2[[]T, error] { return r.rows.Blocks(n) }
