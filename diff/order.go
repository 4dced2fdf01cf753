package diff

import (
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// An order numbers the floats of a format consecutively. A float64 between two of them gets the number of the nearest.
// -0 and 0 have the same number.
type order func(x float64) int64

// orderOf returns the order of the coarser of the float formats a and b; integer types are ignored. It is nil if steps
// are not counted.
func orderOf(a, b dtype.Type) order {
	x, coarseX := formatOrder(a)
	y, coarseY := formatOrder(b)
	switch {
	case isInteger(elem.KindOf(a)):
		return y
	case isInteger(elem.KindOf(b)):
		return x
	case x == nil || y == nil:
		return nil
	case coarseX > coarseY:
		return x
	}
	return y
}

// formatOrder returns the order of the floats of t, or of its parts, and the coarseness of the format.
func formatOrder(t dtype.Type) (o order, coarse int) {
	size := t.ItemSize()
	if t.Kind() == dtype.KindComplex {
		size /= 2
	}
	switch {
	case isInteger(elem.KindOf(t)):
		return nil, 0
	case size == 8:
		return func(x float64) int64 { return signed(math.Float64bits(x), 63) }, 1
	case size == 4:
		return func(x float64) int64 { return signed(uint64(math.Float32bits(float32(x))), 31) }, 2
	case size == 2 && t.Kind() == dtype.KindVoid:
		return func(x float64) int64 { return signed(uint64(scalar.BFloat16FromFloat64(x).Bits), 15) }, 4
	case size == 2:
		return func(x float64) int64 { return signed(uint64(scalar.Float16FromFloat64(x).Bits), 15) }, 3
	}
	return nil, 0
}

// signed converts a sign-and-magnitude number to two's complement.
func signed(x uint64, signBit int) int64 {
	if x>>signBit == 0 {
		return int64(x)
	}
	return -int64(x &^ (1 << signBit))
}

// steps returns the number of steps between two finite numbers, at most the largest int64, or -1 if steps are not
// counted.
func steps(o order, x, y float64) int64 {
	if o == nil {
		return -1
	}
	i, j := o(x), o(y)
	return int64(min(uint64(max(i, j))-uint64(min(i, j)), math.MaxInt64))
}
