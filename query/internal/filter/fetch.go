package filter

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/par"
)

// A fetcher reads rows of a source at any place.
type fetcher struct {
	size    int    // bytes of a row
	data    []byte // all rows, if they are in memory in C order
	workers int    // goroutines that may read
	read    func(ctx context.Context, dst []byte, from, to int) error
}

// fetcherOf returns the fetcher of the rows of src, which have size bytes.
func fetcherOf(src npy.Source, size int) *fetcher {
	f := &fetcher{size: size, workers: par.Workers()}
	if a, ok := src.(*npy.Array); ok {
		if data, ok := a.ViewBytes(); ok && a.IsC() {
			f.data = data
			f.read = func(_ context.Context, dst []byte, from, _ int) error {
				copy(dst, data[from*size:])
				return nil
			}
			return f
		}
	}
	if data, ok := npy.DataOf(src); ok {
		f.read = func(_ context.Context, dst []byte, from, _ int) error {
			return nd.ReadFull(data, dst, int64(from)*int64(size))
		}
		return f
	}
	if _, ok := src.(*npy.File); !ok {
		f.workers = 1 // in sequence, as a stream that is decompressed needs it
	}
	f.read = func(ctx context.Context, dst []byte, from, to int) error {
		part, err := src.Select(npy.Span(from, to))
		if err != nil {
			return err
		}
		a, err := part.ReadAll(ctx)
		if err != nil {
			return err
		}
		copy(dst, a.Bytes())
		return nil
	}
	return f
}

// view returns rows where they are in memory, or reads them into buf.
func (f *fetcher) view(ctx context.Context, buf *[]byte, from, to int) ([]byte, error) {
	if f.data != nil {
		return f.data[from*f.size : to*f.size], nil
	}
	if cap(*buf) < (to-from)*f.size {
		*buf = bulk.MakeFill[byte]((to - from) * f.size)
	}
	data := (*buf)[:(to-from)*f.size]
	return data, f.read(ctx, data, from, to)
}
