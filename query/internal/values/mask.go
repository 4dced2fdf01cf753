package values

import (
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/scalar"
)

// CombineMasks sets out to x op y for op &, | and ^, eight bools at a time where the memory allows it.
func CombineMasks(op string, out, x, y []uint8) {
	x, y = x[:len(out)], y[:len(out)]
	n := len(out) &^ 7
	o, ok1 := bulk.View[uint64](out[:n])
	p, ok2 := bulk.View[uint64](x[:n])
	q, ok3 := bulk.View[uint64](y[:n])
	if ok1 && ok2 && ok3 {
		combineWords(op, o, p, q)
		out, x, y = out[n:], x[n:], y[n:]
	}
	combineWords(op, out, x, y)
}

func combineWords[T uint8 | uint64](op string, out, x, y []T) {
	x, y = x[:len(out)], y[:len(out)]
	switch op {
	case "&":
		for i := range out {
			out[i] = x[i] & y[i]
		}
	case "|":
		for i := range out {
			out[i] = x[i] | y[i]
		}
	case "^":
		for i := range out {
			out[i] = x[i] ^ y[i]
		}
	}
}

// Bit returns 1 for true.
func Bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// Fill sets all elements to x.
func Fill[T any](out []T, x T) {
	for i := range out {
		out[i] = x
	}
}

// ExceptNaT clears the results of times that are NaT.
func ExceptNaT(out []uint8, xs []int64) {
	for i, x := range xs {
		out[i] &= Bit(x != scalar.NaT)
	}
}

// Choose sets out to the values of x where mask is 1, and to the values of y elsewhere.
func Choose(out *Vec, mask []uint8, x, y *Vec) {
	chooseFrom(out.Mask, mask, x.Mask, y.Mask)
	chooseFrom(out.Ints, mask, x.Ints, y.Ints)
	chooseFrom(out.Floats, mask, x.Floats, y.Floats)
	chooseFrom(out.Complexes, mask, x.Complexes, y.Complexes)
	chooseFrom(out.Texts, mask, x.Texts, y.Texts)
}

func chooseFrom[T any](out []T, mask []uint8, x, y []T) {
	for i := range out {
		if mask[i] != 0 {
			out[i] = x[i]
		} else {
			out[i] = y[i]
		}
	}
}
