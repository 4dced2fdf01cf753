package stats

import (
	"math"
	"math/big"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// A keying turns items into 64-bit keys that sort as the items do, and back.
type keying struct {
	bits    int                                     // of a key that can differ, the last ones: 16, 32 or 64
	keys    func(s *scratch, items []byte) []uint64 // without NaN and NaT; valid until the next call
	value   func(key uint64) Value
	between func(a, b uint64, t float64) Value // between two keys that differ, for 0 < t < 1, as NumPy's _lerp
}

// keyingOf returns the keying of items of t, or false if they are not real numbers, bools or times.
func keyingOf(t dtype.Type) (keying, bool) {
	swap := !t.IsNative()
	if n, ok := elem.SmallIntOf(t); ok {
		return intKeying(16, 1<<15, func(s *scratch, items []byte) []int8 { return smallInts(s, items, n) }), true
	}
	size := t.ItemSize()
	switch elem.KindOf(t) {
	case dtype.KindFloat:
		return floatKeying(codec.FloatsOf(t, size)), true
	case dtype.KindBool:
		return intKeying(16, 0, func(s *scratch, items []byte) []int8 {
			xs := codec.Take[int8](&s.numbers, len(items))
			for i, x := range items {
				xs[i] = int8(min(x, 1))
			}
			return xs
		}), true
	case dtype.KindInt:
		switch size {
		case 1:
			return intKeying(16, 1<<15, viewInts[int8](swap)), true
		case 2:
			return intKeying(16, 1<<15, viewInts[int16](swap)), true
		case 4:
			return intKeying(32, 1<<31, viewInts[int32](swap)), true
		}
		return intKeying(64, topBit, viewInts[int64](swap)), true
	case dtype.KindUint:
		switch size {
		case 1:
			return intKeying(16, 0, viewInts[uint8](swap)), true
		case 2:
			return intKeying(16, 0, viewInts[uint16](swap)), true
		case 4:
			return intKeying(32, 0, viewInts[uint32](swap)), true
		}
		return uintKeying(viewInts[uint64](swap)), true
	case dtype.KindDatetime, dtype.KindTimedelta:
		return timeKeying(t, viewInts[int64](swap)), true
	}
	return keying{}, false
}

func viewInts[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](swap bool) func(*scratch, []byte) []T {
	return func(s *scratch, items []byte) []T { return codec.View[T](&s.numbers, items, swap) }
}

func floatKeying(floats codec.Reals) keying {
	return keying{
		bits: 64,
		keys: func(s *scratch, items []byte) []uint64 {
			xs := floats(&s.numbers, items)
			keys := codec.Grow(&s.keys, len(xs))[:0]
			for _, x := range xs {
				if x == x {
					keys = append(keys, keyOf(x))
				}
			}
			return keys
		},
		value:   func(key uint64) Value { return Float(numberOf(key)) },
		between: func(a, b uint64, t float64) Value { return Float(between(numberOf(a), numberOf(b), t)) },
	}
}

// intKeying adds zero to integers, which makes them unsigned numbers of some bits.
func intKeying[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32](bits int, zero uint64, ints func(*scratch, []byte) []T) keying {
	return keying{
		bits: bits,
		keys: func(s *scratch, items []byte) []uint64 {
			xs := ints(s, items)
			keys := codec.Grow(&s.keys, len(xs))
			for i, x := range xs {
				keys[i] = uint64(int64(x)) + zero
			}
			return keys
		},
		value: func(key uint64) Value { return intValue(big.NewInt(int64(key - zero))) },
		between: func(a, b uint64, t float64) Value {
			return betweenInts(big.NewInt(int64(a-zero)), big.NewInt(int64(b-zero)), t)
		},
	}
}

func uintKeying(ints func(*scratch, []byte) []uint64) keying {
	return keying{
		bits:  64,
		keys:  ints,
		value: func(key uint64) Value { return intValue(new(big.Int).SetUint64(key)) },
		between: func(a, b uint64, t float64) Value {
			return betweenInts(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b), t)
		},
	}
}

// betweenInts interpolates as NumPy does for float64, or exactly and rounded once where float64 does not hold a or b.
func betweenInts(a, b *big.Int, t float64) Value {
	const exact = 1 << 53
	if x, y := new(big.Float).SetInt(a), new(big.Float).SetInt(b); a.IsInt64() && b.IsInt64() && -exact <= a.Int64() && b.Int64() <= exact {
		f, _ := x.Float64()
		g, _ := y.Float64()
		return Float(between(f, g, t))
	}
	const bits = 256
	at := new(big.Float).SetPrec(bits).SetInt(new(big.Int).Sub(b, a))
	at.Mul(at, big.NewFloat(t))
	at.Add(at, new(big.Float).SetPrec(bits).SetInt(a))
	f, _ := at.Float64()
	return Float(f)
}

// timeKeying interpolates by whole ticks, as NumPy does: the product of a timedelta64 and a float is rounded towards zero.
func timeKeying(t dtype.Type, ints func(*scratch, []byte) []int64) keying {
	return keying{
		bits: 64,
		keys: func(s *scratch, items []byte) []uint64 {
			xs := ints(s, items)
			keys := codec.Grow(&s.keys, len(xs))[:0]
			for _, x := range xs {
				if x != scalar.NaT {
					keys = append(keys, uint64(x)^topBit)
				}
			}
			return keys
		},
		value: func(key uint64) Value { return timeValue(t, int64(key^topBit)) },
		between: func(a, b uint64, share float64) Value {
			if share >= 0.5 {
				return timeValue(t, int64((b-ticksOf(b-a, 1-share))^topBit))
			}
			return timeValue(t, int64((a+ticksOf(b-a, share))^topBit))
		},
	}
}

// ticksOf returns share*span without its fraction. A product beyond the span, which rounding can give, becomes the span.
func ticksOf(span uint64, share float64) uint64 {
	if p := float64(span) * share; p < math.MaxUint64 {
		return min(uint64(p), span)
	}
	return span
}
