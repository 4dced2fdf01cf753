package record

import (
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/sink"
	"github.com/npygo/npy/internal/source"
)

// A RowReader reads records as structs, from an array of any size, a few at a time and in memory for those alone. It is
// [npy.RowReader] for structs: a row is what one index of the first axis selects, of an array of one dimension a single
// record. It is for one goroutine.
type RowReader[T any] struct {
	header format.Header
	rows   *source.Rows[T]
}

// NewRowReader reads the header of the array that begins at the position of r. At the end of r the error is io.EOF; the
// others are those of [LoadFrom], and one that wraps [npy.ErrFortranOrder] for an array in Fortran order of more than one
// dimension. Data is read as it is asked for and never beyond the array: after the last row r stands behind it.
func NewRowReader[T any](r io.Reader) (*RowReader[T], error) { return Loader[T]{}.NewRowReader(r) }

// NewFieldReader is [NewRowReader] for one field of the records, which is named as for [Field]. T is what it is for
// [LoadField].
func NewFieldReader[T any](r io.Reader, field string) (*RowReader[T], error) {
	return Loader[T]{}.NewFieldReader(r, field)
}

// NewRowReader is the function [NewRowReader] with the settings of l.
func (l Loader[T]) NewRowReader(r io.Reader) (*RowReader[T], error) {
	return l.newRowReader(r, l.compile)
}

// NewFieldReader is the function [NewFieldReader] with the settings of l.
func (l Loader[T]) NewFieldReader(r io.Reader, field string) (*RowReader[T], error) {
	return l.newRowReader(r, l.compileField(field))
}

func (l Loader[T]) newRowReader(r io.Reader, compile func(dtype.Type) (*program, error)) (*RowReader[T], error) {
	s, err := source.Open(r, l.Array.Format())
	if err != nil {
		return nil, err
	}
	h := s.Header
	if !s.InCOrder() && h.Size() > 0 {
		return nil, fmt.Errorf("record: the rows of shape %s are not together: %w; LoadFrom takes the whole", format.ShapeString(h.Shape), npy.ErrFortranOrder)
	}
	inner, err := compile(h.DType)
	if err != nil {
		return nil, err
	}
	p := &Plan[T]{inner}
	if err := p.checkSize(h.Size()); err != nil {
		return nil, err
	}
	n := 1
	if len(h.Shape) > 0 {
		n = h.Shape[0]
	}
	if err := source.CheckSize(h.NBytes()/int64(max(n, 1)), l.Array.MaxBytes); err != nil {
		return nil, err
	}
	rows := &RowReader[T]{header: h}
	if p.p.sameLoad {
		rows.rows, err = source.NewSharedRows[T](s, n, 1)
	} else {
		rows.rows, err = source.NewRows(s, n, func(dst []T, src []byte, first int) error { return renumber(p.fill(dst, src), first) })
	}
	return rows, err
}

// Header returns the header of the array.
func (r *RowReader[T]) Header() format.Header {
	h := r.header
	h.Shape = slices.Clone(h.Shape)
	return h
}

// RowLen returns the number of records of a row: 1 for an array of one dimension.
func (r *RowReader[T]) RowLen() int { return r.rows.RowLen() }

// Next fills dst with as many whole rows as it holds, or as are left, and returns how many those are. At the end of the
// array it returns 0 and io.EOF. Data that ends early is a [*format.Error] that wraps io.ErrUnexpectedEOF, a value that
// does not fit a [*ValueError] with the number of its record in the array. After an error there is no more to read.
func (r *RowReader[T]) Next(dst []T) (rows int, err error) { return r.rows.Next(dst) }

// Blocks gives n rows at a time in one slice, the last time those that are left, or an error, which ends it. The slice
// is only good until the next block: its memory is used again.
func (r *RowReader[T]) Blocks(n int) iter.Seq2[[]T, error] { return r.rows.Blocks(n) }

// Records gives one record after another, or an error, which ends it. Some 64 KB of them are read ahead. When a loop is
// left, the records it has not seen are the next ones, of another loop over Records as well as of Next and Blocks. A loop
// that is left inside a row of several records has to be followed by another one to the end of that row: until then Next
// and Blocks fail.
func (r *RowReader[T]) Records() iter.Seq2[T, error] { return r.rows.Elements() }

// A RowWriter writes structs as records, row by row: when it is closed, the bytes of [Save]. It is [npy.RowWriter] for
// structs, and for one goroutine.
type RowWriter[T any] struct {
	sink   *sink.Rows
	plan   *Plan[T]
	rowLen int
	buf    []byte
}

// NewRowWriter begins an array of rows of the same shape; without a row shape, a row is one record. The dtype is what
// [DType] gives for T. The number of rows is a promise, or [npy.UnknownRows] if w is an io.WriteSeeker: see
// [npy.NewRowWriter].
func NewRowWriter[T any](w io.Writer, rows int, rowShape ...int) (*RowWriter[T], error) {
	return Saver[T]{}.NewRowWriter(w, rows, rowShape...)
}

// CreateRows is [NewRowWriter] for a new file, which may have [npy.UnknownRows]. It is a temporary file in the same folder,
// which Close moves to its place: path is never seen half-written. Call Abort in a defer: it leaves the old file as it was
// if Close has not been reached.
func CreateRows[T any](path string, rows int, rowShape ...int) (*RowWriter[T], error) {
	return Saver[T]{}.CreateRows(path, rows, rowShape...)
}

// NewRowWriter is the function [NewRowWriter] with the settings of s.
func (s Saver[T]) NewRowWriter(w io.Writer, rows int, rowShape ...int) (*RowWriter[T], error) {
	return s.newRowWriter(rowShape, func(h format.Header) (*sink.Rows, error) { return sink.New(w, h, rows) })
}

// CreateRows is the function [CreateRows] with the settings of s.
func (s Saver[T]) CreateRows(path string, rows int, rowShape ...int) (*RowWriter[T], error) {
	return s.newRowWriter(rowShape, func(h format.Header) (*sink.Rows, error) { return sink.Create(path, h, rows, s.Array.Sync) })
}

func (s Saver[T]) newRowWriter(rowShape []int, open func(format.Header) (*sink.Rows, error)) (*RowWriter[T], error) {
	t, err := s.dtype()
	if err != nil {
		return nil, err
	}
	h := format.Header{Version: s.Array.Version, DType: t, Shape: rowShape}
	if err := h.Validate(); err != nil {
		return nil, err
	}
	p, err := Compile[T](t)
	if err == nil {
		err = p.p.noStore
	}
	if err != nil {
		return nil, err
	}
	rows, err := open(h)
	if err != nil {
		return nil, err
	}
	return &RowWriter[T]{sink: rows, plan: p, rowLen: h.Size()}, nil
}

// rowBlock is how many bytes of records are encoded at a time.
const rowBlock = 256 << 10

// Write writes whole rows: the length of data is a multiple of that of a row. A value that does not fit, such as a string
// that is too long, is a [*ValueError]; such errors are final, and those about the number of rows change nothing.
func (w *RowWriter[T]) Write(data []T) error {
	if len(data)%max(w.rowLen, 1) != 0 || w.rowLen == 0 && len(data) > 0 {
		return fmt.Errorf("record: %d records is not a multiple of the row length %d", len(data), w.rowLen)
	}
	n := len(data) / max(w.rowLen, 1)
	if err := w.sink.Begin(n); err != nil {
		return err
	}
	size := w.plan.p.size
	first := 0
	for block := range slices.Chunk(data, max(rowBlock/max(size, 1), 1)) {
		w.buf = slices.Grow(w.buf[:0], len(block)*size)[:len(block)*size]
		err := renumber(w.plan.Encode(w.buf, block), first)
		if err == nil {
			err = w.sink.Write(w.buf)
		}
		if err != nil {
			return w.sink.Fail(err)
		}
		first += len(block)
	}
	w.sink.Done(n)
	return nil
}

// Close completes the array, and of [CreateRows] the file. It fails with io.ErrShortWrite if fewer rows than promised have
// been written, and with the error of a Write that failed: a file is removed then. Closing twice does nothing. It does
// not close the w of [NewRowWriter].
func (w *RowWriter[T]) Close() error { return w.sink.Close() }

// Abort gives up, and removes the file that [CreateRows] began. After Close it does nothing.
func (w *RowWriter[T]) Abort() { w.sink.Abort() }

// AppendRows puts records behind the array of l, an array of one dimension: [npy.AppendRows] for structs. The errors are those
// of [FromSliceAs] and [npy.Appender.Append].
func AppendRows[T any](l *npy.Appender, data []T) error {
	a, err := FromSliceAs(l.Header().DType, data)
	if err != nil {
		return err
	}
	return l.Append(a)
}
