package npy

import (
	"context"
	"io"
	"iter"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/blockwise"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/nd"
)

// A Source is an array whose elements can be read, wherever they are: in memory ([Array]), in a file ([File]), in an
// archive, in a mapped file, in a stream ([Stream]), in another format, on another machine. Packages stats, diff and
// convert, [Printer] and [Copier] take a Source.
//
// A Source may be used by several goroutines at the same time, and read any number of times. A [Stream] is the
// exception: it is read once.
//
// Outside of this module, these five methods are enough. Package source has what those need who write them. Three more are optional and make consumers faster:
//
//	Header() format.Header             how the elements are stored: see HeaderOf
//	StoredOrder() (Source, bool)       the same elements in the order in which they are stored: see StoredOrder
//	Data() (*io.SectionReader, bool)   the elements as bytes in C order, read at any offset: see DataOf
//
// A fourth, OnePass() bool, reports that the elements can be read only once: see Rereadable. A Source that embeds or
// wraps another must implement the optional methods itself; they are found by type assertion. One with the same elements, which
// only adds something, has a method Unwrap() Source in their place.
type Source interface {
	// DType returns the type of the elements.
	DType() dtype.Type

	// Shape returns the number of elements along each axis. The slice is a copy.
	Shape() []int

	// Select returns a[index...] and reads nothing. The index is as for [Array.Slice]. The result is valid as long as
	// the Source is.
	Select(index ...Index) (Source, error)

	// Blocks yields the array in pieces that follow each other in C order. Each piece is in C order and has as many dimensions
	// as the array. It is valid until the next one and must not be changed. Memory is the target for the buffers in bytes, at
	// least one element; 0 means 64 MiB. An array without elements has no pieces. Elements without bytes, of dtype
	// "|S0" for example, come in one piece. After an error there are no more pieces.
	Blocks(ctx context.Context, memory int64) iter.Seq2[*Array, error]

	// ReadAll reads the whole array. It may share memory with the Source, in any order.
	ReadAll(ctx context.Context) (*Array, error)
}

const (
	defaultBlocks = 64 << 20
	pieceMax      = 8 << 20 // bytes of a piece where the order stays: several goroutines can work on one, and larger ones gain nothing
)

// HeaderOf returns the header that np.save would write for src. FortranOrder is true only where the elements are
// stored in Fortran order and C order is not the same. Version is the version of the file with the elements, or the
// zero Version. A Source without a method Header counts as C order.
func HeaderOf(src Source) format.Header {
	switch s := unwrapped(src).(type) {
	case *Array:
		h := s.header()
		h.Shape = slices.Clone(h.Shape)
		return h
	case interface{ Header() format.Header }:
		h := s.Header()
		h.Shape = slices.Clone(h.Shape)
		h.FortranOrder = inFortranOrder(h)
		return h
	}
	return format.Header{DType: src.DType(), Shape: src.Shape()}
}

// inFortranOrder reports whether h says Fortran order and C order is not the same.
func inFortranOrder(h format.Header) bool {
	a := nd.Over(h, nil)
	return a.Header().FortranOrder
}

// unwrapped returns the innermost Source, whose elements src has.
func unwrapped(src Source) Source {
	for {
		x, ok := src.(interface{ Unwrap() Source })
		if !ok {
			return src
		}
		src = x.Unwrap()
	}
}

// StoredOrder returns a Source with the elements of src whose C order is the order in which they are stored. This is
// src itself, or src with its axes reversed (and true) where it is stored in Fortran order. For consumers that take
// elements in any order, the stored order is faster to read.
func StoredOrder(src Source) (s Source, reversed bool) {
	if x, ok := unwrapped(src).(interface{ StoredOrder() (Source, bool) }); ok {
		return x.StoredOrder()
	}
	return src, false
}

// DataOf returns the elements of src as bytes in C order if they can be read at any offset, by several goroutines,
// without a copy of the whole: for a file in C order, or a contiguous part of it. Otherwise it reports false; use
// [Source.Blocks].
func DataOf(src Source) (*io.SectionReader, bool) {
	if x, ok := unwrapped(src).(interface {
		Data() (*io.SectionReader, bool)
	}); ok {
		return x.Data()
	}
	return nil, false
}

// Rereadable returns src, or the whole of it in memory if it can be read only once.
func Rereadable(ctx context.Context, src Source) (Source, error) {
	if IsOnePass(src) {
		return src.ReadAll(ctx)
	}
	return src, nil
}

// IsOnePass reports whether the elements of src can be read only once, as in a [Stream]: see [Rereadable].
func IsOnePass(src Source) bool {
	x, ok := unwrapped(src).(interface{ OnePass() bool })
	return ok && x.OnePass()
}

// isSequential is IsSequential of package source.
func isSequential(src Source) bool {
	x, ok := unwrapped(src).(interface{ InSequence() bool })
	return ok && x.InSequence()
}

// Select returns [Array.Slice] as a [Source].
func (a *Array) Select(index ...Index) (Source, error) {
	b, err := a.Slice(index...)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// ReadAll returns a itself. The error is the error of the context.
func (a *Array) ReadAll(ctx context.Context) (*Array, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return a, nil
}

// StoredOrder returns a, or [Array.T] and true if the elements are in Fortran order in memory and not in C order.
func (a *Array) StoredOrder() (s Source, reversed bool) {
	if a.header().FortranOrder {
		return a.T(), true
	}
	return a, false
}

// Blocks yields a itself where it is in C order, and otherwise copies of its pieces: see [Source].
func (a *Array) Blocks(ctx context.Context, memory int64) iter.Seq2[*Array, error] {
	return func(yield func(*Array, error) bool) {
		switch {
		case ctx.Err() != nil:
			yield(nil, context.Cause(ctx))
		case a.Size() == 0:
		case a.IsC():
			yield(a, nil)
		default:
			a.copies(ctx, memory, yield)
		}
	}
}

// copies yields pieces of a, each copied to the same memory.
func (a *Array) copies(ctx context.Context, memory int64, yield func(*Array, error) bool) {
	size := a.nd.DType.ItemSize()
	to := nd.FastestFirst(a.NDim(), false)
	cut := nd.CutBoxes(a.nd.Shape, to, to, pieceElements(memory, size), true)
	buf := bulk.MakeFill[byte](cut.Size() * size)
	for b := range cut.All() {
		if ctx.Err() != nil {
			yield(nil, context.Cause(ctx))
			return
		}
		box := a.nd.Box(b)
		piece := newArray(format.Header{DType: a.nd.DType, Shape: box.Shape}, buf[:box.NBytes()])
		piece.nd.Fill(&box)
		if !yield(piece.copyOf(a), nil) {
			return
		}
	}
}

// pieceElements returns the largest number of elements in a piece. It is at least 1.
func pieceElements(memory int64, size int) int {
	if memory <= 0 {
		memory = defaultBlocks
	}
	return max(int(min(memory, pieceMax))/max(size, 1), 1)
}

// wholeOf is Whole of package source.
func wholeOf(t dtype.Type, shape []int, read func(ctx context.Context) (*Array, error)) Source {
	return &wholeSource{outline: newArray(format.Header{DType: t, Shape: shape}, nil), read: read}
}

// A wholeSource is an array, or a part of one, that is read as a whole.
type wholeSource struct {
	outline *Array // of the result: its dtype and shape, without data
	read    func(ctx context.Context) (*Array, error)
	onePass bool
}

// DType implements [Source].
func (s *wholeSource) DType() dtype.Type { return s.outline.nd.DType }

// Shape implements [Source].
func (s *wholeSource) Shape() []int { return slices.Clone(s.outline.nd.Shape) }

// OnePass reports whether the elements can be read only once.
func (s *wholeSource) OnePass() bool { return s.onePass }

// Select implements [Source].
func (s *wholeSource) Select(index ...Index) (Source, error) {
	if copied, ok, err := selectCopy(s, index); ok {
		return copied, err
	}
	outline, err := s.outline.Slice(index...)
	if err != nil {
		return nil, err
	}
	index = slices.Clone(index)
	return &wholeSource{outline, func(ctx context.Context) (*Array, error) {
		a, err := s.read(ctx)
		if err != nil {
			return nil, err
		}
		return a.Slice(index...)
	}, s.onePass}, nil
}

// ReadAll implements [Source].
func (s *wholeSource) ReadAll(ctx context.Context) (*Array, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return s.read(ctx)
}

// Blocks implements [Source].
func (s *wholeSource) Blocks(ctx context.Context, memory int64) iter.Seq2[*Array, error] {
	return func(yield func(*Array, error) bool) {
		a, err := s.ReadAll(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		a.Blocks(ctx, memory)(yield)
	}
}

// boxesOf returns src as something to read boxes of, and the view of src that the boxes belong to.
func boxesOf(src Source) (blockwise.Source, *Array) {
	src = unwrapped(src)
	switch s := src.(type) {
	case *Array:
		return memoryBoxes{}, s
	case *File:
		if s, ok := s.whole().(*stored); ok {
			return s, s.view
		}
	case *stored:
		return s, s.view
	}
	view := newArray(HeaderOf(src), nil)
	axes := nd.FastestFirst(view.NDim(), false)
	slices.Reverse(axes) // 0, 1, …
	return selectedBoxes{src, axes}, view
}

// memoryBoxes reads boxes of a view in memory.
type memoryBoxes struct{}

// ReadBox implements [blockwise.Source].
func (memoryBoxes) ReadBox(_ context.Context, view *nd.Array, b nd.Box, buf []byte) (nd.Array, error) {
	b.Shape = slices.Clone(b.Shape)
	box := view.Box(b)
	to := box.Compact(box.DType, buf[:box.NBytes()])
	to.Fill(&box)
	return to, nil
}

// Announce implements [blockwise.Source].
func (memoryBoxes) Announce(*nd.Array) {}

// Wrap implements [blockwise.Source].
func (memoryBoxes) Wrap(err error) error { return err }

// selectedBoxes reads boxes of any Source, by selection. Axis i of the view is axes[i] of the Source.
type selectedBoxes struct {
	src  Source
	axes []int
}

// ReadBox implements [blockwise.Source].
func (s selectedBoxes) ReadBox(ctx context.Context, view *nd.Array, b nd.Box, buf []byte) (nd.Array, error) {
	index := make([]Index, len(s.axes))
	for i, axis := range s.axes {
		index[axis] = Span(b.Origin[i], b.Origin[i]+b.Shape[i])
	}
	part, err := s.src.Select(index...)
	if err != nil {
		return nd.Array{}, err
	}
	a, err := part.ReadAll(ctx)
	if err != nil {
		return nd.Array{}, err
	}
	if a, err = a.Transpose(s.axes...); err != nil {
		return nd.Array{}, err
	}
	if !slices.Equal(a.nd.Shape, b.Shape) || !a.nd.DType.Equal(view.DType) {
		return nd.Array{}, diag.Errorf("npy", "a source of dtype %s gave dtype %s and shape %v for a part of shape %v", view.DType, a.nd.DType, a.nd.Shape, b.Shape)
	}
	b.Shape = slices.Clone(b.Shape)
	box := view.Box(b)
	to := box.Compact(a.nd.DType, buf[:a.NBytes()])
	to.Fill(&a.nd)
	return to, nil
}

// ReadsAside implements [blockwise.Aside].
func (s selectedBoxes) ReadsAside() bool { return true }

// Elements implements [blockwise.Sequence].
func (s selectedBoxes) Elements(ctx context.Context, memory int64) iter.Seq2[[]byte, error] {
	if !slices.IsSorted(s.axes) {
		return nil
	}
	return func(yield func([]byte, error) bool) {
		left, t := nd.Size(s.src.Shape()), s.src.DType()
		for a, err := range s.src.Blocks(ctx, memory) {
			if err != nil {
				yield(nil, err)
				return
			}
			data, ok := a.ViewBytes()
			if left -= a.Size(); left < 0 || !ok || !a.nd.DType.Equal(t) {
				yield(nil, diag.Errorf("npy", "a source of dtype %s and shape %v gave a block of dtype %s and shape %v", t, s.src.Shape(), a.nd.DType, a.nd.Shape))
				return
			}
			if !yield(data, nil) {
				return
			}
		}
		if left > 0 {
			yield(nil, diag.Errorf("npy", "a source of shape %v ended %d elements early", s.src.Shape(), left))
		}
	}
}

// Announce implements [blockwise.Source].
func (selectedBoxes) Announce(*nd.Array) {}

// Wrap implements [blockwise.Source].
func (s selectedBoxes) Wrap(err error) error { return err }
