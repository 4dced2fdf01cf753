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

// UnknownRows is for [NewRowWriter] the number of rows that is not known beforehand.
const UnknownRows = sink.Unknown

// A RowWriter writes an array row by row, in C order: when it is closed, the bytes of np.save. A row is what one index of
// the first axis selects. Close completes the array. A RowWriter is for one goroutine.
type RowWriter[T Element] struct {
	sink   *sink.Rows
	dtype  dtype.Type
	encode encoder[T]
	shared bool // the bytes of a T in memory are those in the file
	rowLen int
	buf    []byte
}

// NewRowWriter begins an array of so many rows of the same shape; without a shape a row is one element. The dtype is what
// [DTypeOf] gives for T.
//
// The number of rows is a promise, which Write and Close hold the caller to. If it is [UnknownRows], Close puts it into
// the header, where NumPy leaves room for it: w must be an io.WriteSeeker then, such as a file that is not opened for
// appending. Until then the header says that there are no rows.
func NewRowWriter[T Element](w io.Writer, rows int, rowShape ...int) (*RowWriter[T], error) {
	t, err := rowType[T]()
	if err != nil {
		return nil, err
	}
	return NewRowWriterAs[T](w, t, rows, rowShape...)
}

// NewRowWriterAs is [NewRowWriter] with a dtype of the caller's choice, as for [FromSliceAs]: strings, byte slices and
// times need one.
func NewRowWriterAs[T Element](w io.Writer, t dtype.Type, rows int, rowShape ...int) (*RowWriter[T], error) {
	return newRowWriter[T](t, rowShape, func(h format.Header) (*sink.Rows, error) { return sink.New(w, h, rows) })
}

// CreateRows begins a file of any number of rows of the same shape. It is a temporary file in the same folder, which
// Close moves to its place: path is never seen half-written. Call Abort in a defer, for it leaves the old file as it was
// if Close has not been reached.
func CreateRows[T Element](path string, rowShape ...int) (*RowWriter[T], error) {
	t, err := rowType[T]()
	if err != nil {
		return nil, err
	}
	return CreateRowsAs[T](path, t, rowShape...)
}

// CreateRowsAs is [CreateRows] with a dtype of the caller's choice, as for [FromSliceAs].
func CreateRowsAs[T Element](path string, t dtype.Type, rowShape ...int) (*RowWriter[T], error) {
	return newRowWriter[T](t, rowShape, func(h format.Header) (*sink.Rows, error) { return sink.Create(path, h) })
}

// rowType returns the dtype of T, if it has one whatever the values are.
func rowType[T Element]() (dtype.Type, error) {
	t := DTypeOf[T]()
	switch any(*new(T)).(type) {
	case string, []byte:
		return t, typeError[T](t, "the length of the longest is not known beforehand; use NewRowWriterAs or CreateRowsAs with dtype.Str(n) or dtype.Bytes(n)")
	}
	_, err := FromSlice[T](nil) // an error if the type alone does not say
	return t, err
}

func newRowWriter[T Element](t dtype.Type, rowShape []int, open func(format.Header) (*sink.Rows, error)) (*RowWriter[T], error) {
	h := format.Header{DType: t, Shape: rowShape}
	if err := check(h); err != nil {
		return nil, err
	}
	encode, ok := encoderFor[T](t)
	if !ok {
		return nil, typeError[T](t, "the dtype of this Go type is "+DTypeOf[T]().Descr())
	}
	s, err := open(h)
	if err != nil {
		return nil, err
	}
	return &RowWriter[T]{sink: s, dtype: t, encode: encode, shared: sharesMemory[T](t), rowLen: h.Size()}, nil
}

// Write writes whole rows: the length of data is a multiple of that of a row. The values that do not fit the dtype are
// those of [FromSliceAs]. An error that comes before anything of data is written, as for a wrong length or for too many
// rows, changes nothing; every other one is final.
func (w *RowWriter[T]) Write(data []T) error {
	if len(data)%max(w.rowLen, 1) != 0 || w.rowLen == 0 && len(data) > 0 {
		return fmt.Errorf("npy: %d elements are no whole number of rows of %d", len(data), w.rowLen)
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

// writeBlocks encodes data by blocks that stay in the cache.
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

// blockBytes is how much is encoded at a time.
const blockBytes = 256 << 10

// Close completes the array, and of [CreateRows] the file. It fails with io.ErrShortWrite if fewer rows than promised have
// been written, and with the error of a Write that failed: a file is removed then. Closing twice does nothing. It does
// not close the w of [NewRowWriter].
func (w *RowWriter[T]) Close() error { return w.sink.Close() }

// Abort gives up, and removes the file that [CreateRows] began. After Close it does nothing.
func (w *RowWriter[T]) Abort() { w.sink.Abort() }
