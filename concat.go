package npy

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/diag"
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
	h := HeaderOf(sources[0])
	if err := noObjects(h.DType, "; ReadAll reads them as a whole"); err != nil {
		return nil, err
	}
	axis, err := joinedAxis(axis, len(h.Shape))
	if err != nil {
		return nil, err
	}
	ends := make([]int, len(sources))
	n := 0
	for i, s := range sources {
		one := HeaderOf(s)
		if err := joins(one, h, axis, joinsAs); err != nil {
			return nil, diag.Errorf("npy", "array %d of %d: %w", i+1, len(sources), err)
		}
		if n+one.Shape[axis] < n {
			return nil, errTooLong
		}
		n += one.Shape[axis]
		ends[i] = n
	}
	h.Shape[axis] = n
	j := &joined{dtype: h.DType, shape: h.Shape, axis: axis, ends: ends}
	j.keep(slices.Clone(sources))
	return j, j.validate()
}

// ConcatFunc is [Concat] of sources that are made when they are needed, such as the many files of one array. It takes 8 bytes for
// each source. source returns number i of them, counted from 0. It may be called often, by several goroutines at the same time,
// so it opens nothing: Lazy of package source opens when elements are read.
//
// The array has dtype t and the given shape, and source i ends at ends[i] along the axis: ends never descend, and the last of them
// is the length of the axis. They are shared and must not be changed. A source with another dtype or shape is an error when it
// is needed. Python objects are refused.
func ConcatFunc(t dtype.Type, shape []int, axis int, ends []int, source func(i int) Source) (Source, error) {
	if len(ends) == 0 {
		return nil, errNoArrays
	}
	if err := noObjects(t, "; ReadAll reads them as a whole"); err != nil {
		return nil, err
	}
	axis, err := joinedAxis(axis, len(shape))
	if err != nil {
		return nil, err
	}
	if !slices.IsSorted(ends) || ends[0] < 0 || ends[len(ends)-1] != shape[axis] {
		return nil, diag.Errorf("npy", "the ends of arrays must ascend to the length of axis %d, %d", axis, shape[axis])
	}
	j := &joined{dtype: t, shape: slices.Clone(shape), axis: axis, ends: ends}
	j.at = func(i int) (Source, error) {
		src := source(i)
		h := HeaderOf(src)
		err := joins(h, format.Header{DType: t, Shape: j.shape}, axis, joinsAs)
		if err == nil && h.Shape[axis] != ends[i]-j.start(i) {
			err = fmt.Errorf("shape %v, want %d along axis %d", h.Shape, ends[i]-j.start(i), axis)
		}
		if err != nil {
			return nil, diag.Errorf("npy", "array %d of %d: %w", i+1, len(ends), err)
		}
		return src, nil
	}
	return j, j.validate()
}

// joinsAs says how to treat an array of another dtype.
const joinsAs = "convert it by Array.AsType, or write a file by Copier.Concat with a DType"

var (
	errNoArrays = diag.New("npy", "no arrays to concatenate")
	errTooLong  = diag.New("npy", "the concatenated axis is too long")
)

// joinedAxis returns the axis to concatenate arrays of ndim dimensions along, which counts from the end if it is negative.
func joinedAxis(axis, ndim int) (int, error) {
	if axis < -ndim || axis >= ndim {
		return 0, diag.Errorf("npy", "axis %d is out of bounds for arrays of %d dimensions", axis, ndim)
	}
	return (axis + ndim) % ndim, nil
}

// A joined is several sources that follow each other along an axis.
type joined struct {
	dtype dtype.Type
	shape []int
	axis  int
	ends  []int                       // where each source ends along the axis; at least one
	at    func(i int) (Source, error) // a source
	kept  []Source                    // the sources, if they are given and not made, also of a part
}

// keep sets the sources.
func (j *joined) keep(sources []Source) {
	j.kept = sources
	j.at = func(i int) (Source, error) { return sources[i], nil }
}

// validate returns an error unless an array can have the shape.
func (j *joined) validate() error {
	h := format.Header{DType: j.dtype, Shape: j.shape}
	return h.Validate()
}

// start returns where source i begins along the axis.
func (j *joined) start(i int) int {
	if i == 0 {
		return 0
	}
	return j.ends[i-1]
}

// DType implements [Source].
func (j *joined) DType() dtype.Type { return j.dtype }

// Shape implements [Source].
func (j *joined) Shape() []int { return slices.Clone(j.shape) }

// OnePass reports whether the elements of a source can be read only once.
func (j *joined) OnePass() bool { return slices.ContainsFunc(j.kept, IsOnePass) }

// Select implements [Source].
func (j *joined) Select(index ...Index) (Source, error) {
	if copied, ok, err := selectCopy(j, index); ok {
		return copied, err
	}
	outline, err := newArray(format.Header{DType: j.dtype, Shape: j.shape}, nil).Slice(index...)
	if err != nil {
		return nil, err
	}
	axes, more := spread(index, len(j.shape))
	start, step, count, err := axes[j.axis].index.Resolve(j.shape[j.axis])
	if axes[j.axis].index.Kind == nd.Integer {
		return j.one(axes, more)
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
	cuts := j.along(start, step, count)
	out.ends = cuts.ends
	out.at = func(i int) (Source, error) { return cuts.source(i, axes) }
	if len(more) == 0 {
		out.shape = outline.Shape()
		return out, out.complete(j)
	}
	outline, err = newArray(format.Header{DType: j.dtype, Shape: j.shape}, nil).Slice(axes...)
	if err == nil {
		out.shape = outline.Shape()
		err = out.complete(j)
	}
	if err != nil {
		return nil, err
	}
	return out.field(more)
}

// complete makes the sources of a part of j, if j has given sources, and validates the shape.
func (j *joined) complete(of *joined) error {
	if of.kept != nil {
		kept := make([]Source, len(j.ends))
		for i := range kept {
			var err error
			if kept[i], err = j.at(i); err != nil {
				return err
			}
		}
		j.keep(kept)
	}
	return j.validate()
}

// one returns the part at one position along the axis.
func (j *joined) one(axes, more []Index) (Source, error) {
	position := axes[j.axis].index.Start
	if position < 0 {
		position += j.shape[j.axis]
	}
	i := j.find(position)
	src, err := j.at(i)
	if err != nil {
		return nil, err
	}
	axes = slices.Clone(axes)
	axes[j.axis] = At(position - j.start(i))
	return src.Select(append(axes, more...)...)
}

// field returns the part that index selects, which begins with the name of a field, or with several.
func (j *joined) field(index []Index) (Source, error) {
	outline, err := newArray(format.Header{DType: j.dtype, Shape: j.shape}, nil).Slice(index[0])
	if err != nil {
		return nil, err
	}
	out := &joined{dtype: outline.DType(), shape: outline.Shape(), axis: j.axis, ends: j.ends}
	out.at = func(i int) (Source, error) {
		src, err := j.at(i)
		if err != nil {
			return nil, err
		}
		return src.Select(index[0])
	}
	if err := out.complete(j); err != nil || len(index) == 1 {
		return out, err
	}
	return out.Select(index[1:]...)
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

// cuts are the positions of a slice of the joined axis, within each source from the first that has some to the last. A source
// between them may have none.
type cuts struct {
	j           *joined
	first       int // the source with the first positions
	start, step int // of the slice; sources descend if step is negative
	ends        []int
}

// along returns the cuts of count positions, step apart.
func (j *joined) along(start, step, count int) cuts {
	c := cuts{j: j, start: start, step: step}
	if count == 0 {
		c.ends = []int{0}
		return c
	}
	c.first = j.find(start)
	last := j.find(start + (count-1)*step)
	c.ends = make([]int, 0, max(last-c.first, c.first-last)+1)
	for i := c.first; ; i = c.next(i) {
		var n int // positions up to the end of the source, or down to its start
		if step > 0 {
			n = ceilDiv(j.ends[i]-start, step)
		} else {
			n = floorDiv(start-j.start(i), -step) + 1
		}
		c.ends = append(c.ends, min(max(n, 0), count))
		if i == last {
			return c
		}
	}
}

func (c cuts) next(i int) int {
	if c.step < 0 {
		return i - 1
	}
	return i + 1
}

// source returns the part of the k-th source that the cuts go through. The other axes are as in axes.
func (c cuts) source(k int, axes []Index) (Source, error) {
	i, from := c.first+k, 0
	if c.step < 0 {
		i = c.first - k
	}
	if k > 0 {
		from = c.ends[k-1]
	}
	src, err := c.j.at(i)
	if err != nil {
		return nil, err
	}
	axes = slices.Clone(axes)
	axes[c.j.axis] = Span(0, 0)
	if n := c.ends[k] - from; n > 0 {
		axes[c.j.axis] = progression(c.start+from*c.step-c.j.start(i), c.step, n)
	}
	return src.Select(axes...)
}

// find returns the source that has a position along the axis.
func (j *joined) find(position int) int {
	i, _ := slices.BinarySearch(j.ends, position+1) // the first that ends after it
	return i
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

// skips reports whether source i has no elements. Where none has, the first is read all the same: it may be closed.
func (j *joined) skips(i int) bool {
	if nd.Size(j.shape) == 0 {
		return i > 0
	}
	return j.ends[i] == j.start(i)
}

// ReadAll implements [Source].
func (j *joined) ReadAll(ctx context.Context) (*Array, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if len(j.ends) == 1 {
		src, err := j.at(0)
		if err != nil {
			return nil, err
		}
		return src.ReadAll(ctx)
	}
	out, err := New(j.dtype, j.shape...)
	if err != nil {
		return nil, err
	}
	return out, j.fill(ctx, out, func(src Source) (Source, error) { return src, nil })
}

// fill reads a part of each source into out, one after another along the axis.
func (j *joined) fill(ctx context.Context, out *Array, part func(src Source) (Source, error)) error {
	for i, end := range j.ends {
		if j.skips(i) {
			continue
		}
		src, err := j.at(i)
		if err == nil {
			src, err = part(src)
		}
		var a *Array
		if err == nil {
			a, err = src.ReadAll(ctx)
		}
		if err != nil {
			return err
		}
		low := j.start(i)
		place := out.nd.Along(j.axis, low, end-low)
		place.Fill(&a.nd)
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

// chain yields the blocks of each source.
func (j *joined) chain(ctx context.Context, memory int64, yield func(*Array, error) bool) {
	for i := range j.ends {
		if j.skips(i) {
			continue
		}
		src, err := j.at(i)
		if err != nil {
			yield(nil, err)
			return
		}
		for block, err := range src.Blocks(ctx, memory) {
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
		block, err := New(j.dtype, append([]int{n}, j.shape[1:]...)...)
		if err == nil {
			err = j.fill(ctx, block, func(src Source) (Source, error) { return src.Select(Span(low, low+n)) })
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
