package along

import (
	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/stats/internal/state"
)

// An Axis is the results: arrays in C order with the shape of the array without the axes. Those that were not wanted are nil.
type Axis struct{ Mean, Std, Min, Max, Sum *npy.Array }

// Along says along which axes an array is summarised, and which results are wanted.
type Along struct {
	Axes                     []int
	Mean, Std, Min, Max, Sum bool
}

// axes returns which of the axes of an array are summarised.
func (a Along) axes(ndim int) ([]bool, error) {
	along := make([]bool, ndim)
	for i := range along {
		along[i] = a.Axes == nil
	}
	for _, axis := range a.Axes {
		if axis < -ndim || axis >= ndim {
			return nil, diag.Errorf("stats", "axis %d is out of bounds for an array of %d dimensions", axis, ndim)
		}
		if axis = (axis + ndim) % ndim; along[axis] {
			return nil, diag.Errorf("stats", "axis %d is given twice: name each axis once", axis)
		}
		along[axis] = true
	}
	return along, nil
}

// sums reports whether a result needs sums.
func (a Along) sums() bool { return a.Mean || a.Sum || a.Std }

// bits returns the wants as bits.
func (a Along) bits() (bits int64) {
	for i, want := range []bool{a.Mean, a.Std, a.Min, a.Max, a.Sum} {
		bits |= state.OfBool(want) << i
	}
	return bits
}

func alongOf(bits int64) Along {
	return Along{Mean: bits&1 > 0, Std: bits&2 > 0, Min: bits&4 > 0, Max: bits&8 > 0, Sum: bits&16 > 0}
}
