package npy

import (
	"errors"
	"io"
	"iter"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/sink"
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
		return nil, diag.Errorf("npy", "the rows of shape %s are not contiguous in the file: %w; NewColumnReader reads along the last axis, Load reads the whole array",
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
		return nil, diag.Errorf("npy", "the columns of shape %s are not contiguous in the file: %w; NewRowReader reads along the first axis, Load reads the whole array",
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

// UnknownRows stands for an unknown number of rows in [NewRowWriter] and [CreateRows].
const UnknownRows = sink.Unknown

// A RowWriter writes an array row by row, in C order: after Close, the bytes of np.save. One index of the first axis
// selects a row. Close completes the array. A RowWriter must be used by one goroutine only.
type RowWriter[T Element] struct {
	sink   *sink.Rows
	dtype  dtype.Type
	encode encoder[T]
	shared bool // the bytes of a T in memory are the bytes in the file
	rowLen int
	buf    []byte
}

// NewRowWriter begins an array of rows of the same shape; without a row shape, a row is one element. [DTypeOf] gives
// the dtype for T; strings, byte slices and times need a [Saver] with a DType.
//
// The number of rows is a promise: Write and Close return an error if it is not kept. If it is [UnknownRows], Close
// writes the number into the header, where NumPy leaves space for it. w must then be an io.WriteSeeker, such as a
// file that is not opened for appending. Before Close the header has 0 rows.
func NewRowWriter[T Element](w io.Writer, rows int, rowShape ...int) (*RowWriter[T], error) {
	return Saver[T]{}.NewRowWriter(w, rows, rowShape...)
}

// CreateRows is [NewRowWriter] for a new file, which may have [UnknownRows]. It writes a temporary file in the same
// folder, which Close renames: path is never seen half-written. Call Abort in a defer: it leaves the old file
// unchanged if Close has not been reached.
func CreateRows[T Element](path string, rows int, rowShape ...int) (*RowWriter[T], error) {
	return Saver[T]{}.CreateRows(path, rows, rowShape...)
}

// NewRowWriter is the function [NewRowWriter] with the settings of s.
func (s Saver[T]) NewRowWriter(w io.Writer, rows int, rowShape ...int) (*RowWriter[T], error) {
	return newRowWriter(s, rowShape, func(h format.Header) (*sink.Rows, error) { return sink.New(w, h, rows) })
}

// CreateRows is the function [CreateRows] with the settings of s.
func (s Saver[T]) CreateRows(path string, rows int, rowShape ...int) (*RowWriter[T], error) {
	return newRowWriter(s, rowShape, func(h format.Header) (*sink.Rows, error) { return sink.Create(path, h, rows, s.Array.Sync) })
}

// rowType returns the dtype of T, if the dtype does not depend on the values.
func rowType[T Element]() (dtype.Type, error) {
	t := DTypeOf[T]()
	if k := t.Kind(); k == dtype.KindStr || k == dtype.KindBytes {
		return t, typeError[T](t, "the length of the longest is not known beforehand; use a Saver with the DType dtype.Str(n) or dtype.Bytes(n)")
	}
	_, err := FromSlice[T](nil) // an error if T alone does not determine the dtype
	return t, err
}

func newRowWriter[T Element](s Saver[T], rowShape []int, open func(format.Header) (*sink.Rows, error)) (*RowWriter[T], error) {
	t := s.DType
	if !t.IsValid() {
		var err error
		if t, err = rowType[T](); err != nil {
			return nil, err
		}
	}
	h := format.Header{Version: s.Array.Version, DType: t, Shape: rowShape}
	if err := check(h); err != nil {
		return nil, err
	}
	encode, err := encoderTo[T](t, s.Array.Casting)
	if err != nil {
		return nil, err
	}
	rows, err := open(h)
	if err != nil {
		return nil, err
	}
	return &RowWriter[T]{sink: rows, dtype: t, encode: encode, shared: sharesMemory[T](t), rowLen: h.Size()}, nil
}

// Write writes whole rows: the length of data must be a multiple of the row length. Values are checked as in
// [FromSliceAs]. An error before anything of data is written, as for a wrong length or for too many rows, changes
// nothing. Every other error is final.
func (w *RowWriter[T]) Write(data []T) error {
	if len(data)%max(w.rowLen, 1) != 0 || w.rowLen == 0 && len(data) > 0 {
		return diag.Errorf("npy", "%d elements is not a multiple of the row length %d", len(data), w.rowLen)
	}
	n := len(data) / max(w.rowLen, 1)
	if err := w.sink.Begin(n); err != nil {
		return err
	}
	if raw, ok := bulk.Bytes(data); ok && w.shared {
		if err := w.sink.Write(raw); err != nil {
			return err
		}
	} else if err := w.writeBlocks(data); err != nil {
		return w.sink.Fail(err)
	}
	w.sink.Done(n)
	return nil
}

// writeBlocks encodes data in blocks that fit in the cache.
func (w *RowWriter[T]) writeBlocks(data []T) error {
	size := w.dtype.ItemSize()
	for at := 0; at < len(data); {
		n := min(len(data)-at, max(blockBytes/max(size, 1), 1))
		if n*size > len(w.buf) {
			w.buf = make([]byte, n*size)
		}
		err := codec.Count(w.encode(w.buf[:n*size], data[at:at+n]), at)
		if err == nil {
			err = w.sink.Write(w.buf[:n*size])
		}
		if err != nil {
			return err
		}
		at += n
	}
	return nil
}

// blockBytes is the size in bytes of the blocks that are encoded at a time.
const blockBytes = 256 << 10

// Close completes the array and, after [CreateRows], the file. It fails with io.ErrShortWrite if fewer rows than
// promised have been written, and with the error of a Write that failed; the file is removed then. Closing again returns
// the same, and Close after Abort an error that wraps fs.ErrClosed. Close does not close the w of [NewRowWriter].
func (w *RowWriter[T]) Close() error { return w.sink.Close() }

// Abort gives up, and removes the file that [CreateRows] began. After Close it does nothing.
func (w *RowWriter[T]) Abort() { w.sink.Abort() }
