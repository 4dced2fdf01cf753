// Package computed has Sources whose elements are computed from the elements of other Sources, one by one: values that a
// file stores in a narrower type, complex numbers that it stores in two parts, values that it scales.
package computed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/cast"
	"github.com/npygo/npy/internal/par"
)

// A Func computes n elements: dst from the same n elements of each Source, all contiguous. It writes every byte of dst. It
// may be called by several goroutines.
type Func func(dst []byte, src [][]byte, n int) error

// Source returns a Source of dtype t. The sources have equal shapes and no Python objects, and there is at least one.
func Source(t dtype.Type, compute Func, sources ...npy.Source) npy.Source {
	return &source{t, compute, sources}
}

// Cast returns src with its elements as dtype t. Values out of range wrap, as astype in NumPy.
func Cast(t dtype.Type, src npy.Source) (npy.Source, error) {
	if src.DType().Equal(t) {
		return src, nil
	}
	caster, err := cast.For(src.DType(), t, cast.Unsafe)
	if err != nil {
		return nil, err
	}
	return Source(t, func(dst []byte, src [][]byte, n int) error { return caster(dst, src[0], n) }, src), nil
}

type source struct {
	t       dtype.Type
	compute Func
	from    []npy.Source
}

// DType implements [npy.Source].
func (s *source) DType() dtype.Type { return s.t }

// Shape implements [npy.Source].
func (s *source) Shape() []int { return s.from[0].Shape() }

// Header returns the header that np.save would write.
func (s *source) Header() format.Header {
	h := npy.HeaderOf(s.from[0])
	return format.Header{DType: s.t, Shape: h.Shape, FortranOrder: h.FortranOrder}
}

// Select implements [npy.Source].
func (s *source) Select(index ...npy.Index) (npy.Source, error) {
	if copied, ok, err := npy.SelectCopy(s, index); ok {
		return copied, err
	}
	for _, x := range index {
		if name, ok := x.Name(); ok {
			return nil, fmt.Errorf("npy: dtype %s has no field %q", s.t, name)
		}
	}
	return s.each(func(src npy.Source) (npy.Source, error) { return src.Select(index...) })
}

// each returns the Source of what change makes of the sources.
func (s *source) each(change func(npy.Source) (npy.Source, error)) (npy.Source, error) {
	from := make([]npy.Source, len(s.from))
	for i, src := range s.from {
		var err error
		if from[i], err = change(src); err != nil {
			return nil, err
		}
	}
	return &source{s.t, s.compute, from}, nil
}

// StoredOrder returns the transposed array if all sources are stored in Fortran order.
func (s *source) StoredOrder() (npy.Source, bool) {
	from := make([]npy.Source, len(s.from))
	for i, src := range s.from {
		var reversed bool
		if from[i], reversed = npy.StoredOrder(src); !reversed {
			return s, false
		}
	}
	return &source{s.t, s.compute, from}, true
}

// InSequence reports whether some of the sources are decompressed from their start for every read.
func (s *source) InSequence() bool {
	return slices.ContainsFunc(s.from, func(src npy.Source) bool {
		x, ok := src.(interface{ InSequence() bool })
		return ok && x.InSequence()
	})
}

// Regions implements the optional method of [npy.Source]: what is computed of one value is one value. Several sources must be of
// one value as a whole.
func (s *source) Regions(ctx context.Context) (*npy.Regions, error) {
	all, err := npy.RegionsOf(ctx, s.from[0])
	if all == nil {
		return nil, err
	}
	src := make([][]byte, len(s.from))
	for i, from := range s.from[1:] {
		one, err := onlyValue(ctx, from)
		if one == nil || all.Constant < npy.HeaderOf(s.from[0]).Size() {
			return nil, err
		}
		src[i+1] = one.Bytes()
	}
	return all.Map(func(value *npy.Array) (*npy.Array, error) {
		of := append([][]byte{value.Bytes()}, src[1:]...)
		out := make([]byte, s.t.ItemSize())
		if err := s.compute(out, of, 1); err != nil {
			return nil, err
		}
		return npy.FromBytes(s.t, out)
	})
}

// onlyValue returns the element that all elements of src equal, or nil if that is not known.
func onlyValue(ctx context.Context, src npy.Source) (*npy.Array, error) {
	r, err := npy.RegionsOf(ctx, src)
	if r == nil {
		return nil, err
	}
	n := 0
	var one *npy.Array
	for x := range r.All {
		one = x.Value
		if n++; n > 1 {
			return nil, nil
		}
	}
	return one, nil
}

// CheckBytes implements the optional method of [npy.Source].
func (s *source) CheckBytes(n int64) error {
	elements := n / int64(max(s.t.ItemSize(), 1))
	for _, src := range s.from {
		if err := npy.CheckBytes(src, elements*int64(src.DType().ItemSize())); err != nil {
			return err
		}
	}
	return nil
}

// ReadAll implements [npy.Source]. The result has the order of the sources.
func (s *source) ReadAll(ctx context.Context) (*npy.Array, error) {
	stored, reversed := s.StoredOrder()
	h := npy.HeaderOf(stored)
	var data []byte
	at := 0
	for b, err := range stored.Blocks(ctx, 0) {
		if err != nil {
			return nil, err
		}
		if data == nil { // the sources have given a first block, so they hold the elements
			data = bulk.MakeFill[byte](int(h.NBytes()))
		}
		at += copy(data[at:], b.Bytes())
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	a, err := npy.FromBytes(s.t, data, append([]int{}, h.Shape...)...)
	if err == nil && reversed {
		a = a.T()
	}
	return a, err
}

// Blocks implements [npy.Source].
func (s *source) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) {
		if err := s.blocks(ctx, memory, yield); err != nil && !errors.Is(err, errStopped) {
			yield(nil, err)
		}
	}
}

var errStopped = errors.New("the caller wants no more")

// blocks computes the blocks of the first source. The other sources may cut theirs elsewhere.
func (s *source) blocks(ctx context.Context, memory int64, yield func(*npy.Array, error) bool) error {
	if memory > 1 {
		memory = max(memory/int64(2+len(s.from)), 1)
	}
	src := make([][]byte, len(s.from))
	others := make([]*elements, len(s.from))
	for i := 1; i < len(s.from); i++ {
		others[i] = newElements(s.from[i].Blocks(ctx, memory))
		defer others[i].stop()
	}
	var buf []byte
	for b, err := range s.from[0].Blocks(ctx, memory) {
		if err != nil {
			return err
		}
		n := b.Size()
		src[0] = b.Bytes()
		for i, x := range others[1:] {
			if src[i+1], err = x.take(n * s.from[i+1].DType().ItemSize()); err != nil {
				return err
			}
		}
		if size := n * s.t.ItemSize(); cap(buf) < size {
			buf = bulk.MakeFill[byte](size)
		}
		buf = buf[:n*s.t.ItemSize()]
		if err := s.run(ctx, buf, src, n); err != nil {
			return err
		}
		a, err := npy.FromBytes(s.t, buf, b.Shape()...)
		if err != nil {
			return err
		}
		if !yield(a, nil) {
			return errStopped
		}
	}
	return nil
}

// run computes n elements, a piece at a time, on several goroutines.
func (s *source) run(ctx context.Context, dst []byte, src [][]byte, n int) error {
	size := s.t.ItemSize()
	return par.Split(ctx, n, cast.Block, cast.Cost*len(dst), func(low, high int) error {
		parts := make([][]byte, len(src))
		for ; low < high; low += cast.Block {
			end := min(low+cast.Block, high)
			for i, b := range src {
				width := len(b) / n
				parts[i] = b[low*width : end*width]
			}
			if err := s.compute(dst[low*size:end*size], parts, end-low); err != nil {
				return err
			}
		}
		return nil
	})
}

// elements are the bytes of blocks in sequence.
type elements struct {
	next  func() (*npy.Array, error, bool)
	stop  func()
	block []byte // the bytes that have not been taken
	buf   []byte
}

func newElements(blocks iter.Seq2[*npy.Array, error]) *elements {
	next, stop := par.Pull2(blocks)
	return &elements{next: next, stop: stop}
}

// take returns the next n bytes. They are valid until the next call.
func (e *elements) take(n int) ([]byte, error) {
	if len(e.block) >= n {
		data := e.block[:n]
		e.block = e.block[n:]
		return data, nil
	}
	e.buf = append(e.buf[:0], e.block...)
	for len(e.buf) < n {
		b, err, ok := e.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, io.ErrUnexpectedEOF
		}
		e.block = b.Bytes()
		more := min(n-len(e.buf), len(e.block))
		e.buf = append(e.buf, e.block[:more]...)
		e.block = e.block[more:]
	}
	return e.buf, nil
}

// Complex returns the Source of complex numbers from the Sources of their parts. t is complex64 or complex128 in any
// byte order.
func Complex(t dtype.Type, re, im npy.Source) (npy.Source, error) {
	part := dtype.Float64
	if t.ItemSize() == 8 {
		part = dtype.Float32
	}
	part = part.WithByteOrder(t.ByteOrder())
	parts := []npy.Source{re, im}
	for i, src := range parts {
		var err error
		if parts[i], err = Cast(part, src); err != nil {
			return nil, err
		}
	}
	size := part.ItemSize()
	return Source(t, func(dst []byte, src [][]byte, n int) error {
		for i, b := range src {
			bulk.Copy(dst, i*size, []int{2 * size, 1}, b, 0, []int{size, 1}, []int{n, size})
		}
		return nil
	}, parts...), nil
}
