package expression

import (
	"math"

	"github.com/npygo/npy/query/internal/values"
	"github.com/npygo/npy/scalar"
)

// roundTo rounds a float to the nearest of size bytes.
func roundTo(size int, x float64) float64 {
	switch size {
	case 4:
		return float64(float32(x))
	case 2:
		return roundHalf(x)
	}
	return x
}

// roundHalf rounds to the nearest float16, ties to even. Rounding to a float32 first could round twice.
func roundHalf(x float64) float64 {
	abs := math.Abs(x)
	if !(abs > 0) || math.IsInf(x, 0) {
		return x
	}
	_, exp := math.Frexp(abs)
	step := math.Ldexp(1, max(exp-11, -24)) // the distance of float16s here
	y := math.RoundToEven(x/step) * step
	if math.Abs(y) >= 65520 {
		return math.Inf(int(math.Copysign(1, x)))
	}
	return y
}

// wrap returns x wrapped around to the size of t.
func wrap(t values.Type, x int64) int64 {
	switch unsigned := t.Class == values.Uint; t.Size {
	case 1:
		if unsigned {
			return int64(uint8(x))
		}
		return int64(int8(x))
	case 2:
		if unsigned {
			return int64(uint16(x))
		}
		return int64(int16(x))
	case 4:
		if unsigned {
			return int64(uint32(x))
		}
		return int64(int32(x))
	}
	return x
}

// An intOp computes with integers of 64 bits.
type intOp func(x, y int64) int64

var intOps = map[string]intOp{
	"+":   func(x, y int64) int64 { return x + y },
	"-":   func(x, y int64) int64 { return x - y },
	"*":   func(x, y int64) int64 { return x * y },
	"&":   func(x, y int64) int64 { return x & y },
	"|":   func(x, y int64) int64 { return x | y },
	"^":   func(x, y int64) int64 { return x ^ y },
	"//":  floorDivide,
	"%":   func(x, y int64) int64 { return remainder(x, y) },
	"**":  power,
	"min": func(x, y int64) int64 { return min(x, y) },
	"max": func(x, y int64) int64 { return max(x, y) },
}

// wideOps are the operators that differ for uint64.
var wideOps = map[string]intOp{
	"//": func(x, y int64) int64 {
		if y == 0 {
			return 0
		}
		return int64(uint64(x) / uint64(y))
	},
	"%": func(x, y int64) int64 {
		if y == 0 {
			return 0
		}
		return int64(uint64(x) % uint64(y))
	},
	"min": func(x, y int64) int64 { return int64(min(uint64(x), uint64(y))) },
	"max": func(x, y int64) int64 { return int64(max(uint64(x), uint64(y))) },
}

// floorDivide rounds down. Division by zero gives 0, as in NumPy.
func floorDivide(x, y int64) int64 {
	if y == 0 {
		return 0
	}
	q := x / y
	if x%y != 0 && (x < 0) != (y < 0) {
		q--
	}
	return q
}

// remainder has the sign of y.
func remainder(x, y int64) int64 {
	if y == 0 {
		return 0
	}
	r := x % y
	if r != 0 && (r < 0) != (y < 0) {
		r += y
	}
	return r
}

// power wraps around as multiplication does. y is not negative.
func power(x, y int64) int64 {
	out := int64(1)
	for n := uint64(y); n > 0; n >>= 1 {
		if n&1 == 1 {
			out *= x
		}
		x *= x
	}
	return out
}

// A floatOp computes with floats of size bytes, rounding each step as NumPy does.
type floatOp func(size int, x, y float64) float64

var floatOps = map[string]floatOp{
	"+":   func(_ int, x, y float64) float64 { return x + y },
	"-":   func(_ int, x, y float64) float64 { return x - y },
	"*":   func(_ int, x, y float64) float64 { return x * y },
	"/":   func(_ int, x, y float64) float64 { return x / y },
	"//":  floorDivideFloats,
	"%":   func(_ int, x, y float64) float64 { return remainderFloats(x, y) },
	"**":  func(_ int, x, y float64) float64 { return powerFloats(x, y) },
	"min": func(_ int, x, y float64) float64 { return min(x, y) },
	"max": func(_ int, x, y float64) float64 { return max(x, y) },
}

// floorDivideFloats is npy_floor_divide of NumPy 2.
func floorDivideFloats(size int, x, y float64) float64 {
	if y == 0 {
		return x / y
	}
	size = max(size, 4) // float16 is computed as float32
	mod := math.Mod(x, y)
	div := roundTo(size, roundTo(size, x-mod)/y)
	if mod != 0 && (y < 0) != (mod < 0) {
		div = roundTo(size, div-1)
	}
	if div == 0 {
		return math.Copysign(0, x/y)
	}
	floor := math.Floor(div)
	if div-floor > 0.5 {
		floor++
	}
	return floor
}

// remainderFloats is npy_remainder of NumPy 2.
func remainderFloats(x, y float64) float64 {
	mod := math.Mod(x, y)
	switch {
	case y == 0 || mod != mod:
		return mod
	case mod == 0:
		return math.Copysign(0, y)
	case (y < 0) != (mod < 0):
		return mod + y
	}
	return mod
}

// powerFloats is math.Pow, except for exponents that NumPy computes in another way.
func powerFloats(x, y float64) float64 {
	switch y {
	case 2:
		return x * x
	case 0.5:
		return math.Sqrt(x)
	}
	return math.Pow(x, y)
}

// computeInts returns an operation of integers. The result wraps around, as in NumPy.
func computeInts(op string, a, b *values.Node, t values.Type) func(e *values.Env) values.Vec {
	a, b = a.As(t.Scalar()), b.As(t.Scalar())
	do := intOps[op]
	if special := wideOps[op]; special != nil && t.Wide() {
		do = special
	}
	fits := t.Size == 8
	checked := op == "**" && t.Class == values.Int
	return func(e *values.Env) values.Vec {
		x, y := e.Fit(a, t), e.Fit(b, t)
		out := e.TakeInts(e.Values(t))
		for i, p := range x.Ints {
			q := y.Ints[i]
			if checked && q < 0 {
				e.Fail(i/max(t.Items(), 1), "an integer to the power of %d; make one of them a float", q)
				q = 0
			}
			r := do(p, q)
			if !fits {
				r = wrap(t, r)
			}
			out[i] = r
		}
		e.Release(x)
		e.Release(y)
		return values.Vec{Ints: out, Owned: true}
	}
}

// computeFloats returns an operation of floats.
func computeFloats(op string, a, b *values.Node, t values.Type) func(e *values.Env) values.Vec {
	a, b = a.As(values.Float64Type), b.As(values.Float64Type)
	do, size := floatOps[op], t.Size
	return func(e *values.Env) values.Vec {
		x, y := e.Fit(a, t), e.Fit(b, t)
		out := e.TakeFloats(e.Values(t))
		if xs, ys := x.Floats[:len(out)], y.Floats[:len(out)]; !basicFloats(op, out, xs, ys) {
			for i, p := range xs {
				out[i] = do(size, p, ys[i])
			}
		}
		roundAll(size, out)
		e.Release(x)
		e.Release(y)
		return values.Vec{Floats: out, Owned: true}
	}
}

// basicFloats sets out to x op y for the operators without a call for each element. It returns false for others.
func basicFloats(op string, out, x, y []float64) bool {
	x, y = x[:len(out)], y[:len(out)]
	switch op {
	case "+":
		for i := range out {
			out[i] = x[i] + y[i]
		}
	case "-":
		for i := range out {
			out[i] = x[i] - y[i]
		}
	case "*":
		for i := range out {
			out[i] = x[i] * y[i]
		}
	case "/":
		for i := range out {
			out[i] = x[i] / y[i]
		}
	default:
		return false
	}
	return true
}

func roundAll(size int, xs []float64) {
	switch size {
	case 4:
		for i, x := range xs {
			xs[i] = float64(float32(x))
		}
	case 2:
		for i, x := range xs {
			xs[i] = roundHalf(x)
		}
	}
}

var complexOps = map[string]func(x, y complex128) complex128{
	"+": func(x, y complex128) complex128 { return x + y },
	"-": func(x, y complex128) complex128 { return x - y },
	"*": func(x, y complex128) complex128 { return x * y },
	"/": func(x, y complex128) complex128 { return x / y },
}

// computeComplexes returns an operation of complex numbers.
func computeComplexes(op string, a, b *values.Node, t values.Type) func(e *values.Env) values.Vec {
	a, b = a.As(values.Complex128Type), b.As(values.Complex128Type)
	do := complexOps[op]
	return func(e *values.Env) values.Vec {
		x, y := e.Fit(a, t), e.Fit(b, t)
		out := e.TakeComplexes(e.Values(t))
		for i, p := range x.Complexes {
			z := do(p, y.Complexes[i])
			if t.Size == 8 {
				z = complex128(complex64(z))
			}
			out[i] = z
		}
		e.Release(x)
		e.Release(y)
		return values.Vec{Complexes: out, Owned: true}
	}
}

// combine returns an operation of bools.
func combine(op string, a, b *values.Node, t values.Type) func(e *values.Env) values.Vec {
	return values.TestPairs(a, b, t, func(x, y *values.Vec, out []uint8) {
		values.CombineMasks(op, out, x.Mask, y.Mask)
	})
}

// truth returns a node as bools: numbers are true unless they are zero.
func truth(a *values.Node) *values.Node {
	if a.Class == values.Bool {
		return a
	}
	t := values.Type{Class: values.Bool, Size: 1, Shape: a.Shape}
	return &values.Node{Type: t, Expr: a.Expr, Column: -1, Eval: func(e *values.Env) values.Vec {
		v := a.Eval(e)
		out := e.TakeMask(e.Values(t))
		switch {
		case v.Ints != nil:
			compareTo(out, v.Ints, 0, notEqual)
		case v.Floats != nil:
			compareTo(out, v.Floats, 0, notEqual)
		case v.Complexes != nil:
			for i, z := range v.Complexes {
				out[i] = values.Bit(z != 0)
			}
		}
		e.Release(v)
		return values.Vec{Mask: out, Owned: true}
	}}
}

// isNaT reports whether an int64 is the missing time.
func isNaT(x int64) bool           { return x == scalar.NaT }
func isFiniteFloat(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }
