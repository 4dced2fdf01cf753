package diff

import (
	"math"
	"math/big"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// A wideNumber is a real or complex number that may not be exact in float64.
type wideNumber struct {
	re, im big.Float // infinities included
	nan    bool
}

func (x *wideNumber) isInf() bool { return x.re.IsInf() || x.im.IsInf() }

// exact compares numbers that float64 cannot all represent: long doubles, and 64-bit integers with floats. It takes
// about a microsecond per pair.
func exact(a, b dtype.Type) kernel {
	readA, readB, sizeA, sizeB := wideOf(a), wideOf(b), a.ItemSize(), b.ItemSize()
	return func(_ *scratch, j *judge, a, b []byte, n int) {
		for i := range n {
			x, y := readA(a[i*sizeA:(i+1)*sizeA]), readB(b[i*sizeB:(i+1)*sizeB])
			switch {
			case x.nan || y.nan:
				j.nan(i, x.nan, y.nan)
			case x.re.Cmp(&y.re) == 0 && x.im.Cmp(&y.im) == 0:
			case x.isInf() || y.isInf():
				j.infinite(i)
			default:
				j.apart(i, floatDistance(hypot(gap(&x.re, &y.re), gap(&x.im, &y.im))), size(y), -1)
			}
		}
	}
}

// gap returns the absolute difference of two numbers, rounded once.
func gap(x, y *big.Float) float64 {
	const digits = 256 // enough that the difference of two numbers of 64 bits loses nothing that float64 would show
	f, _ := new(big.Float).SetPrec(digits).Sub(x, y).Float64()
	return math.Abs(f)
}

func size(x *wideNumber) float64 {
	re, _ := x.re.Float64()
	im, _ := x.im.Float64()
	return hypot(re, im)
}

// wideOf returns the function that reads a number of dtype t.
func wideOf(t dtype.Type) func(item []byte) *wideNumber {
	big, part := t.ByteOrder() == dtype.BigEndian, t.ItemSize()/2
	switch kind := elem.KindOf(t); {
	case fitsFloat(t):
		return wideFloat(t)
	case kind == dtype.KindInt:
		return func(item []byte) *wideNumber {
			x := new(wideNumber)
			x.re.SetInt64(int64(bulk.Uint(item, big)))
			return x
		}
	case kind == dtype.KindUint:
		return func(item []byte) *wideNumber { x := new(wideNumber); x.re.SetUint64(bulk.Uint(item, big)); return x }
	case kind == dtype.KindFloat:
		return func(item []byte) *wideNumber { x := new(wideNumber); x.nan = setLong(&x.re, item, big); return x }
	}
	return func(item []byte) *wideNumber {
		x := new(wideNumber)
		nanRe, nanIm := setLong(&x.re, item[:part], big), setLong(&x.im, item[part:], big)
		x.nan = nanRe || nanIm
		return x
	}
}

// wideFloat returns the function that reads a number which is exact in float64.
func wideFloat(t dtype.Type) func(item []byte) *wideNumber {
	read := complexesOf(t)
	return func(item []byte) *wideNumber {
		x := new(wideNumber)
		var m memory
		parts := read(&m, item)
		re, im := parts[0], parts[1]
		if x.nan = re != re || im != im; !x.nan {
			x.re.SetFloat64(re)
			x.im.SetFloat64(im)
		}
		return x
	}
}

// setLong sets x to a long double, and reports whether the long double is NaN.
func setLong(x *big.Float, item []byte, bigEndian bool) (nan bool) {
	l, err := scalar.LongDoubleFromBytes(item, bigEndian)
	switch {
	case err != nil || l.IsNaN(): // err is always nil: dtype and scalar use the same sizes
		return true
	case l.IsInf(0):
		x.SetInf(l.Signbit())
		return false
	}
	const bias = 16446
	x.SetUint64(l.Mantissa)
	x.SetMantExp(x, int(max(l.SignExp&^(1<<15), 1))-bias)
	if l.Signbit() {
		x.Neg(x)
	}
	return false
}

// times returns the kernel for datetime64 or timedelta64 values, which compares them in their common step, which
// numpy.promote_types gives. It reports false if there is no common step, as between months and days, or if a
// difference in that step may overflow.
func times(a, b dtype.Type) (kernel, bool) {
	factorA, factorB, ok := a.Step().Ratio(b.Step())
	ok = ok && max(factorA, factorB) < 1<<62
	readA, readB := intsOf(a), intsOf(b)
	relative := a.Kind() == dtype.KindTimedelta
	return func(s *scratch, j *judge, a, b []byte, n int) {
		xs, ys := readA(&s.a, a), readB(&s.b, b)[:n]
		for i, y := range ys {
			x := xs[i]
			if nanX, nanY := x == scalar.NaT, y == scalar.NaT; nanX || nanY {
				j.nan(i, nanX, nanY)
				continue
			}
			p, q := times128(x, factorA), times128(y, factorB)
			if p == q {
				continue
			}
			scale := math.NaN()
			if relative {
				scale = between(q, int128{}).Float64()
			}
			j.apart(i, between(p, q), scale, -1)
		}
	}, ok
}
