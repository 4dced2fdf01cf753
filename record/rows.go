package record

import (
	"io"
	"iter"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/sink"
	"github.com/npygo/npy/internal/source"
)

// A RowReader reads the records of an array of any size as structs, a few at a time, and holds only these in memory. It
// is [npy.RowReader] for structs: a row is selected by one index of the first axis. For an array of one dimension it is
// a single record. It is for one goroutine.
type RowReader[T any] struct {
	header format.Header
	rows   *source.Rows[T]
}

// NewRowReader reads the header of the array that begins at the position of r. At the end of r the error is io.EOF.
// An array in Fortran order of more than one dimension is an error that wraps [npy.ErrFortranOrder]. The other errors
// are the errors of [LoadFrom]. Data is read on demand and never beyond the array: after the last row, r is at the
// end of the array.
func NewRowReader[T any](r io.Reader) (*RowReader[T], error) { return Loader[T]{}.NewRowReader(r) }

// NewFieldReader is [NewRowReader] for one field of the records, named as for [Field]. T is as for [LoadField].
func NewFieldReader[T any](r io.Reader, field string) (*RowReader[T], error) {
	return Loader[T]{}.NewFieldReader(r, field)
}

// NewRowReader is the function [NewRowReader] with the settings of l.
func (l Loader[T]) NewRowReader(r io.Reader) (*RowReader[T], error) {
	return l.newRowReader(r, l.compileWhole)
}

// NewFieldReader is the function [NewFieldReader] with the settings of l.
func (l Loader[T]) NewFieldReader(r io.Reader, field string) (*RowReader[T], error) {
	return l.newRowReader(r, l.compileField(field))
}

func (l Loader[T]) newRowReader(r io.Reader, compile compiler) (*RowReader[T], error) {
	s, err := source.Open(r, l.Array.Format())
	if err != nil {
		return nil, err
	}
	h := s.Header
	if !s.InCOrder() && h.Size() > 0 {
		return nil, diag.Errorf("record", "the rows of shape %s are not together: %w; LoadFrom takes the whole", format.ShapeString(h.Shape), npy.ErrFortranOrder)
	}
	inner, err := compile(&s.Header)
	if err != nil {
		return nil, err
	}
	whole := h
	h = s.Header
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
	rows := &RowReader[T]{header: whole}
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

// RowLen returns the number of records in a row: 1 for an array of one dimension. If T is an array, the last axes count
// as one record.
func (r *RowReader[T]) RowLen() int { return r.rows.RowLen() }

// Next fills dst with as many whole rows as fit, or as are left, and returns their number. At the end of the array it
// returns 0 and io.EOF. Data that ends early is a [*format.Error] that wraps io.ErrUnexpectedEOF. A value that does
// not fit is a [*ValueError] with the number of its record in the array. After an error no more can be read.
func (r *RowReader[T]) Next(dst []T) (rows int, err error) { return r.rows.Next(dst) }

// Blocks returns an iterator over slices of n rows; the last slice has the remaining rows. An error ends the
// iteration. A slice is valid until the next block, which reuses its memory.
func (r *RowReader[T]) Blocks(n int) iter.Seq2[[]T, error] { return r.rows.Blocks(n) }

// Records returns an iterator over single records. An error ends the iteration. Some 64 KB of records are read ahead.
// After a loop has ended early, the next record is the first it has not seen, for Records as well as for Next and
// Blocks. After a loop that ended within a row of several records, Next and Blocks fail until another loop over
// Records has reached the end of this row.
func (r *RowReader[T]) Records() iter.Seq2[T, error] { return r.rows.Elements() }

// A RowWriter writes structs as records, row by row. The result has the same bytes as the result of [Save]. It is
// [npy.RowWriter] for structs, and for one goroutine.
type RowWriter[T any] struct {
	sink   *sink.Rows
	plan   *Plan[T]
	rowLen int
	buf    []byte
}

// NewRowWriter begins an array of rows of the same shape; without a row shape, a row is one record. The dtype is the
// result of [DType] for T. Exactly rows rows must be written, unless rows is [npy.UnknownRows], which needs an
// io.WriteSeeker: see [npy.NewRowWriter].
func NewRowWriter[T any](w io.Writer, rows int, rowShape ...int) (*RowWriter[T], error) {
	return Saver[T]{}.NewRowWriter(w, rows, rowShape...)
}

// CreateRows is [NewRowWriter] for a new file, and accepts [npy.UnknownRows]. The rows go to a temporary file in the
// same folder, which Close renames to path: path is never seen half-written. Call Abort in a defer: if Close has not
// been reached, it removes the temporary file and leaves an old file as it was.
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
	if err := unfolded(h).Validate(); err != nil {
		return nil, err
	}
	p, err := Compile[T](t)
	if err == nil {
		err = p.p.noStore
	}
	if err != nil {
		return nil, err
	}
	rows, err := open(unfolded(h))
	if err != nil {
		return nil, err
	}
	return &RowWriter[T]{sink: rows, plan: p, rowLen: h.Size()}, nil
}

// rowBlock is the number of bytes of records encoded at a time.
const rowBlock = 256 << 10

// Write writes whole rows: the length of data must be a multiple of the row length. A value that does not fit, such
// as a string that is too long, is a [*ValueError]. Such an error is final; an error about the number of
// rows changes nothing.
func (w *RowWriter[T]) Write(data []T) error {
	if len(data)%max(w.rowLen, 1) != 0 || w.rowLen == 0 && len(data) > 0 {
		return diag.Errorf("record", "%d records is not a multiple of the row length %d", len(data), w.rowLen)
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

// Close completes the array, and for [CreateRows] the file. It fails with io.ErrShortWrite if fewer rows than
// promised have been written, and with the error of a Write that failed; the new file is then removed. Closing again
// returns the same, and Close after Abort an error that wraps fs.ErrClosed. It does not close the w of [NewRowWriter].
func (w *RowWriter[T]) Close() error { return w.sink.Close() }

// Abort removes the file that [CreateRows] began. After Close it does nothing.
func (w *RowWriter[T]) Abort() { w.sink.Abort() }

// AppendRows appends records to the array of l, which must have one dimension more than a Go array T:
// [npy.AppendRows] for structs. The
// errors are the errors of [FromSliceAs] and [npy.Appender.Append].
func AppendRows[T any](l *npy.Appender, data []T) error {
	a, err := FromSliceAs(l.Header().DType, data)
	if err != nil {
		return err
	}
	return l.Append(a)
}
