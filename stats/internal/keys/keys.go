package keys

import (
	"math"
	"math/big"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
	"github.com/npygo/npy/stats/internal/items"
)

// A Keying turns items into 64-bit keys that sort as the items do, and back.
type Keying struct {
	Bits    int                              // of a key that can differ, the last ones: 16, 32 or 64
	Keys    items.Reader[uint64]             // without NaN and NaT; valid until the next call
	Value   func(key uint64) any             // a *big.Int, a float64 or the text of a time
	between func(a, b uint64, t float64) any // between two keys that differ, for 0 < t < 1, as NumPy's _lerp
}

// At returns the value at a share of the way from key a to key b.
func (k *Keying) At(a, b uint64, share float64) any {
	if share == 0 || a == b {
		return k.Value(a)
	}
	return k.between(a, b, share)
}

// Of returns the Keying of items of t, or false if they are not real numbers, bools or times.
func Of(t dtype.Type) (Keying, bool) {
	swap := !t.IsNative()
	if n, ok := elem.SmallIntOf(t); ok {
		return intKeying(16, 1<<15, items.SmallInts(n)), true
	}
	size := t.ItemSize()
	switch elem.KindOf(t) {
	case dtype.KindFloat:
		return floatKeying(codec.FloatsOf(t, size)), true
	case dtype.KindBool:
		return intKeying(16, 0, items.Bools), true
	case dtype.KindInt:
		switch size {
		case 1:
			return intKeying(16, 1<<15, items.View[int8](swap)), true
		case 2:
			return intKeying(16, 1<<15, items.View[int16](swap)), true
		case 4:
			return intKeying(32, 1<<31, items.View[int32](swap)), true
		}
		return intKeying(64, items.TopBit, items.View[int64](swap)), true
	case dtype.KindUint:
		switch size {
		case 1:
			return intKeying(16, 0, items.View[uint8](swap)), true
		case 2:
			return intKeying(16, 0, items.View[uint16](swap)), true
		case 4:
			return intKeying(32, 0, items.View[uint32](swap)), true
		}
		return uintKeying(items.View[uint64](swap)), true
	case dtype.KindDatetime, dtype.KindTimedelta:
		return timeKeying(t, items.View[int64](swap)), true
	}
	return Keying{}, false
}

func floatKeying(floats codec.Reals) Keying {
	return Keying{
		Bits: 64,
		Keys: func(s *items.Scratch, data []byte) []uint64 {
			xs := floats(&s.Numbers, data)
			keys := codec.Grow(&s.Keys, len(xs))[:0]
			for _, x := range xs {
				if x == x {
					keys = append(keys, OfFloat(x))
				}
			}
			return keys
		},
		Value:   func(key uint64) any { return FloatOf(key) },
		between: func(a, b uint64, t float64) any { return between(FloatOf(a), FloatOf(b), t) },
	}
}

// intKeying adds zero to integers, which makes them unsigned numbers of some bits.
func intKeying[T items.Int](bits int, zero uint64, ints items.Reader[T]) Keying {
	return Keying{
		Bits: bits,
		Keys: func(s *items.Scratch, data []byte) []uint64 {
			xs := ints(s, data)
			keys := codec.Grow(&s.Keys, len(xs))
			for i, x := range xs {
				keys[i] = uint64(int64(x)) + zero
			}
			return keys
		},
		Value: func(key uint64) any { return big.NewInt(int64(key - zero)) },
		between: func(a, b uint64, t float64) any {
			return betweenInts(big.NewInt(int64(a-zero)), big.NewInt(int64(b-zero)), t)
		},
	}
}

func uintKeying(ints items.Reader[uint64]) Keying {
	return Keying{
		Bits:  64,
		Keys:  ints,
		Value: func(key uint64) any { return new(big.Int).SetUint64(key) },
		between: func(a, b uint64, t float64) any {
			return betweenInts(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b), t)
		},
	}
}

// betweenInts interpolates as NumPy does for float64, or exactly and rounded once where float64 does not hold a or b.
func betweenInts(a, b *big.Int, t float64) float64 {
	const exact = 1 << 53
	if x, y := new(big.Float).SetInt(a), new(big.Float).SetInt(b); a.IsInt64() && b.IsInt64() && -exact <= a.Int64() && b.Int64() <= exact {
		f, _ := x.Float64()
		g, _ := y.Float64()
		return between(f, g, t)
	}
	const bits = 256
	at := new(big.Float).SetPrec(bits).SetInt(new(big.Int).Sub(b, a))
	at.Mul(at, big.NewFloat(t))
	at.Add(at, new(big.Float).SetPrec(bits).SetInt(a))
	f, _ := at.Float64()
	return f
}

// timeKeying interpolates by whole ticks, as NumPy does: the product of a timedelta64 and a float is rounded towards zero.
func timeKeying(t dtype.Type, ints items.Reader[int64]) Keying {
	return Keying{
		Bits: 64,
		Keys: func(s *items.Scratch, data []byte) []uint64 {
			xs := ints(s, data)
			keys := codec.Grow(&s.Keys, len(xs))[:0]
			for _, x := range xs {
				if x != scalar.NaT {
					keys = append(keys, uint64(x)^items.TopBit)
				}
			}
			return keys
		},
		Value: func(key uint64) any { return items.TimeText(t, int64(key^items.TopBit)) },
		between: func(a, b uint64, share float64) any {
			if share >= 0.5 {
				return items.TimeText(t, int64((b-ticksOf(b-a, 1-share))^items.TopBit))
			}
			return items.TimeText(t, int64((a+ticksOf(b-a, share))^items.TopBit))
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
