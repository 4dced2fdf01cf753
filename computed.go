package npy

import (
	"context"
	"errors"
	"io"
	"iter"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/cast"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/par"
)

// A ComputeFunc computes n elements for [Computed]: dst from the same n elements of each source. All of them are contiguous, in the
// byte order of their dtype. It writes every byte of dst, changes no byte of src, and keeps neither. Several goroutines may call it
// at the same time, and n may be any number up to some thousands. The context is the one of the read; reads at an offset ([DataOf])
// have none, and give one that never ends.
type ComputeFunc func(ctx context.Context, dst []byte, src [][]byte, n int) error

// Computed returns a Source of dtype t whose elements are computed one by one from the elements of the sources, which have equal
// shapes: values that a file scales, or the difference of two arrays. Nothing is read before the result is, and elements that are
// read again are computed again. The result has the shape of the sources, and is valid as long as they are.
//
// Blocks take the memory of a block of each source and one of the result. ReadAll takes the memory of the result and of such
// blocks. The work is divided among goroutines, as [SetWorkers] says.
//
// The result keeps the order in which the sources are stored ([StoredOrder]), can be read at any offset if they can ([DataOf]), and
// has a region of one value where they do ([RegionsOf]). An error of compute ends the read and is returned as it is. Sources of
// Python objects, which have no bytes, are an error, and so are sources of different shapes.
func Computed(t dtype.Type, compute ComputeFunc, sources ...Source) (Source, error) {
	if len(sources) == 0 {
		return nil, diag.New("npy", "elements are computed from at least one source")
	}
	shape := sources[0].Shape()
	if err := check(format.Header{DType: t, Shape: shape}); err != nil {
		return nil, err
	}
	for _, src := range sources {
		if err := noObjects(src.DType(), "; read the array with ReadAll"); err != nil {
			return nil, err
		}
		if s := src.Shape(); !slices.Equal(s, shape) {
			return nil, diag.Errorf("npy", "sources of shapes %v and %v have no elements in common", shape, s)
		}
	}
	return &computedSource{t, compute, sources}, nil
}

// Cast returns src with its elements converted to dtype t as they are read, as [Array.Cast] does. It is src itself if it has
// dtype t, and otherwise the result of [Computed]. A conversion that casting does not allow is a [*CastError]. A value that it does
// not allow is an error of the read, which names the element. Arrays of Python objects have no bytes to convert: read them with
// [Source.ReadAll], and use [Array.Cast].
func Cast(src Source, t dtype.Type, casting Casting) (Source, error) {
	from := src.DType()
	if t = cast.Target(from, t); from.Equal(t) {
		return src, nil
	}
	caster, err := casterFor(from, t, casting)
	if err != nil {
		return nil, err
	}
	if err := checkEmptyItems(format.Header{DType: from, Shape: src.Shape()}.Size(), from.ItemSize()); err != nil {
		return nil, err
	}
	return Computed(t, func(_ context.Context, dst []byte, src [][]byte, n int) error { return caster(dst, src[0], n) }, src)
}

// A computedSource is the result of [Computed].
type computedSource struct {
	t       dtype.Type
	compute ComputeFunc
	from    []Source
}

// DType implements [Source].
func (s *computedSource) DType() dtype.Type { return s.t }

// Shape implements [Source].
func (s *computedSource) Shape() []int { return s.from[0].Shape() }

// Header returns the header that np.save would write.
func (s *computedSource) Header() format.Header {
	h := HeaderOf(s.from[0])
	return format.Header{DType: s.t, Shape: h.Shape, FortranOrder: h.FortranOrder}
}

// OnePass reports whether the elements of a source can be read only once.
func (s *computedSource) OnePass() bool { return slices.ContainsFunc(s.from, IsOnePass) }

// Select implements [Source].
func (s *computedSource) Select(index ...Index) (Source, error) {
	if copied, ok, err := selectCopy(s, index); ok {
		return copied, err
	}
	outline, err := newArray(format.Header{DType: s.t, Shape: s.Shape()}, nil).Slice(index...)
	if err != nil {
		return nil, err
	}
	axes, fields := spread(index, len(s.Shape()))
	part, err := s.each(func(src Source) (Source, error) { return src.Select(axes...) })
	if err != nil || len(fields) == 0 {
		return part, err
	}
	return &wholeSource{outline, func(ctx context.Context) (*Array, error) {
		a, err := part.ReadAll(ctx)
		if err != nil {
			return nil, err
		}
		return a.Slice(fields...)
	}, s.OnePass()}, nil
}

// each returns the Source of the elements that change computes from the sources.
func (s *computedSource) each(change func(Source) (Source, error)) (Source, error) {
	from := make([]Source, len(s.from))
	for i, src := range s.from {
		var err error
		if from[i], err = change(src); err != nil {
			return nil, err
		}
	}
	return &computedSource{s.t, s.compute, from}, nil
}

// StoredOrder returns the transposed array if all sources are stored in Fortran order.
func (s *computedSource) StoredOrder() (Source, bool) {
	from := make([]Source, len(s.from))
	for i, src := range s.from {
		var reversed bool
		if from[i], reversed = StoredOrder(src); !reversed {
			return s, false
		}
	}
	return &computedSource{s.t, s.compute, from}, true
}

// InSequence reports whether a source is decompressed from its start for every read.
func (s *computedSource) InSequence() bool { return slices.ContainsFunc(s.from, isSequential) }

// Data returns the elements as bytes, computed as they are read, if the bytes of all sources can be read at any offset.
func (s *computedSource) Data() (*io.SectionReader, bool) {
	r, ok := s.anywhere()
	if !ok {
		return nil, false
	}
	return io.NewSectionReader(r, 0, int64(r.n)*int64(s.t.ItemSize())), true
}

// Regions implements the optional method of [Source]: a region of one value stays one. Several sources must be of
// one value as a whole.
func (s *computedSource) Regions(ctx context.Context) (*Regions, error) {
	all, err := RegionsOf(ctx, s.from[0])
	if all == nil {
		return nil, err
	}
	src := make([][]byte, len(s.from))
	for i, from := range s.from[1:] {
		one, err := onlyValue(ctx, from)
		if one == nil || all.Constant < HeaderOf(s.from[0]).Size() {
			return nil, err
		}
		src[i+1] = one.Bytes()
	}
	return all.Map(func(value *Array) (*Array, error) {
		of := append([][]byte{value.Bytes()}, src[1:]...)
		out := make([]byte, s.t.ItemSize())
		if err := s.compute(ctx, out, of, 1); err != nil {
			return nil, err
		}
		return FromBytes(s.t, out)
	})
}

// onlyValue returns the element that all elements of src equal, or nil if that is not known.
func onlyValue(ctx context.Context, src Source) (*Array, error) {
	r, err := RegionsOf(ctx, src)
	if r == nil {
		return nil, err
	}
	n := 0
	var one *Array
	for x := range r.All {
		one = x.Value
		if n++; n > 1 {
			return nil, nil
		}
	}
	return one, nil
}

// CheckBytes implements the optional method of [Source].
func (s *computedSource) CheckBytes(n int64) error {
	elements := n / int64(max(s.t.ItemSize(), 1))
	for _, src := range s.from {
		if err := checkBytes(src, elements*int64(src.DType().ItemSize())); err != nil {
			return err
		}
	}
	return nil
}

// ReadAll implements [Source]. The result has the order of the sources.
func (s *computedSource) ReadAll(ctx context.Context) (*Array, error) {
	stored, reversed := s.StoredOrder()
	h := HeaderOf(stored)
	if r, ok := stored.(*computedSource).anywhere(); ok {
		data, err := r.readAll(ctx)
		switch failed := (*readError)(nil); {
		case err == nil:
			return orderedArray(s.t, data, h.Shape, reversed)
		case !errors.As(err, &failed):
			return nil, err
		} // in sequence, the error will say where the file ends
	}
	var data []byte
	at := 0
	place := func(n int) []byte {
		if data == nil { // the sources have given a first block, so they hold the elements
			data = bulk.MakeFill[byte](int(h.NBytes()))
		}
		if n > len(data)-at { // more than the shape has
			return make([]byte, n)
		}
		at += n
		return data[at-n : at]
	}
	if err := stored.(*computedSource).blocks(ctx, 0, place, func(*Array, error) bool { return true }); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return orderedArray(s.t, data, h.Shape, reversed)
}

// orderedArray returns bytes as an array, or as the transposed one.
func orderedArray(t dtype.Type, data []byte, shape []int, reversed bool) (*Array, error) {
	a, err := FromBytes(t, data, slices.Clone(shape)...)
	if err == nil && reversed {
		a = a.T()
	}
	return a, err
}

// Blocks implements [Source].
func (s *computedSource) Blocks(ctx context.Context, memory int64) iter.Seq2[*Array, error] {
	return func(yield func(*Array, error) bool) {
		var buf []byte
		reuse := func(n int) []byte {
			buf = bulk.Reuse(buf, n)
			return buf
		}
		if err := s.blocks(ctx, memory, reuse, yield); err != nil && !errors.Is(err, errStopped) {
			yield(nil, err)
		}
	}
}

var errStopped = errors.New("the caller wants no more")

// blocks computes the blocks of the first source. The other sources may cut theirs elsewhere.
func (s *computedSource) blocks(ctx context.Context, memory int64, place func(n int) []byte, yield func(*Array, error) bool) error {
	if memory > 1 {
		memory = max(memory/int64(2+len(s.from)), 1)
	}
	src := make([][]byte, len(s.from))
	others := make([]*elements, len(s.from))
	for i := 1; i < len(s.from); i++ {
		others[i] = newElements(s.from[i].Blocks(ctx, memory))
		defer others[i].stop()
	}
	before := 0 // elements of earlier blocks
	for b, err := range s.from[0].Blocks(ctx, memory) {
		if err != nil {
			return err
		}
		n := b.Size()
		src[0] = bytesOfBlock(b)
		for i, x := range others[1:] {
			if src[i+1], err = x.take(n * s.from[i+1].DType().ItemSize()); err != nil {
				return err
			}
		}
		buf := place(n * s.t.ItemSize())
		if err := s.run(ctx, buf, src, n); err != nil {
			return codec.Count(err, before)
		}
		before += n
		a, err := FromBytes(s.t, buf, b.Shape()...)
		if err != nil {
			return err
		}
		if !yield(a, nil) {
			return errStopped
		}
	}
	return nil
}

// bytesOfBlock returns the bytes of a block, which is in C order.
func bytesOfBlock(block *Array) []byte {
	data, _ := block.Contiguous().ViewBytes()
	return data
}

// run computes n elements, a piece at a time, on several goroutines.
func (s *computedSource) run(ctx context.Context, dst []byte, src [][]byte, n int) error {
	size := s.t.ItemSize()
	return par.Split(ctx, n, cast.Block, cast.Cost*len(dst), func(low, high int) error {
		parts := make([][]byte, len(src))
		for ; low < high; low += cast.Block {
			end := min(low+cast.Block, high)
			for i, b := range src {
				width := len(b) / n
				parts[i] = b[low*width : end*width]
			}
			if err := s.compute(ctx, dst[low*size:end*size], parts, end-low); err != nil {
				return codec.Count(err, low)
			}
		}
		return nil
	})
}

// elements are the bytes of blocks in sequence.
type elements struct {
	next  func() (*Array, error, bool)
	stop  func()
	block []byte // the bytes that have not been taken
	buf   []byte
}

func newElements(blocks iter.Seq2[*Array, error]) *elements {
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
		if e.block = bytesOfBlock(b); len(e.buf) == 0 && len(e.block) >= n { // nothing needs to be joined
			data := e.block[:n]
			e.block = e.block[n:]
			return data, nil
		}
		more := min(n-len(e.buf), len(e.block))
		e.buf = append(e.buf, e.block[:more]...)
		e.block = e.block[more:]
	}
	return e.buf, nil
}
