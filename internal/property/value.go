package property

import (
	"encoding/binary"
	"math"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

// Values restricts the values that a generator may make.
type Values uint

const (
	Invalid   Values = 1 << iota // bools other than 0 and 1, invalid characters: for operations that only copy bytes
	NaNBits                      // NaNs of every sign and payload
	Surrogate                    // lone surrogates
	FarTimes                     // times far beyond any calendar
	NoNaN                        // neither NaN nor NaT
	NoInf                        // no infinities
	Modest                       // numbers of a few digits
)

// A filler appends one element.
type filler func(dst []byte) []byte

// unit is the largest number of elements that are made. The elements of larger arrays repeat.
const unit = 300

// Elements returns the bytes of n elements of t, in C order.
func (g *G) Elements(t dtype.Type, n int, v Values) []byte {
	fill := g.filler(t, v)
	data := []byte{}
	for range min(n, unit) {
		data = fill(data)
	}
	for len(data) > 0 && len(data) < n*t.ItemSize() {
		data = append(data, data[:min(len(data), n*t.ItemSize()-len(data))]...)
	}
	return data
}

// filler returns a function that makes elements. All elements of one filler share a style, so that numbers of one
// magnitude are as frequent as a mixture of all.
func (g *G) filler(t dtype.Type, v Values) filler {
	switch {
	case t.IsStruct():
		return g.structs(t, v)
	case t.IsSubarray():
		fill, n := g.filler(t.Elem(), v), 1
		for _, d := range t.SubShape() {
			n *= d
		}
		return func(dst []byte) []byte {
			for range n {
				dst = fill(dst)
			}
			return dst
		}
	}
	big := t.ByteOrder() == dtype.BigEndian
	switch t.Kind() {
	case dtype.KindBool:
		return func(dst []byte) []byte {
			if v&Invalid != 0 && g.Chance(5) {
				return append(dst, byte(g.Int(256)))
			}
			return append(dst, byte(g.Int(2)))
		}
	case dtype.KindInt, dtype.KindUint:
		return g.integers(t, v)
	case dtype.KindFloat:
		if t.ItemSize() == 1 {
			break
		}
		return g.floats(t.ItemSize(), big, v)
	case dtype.KindComplex:
		re, im := g.floats(t.ItemSize()/2, big, v), g.floats(t.ItemSize()/2, big, v)
		return func(dst []byte) []byte { return im(re(dst)) }
	case dtype.KindStr:
		return g.text(t, v)
	case dtype.KindDatetime, dtype.KindTimedelta:
		return g.times(t, v)
	case dtype.KindBytes:
		return g.bytes(t.ItemSize())
	}
	if bits := fewBits[t.Name()]; bits > 0 {
		return g.nibbles(bits, strings.HasPrefix(t.Name(), "int"))
	}
	n := t.ItemSize()
	return func(dst []byte) []byte { return append(dst, g.Bytes(n)...) }
}

// structs puts bytes of its own into the padding, which NumPy keeps.
func (g *G) structs(t dtype.Type, v Values) filler {
	fills := make([]filler, t.NumField())
	for i := range fills {
		fills[i] = g.filler(t.Field(i).DType, v)
	}
	gap := byte(0)
	if v&Invalid != 0 {
		gap = 'x'
	}
	return func(dst []byte) []byte {
		start := len(dst)
		for i, fill := range fills {
			for len(dst) < start+t.Field(i).Offset {
				dst = append(dst, gap)
			}
			dst = fill(dst)
		}
		for len(dst) < start+t.ItemSize() {
			dst = append(dst, gap)
		}
		return dst
	}
}

func (g *G) integers(t dtype.Type, v Values) filler {
	size, big := t.ItemSize(), t.ByteOrder() == dtype.BigEndian
	mask := Pick[uint64](g, 0xff, 0xfff, math.MaxUint64, 7, 0)
	if v&Modest != 0 {
		mask = 0x7f
	}
	minus := t.Kind() == dtype.KindInt && g.Chance(30)
	bits := 8 * size
	edges := []uint64{0, 1, math.MaxUint64, 1 << (bits - 1), 1<<(bits-1) - 1, 1 << 53, 1<<53 + 1, 1<<24 + 1, 1<<31 - 1, 1 << 31, 1<<63 - 1, 1<<63 + 1}
	odd := g.Chance(30) && v&Modest == 0
	return func(dst []byte) []byte {
		x := g.Uint64() & mask
		if minus && g.Chance(50) {
			x = -x
		}
		if odd && g.Chance(30) {
			x = Pick(g, edges...)
		}
		return appendBits(dst, x, size, big)
	}
}

// fewBits are the types of ml_dtypes with less than eight bits; each element takes a byte.
var fewBits = map[string]int{"int4": 4, "int2": 2, "uint4": 4, "uint2": 2, "float6_e2m3fn": 6, "float6_e3m2fn": 6, "float4_e2m1fn": 4}

func (g *G) nibbles(bits int, signed bool) filler {
	return func(dst []byte) []byte {
		x := g.Int(1 << bits)
		if signed && x >= 1<<(bits-1) {
			x -= 1 << bits // ml_dtypes extends the sign
		}
		return append(dst, byte(x))
	}
}

// appendBits appends the low bytes of x.
func appendBits(dst []byte, x uint64, size int, big bool) []byte {
	if big {
		var all [8]byte
		binary.BigEndian.PutUint64(all[:], x)
		return append(dst, all[8-size:]...)
	}
	var all [8]byte
	binary.LittleEndian.PutUint64(all[:], x)
	return append(dst, all[:size]...)
}

// number returns a function that makes finite float64s with a common property.
func (g *G) number(v Values) func() float64 {
	if v&Modest != 0 {
		return func() float64 { return float64(g.Int(2000)-1000) / 8 }
	}
	unit := func() float64 { return float64(g.Uint64()>>11) / (1 << 53) }
	return Pick(g,
		func() float64 { return float64(g.Int(100)) },
		func() float64 { return float64(g.Int(2000)-1000) / 8 },
		func() float64 { return float64(g.Int(20000)-10000) / 100 },
		func() float64 { return 2*unit() - 1 },
		func() float64 { return (unit() - 0.5) * 1e8 },
		func() float64 { return math.Pow(10, unit()*24-12) },
		func() float64 { return math.Pow(10, float64(g.Int(14)-5)) },
		func() float64 { return 1 + 999*unit() },
		func() float64 { return Pick(g, 1e-4, 1, 0.1, 9.9999e-5, 100, 1000.0001, 0.001, 999.9, 1e3) },
		func() float64 { return Pick(g, 1e8, 99999999, 1e5, 99999999.9, 1e7, 1e6, 12345.678, 9999999) },
		func() float64 { return math.Ldexp(1, g.Int(60)-30) },
		func() float64 { return 0 },
		func() float64 { return 1e7 + 9e7*unit() },
		func() float64 { return 64000 + 1500*unit() },
		func() float64 {
			return Pick(g, 5e-324, 1e-45, 6e-8, 3.4e38, 1.7e308, 65504, 2.2250738585072014e-308, 1e16, 1e300)
		},
		func() float64 { return 1e9 + unit() },
	)
}

func (g *G) floats(size int, big bool, v Values) filler {
	number := g.number(v)
	other, zero, raw, minus := Pick(g, 0, 0, 0, 10, 100), Pick(g, 0, 20), Pick(g, 0, 0, 0, 100), Pick(g, 0, 50)
	if v&Modest != 0 {
		raw = 0
	}
	var others []float64
	if v&NoInf == 0 {
		others = append(others, math.Inf(1), math.Inf(-1))
	}
	if v&NoNaN == 0 {
		others = append(others, math.NaN())
	}
	return func(dst []byte) []byte {
		x := number()
		switch {
		case raw > 0 && g.Chance(raw):
			return appendSound(dst, g.rawFloat(size, big), size, big, v)
		case other > 0 && len(others) > 0 && g.Chance(other):
			x = Pick(g, others...)
		case zero > 0 && g.Chance(zero):
			x = 0
		}
		if minus > 0 && g.Chance(minus) {
			x = -x
		}
		b := appendFloat(nil, x, size, big)
		if v&NoInf != 0 && !math.IsInf(x, 0) && isNonFinite(b, size, big) { // too large for the size
			b = appendFloat(nil, 1, size, big)
		}
		if math.IsNaN(x) && v&NaNBits != 0 {
			b = g.nan(size, big)
		}
		return append(dst, b...)
	}
}

// appendSound appends a float of any bits, or 1 if v forbids these bits.
func appendSound(dst, b []byte, size int, big bool, v Values) []byte {
	if isNonFinite(b, size, big) && v&(NoNaN|NoInf) != 0 || isNonFinite(b, size, big) && v&NaNBits == 0 {
		return appendFloat(dst, 1, size, big)
	}
	return append(dst, b...)
}

// isNonFinite reports whether all bits of the exponent are set.
func isNonFinite(b []byte, size int, big bool) bool {
	at := func(i int) byte { // counted from the most significant
		if big {
			return b[i]
		}
		if size == 16 {
			return b[9-i]
		}
		return b[size-1-i]
	}
	if size == 16 && big { // x87, in the last ten bytes
		at = func(i int) byte { return b[6+i] }
	}
	switch size {
	case 2:
		return at(0)&0x7c == 0x7c
	case 4:
		return at(0)&0x7f == 0x7f && at(1)&0x80 != 0
	case 8:
		return at(0)&0x7f == 0x7f && at(1)&0xf0 == 0xf0
	}
	return at(0)&0x7f == 0x7f && at(1) == 0xff
}

// rawFloat returns any bits that are a float. For long doubles some bits are excluded.
func (g *G) rawFloat(size int, big bool) []byte {
	if size < 16 {
		return appendBits(nil, g.Uint64(), size, big)
	}
	x := scalar.LongDouble{Mantissa: g.Uint64() | 1<<63, SignExp: uint16(g.Int(1 << 16))}
	switch x.SignExp & 0x7fff {
	case 0:
		x.Mantissa &^= 1 << 63
	case 0x7fff:
		x.Mantissa = Pick[uint64](g, 1<<63, 3<<62)
	}
	return x.AppendBytes(nil, big)
}

// nan returns a NaN of any sign and payload. NaNs of long doubles are quiet: x87 turns others to quiet ones.
func (g *G) nan(size int, big bool) []byte {
	payload := g.Uint64() | 1
	switch size {
	case 2:
		return appendBits(nil, payload&0x83ff|0x7c00, 2, big)
	case 4:
		return appendBits(nil, payload&0x807fffff|0x7f800000, 4, big)
	case 8:
		return appendBits(nil, payload&0x800fffffffffffff|0x7ff0000000000000, 8, big)
	}
	return scalar.LongDouble{Mantissa: payload | 3<<62, SignExp: 0x7fff}.AppendBytes(nil, big)
}

// appendFloat appends x rounded to a float of some size.
func appendFloat(dst []byte, x float64, size int, big bool) []byte {
	switch size {
	case 2:
		return appendBits(dst, uint64(scalar.Float16FromFloat64(x).Bits), size, big)
	case 4:
		return appendBits(dst, uint64(math.Float32bits(float32(x))), size, big)
	case 8:
		return appendBits(dst, math.Float64bits(x), size, big)
	}
	return scalar.LongDoubleFromFloat64(x).AppendBytes(dst, big)
}

// bytes makes text with NULs at either end and inside.
func (g *G) bytes(n int) filler {
	return func(dst []byte) []byte {
		length := n - min(n, Pick(g, 0, 0, 1, 3, 100))
		for i := range n {
			c := byte(0)
			if i < length {
				c = Pick[byte](g, 'a', 'b', 'z', ' ', '0', '\'', '"', '\\', '\n', ',', 0, 1, 0x7f, 0xe9, 0xff)
			}
			dst = append(dst, c)
		}
		return dst
	}
}

func (g *G) text(t dtype.Type, v Values) filler {
	chars := []uint64{'a', 'b', 'c', ' ', '0', '1', '\'', '"', '\\', ',', '\t', '\n', '\r', 0, 0x1b, 0x7f, 0x85, 0xa0, 0xad, 0xe9, 0x301, 0x378,
		0x200b, 0x2028, 0x202e, 0x6574, 0xe000, 0xfeff, 0xffff, 0x1f600, 0xe0001, 0x10ffff}
	if v&Surrogate != 0 {
		chars = append(chars, 0xd800, 0xdfff)
	}
	if v&Invalid != 0 {
		chars = append(chars, 0x110000, 0xffffffff)
	}
	few := g.Chance(50)
	big := t.ByteOrder() == dtype.BigEndian
	return func(dst []byte) []byte {
		length := t.Chars() - min(t.Chars(), Pick(g, 0, 0, 1, 2, 100))
		for i := range t.Chars() {
			c := uint64(0)
			switch {
			case i >= length:
			case few:
				c = uint64('a' + g.Int(26))
			default:
				c = Pick(g, chars...)
			}
			dst = appendBits(dst, c, 4, big)
		}
		return dst
	}
}

// times makes moments that NumPy computes without overflow, unless v allows others.
func (g *G) times(t dtype.Type, v Values) filler {
	limit := Pick(g, 10, 1000, 100_000, 2_000_000_000)
	nat := Pick(g, 0, 0, 10, 100)
	year := t.Step().Unit == dtype.Year || t.Step().Unit == dtype.Month
	big := t.ByteOrder() == dtype.BigEndian
	return func(dst []byte) []byte {
		ticks := int64(g.Int(2*limit)) - int64(limit)
		if year {
			ticks %= 5000
		} else if t.Step().Unit <= dtype.Day {
			ticks %= 2_000_000
		}
		switch {
		case v&FarTimes != 0 && g.Chance(10):
			ticks = Pick(g, int64(math.MaxInt64), math.MinInt64+1, int64(g.Uint64()))
		case v&NoNaN == 0 && nat > 0 && g.Chance(nat):
			ticks = math.MinInt64
		}
		return appendBits(dst, uint64(ticks), 8, big)
	}
}
