package calc

import (
	"context"
	"math"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/source"
)

// maxElements is the size of the largest array that smaller ones are repeated to.
const maxElements int64 = 1 << 36

// commonShape returns the shape of numpy.broadcast_shapes.
func commonShape(shapes [][]int) ([]int, bool) {
	var out []int
	for _, shape := range shapes {
		if len(shape) > len(out) {
			out = append(slices.Repeat([]int{1}, len(shape)-len(out)), out...)
		}
		for i, n := range shape {
			at := &out[len(out)-len(shape)+i]
			switch {
			case n == *at || n == 1:
			case *at == 1:
				*at = n
			default:
				return nil, false
			}
		}
	}
	return out, true
}

// checkSize returns an error if arrays are repeated to a shape of too many elements.
func checkSize(shape []int, shapes [][]int) error {
	if slices.ContainsFunc(shapes, func(s []int) bool { return slices.Equal(s, shape) }) || slices.Contains(shape, 0) {
		return nil
	}
	n := 1.0
	for _, m := range shape {
		n *= float64(m)
	}
	if n > float64(maxElements) {
		return diag.Wrap("query", bounded.Over("", maxElements, int64(min(n, math.MaxInt64/2)), "arrays that are repeated to the shape %s have more than %d elements", format.ShapeString(shape), maxElements))
	}
	return nil
}

// A repeated is an array in memory that is repeated to a larger shape.
type repeated struct {
	data    []byte
	item    int
	shape   []int
	strides []int // in bytes of the array, 0 along axes where it is repeated
}

// broadcast returns src repeated to a shape. The smaller array is held in memory.
func broadcast(ctx context.Context, src npy.Source, shape []int) (npy.Source, error) {
	from := src.Shape()
	if slices.Equal(from, shape) {
		return src, nil
	}
	a, err := src.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	r := &repeated{data: a.Bytes(), item: src.DType().ItemSize(), shape: shape, strides: make([]int, len(shape))}
	step := r.item
	for i := len(from) - 1; i >= 0; i-- {
		if from[i] > 1 {
			r.strides[len(shape)-len(from)+i] = step
		}
		step *= from[i]
	}
	return source.FromParts(format.Header{DType: src.DType(), Shape: shape}, func(_ context.Context, p npy.Selection) (*npy.Array, error) {
		h := format.Header{DType: p.DType(), Shape: p.Shape()}
		data := bulk.MakeFill[byte](int(h.NBytes()))
		if len(data) > 0 {
			r.fill(data, int(p.Offset()), h.Shape, p.Strides())
		}
		return npy.FromBytes(h.DType, data, h.Shape...)
	})
}

// fill writes part of the array to dst: an element at an offset, and others some strides from there.
func (r *repeated) fill(dst []byte, offset int, shape, strides []int) {
	if len(shape) == 0 {
		r.run(dst, offset/r.item, 1)
		return
	}
	if len(shape) == 1 && strides[0] == r.item {
		r.run(dst, offset/r.item, shape[0])
		return
	}
	size := len(dst) / shape[0]
	for i := range shape[0] {
		r.fill(dst[i*size:(i+1)*size], offset+i*strides[0], shape[1:], strides[1:])
	}
}

// run writes n elements from number first on, in C order.
func (r *repeated) run(dst []byte, first, n int) {
	last := len(r.shape) - 1
	if last < 0 {
		copy(dst, r.data)
		return
	}
	for n > 0 {
		rest, at := first, 0
		column := first % r.shape[last]
		for axis := last; axis >= 0; axis-- {
			at += rest % r.shape[axis] * r.strides[axis]
			rest /= r.shape[axis]
		}
		count := min(n, r.shape[last]-column)
		if out := dst[:count*r.item]; r.strides[last] > 0 {
			copy(out, r.data[at:])
		} else {
			k := copy(out, r.data[at:at+r.item])
			for k < len(out) {
				k += copy(out[k:], out[:k])
			}
		}
		dst, first, n = dst[count*r.item:], first+count, n-count
	}
}
