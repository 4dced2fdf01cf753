package cast

import (
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// Real numbers are read as int64, uint64, float64 or LongDouble, whichever holds all values of the dtype, and
// converted from that type in one step. Functions named after a target, such as singleOf, return the converter from
// one of these types.

// realCaster converts real numbers. Errors name the dtype shown.
func realCaster(from, to, shown dtype.Type, check bool) Caster {
	switch kindRank(from) {
	case 1, 2:
		decode := codec.Real[uint64](from)
		return castFrom(decode, to, shown, check)
	case 3:
		decode := codec.Real[int64](from)
		return castFrom(decode, to, shown, check)
	}
	if from.Kind() == dtype.KindFloat && from.ItemSize() > 8 {
		decode := codec.LongDoubles(from)
		return castFrom(decode, to, shown, check)
	}
	decode := codec.Real[float64](from)
	return castFrom(decode, to, shown, check)
}

// A realNumber is a Go type that real numbers are read as.
type realNumber interface {
	int64 | uint64 | float64 | scalar.LongDouble
}

// castFrom converts numbers that are read as S to real numbers or times.
func castFrom[S realNumber](decode codec.Decoder[S], to, shown dtype.Type, check bool) Caster {
	l := link{shown: shown, check: check}
	swap := !to.IsNative()
	if n, ok := elem.SmallIntOf(to); ok {
		return through(decode, l, smallIntegerOf[S](n), codec.Put[uint8](false))
	}
	if f, ok := elem.SmallFloatOf(to); ok {
		return through(decode, l, smallFloatOf[S](f), codec.Put[uint8](false))
	}
	switch size := to.ItemSize(); to.Kind() {
	case dtype.KindBool:
		return through(decode, l, truthOf[S](), codec.PutBools)
	case dtype.KindInt:
		switch size {
		case 1:
			return through(decode, l, integerOf[int8, S](), codec.Put[int8](swap))
		case 2:
			return through(decode, l, integerOf[int16, S](), codec.Put[int16](swap))
		case 4:
			return through(decode, l, integerOf[int32, S](), codec.Put[int32](swap))
		}
		return through(decode, l, integerOf[int64, S](), codec.Put[int64](swap))
	case dtype.KindUint:
		switch size {
		case 1:
			return through(decode, l, integerOf[uint8, S](), codec.Put[uint8](swap))
		case 2:
			return through(decode, l, integerOf[uint16, S](), codec.Put[uint16](swap))
		case 4:
			return through(decode, l, integerOf[uint32, S](), codec.Put[uint32](swap))
		}
		return through(decode, l, integerOf[uint64, S](), codec.Put[uint64](swap))
	case dtype.KindFloat:
		switch size {
		case 2:
			return through(decode, l, halfOf[S](), codec.PutEach(swap, func(x scalar.Float16) uint16 { return x.Bits }))
		case 4:
			return through(decode, l, singleOf[S](), codec.Put[float32](swap))
		case 8:
			return through(decode, l, doubleOf[S](), codec.Put[float64](swap))
		}
		return through(decode, l, longOf[S](), codec.PutLongDoubles(to))
	case dtype.KindDatetime, dtype.KindTimedelta:
		return through(decode, l, ticksOf[S](), codec.Put[int64](swap))
	}
	return through(decode, l, bfloat16Of[S](), codec.PutEach(swap, func(x scalar.BFloat16) uint16 { return x.Bits }))
}

// A link has the settings of all converters: the dtype that errors name, and whether values are checked.
type link struct {
	shown dtype.Type
	check bool
}

// through converts a chunk of numbers at a time. convert also reports whether the number was in range.
func through[S, D any](decode codec.Decoder[S], l link, convert func(S) (D, bool), encode codec.Encoder[D]) Caster {
	return func(dst, src []byte, n int) error {
		if n == 0 {
			return nil
		}
		to, from := len(dst)/n, len(src)/n
		xs, ys := make([]S, min(codec.Chunk, n)), make([]D, min(codec.Chunk, n))
		for at := 0; at < n; at += len(xs) {
			k := min(len(xs), n-at)
			xs, ys = xs[:k], ys[:k]
			if err := decode(xs, src[at*from:(at+k)*from]); err != nil {
				return codec.Count(err, at)
			}
			for i, x := range xs {
				y, ok := convert(x)
				if !ok && l.check {
					return &codec.ElementError{Index: at + i, Err: errOutOfRange(x, l.shown)}
				}
				ys[i] = y
			}
			if err := encode(dst[at*to:(at+k)*to], ys); err != nil {
				return codec.Count(err, at)
			}
		}
		return nil
	}
}

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// convertersOf returns the converter from S, out of one converter for each type of realNumber.
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

// integerOf cuts fractions off. An integer out of range keeps its low bits, as in C. A float out of range becomes the smallest or
// largest D, and NaN becomes 0.
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
	if highest < 0 { // all bits except the sign
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

// nearest returns a function that cuts fractions off and clamps to low, which is 0 or -high-1, and high. NaN becomes 0.
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

// ticksOf converts numbers to ticks. A float out of range becomes NaT. The number of NaT is out of range.
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

// halfOf rounds float64 directly and other numbers through float32, as NumPy does.
func halfOf[S realNumber]() func(S) (scalar.Float16, bool) {
	if direct, ok := any(half).(func(S) (scalar.Float16, bool)); ok {
		return direct
	}
	return afterSingle[S](half)
}

// bfloat16Of rounds through float32, as ml_dtypes does.
func bfloat16Of[S realNumber]() func(S) (scalar.BFloat16, bool) {
	return afterSingle[S](func(x float64) (scalar.BFloat16, bool) {
		y := scalar.BFloat16FromFloat64(x)
		return y, !y.IsInf(0) || math.IsInf(x, 0)
	})
}

// smallFloatOf rounds through float32, as ml_dtypes does. A number too large for a format without infinity becomes NaN, or the
// largest number if the format has no NaN either.
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

// single rounds to the nearest. A finite number that becomes an infinity is out of range.
func single(x float64) (float32, bool) {
	y := float32(x)
	return y, !math.IsInf(float64(y), 0) || math.IsInf(x, 0)
}

func half(x float64) (scalar.Float16, bool) {
	y := scalar.Float16FromFloat64(x)
	return y, !math.IsInf(y.Float64(), 0) || math.IsInf(x, 0)
}
