package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
)

// maxHollow is how many results there may be without an element behind any of them.
const maxHollow = 1 << 20

// Axis summarises an array of real numbers or bools along one axis, which may be negative to count from the last:
// what numpy.nanmean, nanstd, nanmin and nanmax return with axis=axis, as arrays of float64. Integers are rounded to
// float64 first. Where there is nothing but NaN the result is NaN.
//
// The array is copied unless the axis is the last of an array in C order. Shapes such as (10**18, 0), that would make
// many results of nothing, are refused with an error that wraps [npy.ErrLimit], and dtypes that are not numbers with
// one that wraps [errors.ErrUnsupported].
func Axis(a *npy.Array, axis int) (mean, std, lowest, highest *npy.Array, err error) {
	add, err := axisKernel(a.DType())
	if err != nil {
		return nil, nil, nil, nil, err
	}
	ndim := a.NDim()
	if axis < -ndim || axis >= ndim {
		return nil, nil, nil, nil, fmt.Errorf("stats: axis %d is out of bounds for an array of %d dimensions", axis, ndim)
	}
	if axis < 0 {
		axis += ndim
	}
	shape := slices.Delete(a.Shape(), axis, axis+1)
	cells, err := countCells(shape, a.Size())
	if err != nil {
		return nil, nil, nil, nil, err
	}
	rows, err := lastAxis(a, axis)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	var out [4]*npy.Array
	for i, xs := range alongRows(rows.Contiguous(), add, cells) {
		if out[i], err = npy.FromSlice(xs, shape...); err != nil {
			return nil, nil, nil, nil, err
		}
	}
	return out[0], out[1], out[2], out[3], nil
}

// alongRows returns mean, deviation and extremes of each row of an array in C order.
func alongRows(a *npy.Array, add kernel, rows int) (out [4][]float64) {
	for i := range out {
		out[i] = make([]float64, rows)
	}
	var s scratch
	data, _ := a.ViewBytes() // it is in C order
	l := leaf{size: a.DType().ItemSize(), add: add}
	size := a.Shape()[a.NDim()-1] * l.size
	for i := range rows {
		var t tally
		s.chunks(&t, l, data[i*size:(i+1)*size])
		out[0][i], out[1][i], out[2][i], out[3][i] = t.re.mean(), math.Sqrt(t.re.variance()), t.fmin, t.fmax
		if t.count == t.nans {
			out[0][i], out[2][i], out[3][i] = math.NaN(), math.NaN(), math.NaN()
		}
	}
	return out
}

// countCells returns the number of results of a shape, which must not be many if there are no elements.
func countCells(shape []int, size int) (int, error) {
	cells := int64(1)
	for _, n := range shape {
		if n == 0 {
			return 0, nil
		}
	}
	for _, n := range shape {
		var ok bool
		if cells, ok = mul(cells, int64(n)); !ok || cells > int64(max(size, maxHollow)) {
			return 0, fmt.Errorf("stats: over %d results for %d elements: %w", maxHollow, size, npy.ErrLimit)
		}
	}
	return int(cells), nil
}

// lastAxis moves an axis behind the others.
func lastAxis(a *npy.Array, axis int) (*npy.Array, error) {
	order := make([]int, 0, a.NDim())
	for i := range a.NDim() {
		if i != axis {
			order = append(order, i)
		}
	}
	return a.Transpose(append(order, axis)...)
}

// axisKernel returns a kernel that adds the items of t as floats.
func axisKernel(t dtype.Type) (kernel, error) {
	swap := !t.IsNative()
	switch kindOf(t) {
	case dtype.KindFloat:
		return kernelFor(t), nil
	case dtype.KindBool:
		return asFloats(func(s *scratch, items []byte) []float64 {
			return convert(s, items, func(x uint8) float64 { return float64(min(x, 1)) })
		}), nil
	case dtype.KindInt:
		if n, ok := elem.SmallIntOf(t); ok {
			return asFloats(func(s *scratch, items []byte) []float64 {
				return convert(s, items, func(x uint8) float64 { return float64(n.Value(x)) })
			}), nil
		}
		switch t.ItemSize() {
		case 1:
			return intFloats[int8](swap), nil
		case 2:
			return intFloats[int16](swap), nil
		case 4:
			return intFloats[int32](swap), nil
		}
		return intFloats[int64](swap), nil
	case dtype.KindUint:
		switch t.ItemSize() {
		case 1:
			return intFloats[uint8](swap), nil
		case 2:
			return intFloats[uint16](swap), nil
		case 4:
			return intFloats[uint32](swap), nil
		}
		return intFloats[uint64](swap), nil
	}
	return nil, fmt.Errorf("stats: dtype %s along an axis, which only real numbers and bools are summarised along: %w", t, errors.ErrUnsupported)
}

func intFloats[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](swap bool) kernel {
	return asFloats(func(s *scratch, items []byte) []float64 {
		return convert(s, numbers[T](s, items, swap), func(x T) float64 { return float64(x) })
	})
}

func asFloats(floats func(s *scratch, items []byte) []float64) kernel {
	return func(s *scratch, t *tally, items []byte) { t.addFloats(s, floats(s, items)) }
}
