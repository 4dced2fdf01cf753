package expression

import (
	"cmp"
	"github.com/npygo/npy/query/internal/values"
	"math"
	"math/big"
)

// A relation is an operator of a comparison.
type relation byte

const (
	equal relation = iota
	notEqual
	less
	lessEqual
	greater
	greaterEqual
)

var relations = map[string]relation{"==": equal, "!=": notEqual, "<": less, "<=": lessEqual, ">": greater, ">=": greaterEqual}

// mirrored swaps the operands: for a < b it returns the relation of b > a.
func (r relation) mirrored() relation {
	return [...]relation{equal, notEqual, greater, greaterEqual, less, lessEqual}[r]
}

// holds reports whether the relation holds for the sign of a comparison.
func (r relation) holds(sign int) bool {
	switch r {
	case equal:
		return sign == 0
	case notEqual:
		return sign != 0
	case less:
		return sign < 0
	case lessEqual:
		return sign <= 0
	case greater:
		return sign > 0
	}
	return sign >= 0
}

// compareTo sets out to the relation of each x to one y. NaN is not equal to y, and has no other relation to it.
func compareTo[T cmp.Ordered](out []uint8, xs []T, y T, r relation) {
	out = out[:len(xs)]
	switch r {
	case equal:
		for i, x := range xs {
			out[i] = values.Bit(x == y)
		}
	case notEqual:
		for i, x := range xs {
			out[i] = values.Bit(x != y)
		}
	case less:
		for i, x := range xs {
			out[i] = values.Bit(x < y)
		}
	case lessEqual:
		for i, x := range xs {
			out[i] = values.Bit(x <= y)
		}
	case greater:
		for i, x := range xs {
			out[i] = values.Bit(x > y)
		}
	case greaterEqual:
		for i, x := range xs {
			out[i] = values.Bit(x >= y)
		}
	}
}

// compareEach sets out to the relation of each x to the y of the same index.
func compareEach[T cmp.Ordered](out []uint8, xs, ys []T, r relation) {
	out, ys = out[:len(xs)], ys[:len(xs)]
	switch r {
	case equal:
		for i, x := range xs {
			out[i] = values.Bit(x == ys[i])
		}
	case notEqual:
		for i, x := range xs {
			out[i] = values.Bit(x != ys[i])
		}
	case less:
		for i, x := range xs {
			out[i] = values.Bit(x < ys[i])
		}
	case lessEqual:
		for i, x := range xs {
			out[i] = values.Bit(x <= ys[i])
		}
	case greater:
		for i, x := range xs {
			out[i] = values.Bit(x > ys[i])
		}
	case greaterEqual:
		for i, x := range xs {
			out[i] = values.Bit(x >= ys[i])
		}
	}
}

// compareWide compares integers of 64 bits, signed or not.
func compareWide(x, y int64, unsignedX, unsignedY bool) int {
	switch {
	case unsignedX && unsignedY:
		return cmp.Compare(uint64(x), uint64(y))
	case unsignedX:
		if x < 0 || y < 0 {
			return 1
		}
	case unsignedY:
		if x < 0 || y < 0 {
			return -1
		}
	}
	return cmp.Compare(x, y)
}

// mixed reports whether the relation holds between an integer and a float.
func (r relation) mixed(x int64, unsigned bool, f float64) bool {
	switch {
	case f != f:
		return r == notEqual
	case f >= 0x1p64:
		return r.holds(-1)
	case f < -0x1p63:
		return r.holds(1)
	}
	whole := math.Floor(f)
	y, wide := int64(0), whole >= 0x1p63
	if wide {
		y = int64(uint64(whole))
	} else {
		y = int64(whole)
	}
	sign := compareWide(x, y, unsigned, wide)
	if sign == 0 && f > whole {
		sign = -1
	}
	return r.holds(sign)
}

// A bound is a comparison of integers with a constant, brought to the integers that a type has.
type bound struct {
	relation
	value  int64 // the bits of a uint64
	always bool  // the result does not depend on the value
	result bool  // then
}

// boundOf returns the comparison of integers from low to high with y.
func boundOf(r relation, y *big.Rat, low, high *big.Int) bound {
	fixed := func(result bool) bound { return bound{relation: r, always: true, result: result} }
	floor := new(big.Int).Div(y.Num(), y.Denom()) // rounds down: the denominator is positive
	if !y.IsInt() {
		switch r {
		case equal, notEqual:
			return fixed(r == notEqual)
		case less:
			r = lessEqual
		case greaterEqual:
			r = greater
		}
	}
	switch {
	case floor.Cmp(high) > 0:
		return fixed(r.holds(-1))
	case floor.Cmp(low) < 0:
		return fixed(r.holds(1))
	}
	if floor.Sign() < 0 {
		return bound{relation: r, value: floor.Int64()}
	}
	return bound{relation: r, value: int64(floor.Uint64())}
}
