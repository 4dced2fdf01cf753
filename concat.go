package npy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/nd"
)

// Concat returns sources, one after another along an axis, as one Source: numpy.concatenate, without a copy. Nothing is read
// before the result is, and a part of it reads only the sources that have elements there. A negative axis counts from the
// end. All sources must have the same dtype, and the same shape except along the axis; Python objects are refused. The
// result is valid as long as the sources are. [Copier.Concat] writes a file.
func Concat(axis int, sources ...Source) (Source, error) {
	if len(sources) == 0 {
		return nil, errNoArrays
	}
	j := &joined{dtype: sources[0].DType(), parts: slices.Clone(sources)}
	if err := noObjects(j.dtype, "; ReadAll reads them as a whole"); err != nil {
		return nil, err
	}
	h := HeaderOf(sources[0])
	var err error
	if j.axis, err = joinedAxis(axis, len(h.Shape)); err != nil {
		return nil, err
	}
	for i, s := range sources {
		if err := joins(HeaderOf(s), h, j.axis, "convert it by Array.AsType, or write a file by Copier.Concat with a DType"); err != nil {
			return nil, fmt.Errorf("npy: array %d of %d: %w", i+1, len(sources), err)
		}
	}
	return j, j.measure()
}

var errNoArrays = errors.New("npy: no arrays to concatenate")

// joinedAxis returns the axis to concatenate arrays of ndim dimensions along, which counts from the end if it is negative.
func joinedAxis(axis, ndim int) (int, error) {
	if axis < -ndim || axis >= ndim {
		return 0, fmt.Errorf("npy: axis %d is out of bounds for arrays of %d dimensions", axis, ndim)
	}
	return (axis + ndim) % ndim, nil
}

// A joined is several sources that follow each other along an axis.
type joined struct {
	dtype dtype.Type
	shape []int
	axis  int
	parts []Source // at least one
	ends  []int    // where each part ends along the axis
}

// measure sets the shape, which must be that of a possible array.
func (j *joined) measure() error {
	n := 0
	j.ends = make([]int, len(j.parts))
	for i, s := range j.parts {
		k := s.Shape()[j.axis]
		if n+k < n {
			return errors.New("npy: the concatenated axis is too long")
		}
		n += k
		j.ends[i] = n
	}
	j.shape = j.parts[0].Shape()
	j.shape[j.axis] = n
	h := format.Header{DType: j.dtype, Shape: j.shape}
	return h.Validate()
}

// DType implements [Source].
func (j *joined) DType() dtype.Type { return j.dtype }

// Shape implements [Source].
func (j *joined) Shape() []int { return slices.Clone(j.shape) }

// OnePass reports whether the elements of a source can be read only once.
func (j *joined) OnePass() bool { return slices.ContainsFunc(j.parts, IsOnePass) }

// Select implements [Source].
func (j *joined) Select(index ...Index) (Source, error) {
	if copied, ok, err := SelectCopy(j, index); ok {
		return copied, err
	}
	outline := newArray(format.Header{DType: j.dtype, Shape: j.shape}, nil)
	if _, err := outline.Slice(index...); err != nil {
		return nil, err
	}
	axes, more := spread(index, len(j.shape))
	start, step, count, err := axes[j.axis].index.Resolve(j.shape[j.axis])
	single := axes[j.axis].index.Kind == nd.Integer
	if single {
		if start, step, count, err = axes[j.axis].index.Start, 1, 1, nil; start < 0 {
			start += j.shape[j.axis]
		}
	}
	if err != nil {
		return nil, err
	}
	out := &joined{dtype: j.dtype, axis: j.axis}
	for _, x := range axes[:j.axis] {
		if x.index.Kind == nd.Integer {
			out.axis--
		}
	}
	for _, p := range j.along(start, step, count) {
		axes[j.axis] = p.index
		part, err := j.parts[p.part].Select(axes...)
		if err != nil {
			return nil, err
		}
		out.parts = append(out.parts, part)
	}
	if single {
		one, err := out.parts[0].Select(append(slices.Repeat([]Index{All()}, out.axis), At(0))...)
		if err != nil || len(more) == 0 {
			return one, err
		}
		return one.Select(more...)
	}
	if err := out.measure(); err != nil || len(more) == 0 {
		return out, err
	}
	for i, part := range out.parts {
		if out.parts[i], err = part.Select(more[0]); err != nil { // the name of a field
			return nil, err
		}
	}
	out.dtype = out.parts[0].DType()
	if err := out.measure(); err != nil {
		return nil, err
	}
	return out.Select(more[1:]...)
}

// spread returns an entry for each of ndim axes, and the entries from the first name of a field on. The index must be
// valid.
func spread(index []Index, ndim int) (axes, more []Index) {
	end := slices.IndexFunc(index, func(x Index) bool { return x.index.Kind == nd.Field || x.index.Kind == nd.Fields })
	if end < 0 {
		end = len(index)
	}
	index, more = index[:end], index[end:]
	for i, x := range index {
		if x.index.Kind == nd.Ellipsis {
			rest := index[i+1:]
			axes = append(axes, slices.Repeat([]Index{All()}, ndim-i-len(rest))...)
			return append(axes, rest...), more
		}
		axes = append(axes, x)
	}
	return append(axes, slices.Repeat([]Index{All()}, ndim-len(axes))...), more
}

// A cut is a slice of the joined axis within one part.
type cut struct {
	part  int
	index Index
}

// along returns the cuts with count positions, step apart, in their order; a cut without positions if there are none.
func (j *joined) along(start, step, count int) []cut {
	var cuts []cut
	from, to := start, start+(count-1)*step
	if step < 0 {
		from, to = to, from
	}
	before := func(end, position int) int { return cmp.Compare(end, position+1) }
	i, _ := slices.BinarySearchFunc(j.ends, from, before) // the first part that ends after from
	for ; i < len(j.parts); i++ {
		low := 0 // of the part
		if i > 0 {
			low = j.ends[i-1]
		}
		if low > to {
			break
		}
		n := j.ends[i] - low
		// The positions first to last of the selection are within the part.
		var first, last int
		if step > 0 {
			first, last = max(ceilDiv(low-start, step), 0), min(floorDiv(low+n-1-start, step), count-1)
		} else {
			first, last = max(ceilDiv(start-(low+n-1), -step), 0), min(floorDiv(start-low, -step), count-1)
		}
		if n > 0 && first <= last {
			cuts = append(cuts, cut{i, progression(start+first*step-low, step, last-first+1)})
		}
	}
	if len(cuts) == 0 {
		return []cut{{0, Span(0, 0)}}
	}
	if step < 0 {
		slices.Reverse(cuts)
	}
	return cuts
}

// progression returns the slice with count positions from start on, step apart.
func progression(start, step, count int) Index {
	stop := start + step*(count-1) + step/max(step, -step)
	if stop < 0 {
		return SpanFrom(start).By(step)
	}
	return Span(start, stop).By(step)
}

func floorDiv(a, b int) int { // b is positive
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func ceilDiv(a, b int) int { return -floorDiv(-a, b) }

// ReadAll implements [Source].
func (j *joined) ReadAll(ctx context.Context) (*Array, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if len(j.parts) == 1 {
		return j.parts[0].ReadAll(ctx)
	}
	out, err := New(j.dtype, j.shape...)
	if err != nil {
		return nil, err
	}
	return out, j.fill(ctx, out, j.parts)
}

// fill reads parts into out, one after another along the axis.
func (j *joined) fill(ctx context.Context, out *Array, parts []Source) error {
	low := 0
	for _, s := range parts {
		a, err := s.ReadAll(ctx)
		if err != nil {
			return err
		}
		n := s.Shape()[j.axis]
		place := out.nd.Along(j.axis, low, n)
		place.Fill(&a.nd)
		low += n
	}
	return nil
}

// Blocks implements [Source].
func (j *joined) Blocks(ctx context.Context, memory int64) iter.Seq2[*Array, error] {
	return func(yield func(*Array, error) bool) {
		if j.axis == 0 || nd.Size(j.shape) == 0 {
			j.chain(ctx, memory, yield)
			return
		}
		j.slabs(ctx, memory, yield)
	}
}

// chain yields the blocks of each part.
func (j *joined) chain(ctx context.Context, memory int64, yield func(*Array, error) bool) {
	for _, s := range j.parts {
		for block, err := range s.Blocks(ctx, memory) {
			if !yield(block, err) || err != nil {
				return
			}
		}
	}
}

// slabs yields rows of all parts side by side, or the pieces of one row after the other if rows are larger than memory.
func (j *joined) slabs(ctx context.Context, memory int64, yield func(*Array, error) bool) {
	rows := j.shape[0]
	size := nd.Size(j.shape[1:]) * j.dtype.ItemSize()
	per := min(pieceElements(memory, size), rows)
	if memory > 0 && int64(size) > memory && len(j.shape) > 1 {
		j.pieces(ctx, memory, yield)
		return
	}
	for low := 0; low < rows; low += per {
		if ctx.Err() != nil {
			yield(nil, context.Cause(ctx))
			return
		}
		n := min(per, rows-low)
		parts := make([]Source, len(j.parts))
		var err error
		for i, s := range j.parts {
			if parts[i], err = s.Select(Span(low, low+n)); err != nil {
				yield(nil, err)
				return
			}
		}
		block, err := New(j.dtype, append([]int{n}, j.shape[1:]...)...)
		if err == nil {
			err = j.fill(ctx, block, parts)
		}
		if err != nil {
			block = nil
		}
		if !yield(block, err) || err != nil {
			return
		}
	}
}

// pieces yields the pieces of each row.
func (j *joined) pieces(ctx context.Context, memory int64, yield func(*Array, error) bool) {
	for row := range j.shape[0] {
		s, err := j.Select(At(row))
		if err != nil {
			yield(nil, err)
			return
		}
		for block, err := range s.Blocks(ctx, memory) {
			if err == nil {
				block, err = block.Reshape(append([]int{1}, block.Shape()...)...)
			}
			if !yield(block, err) || err != nil {
				return
			}
		}
	}
}

var _ Source = (*joined)(nil)
