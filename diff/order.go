package diff

import (
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// An order numbers the floats of a format as they follow each other, those of float64 by the nearest. -0 and 0 have one
// number.
type order func(x float64) int64

// orderOf returns the order of the coarser format, of those of a and b that are not integers. It is nil where steps are
// not counted.
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

// formatOrder returns the order of the floats of t, or of its parts, and how coarse the format is.
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
		return func(x float64) int64 { return signed(uint64(scalar.BFloat16FromFloat64(x)), 15) }, 4
	case size == 2:
		return func(x float64) int64 { return signed(uint64(scalar.Float16FromFloat64(x)), 15) }, 3
	}
	return nil, 0
}

// signed turns a number with a bit for its sign into one of two's complement.
func signed(x uint64, signBit int) int64 {
	if x>>signBit == 0 {
		return int64(x)
	}
	return -int64(x &^ (1 << signBit))
}

// steps returns how many steps lie between finite numbers, or the largest int64 if they are more, and -1 if they are not
// counted.
func steps(o order, x, y float64) int64 {
	if o == nil {
		return -1
	}
	i, j := o(x), o(y)
	return int64(min(uint64(max(i, j))-uint64(min(i, j)), math.MaxInt64))
}
