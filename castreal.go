package npy

import (
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// Real numbers are read as int64, uint64, float64 or LongDouble, whichever holds all of the dtype, and converted from that
// type in one step. Functions named after a target, such as singleOf, return the converter from one of these types.

// realCaster converts real numbers; errors name the dtype shown.
func realCaster(from, to, shown dtype.Type, check bool) caster {
	switch kindRank(from) {
	case 1, 2:
		decode, _ := decoderFor[uint64](from)
		return castFrom(decode, to, shown, check)
	case 3:
		decode, _ := decoderFor[int64](from)
		return castFrom(decode, to, shown, check)
	}
	if from.Kind() == dtype.KindFloat && from.ItemSize() > 8 {
		decode, _ := decoderFor[scalar.LongDouble](from)
		return castFrom(decode, to, shown, check)
	}
	decode, _ := decoderFor[float64](from)
	return castFrom(decode, to, shown, check)
}

// A realNumber is a Go type that real numbers are converted from.
type realNumber interface {
	int64 | uint64 | float64 | scalar.LongDouble
}

// castFrom converts numbers that are read as S to real numbers or times.
func castFrom[S realNumber](decode decoder[S], to, shown dtype.Type, check bool) caster {
	l := link{to: to, shown: shown, check: check}
	if n, ok := elem.SmallIntOf(to); ok {
		return through(decode, l, smallIntegerOf[S](n))
	}
	if f, ok := elem.SmallFloatOf(to); ok {
		return through(decode, l, smallFloatOf[S](f))
	}
	switch size := to.ItemSize(); to.Kind() {
	case dtype.KindBool:
		return through(decode, l, truthOf[S]())
	case dtype.KindInt:
		switch size {
		case 1:
			return through(decode, l, integerOf[int8, S]())
		case 2:
			return through(decode, l, integerOf[int16, S]())
		case 4:
			return through(decode, l, integerOf[int32, S]())
		}
		return through(decode, l, integerOf[int64, S]())
	case dtype.KindUint:
		switch size {
		case 1:
			return through(decode, l, integerOf[uint8, S]())
		case 2:
			return through(decode, l, integerOf[uint16, S]())
		case 4:
			return through(decode, l, integerOf[uint32, S]())
		}
		return through(decode, l, integerOf[uint64, S]())
	case dtype.KindFloat:
		switch size {
		case 2:
			return through(decode, l, halfOf[S]())
		case 4:
			return through(decode, l, singleOf[S]())
		case 8:
			return through(decode, l, doubleOf[S]())
		}
		return through(decode, l, longOf[S]())
	case dtype.KindDatetime, dtype.KindTimedelta:
		return through(decode, l, ticksOf[S]())
	}
	return through(decode, l, bfloat16Of[S]())
}

// A link is what converters have in common: the dtype they make, how errors name it, and whether there are any.
type link struct {
	to, shown dtype.Type
	check     bool
}

// through converts a chunk of numbers at a time; convert also says whether the number was in range.
func through[S, D Element](decode decoder[S], l link, convert func(S) (D, bool)) caster {
	encode := encoderOfBits[D](l.to)
	return func(dst, src []byte, n int) error {
		if n == 0 {
			return nil
		}
		to, from := len(dst)/n, len(src)/n
		xs, ys := make([]S, min(chunk, n)), make([]D, min(chunk, n))
		for at := 0; at < n; at += len(xs) {
			k := min(len(xs), n-at)
			xs, ys = xs[:k], ys[:k]
			if err := decode(xs, src[at*from:(at+k)*from]); err != nil {
				return countedFrom(err, at)
			}
			for i, x := range xs {
				y, ok := convert(x)
				if !ok && l.check {
					return &elementError{at + i, errOutOfRange(x, l.shown)}
				}
				ys[i] = y
			}
			if err := encode(dst[at*to:(at+k)*to], ys); err != nil {
				return countedFrom(err, at)
			}
		}
		return nil
	}
}

// encoderOfBits is encoderFor, but that uint8 and int64 are also the bits of small numbers and times.
func encoderOfBits[D Element](to dtype.Type) encoder[D] {
	switch e := any(new(encoder[D])).(type) {
	case *encoder[uint8]:
		*e = plainEncoder[uint8](false)
		return any(*e).(encoder[D])
	case *encoder[int64]:
		*e = plainEncoder[int64](!to.IsNative())
		return any(*e).(encoder[D])
	}
	encode, _ := encoderFor[D](to)
	return encode
}

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// convertersOf picks, of converters from all types of realNumber, the one from S.
func convertersOf[S realNumber, D any](i func(int64) (D, bool), u func(uint64) (D, bool), f func(float64) (D, bool), l func(scalar.LongDouble) (D, bool)) func(S) (D, bool) {
	for _, convert := range []any{i, u, f, l} {
		if same, ok := convert.(func(S) (D, bool)); ok {
			return same
		}
	}
	panic("npy: no converter")
}

func truthOf[S realNumber]() func(S) (bool, bool) {
	return convertersOf[S](
		func(x int64) (bool, bool) { return x != 0, true },
		func(x uint64) (bool, bool) { return x != 0, true },
		func(x float64) (bool, bool) { return x != 0, true },
		func(x scalar.LongDouble) (bool, bool) { return x.Sign() != 0 || x.IsNaN(), true })
}

// integerOf cuts the fraction off. Of integers out of range it gives the low bits, as C does; floats become the smallest or
// largest D, NaN 0.
func integerOf[D integer, S realNumber]() func(S) (D, bool) {
	lowest, highest := limitsOf[D]()
	return convertersOf[S](lowBits[D, int64], lowBits[D, uint64], nearest(lowest, highest), func(x scalar.LongDouble) (D, bool) {
		if lowest == 0 {
			u, ok := x.Uint64()
			return D(min(u, uint64(highest))), ok && u <= uint64(highest)
		}
		i, ok := x.Int64()
		y := D(max(min(i, int64(highest)), int64(lowest)))
		return y, ok && int64(y) == i
	})
}

// limitsOf returns the smallest and the largest D.
func limitsOf[D integer]() (lowest, highest D) {
	highest = ^D(0)
	if highest < 0 { // all bits but that of the sign
		for highest = 1; highest<<1 > highest; highest = highest<<1 | 1 {
		}
		return ^highest, highest
	}
	return 0, highest
}

// lowBits converts as C does.
func lowBits[D integer, S int64 | uint64](x S) (D, bool) {
	y := D(x)
	return y, S(y) == x && (y < 0) == (x < 0)
}

// nearest returns a function that cuts fractions off and keeps to the limits low (0 or -high-1) and high. NaN becomes 0.
func nearest[D integer](low, high D) func(float64) (D, bool) {
	end := 2 * float64(high/2+1)
	return func(x float64) (D, bool) {
		switch x = math.Trunc(x); {
		case x != x:
			return 0, false
		case x < float64(low):
			return low, false
		case x >= end:
			return high, false
		}
		return D(x), true
	}
}

// ticksOf makes ticks of numbers. What is out of range, and the number that stands for NaT, is NaT.
func ticksOf[S realNumber]() func(S) (int64, bool) {
	whole := integerOf[int64, S]()
	switch any(*new(S)).(type) {
	case int64, uint64:
		return func(x S) (int64, bool) { y, ok := whole(x); return y, ok && y != scalar.NaT }
	}
	return func(x S) (int64, bool) {
		if y, ok := whole(x); ok {
			return y, y != scalar.NaT
		}
		return scalar.NaT, false
	}
}

// smallIntegerOf is integerOf for integers of less than a byte.
func smallIntegerOf[S realNumber](n elem.SmallInt) func(S) (uint8, bool) {
	low, high := int64(0), int64(1)<<n.Bits-1
	if n.Signed {
		low, high = -1<<(n.Bits-1), high>>1
	}
	whole, mask := integerOf[int64, S](), uint8(1)<<n.Bits-1
	wraps := false
	switch any(*new(S)).(type) {
	case int64, uint64:
		wraps = true
	}
	return func(x S) (uint8, bool) {
		y, ok := whole(x)
		ok = ok && low <= y && y <= high
		if !wraps {
			y = min(max(y, low), high)
		}
		return uint8(y) & mask, ok
	}
}

func doubleOf[S realNumber]() func(S) (float64, bool) {
	return convertersOf[S](
		func(x int64) (float64, bool) { return float64(x), true },
		func(x uint64) (float64, bool) { return float64(x), true },
		func(x float64) (float64, bool) { return x, true },
		func(x scalar.LongDouble) (float64, bool) {
			f, _ := x.Float64()
			return f, !math.IsInf(f, 0) || x.IsInf(0)
		})
}

func singleOf[S realNumber]() func(S) (float32, bool) {
	return convertersOf[S](
		func(x int64) (float32, bool) { return float32(x), true },
		func(x uint64) (float32, bool) { return float32(x), true },
		single,
		func(x scalar.LongDouble) (float32, bool) {
			f := x.Float32()
			return f, !math.IsInf(float64(f), 0) || x.IsInf(0)
		})
}

// halfOf rounds all but float64 by way of float32, as NumPy does.
func halfOf[S realNumber]() func(S) (scalar.Float16, bool) {
	if direct, ok := any(half).(func(S) (scalar.Float16, bool)); ok {
		return direct
	}
	return afterSingle[S](half)
}

// bfloat16Of rounds by way of float32, as ml_dtypes does.
func bfloat16Of[S realNumber]() func(S) (scalar.BFloat16, bool) {
	return afterSingle[S](func(x float64) (scalar.BFloat16, bool) {
		y := scalar.BFloat16FromFloat64(x)
		return y, !y.IsInf(0) || math.IsInf(x, 0)
	})
}

// smallFloatOf rounds by way of float32, as ml_dtypes does. What is too large for a format without infinity becomes NaN, or
// the largest number of a format without NaN.
func smallFloatOf[S realNumber](f elem.SmallFloat) func(S) (uint8, bool) {
	return afterSingle[S](func(x float64) (uint8, bool) {
		y := f.Nearest(x)
		return y, f.Holds(x)
	})
}

// afterSingle rounds to float32 before it converts.
func afterSingle[S realNumber, D any](convert func(float64) (D, bool)) func(S) (D, bool) {
	toSingle := singleOf[S]()
	return func(x S) (D, bool) {
		f, ok := toSingle(x)
		y, fits := convert(float64(f))
		return y, ok && fits
	}
}

func longOf[S realNumber]() func(S) (scalar.LongDouble, bool) {
	return convertersOf[S](
		func(x int64) (scalar.LongDouble, bool) { return scalar.LongDoubleFromInt64(x), true },
		func(x uint64) (scalar.LongDouble, bool) { return scalar.LongDoubleFromUint64(x), true },
		func(x float64) (scalar.LongDouble, bool) { return scalar.LongDoubleFromFloat64(x), true },
		func(x scalar.LongDouble) (scalar.LongDouble, bool) { return x, true })
}

// single rounds to the nearest; what becomes an infinity is out of range.
func single(x float64) (float32, bool) {
	y := float32(x)
	return y, !math.IsInf(float64(y), 0) || math.IsInf(x, 0)
}

func half(x float64) (scalar.Float16, bool) {
	y := scalar.Float16FromFloat64(x)
	return y, !math.IsInf(y.Float64(), 0) || math.IsInf(x, 0)
}
