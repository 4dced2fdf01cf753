package npy

import (
	"fmt"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
)

// Reshape returns the elements in C order with another shape, ndarray.reshape. One dimension may be -1 and is worked
// out. The result shares the memory of a if a is in C order and is a copy otherwise, always in C order: NumPy makes views
// of other arrays too where it can, which have other orders. [Copier] with a Shape writes what np.save makes of these.
func (a *Array) Reshape(shape ...int) (*Array, error) {
	shape, err := reshaped(a.dtype, a.Size(), shape)
	if err != nil {
		return nil, err
	}
	c := a.Contiguous()
	return &Array{dtype: a.dtype, shape: shape, strides: contiguous(shape, a.dtype.ItemSize(), false), data: c.data, start: c.start, objects: c.objects, origin: a.part()}, nil
}

// reshaped returns the shape that size elements get, a copy without -1.
func reshaped(t dtype.Type, size int, shape []int) ([]int, error) {
	shape = slices.Clone(shape)
	refused := func() error {
		return fmt.Errorf("npy: array of size %d cannot be reshaped to %s", size, format.ShapeString(shape))
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

// regroup returns the elements of a, taken and put in C order or in Fortran order, with another shape of as many elements, as
// a view of a. It is nil if there are no strides for that. (_attempt_nocopy_reshape in NumPy 1.24 and 2.5)
func (a *Array) regroup(shape []int, fortran bool) *Array {
	b := a.derived()
	b.shape, b.strides = shape, contiguous(shape, a.dtype.ItemSize(), fortran)
	if a.Size() == 0 {
		return b
	}
	var from, steps []int // without axes of length 1
	for i, n := range a.shape {
		if n != 1 {
			from, steps = append(from, n), append(steps, a.strides[i])
		}
	}
	to := 0
	for i := 0; i < len(from); {
		last, next := i+1, to+1 // axes of a and of b with equally many elements
		for have, want := from[i], shape[to]; have != want; {
			if want < have {
				want *= shape[next]
				next++
			} else {
				have *= from[last]
				last++
			}
		}
		if !follow(from[i:last], steps[i:last], fortran) {
			return nil
		}
		step := steps[last-1]
		if fortran {
			step = steps[i]
		}
		copy(b.strides[to:next], contiguous(shape[to:next], step, fortran))
		i, to = last, next
	}
	return b
}

// follow reports whether axes are one axis in steps.
func follow(shape, strides []int, fortran bool) bool {
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
