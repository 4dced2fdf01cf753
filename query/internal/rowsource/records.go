package rowsource

import (
	"context"
	"encoding/binary"
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/source"
)

// A matrix is an array of several dimensions as records of one field, x, which is a row. Both have the same bytes.
type matrix struct {
	npy.Source
	data *io.SectionReader // nil if the array cannot be read at any offset
}

// Records returns the rows of an array as records of one field, x.
func Records(ctx context.Context, src npy.Source) (npy.Source, error) {
	src, err := npy.Rereadable(ctx, src)
	if err != nil {
		return nil, err
	}
	rows, size, err := Shape(src)
	if err != nil {
		return nil, err
	}
	if size > dtype.MaxItemSize {
		return nil, diag.Errorf("query", "rows of %d bytes are too large to be records", size)
	}
	field, err := dtype.Subarray(src.DType(), src.Shape()[1:]...)
	if err != nil {
		return nil, err
	}
	record, err := dtype.Struct(-1, dtype.Field{Name: "x", DType: field})
	if err != nil {
		return nil, err
	}
	data, _ := npy.DataOf(src)
	out, err := source.FromParts(format.Header{DType: record, Shape: []int{rows}}, func(ctx context.Context, p npy.Selection) (*npy.Array, error) {
		if data != nil {
			return p.Read(ctx, data, 0, npy.ReadOptions{})
		}
		return p.Read(ctx, rowBytes{ctx, src, int64(size)}, 0, npy.ReadOptions{Workers: 1})
	})
	return &matrix{out, data}, err
}

// Data returns the bytes of the records.
func (m *matrix) Data() (*io.SectionReader, bool) { return m.data, m.data != nil }

// A rowBytes is the bytes of an array in C order, whose rows are read.
type rowBytes struct {
	ctx  context.Context
	src  npy.Source
	size int64 // of a row
}

// ReadAt implements [io.ReaderAt].
func (b rowBytes) ReadAt(p []byte, off int64) (int, error) {
	if b.size == 0 || len(p) == 0 {
		return 0, nil
	}
	low, high := off/b.size, min((off+int64(len(p))+b.size-1)/b.size, int64(b.src.Shape()[0]))
	part, err := b.src.Select(npy.Span(int(low), int(high)))
	if err != nil {
		return 0, err
	}
	a, err := part.ReadAll(b.ctx)
	if err != nil {
		return 0, err
	}
	n := copy(p, a.Bytes()[off-low*b.size:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Numbers returns the numbers from 0 up to n, made as they are read.
func Numbers(n int) (npy.Source, error) {
	return source.FromParts(format.Header{DType: dtype.Int64, Shape: []int{n}}, func(_ context.Context, p npy.Selection) (*npy.Array, error) {
		shape, strides := p.Shape(), p.Strides()
		count, step := 1, 0
		if len(shape) > 0 {
			count, step = shape[0], strides[0]/8
		}
		data := bulk.MakeFill[byte](8 * count)
		for i, at := 0, int(p.Offset()/8); i < count; i, at = i+1, at+step {
			binary.NativeEndian.PutUint64(data[8*i:], uint64(at))
		}
		return npy.FromBytes(p.DType(), data, shape...)
	})
}
