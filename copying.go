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

// A copying is the way of one source into a destination, of which it is the whole or a box.
type copying struct {
	src     *File
	view    *Array // of the source, without data
	memory  int64
	convert cast.Caster // of elements; nil if they stay as they are
	picks   []pick      // of fields, instead

	h        format.Header // of the destination, as the elements lie there
	head     format.Header // what it begins with: another shape, if that is asked for
	origin   []int         // in it; nil for its start
	sequence bool          // it is written in sequence, to w; else to at, where its elements begin at offset
	w        io.Writer
	at       io.WriterAt
	offset   int64
}

const (
	reserved      = 26 << 20 // what the program takes besides blocks: the Go runtime, buffers of readers
	sequenceBlock = 4 << 20  // larger blocks gain nothing where the order stays
)

// check makes sure that the elements can be what they are to become.
func (x *copying) check(casting Casting) (err error) {
	from, to := x.view.dtype, x.h.DType
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

// joins makes sure that the source can follow others along an axis.
func (x *copying) joins(h format.Header, axis int) error {
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

// run copies all blocks, and reports the bytes of each. While one is written the next is read.
func (x *copying) run(report func(n int)) error {
	type ready struct {
		block
		data []byte
	}
	writes := par.NewPipeline(context.Background(), par.Workers(), 1, func(_ int, r ready) error {
		return x.write(r.block, r.data)
	}, func(r ready) error {
		report(len(r.data))
		return nil
	})
	defer writes.Drop()
	err := x.each(true, func(b block, data []byte) error {
		return writes.Push(ready{block{slices.Clone(b.origin), slices.Clone(b.shape)}, data})
	})
	if err != nil {
		return err
	}
	return writes.Drain()
}

// each calls do for each block with its elements as the destination has them. They are valid until do returns, or with
// ahead until it is called for the next block but one.
func (x *copying) each(ahead bool, do func(b block, data []byte) error) error {
	size := x.h.DType.ItemSize()
	if x.view.Size()*size == 0 {
		return nil
	}
	p := partOf(x.view)
	converts, reorders := !x.h.DType.Equal(x.view.dtype), !p.compact(x.view.dtype, nil).geometry().IsContiguous(x.h.FortranOrder)
	memory, perElement := min(x.memory/2, sequenceBlock), x.view.dtype.ItemSize()
	if converts {
		perElement += size
	}
	if reorders {
		memory = max(x.memory-reserved, x.memory/8)
		perElement += size
	}
	if converts && cast.SwapWidth(x.view.dtype, x.h.DType) == 1 {
		memory /= 3 // for values on their way: more than is in use can be waiting for the garbage collector
	}
	if ahead {
		perElement += size
	}
	from := p.array.geometry().SlowestFirst()
	slices.Reverse(from)
	to := fastestFirst(len(x.view.shape), x.h.FortranOrder)
	cut := newBlocks(x.view.shape, from, to, int(memory/int64(perElement)), x.sequence)
	n, k := cut.size(), 0
	read := newBuffers(n*x.view.dtype.ItemSize(), true, ahead && !converts && !reorders)
	converted := newBuffers(n*size, converts, ahead && !reorders)
	reordered := newBuffers(n*size, reorders, ahead)
	for block := range cut.all() {
		a, err := x.src.readInto(read[k], partOf(x.view.box(block)))
		if err != nil {
			return err
		}
		if converts {
			if a, err = x.convertInto(converted[k], a); err != nil {
				return x.src.wrap(err)
			}
		}
		data := a.data
		if reorders {
			data = reordered[k][:len(data)]
			a.geometry().CopyTo(data, nd.Strides(a.shape, size, x.h.FortranOrder))
		}
		if err := do(block, data); err != nil {
			return err
		}
		k = 1 - k
	}
	return nil
}

// newBuffers returns the buffers of one step for every other block: the same one, unless two are in use at a time.
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
func (a *Array) box(b block) *Array { return a.view(a.geometry().Box(b.origin, slices.Clone(b.shape))) }

// convertInto returns a, which is without gaps, with the dtype of the destination and its elements in buf.
func (x *copying) convertInto(buf []byte, a *Array) (*Array, error) {
	if x.picks != nil {
		return pickInto(buf, a, x.h.DType, x.picks)
	}
	n := a.Size()
	buf = buf[:n*x.h.DType.ItemSize()]
	err := x.convert.Run(buf, a.data, n)
	if e, ok := err.(*elementError); ok { // counted from the start of the block
		err = fmt.Errorf("npy: %w", e.Err)
	}
	return Part{array: a}.compact(x.h.DType, buf), err
}

// write writes a block to its places.
func (x *copying) write(b block, data []byte) error {
	if x.sequence {
		_, err := x.w.Write(data)
		return err
	}
	to := newArray(x.h, nil)
	to.shape = x.view.shape
	for axis, k := range x.origin {
		to.start += k * to.strides[axis]
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
