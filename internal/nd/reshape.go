package nd

import (
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
)

// Reshaped returns the shape for size elements: a copy of shape with -1 replaced by the number that fits.
func Reshaped(t dtype.Type, size int, shape []int) ([]int, error) {
	shape = slices.Clone(shape)
	refused := func() error {
		return diag.Errorf("npy", "array of size %d cannot be reshaped to %s", size, format.ShapeString(shape))
	}
	if i := slices.Index(shape, -1); i >= 0 {
		shape[i] = 1
		rest := format.Header{DType: t, Shape: shape}
		if rest.Validate() != nil || rest.Size() == 0 || size%rest.Size() != 0 {
			shape[i] = -1
			return nil, refused()
		}
		shape[i] = size / rest.Size()
	}
	if err := (format.Header{DType: t, Shape: shape}).Validate(); err != nil {
		return nil, err
	}
	if n, _ := bounded.Count(shape, 1); n != size {
		return nil, refused()
	}
	return shape, nil
}

// Regroup returns the view with another shape of the same size that has the same elements in C order, or in Fortran order. It
// reports false if no strides give that view. (_attempt_nocopy_reshape in NumPy 1.24 and 2.5)
func (a *Array) Regroup(shape []int, fortran bool) (Array, bool) {
	b := *a
	b.Shape, b.Strides = shape, Strides(shape, a.DType.ItemSize(), fortran)
	if a.Size() == 0 {
		return b, true
	}
	var from, steps []int // without axes of length 1
	for i, n := range a.Shape {
		if n != 1 {
			from, steps = append(from, n), append(steps, a.Strides[i])
		}
	}
	to := 0
	for i := 0; i < len(from); {
		last, next := i+1, to+1 // axes i to last of a have as many elements as axes to to next of b
		for have, want := from[i], shape[to]; have != want; {
			if want < have {
				want *= shape[next]
				next++
			} else {
				have *= from[last]
				last++
			}
		}
		if !isOneAxis(from[i:last], steps[i:last], fortran) {
			return Array{}, false
		}
		step := steps[last-1]
		if fortran {
			step = steps[i]
		}
		copy(b.Strides[to:next], Strides(shape[to:next], step, fortran))
		i, to = last, next
	}
	return b, true
}

// isOneAxis reports whether axes together step evenly, so that they could be one axis.
func isOneAxis(shape, strides []int, fortran bool) bool {
	for i := range len(shape) - 1 {
		fast, slow := i+1, i
		if fortran {
			fast, slow = i, i+1
		}
		if strides[slow] != shape[fast]*strides[fast] {
			return false
		}
	}
	return true
}
