package npy

import (
	"fmt"
	"slices"
)

// An Index is one entry of what stands between the brackets in a[...]: an integer, a slice, an ellipsis, or the name
// of a field. The zero Index is the whole of an axis, ":".
type Index struct {
	kind        indexKind
	start, stop int // of a slice, if the flags say so; start is also the integer
	step        int
	hasStart    bool
	hasStop     bool
	hasStep     bool
	field       string
}

type indexKind uint8

const (
	sliceIndex indexKind = iota
	intIndex
	ellipsisIndex
	fieldIndex
)

// At is the integer index i: one position along an axis, which goes away. Negative numbers count from the end.
func At(i int) Index { return Index{kind: intIndex, start: i} }

// All is the slice ":", the whole of an axis.
func All() Index { return Index{} }

// Span is the slice "start:stop". Negative numbers count from the end; numbers beyond the axis are cut to it.
func Span(start, stop int) Index {
	return Index{start: start, stop: stop, hasStart: true, hasStop: true}
}

// SpanFrom is the slice "start:".
func SpanFrom(start int) Index { return Index{start: start, hasStart: true} }

// SpanTo is the slice ":stop".
func SpanTo(stop int) Index { return Index{stop: stop, hasStop: true} }

// Ellipsis is "...": as many whole axes as the other entries leave over.
func Ellipsis() Index { return Index{kind: ellipsisIndex} }

// Named is the index 'name': a field of a struct array.
func Named(name string) Index { return Index{kind: fieldIndex, field: name} }

// By returns the slice with a step: All().By(-1) is "::-1". A step of 0 is an error when it is used.
func (x Index) By(step int) Index {
	if x.kind == sliceIndex {
		x.step, x.hasStep = step, true
	}
	return x
}

// Slice returns a view of part of a, as a[...] does in NumPy for integers, slices with steps, an ellipsis and field
// names. Axes without an entry are taken whole. It shares the memory of a.
//
// A field name ends what was before it, so that Slice(Span(0, 5), Named("x"), At(1)) is a[0:5]['x'][1]. The error says
// which index is out of bounds or what is too much.
func (a *Array) Slice(index ...Index) (*Array, error) {
	for i, x := range index {
		if x.kind != fieldIndex {
			continue
		}
		b, err := a.slice(index[:i])
		if err != nil {
			return nil, err
		}
		if b, err = b.Field(x.field); err != nil {
			return nil, err
		}
		return b.Slice(index[i+1:]...)
	}
	return a.slice(index)
}

// slice is Slice without field names.
func (a *Array) slice(index []Index) (*Array, error) {
	index, err := expand(index, len(a.shape))
	if err != nil {
		return nil, err
	}
	b := &Array{dtype: a.dtype, data: a.data, start: a.start, shape: []int{}, strides: []int{}, objects: a.objects, origin: a.part()}
	for axis, x := range index {
		n, stride := a.shape[axis], a.strides[axis]
		if x.kind == intIndex {
			i := x.start
			if i < 0 {
				i += n
			}
			if i < 0 || i >= n {
				return nil, fmt.Errorf("npy: index %d is out of bounds for axis %d with size %d", x.start, axis, n)
			}
			b.start += i * stride
			continue
		}
		r, err := x.resolve(n)
		if err != nil {
			return nil, err
		}
		if r.count > 0 {
			b.start += r.start * stride
		}
		b.shape = append(b.shape, r.count)
		b.strides = append(b.strides, stride*r.step)
	}
	if b.Size() == 0 { // nothing to point at
		b.data, b.start = nil, 0
	}
	return b, nil
}

// expand replaces the ellipsis, written or understood, by whole axes.
func expand(index []Index, ndim int) ([]Index, error) {
	at, given := len(index), 0
	for i, x := range index {
		if x.kind != ellipsisIndex {
			given++
			continue
		}
		if at != len(index) {
			return nil, fmt.Errorf("npy: an index can only have a single ellipsis ('...')")
		}
		at = i
	}
	if given > ndim {
		return nil, fmt.Errorf("npy: too many indices: array is %d-dimensional, but %d were indexed", ndim, given)
	}
	out := slices.Grow(slices.Clone(index[:at]), ndim)
	for range ndim - given {
		out = append(out, Index{})
	}
	if at < len(index) {
		out = append(out, index[at+1:]...)
	}
	return out, nil
}

// A span is a slice laid over an axis: count positions from start in steps.
type span struct{ start, step, count int }

// resolve follows Python's slice.indices: both ends are cut to the axis, and with a negative step they default to the
// other end.
func (x Index) resolve(n int) (span, error) {
	step := 1
	if x.hasStep {
		step = min(max(x.step, -max(n, 1)), max(n, 1)) // beyond the axis all steps are alike, and none overflows a stride
	}
	if step == 0 {
		return span{}, fmt.Errorf("npy: slice step cannot be zero")
	}
	low, high := 0, n // the range that start and stop are cut to
	if step < 0 {
		low, high = -1, n-1
	}
	start, stop := low, high
	if step < 0 {
		start, stop = high, low
	}
	if x.hasStart {
		start = cut(x.start, n, low, high)
	}
	if x.hasStop {
		stop = cut(x.stop, n, low, high)
	}
	count := 0
	switch {
	case step > 0 && stop > start:
		count = (stop-start-1)/step + 1
	case step < 0 && stop < start:
		count = (start-stop-1)/-step + 1
	}
	if count <= 1 { // the step leads nowhere
		step = 1
	}
	return span{start, step, count}, nil
}

func cut(i, n, low, high int) int {
	if i < 0 {
		i += n
	}
	return min(max(i, low), high)
}
