package npy

import (
	"context"
	"io"

	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/announce"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/cast"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/par"
)

// A computedData is the elements of a computedSource, computed at any place from those of its sources.
type computedData struct {
	s    *computedSource
	from []anyPlace
	n    int // elements
}

// An anyPlace is the elements of a source that can be read at any place: they are in memory or in a file.
type anyPlace struct {
	memory []byte
	file   *io.SectionReader
	size   int // of an element in bytes
}

// anywhere reports whether the elements of all sources can be read at any place, and returns the computed ones.
func (s *computedSource) anywhere() (*computedData, bool) {
	r := &computedData{s: s, from: make([]anyPlace, len(s.from)), n: format.Header{DType: s.t, Shape: s.Shape()}.Size()}
	if s.t.ItemSize() == 0 || r.n == 0 {
		return nil, false
	}
	for i, src := range s.from {
		x := anyPlace{size: src.DType().ItemSize()}
		ok := false
		if a, inMemory := src.(*Array); inMemory {
			x.memory, ok = a.nd.Bytes()
		} else {
			x.file, ok = DataOf(src)
		}
		if r.from[i] = x; !ok || x.size == 0 {
			return nil, false
		}
	}
	return r, true
}

// read returns elements of each source: those of an array as they are, those of a file in memory of src, which it uses again.
func (r *computedData) read(src, out [][]byte, first, count int) error {
	for i, from := range r.from {
		if from.file == nil {
			out[i] = from.memory[first*from.size : (first+count)*from.size]
			continue
		}
		src[i] = bulk.Reuse(src[i], count*from.size)
		out[i] = src[i]
		if err := nd.ReadFull(from.file, out[i], int64(first)*int64(from.size)); err != nil {
			return err
		}
	}
	return nil
}

// A readError is the failure of a source, not of a computation.
type readError struct{ error }

func (e *readError) Unwrap() error { return e.error }

// readAll computes all elements. Goroutines read their own parts, piece by piece. No memory is allocated before the last element
// of each source was read.
func (r *computedData) readAll(ctx context.Context) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	last, parts := make([][]byte, len(r.from)), make([][]byte, len(r.from))
	if err := r.read(last, parts, r.n-1, 1); err != nil {
		return nil, &readError{err}
	}
	for _, from := range r.from {
		if from.file != nil {
			announce.Reads(from.file, 0, from.file.Size())
		}
	}
	size := r.s.t.ItemSize()
	dst := bulk.MakeFill[byte](r.n * size)
	return dst, par.Split(ctx, r.n, cast.Block, cast.Cost*len(dst), func(low, high int) error {
		src, parts := make([][]byte, len(r.from)), make([][]byte, len(r.from))
		for ; low < high; low += cast.Block {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			n := min(cast.Block, high-low)
			if err := r.read(src, parts, low, n); err != nil {
				return &readError{err}
			}
			if err := r.s.compute(ctx, dst[low*size:(low+n)*size], parts, n); err != nil {
				return codec.Count(err, low)
			}
		}
		return nil
	})
}

// ReadAt implements [io.ReaderAt]. It computes every element that has a byte within p, some thousands at a time.
func (r *computedData) ReadAt(p []byte, off int64) (int, error) {
	size := int64(r.s.t.ItemSize())
	src, parts := make([][]byte, len(r.from)), make([][]byte, len(r.from))
	var dst []byte // as long as the first piece, which is the longest
	n := 0
	for n < len(p) && off < int64(r.n)*size {
		first := off / size
		count := min((off+int64(len(p)-n)+size-1)/size, first+cast.Block, int64(r.n)) - first
		if err := r.read(src, parts, int(first), int(count)); err != nil {
			return n, err
		}
		if dst == nil {
			dst = bulk.MakeDirty(int(count * size))
		}
		if err := r.s.compute(context.Background(), dst[:count*size], parts, int(count)); err != nil {
			return n, codec.Count(err, int(first))
		}
		k := copy(p[n:], dst[off-first*size:count*size])
		n, off = n+k, off+int64(k)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
