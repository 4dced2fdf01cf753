package npy

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/cast"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/par"
)

// A copyJob copies one source into all or part of a destination.
type copyJob struct {
	src      boxReader
	view     *Array // of the source; without data unless the source is in memory
	memory   int64
	reserved int64       // part of memory, for everything but blocks
	pieceMax int64       // bytes of a block where the order stays
	convert  cast.Caster // of elements; nil if they stay as they are
	picks    []pick      // of fields, instead

	h        format.Header // of the elements in the destination
	head     format.Header // of the file: it has another shape if Shape is set
	origin   []int         // in the destination; nil for its start
	sequence bool          // write to w in sequence; else to at, where the elements begin at offset
	w        io.Writer
	at       io.WriterAt
	offset   int64
}

const (
	reservedMemory = 26 << 20 // used besides blocks: the Go runtime, buffers of readers
	sequenceBlock  = 4 << 20  // larger blocks gain nothing where the order stays
)

// A boxReader reads boxes of a view into buf. The elements in buf have the order of [Part.compact].
type boxReader interface {
	readBox(ctx context.Context, view *Array, b block, buf []byte) (*Array, error)
	wrap(err error) error // adds the name of the file
	check() error         // an error if nothing can be read
}

// boxesOf returns a boxReader for src, and the view of src that the boxes belong to.
func boxesOf(src Source) (boxReader, *Array) {
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
	return selectedBoxes{src, fastestLast(len(view.nd.Shape))}, view
}

// memoryBoxes reads boxes of a view in memory.
type memoryBoxes struct{}

func (memoryBoxes) readBox(_ context.Context, view *Array, b block, buf []byte) (*Array, error) {
	box := view.box(b)
	to := partOf(box).compact(box.nd.DType, buf[:box.NBytes()])
	to.fill(box)
	return to, nil
}

func (memoryBoxes) wrap(err error) error { return err }

func (memoryBoxes) check() error { return nil }

// selectedBoxes reads boxes of any Source, by selection. Axis i of the view is axes[i] of the Source.
type selectedBoxes struct {
	src  Source
	axes []int
}

func (s selectedBoxes) readBox(ctx context.Context, view *Array, b block, buf []byte) (*Array, error) {
	index := make([]Index, len(s.axes))
	for i, axis := range s.axes {
		index[axis] = Span(b.origin[i], b.origin[i]+b.shape[i])
	}
	part, err := s.src.Select(index...)
	if err != nil {
		return nil, err
	}
	a, err := part.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	if a, err = a.Transpose(s.axes...); err != nil {
		return nil, err
	}
	if !slices.Equal(a.nd.Shape, b.shape) || !a.nd.DType.Equal(view.nd.DType) {
		return nil, fmt.Errorf("npy: a source of dtype %s gave dtype %s and shape %v for a part of shape %v", view.nd.DType, a.nd.DType, a.nd.Shape, b.shape)
	}
	to := partOf(view.box(b)).compact(a.nd.DType, buf[:a.NBytes()])
	to.fill(a)
	return to, nil
}

func (s selectedBoxes) wrap(err error) error { return err }

func (s selectedBoxes) check() error { return nil }

// fastestLast returns the axes in C order, the slowest first.
func fastestLast(ndim int) []int {
	axes := fastestFirst(ndim, false)
	slices.Reverse(axes)
	return axes
}

// check prepares the conversion of the elements, and returns an error if they cannot be converted.
func (x *copyJob) check(casting Casting) (err error) {
	from, to := x.view.nd.DType, x.h.DType
	if from.Equal(to) || x.picks != nil {
		return nil
	}
	if err := check(x.h); err != nil {
		return err
	}
	if x.convert, err = cast.For(from, to, cast.Casting(casting)); err != nil {
		return err
	}
	return checkEmptyItems(x.view.Size(), from.ItemSize())
}

// joins returns an error unless the source can follow other sources along an axis.
func (x *copyJob) joins(h format.Header, axis int) error {
	if !x.h.DType.Equal(h.DType) {
		return fmt.Errorf("dtype %s, want %s; DType gives all the same", x.h.DType, h.DType)
	}
	shape := slices.Clone(x.h.Shape)
	if len(shape) == len(h.Shape) {
		shape[axis] = h.Shape[axis]
	}
	if !slices.Equal(shape, h.Shape) {
		return fmt.Errorf("shape %s does not fit the others along all axes but %d", format.ShapeString(x.h.Shape), axis)
	}
	return nil
}

// run copies all blocks, and reports the size of each. The next block is read while one is written.
func (x *copyJob) run(ctx context.Context, report func(n int)) error {
	type ready struct {
		block
		data []byte
	}
	writes := par.NewPipeline(ctx, par.Workers(), 1, func(_ int, r ready) error {
		return x.write(r.block, r.data)
	}, func(r ready) error {
		report(len(r.data))
		return nil
	})
	defer writes.Drop()
	err := x.each(ctx, true, func(b block, data []byte) error {
		return writes.Push(ready{block{slices.Clone(b.origin), slices.Clone(b.shape)}, data})
	})
	if err != nil {
		return err
	}
	return writes.Drain()
}

// each calls do for each block, with its elements in the dtype and order of the destination. data is valid until do
// returns. With ahead, data is valid until the call of do for the next block but one.
func (x *copyJob) each(ctx context.Context, ahead bool, do func(b block, data []byte) error) error {
	size := x.h.DType.ItemSize()
	if x.view.Size()*size == 0 {
		return nil
	}
	p := partOf(x.view)
	converts, reorders := !x.h.DType.Equal(x.view.nd.DType), !p.compact(x.view.nd.DType, nil).nd.IsContiguous(x.h.FortranOrder)
	memory, perElement := min(x.memory/2, x.pieceMax), x.view.nd.DType.ItemSize()
	if converts {
		perElement += size
	}
	if reorders {
		memory = max(x.memory-x.reserved, x.memory/8)
		perElement += size
	}
	if converts && cast.SwapWidth(x.view.nd.DType, x.h.DType) == 1 {
		memory /= 3 // for converted values: more memory than is in use can be waiting for the garbage collector
	}
	if ahead {
		perElement += size
	}
	from := p.array.nd.SlowestFirst()
	slices.Reverse(from)
	to := fastestFirst(len(x.view.nd.Shape), x.h.FortranOrder)
	cut := newBlocks(x.view.nd.Shape, from, to, int(memory/int64(perElement)), x.sequence)
	n, k := cut.size(), 0
	read := newBuffers(n*x.view.nd.DType.ItemSize(), true, ahead && !converts && !reorders)
	converted := newBuffers(n*size, converts, ahead && !reorders)
	reordered := newBuffers(n*size, reorders, ahead)
	for block := range cut.all() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		a, err := x.src.readBox(ctx, x.view, block, read[k])
		if err != nil {
			return err
		}
		if converts {
			if a, err = x.convertInto(converted[k], a); err != nil {
				return x.src.wrap(err)
			}
		}
		data := a.nd.Data
		if reorders {
			data = reordered[k][:len(data)]
			a.nd.CopyTo(data, nd.Strides(a.nd.Shape, size, x.h.FortranOrder))
		}
		if err := do(block, data); err != nil {
			return err
		}
		k = 1 - k
	}
	return nil
}

// newBuffers returns two buffers for alternate blocks: the same buffer twice, unless two blocks are in use at a time.
func newBuffers(n int, needed, two bool) (b [2][]byte) {
	if needed {
		b[0] = bulk.MakeFill[byte](n)
		if b[1] = b[0]; two {
			b[1] = bulk.MakeFill[byte](n)
		}
	}
	return b
}

// box returns the view of a block.
func (a *Array) box(b block) *Array { return a.view(a.nd.Box(b.origin, slices.Clone(b.shape))) }

// convertInto returns the contiguous array a with the dtype of the destination and its elements in buf.
func (x *copyJob) convertInto(buf []byte, a *Array) (*Array, error) {
	if x.picks != nil {
		return pickInto(buf, a, x.h.DType, x.picks)
	}
	n := a.Size()
	buf = buf[:n*x.h.DType.ItemSize()]
	err := x.convert.Run(buf, a.nd.Data, n)
	if e, ok := err.(*elementError); ok { // counted from the start of the block
		err = fmt.Errorf("npy: %w", e.Err)
	}
	return Part{array: a}.compact(x.h.DType, buf), err
}

// write writes a block to its place in the destination.
func (x *copyJob) write(b block, data []byte) error {
	if x.sequence {
		_, err := x.w.Write(data)
		return err
	}
	to := newArray(x.h, nil)
	to.nd.Shape = x.view.nd.Shape
	for axis, k := range x.origin {
		to.nd.Offset += k * to.nd.Strides[axis]
	}
	plan := partOf(to.box(b)).plan(ReadOptions{Gap: -1})
	for i := range plan.boxes {
		run := plan.box(i)
		if _, err := x.at.WriteAt(data[run.place:run.place+run.bytes], x.offset+run.start); err != nil {
			return err
		}
	}
	return nil
}
