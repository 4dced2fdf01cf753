// Package blockwise copies arrays of any size in bounded memory, block by block: each block is a box of the array that
// is read, converted, put into the order of the destination and written.
package blockwise

import (
	"context"
	"io"
	"iter"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/cast"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/par"
)

// A Source reads boxes of an array.
type Source interface {
	// ReadBox reads a box of view into buf. The result has the order of [nd.Array.Compact].
	ReadBox(ctx context.Context, view *nd.Array, b nd.Box, buf []byte) (nd.Array, error)

	// Announce says that all boxes of view will be read, in the order in which they are stored.
	Announce(view *nd.Array)

	// Wrap adds the name of the file to an error.
	Wrap(error) error
}

// An Aside is a Source that may read a box into memory of its own before it copies it into buf.
type Aside interface {
	Source
	ReadsAside() bool
}

// A Sequence is a Source that can yield all elements of its view in C order, in pieces of its choice.
type Sequence interface {
	Source

	// Elements yields pieces that are valid until the next one. Memory is the target for buffers. Elements is nil if the view
	// has another order than the Source yields.
	Elements(ctx context.Context, memory int64) iter.Seq2[[]byte, error]
}

// A Job copies one source into all or part of a destination.
type Job struct {
	Source   Source
	View     nd.Array    // of the source; without data unless the source is in memory
	Memory   int64       // for blocks and Reserved
	Reserved int64       // for everything but blocks
	BlockMax int64       // bytes of a block where the order stays
	Convert  cast.Caster // of elements; nil if they stay as they are
	Picks    []Pick      // of fields, instead

	Header   format.Header // of the elements in the destination
	Origin   []int         // in the destination; nil for its start
	Sequence bool          // write to W in sequence; else to At, where the elements begin at Offset
	W        io.Writer
	At       io.WriterAt
	Offset   int64
}

// NBytes returns the bytes of the elements in the destination.
func (x *Job) NBytes() int64 { return int64(x.View.Size()) * int64(x.Header.DType.ItemSize()) }

// A Pick copies Size bytes from offset From of an element to offset To of another element.
type Pick struct{ From, To, Size int }

// AppendPick appends a pick, joined to the last if it continues it in both elements.
func AppendPick(picks []Pick, p Pick) []Pick {
	if last := len(picks) - 1; last >= 0 && picks[last].From+picks[last].Size == p.From {
		picks[last].Size += p.Size
		return picks
	}
	return append(picks, p)
}

// Run copies all blocks, and reports the size of each. The next block is read while one is written.
func (x *Job) Run(ctx context.Context, report func(n int)) error {
	type ready struct {
		nd.Box
		data []byte
	}
	writes := par.NewPipeline(ctx, par.Workers(), 1, func(_ int, r ready) error {
		return x.write(r.Box, r.data)
	}, func(r ready) error {
		report(len(r.data))
		return nil
	})
	defer writes.Drop()
	err := x.each(ctx, true, func(b nd.Box, data []byte) error {
		return writes.Push(ready{nd.Box{Origin: slices.Clone(b.Origin), Shape: slices.Clone(b.Shape)}, data})
	})
	if err != nil {
		return err
	}
	return writes.Drain()
}

// Each calls do for each block, with its elements in the dtype and order of the destination. The box and data are
// valid until do returns.
func (x *Job) Each(ctx context.Context, do func(b nd.Box, data []byte) error) error {
	return x.each(ctx, false, do)
}

// each is Each. With ahead, data is valid until the call of do for the next block but one.
func (x *Job) each(ctx context.Context, ahead bool, do func(b nd.Box, data []byte) error) error {
	size := x.Header.DType.ItemSize()
	if x.View.Size()*size == 0 {
		return nil
	}
	compact := x.View.Compact(x.View.DType, nil)
	converts, reorders := !x.Header.DType.Equal(x.View.DType), !compact.IsContiguous(x.Header.FortranOrder)
	cut := x.cut(converts, reorders, ahead)
	if !reorders {
		x.Source.Announce(&x.View)
	}
	if s, ok := x.Source.(Sequence); ok && !reorders && x.View.IsContiguous(false) && x.View.DType.ItemSize() > 0 {
		if elements := s.Elements(ctx, x.Memory/2); elements != nil {
			return x.eachInOrder(ctx, elements, cut.Size(), converts, ahead, do)
		}
	}
	n, k := cut.Size(), 0
	read := newBuffers(n*x.View.DType.ItemSize(), true, ahead && !converts && !reorders)
	converted := newBuffers(n*size, converts, ahead && !reorders)
	reordered := newBuffers(n*size, reorders, ahead)
	for box := range cut.All() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		a, err := x.Source.ReadBox(ctx, &x.View, box, read[k])
		if err != nil {
			return err
		}
		if converts {
			if a, err = x.convertInto(converted[k], a); err != nil {
				return x.Source.Wrap(err)
			}
		}
		data := a.Data
		if reorders {
			data = reordered[k][:len(data)]
			a.CopyTo(data, nd.Strides(a.Shape, size, x.Header.FortranOrder))
		}
		if err := do(box, data); err != nil {
			return err
		}
		k = 1 - k
	}
	return nil
}

// eachInOrder is each for a source that yields its elements in the order of the destination. A block has at most n elements.
func (x *Job) eachInOrder(ctx context.Context, elements iter.Seq2[[]byte, error], n int, converts, ahead bool, do func(b nd.Box, data []byte) error) error {
	from, size := x.View.DType.ItemSize(), x.Header.DType.ItemSize()
	kept := newBuffers(n*from, ahead && !converts, true)
	converted := newBuffers(n*size, converts, ahead)
	at, k := 0, 0
	for piece, err := range elements {
		if err != nil {
			return err
		}
		for len(piece) > 0 {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			b := nd.RunFrom(x.View.Shape, at, min(n, len(piece)/from))
			data := piece[:nd.Size(b.Shape)*from]
			piece, at = piece[len(data):], at+nd.Size(b.Shape)
			if converts {
				a, err := x.convertInto(converted[k], nd.Over(format.Header{DType: x.View.DType, Shape: b.Shape}, data))
				if err != nil {
					return x.Source.Wrap(err)
				}
				data = a.Data
			} else if ahead {
				data = kept[k][:copy(kept[k], data)]
			}
			if err := do(b, data); err != nil {
				return err
			}
			k = 1 - k
		}
	}
	return nil
}

// cut cuts the view into boxes that fit into Memory with all of their copies.
func (x *Job) cut(converts, reorders, ahead bool) nd.Boxes {
	size := x.Header.DType.ItemSize()
	memory, perElement := min(x.Memory/2, x.BlockMax), x.View.DType.ItemSize()
	if converts {
		perElement += size
	}
	if reorders {
		memory = max(x.Memory-x.Reserved, x.Memory/8)
		perElement += size
	}
	if converts && cast.SwapWidth(x.View.DType, x.Header.DType) == 1 {
		memory /= 3 // for converted values: more memory than is in use can be waiting for the garbage collector
	}
	if ahead {
		perElement += size
	}
	if s, ok := x.Source.(Aside); ok && s.ReadsAside() {
		perElement += 4 * x.View.DType.ItemSize() // the box, and boxes that wait for the garbage collector
	}
	from := x.View.SlowestFirst()
	slices.Reverse(from)
	to := nd.FastestFirst(len(x.View.Shape), x.Header.FortranOrder)
	return nd.CutBoxes(x.View.Shape, from, to, int(memory/int64(perElement)), x.Sequence)
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

// convertInto returns the contiguous array a with the dtype of the destination and its elements in buf.
func (x *Job) convertInto(buf []byte, a nd.Array) (nd.Array, error) {
	if x.Picks != nil {
		return pickInto(buf, a, x.Header.DType, x.Picks)
	}
	n := a.Size()
	buf = buf[:n*x.Header.DType.ItemSize()]
	err := x.Convert.Run(buf, a.Data, n)
	if e, ok := err.(*codec.ElementError); ok { // counted from the start of the block
		err = diag.Wrap("npy", e.Err)
	}
	return a.Compact(x.Header.DType, buf), err
}

// One returns an element of the source as it is in the destination.
func (x *Job) One(item []byte) ([]byte, error) {
	if x.Header.DType.Equal(x.View.DType) {
		return item, nil
	}
	a, err := x.convertInto(make([]byte, x.Header.DType.ItemSize()), nd.Array{DType: x.View.DType, Data: item})
	return a.Data, err
}

// pickInto returns the contiguous array a with only the picked fields, and its elements in buf.
func pickInto(buf []byte, a nd.Array, t dtype.Type, picks []Pick) (nd.Array, error) {
	n, from, to := a.Size(), a.DType.ItemSize(), t.ItemSize()
	buf = buf[:n*to]
	return a.Compact(t, buf), par.Split(context.Background(), n, cast.Block, len(buf), func(low, high int) error {
		for ; low < high; low += cast.Block {
			end := min(low+cast.Block, high)
			for _, p := range picks {
				bulk.CopyBytes(buf, low*to+p.To, []int{to}, a.Data, low*from+p.From, []int{from}, []int{end - low}, p.Size)
			}
		}
		return nil
	})
}

// write writes a block to its place in the destination.
func (x *Job) write(b nd.Box, data []byte) error {
	if x.Sequence {
		_, err := x.W.Write(data)
		return err
	}
	to := nd.Over(x.Header, nil)
	if x.Origin != nil {
		to = to.Box(nd.Box{Origin: x.Origin, Shape: x.View.Shape})
	}
	to = to.Box(b)
	plan := to.Plan(0)
	for i := range plan.Count {
		run := plan.Run(i)
		if _, err := x.At.WriteAt(data[run.Place:run.Place+run.Bytes], x.Offset+run.Start); err != nil {
			return err
		}
	}
	return nil
}
