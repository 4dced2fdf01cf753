package npy

import (
	"fmt"
	"io"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/sink"
)

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
	switch any(*new(T)).(type) {
	case string, []byte:
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
	encode, ok := encoderFor[T](t)
	if !ok {
		return nil, typeError[T](t, "the dtype of this Go type is "+DTypeOf[T]().Descr())
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
		return fmt.Errorf("npy: %d elements is not a multiple of the row length %d", len(data), w.rowLen)
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
// promised have been written, and with the error of a Write that failed; the file is removed then. Closing twice does
// nothing. Close does not close the w of [NewRowWriter].
func (w *RowWriter[T]) Close() error { return w.sink.Close() }

// Abort gives up, and removes the file that [CreateRows] began. After Close it does nothing.
func (w *RowWriter[T]) Abort() { w.sink.Abort() }
