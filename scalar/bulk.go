package scalar

import (
	"context"
	"math"
	"sync"

	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/par"
)

// Conversions of whole slices give the results of the scalar methods, bit for bit, many times faster. Each converts all
// of src into the start of dst, and panics if dst is shorter than src. Slices of 8 MB or more of 16-bit floats are
// divided among goroutines.

// tableSize is the number of elements from which a table of all Float16s is worth its 256 kilobytes, where the processor
// cannot convert Float16s. The table is three times as fast as widenFloat16.
const tableSize = 1 << 10

var float16s = sync.OnceValue(func() *[1 << 16]float32 {
	t := new([1 << 16]float32)
	for i := range t {
		t[i] = widenFloat16(Float16{uint16(i)})
	}
	return t
})

// widenFloat16 scales by a power of two, which gives subnormals their exponent. Infinities and NaNs are corrected
// afterwards.
func widenFloat16(h Float16) float32 {
	b := math.Float32bits(math.Float32frombits(uint32(h.Bits&0x7fff)<<13) * 0x1p112)
	if h.Bits&0x7c00 == 0x7c00 {
		b |= 0xff << 23
	}
	return math.Float32frombits(b | uint32(h.Bits&0x8000)<<16)
}

// share converts long slices in parts on several goroutines.
func share[D, S any](dst []D, src []S, bytes int, convert func(dst []D, src []S)) {
	dst = dst[:len(src)]
	_ = par.Split(context.Background(), len(src), tableSize, bytes*len(src), func(low, high int) error {
		convert(dst[low:high], src[low:high])
		return nil
	})
}

// Float16sToFloat32s is [Float16.Float32] for slices.
func Float16sToFloat32s(dst []float32, src []Float16) { share(dst, src, 2+4, float16sToFloat32s) }

func float16sToFloat32s(dst []float32, src []Float16) {
	many := len(src) >= tableSize
	for len(src) > 0 {
		n := bulk.WidenHalves(dst, halfBits(src))
		dst, src = dst[n:], src[n:]
		n = min(len(src), detour)
		if many && n == detour {
			table := float16s()
			for i, h := range src[:n] {
				dst[i] = table[h.Bits]
			}
		} else {
			for i, h := range src[:n] {
				dst[i] = widenFloat16(h)
			}
		}
		dst, src = dst[n:], src[n:]
	}
}

// detour is the number of elements converted in software where the processor has no instructions for the conversion, or
// where its instructions stop at a NaN.
const detour = 64

// Float16sToFloat64s is [Float16.Float64] for slices.
func Float16sToFloat64s(dst []float64, src []Float16) { share(dst, src, 2+8, float16sToFloat64s) }

// float16sToFloat64s converts by way of float32, except infinities and NaNs: the conversion would make NaNs quiet.
func float16sToFloat64s(dst []float64, src []Float16) {
	var wide [tableSize]float32
	for len(src) > 0 {
		n := min(len(src), len(wide))
		float16sToFloat32s(wide[:n], src[:n])
		for i, h := range src[:n] {
			if h.Bits&0x7c00 == 0x7c00 {
				dst[i] = math.Float64frombits(uint64(h.Bits&0x8000)<<48 | 0x7ff<<52 | uint64(h.Bits&0x3ff)<<42)
				continue
			}
			dst[i] = float64(wide[i])
		}
		dst, src = dst[n:], src[n:]
	}
}

// Float32sToFloat16s is [Float16FromFloat32] for slices.
func Float32sToFloat16s(dst []Float16, src []float32) { share(dst, src, 4+2, float32sToFloat16s) }

func float32sToFloat16s(dst []Float16, src []float32) {
	for len(src) > 0 {
		bits := halfBits(dst[:len(src)])
		n := bulk.NarrowHalves(bits, src[:len(bits)])
		dst, src = dst[n:], src[n:]
		n = min(len(src), detour)
		for i, f := range src[:n] {
			b := math.Float32bits(f)
			dst[i] = Float16{uint16(b>>16&0x8000) | float16Magnitude(b&(1<<31-1))}
		}
		dst, src = dst[n:], src[n:]
	}
}

// halfBits returns the memory of s, or nil in a program without unsafe, which has no instructions for it either.
func halfBits(s []Float16) []uint16 {
	words, _ := bulk.Recast[uint16](s)
	return words
}

// float16Magnitude rounds the float32 with the bits b, sign off, to the bits of a Float16.
func float16Magnitude(b uint32) uint16 {
	const (
		smallest = (127 - 14) << 23 // the smallest normal number
		tooLarge = (127 + 16) << 23
		magic    = (127 - 1) << 23 // 0.5, whose last place is the place of the smallest subnormal
	)
	switch {
	case b-smallest < tooLarge-smallest:
		b += (15-127)<<23&(1<<32-1) + 0xfff + b>>13&1 // half of the last place, minus one unless the last place is odd
		return uint16(b >> 13)
	case b < smallest:
		return uint16(math.Float32bits(math.Float32frombits(b)+math.Float32frombits(magic)) - magic)
	case b > 0xff<<23:
		return 0x7c00 | max(uint16(b>>13&0x3ff), 1)
	}
	return 0x7c00
}

// BFloat16sToFloat32s is [BFloat16.Float32] for slices.
func BFloat16sToFloat32s(dst []float32, src []BFloat16) { share(dst, src, 2+4, bfloat16sToFloat32s) }

func bfloat16sToFloat32s(dst []float32, src []BFloat16) {
	dst = dst[:len(src)]
	for i, b := range src {
		dst[i] = math.Float32frombits(uint32(b.Bits) << 16)
	}
}

// BFloat16sToFloat64s is [BFloat16.Float64] for slices.
func BFloat16sToFloat64s(dst []float64, src []BFloat16) { share(dst, src, 2+8, bfloat16sToFloat64s) }

func bfloat16sToFloat64s(dst []float64, src []BFloat16) {
	dst = dst[:len(src)]
	for i, b := range src {
		if b.Bits&0x7f80 == 0x7f80 { // a floating-point conversion would make NaNs quiet
			dst[i] = math.Float64frombits(uint64(b.Bits&0x8000)<<48 | 0x7ff<<52 | uint64(b.Bits&0x7f)<<45)
			continue
		}
		dst[i] = float64(math.Float32frombits(uint32(b.Bits) << 16))
	}
}

// Float32sToBFloat16s is [BFloat16FromFloat32] for slices.
func Float32sToBFloat16s(dst []BFloat16, src []float32) { share(dst, src, 4+2, float32sToBFloat16s) }

func float32sToBFloat16s(dst []BFloat16, src []float32) {
	dst = dst[:len(src)]
	for i, f := range src {
		b := math.Float32bits(f)
		if b&(1<<31-1) > 0xff<<23 {
			dst[i] = BFloat16{uint16(b>>16&0xff80) | max(uint16(b>>16&0x7f), 1)}
			continue
		}
		dst[i] = BFloat16{uint16((b + 0x7fff + b>>16&1) >> 16)}
	}
}

// A Float8 is one of the one-byte floats.
type Float8 interface {
	Float8E3M4 | Float8E4M3 | Float8E4M3FN | Float8E4M3FNUZ | Float8E4M3B11FNUZ | Float8E5M2 | Float8E5M2FNUZ |
		Float8E8M0FNU | Float6E2M3FN | Float6E3M2FN | Float4E2M1FN
}

// code8 is the memory of every Float8, to which they convert.
type code8 = struct{ Bits uint8 }

// Float8sToFloat32s is the method Float32 of T for slices. It looks values up in a table of a kilobyte, which is
// computed on first use.
func Float8sToFloat32s[T Float8](dst []float32, src []T) {
	dst = dst[:len(src)]
	table := tables8[index8[T]()].floats()
	for i, x := range src {
		dst[i] = table[code8(x).Bits]
	}
}

// Float8sToFloat64s is the method Float64 of T for slices.
func Float8sToFloat64s[T Float8](dst []float64, src []T) {
	dst = dst[:len(src)]
	table := tables8[index8[T]()].doubles()
	for i, x := range src {
		dst[i] = table[code8(x).Bits]
	}
}

// Float32sToFloat8s is the conversion of float32 to T, such as [Float8E4M3FNFromFloat32], for slices. Its table of 64
// kilobytes is computed on first use.
func Float32sToFloat8s[T Float8](dst []T, src []float32) {
	dst = dst[:len(src)]
	table := tables8[index8[T]()].codes()
	for i, f := range src {
		// The upper half rounds as the whole float32 does if its last bit is set when the lower half is not zero. The formats
		// have at most four bits of mantissa, and rounding depends on one more bit and on whether any later bit is set.
		b := math.Float32bits(f)
		dst[i] = T(code8{table[uint16((b|(b&0xffff+0xffff))>>16)]})
	}
}

// tables are the tables of one format.
type tables struct {
	floats  func() *[1 << 8]float32
	doubles func() *[1 << 8]float64
	codes   func() *[1 << 16]uint8
}

// tables8 holds the tables of each format in the order of index8.
var tables8 = [...]tables{
	tablesOf(float8E3M4Layout), tablesOf(float8E4M3Layout), tablesOf(float8E4M3FNLayout), tablesOf(float8E4M3FNUZLayout),
	tablesOf(float8E4M3B11FNUZLayout), tablesOf(float8E5M2Layout), tablesOf(float8E5M2FNUZLayout),
	tablesOf(float8E8M0FNULayout), tablesOf(float6E2M3FNLayout), tablesOf(float6E3M2FNLayout), tablesOf(float4E2M1FNLayout),
}

func tablesOf(l layout) tables {
	return tables{
		floats: sync.OnceValue(func() *[1 << 8]float32 {
			t := new([1 << 8]float32)
			for i := range t {
				t[i] = l.widen32(uint16(i))
			}
			return t
		}),
		doubles: sync.OnceValue(func() *[1 << 8]float64 {
			t := new([1 << 8]float64)
			for i := range t {
				t[i] = math.Float64frombits(l.widen(uint16(i)))
			}
			return t
		}),
		codes: sync.OnceValue(func() *[1 << 16]uint8 {
			t := new([1 << 16]uint8)
			for i := range t {
				t[i] = uint8(l.narrow(float32To64bits(math.Float32frombits(uint32(i)<<16)), 0))
			}
			return t
		}),
	}
}

func index8[T Float8]() int {
	switch any(*new(T)).(type) {
	case Float8E3M4:
		return 0
	case Float8E4M3:
		return 1
	case Float8E4M3FN:
		return 2
	case Float8E4M3FNUZ:
		return 3
	case Float8E4M3B11FNUZ:
		return 4
	case Float8E5M2:
		return 5
	case Float8E5M2FNUZ:
		return 6
	case Float8E8M0FNU:
		return 7
	case Float6E2M3FN:
		return 8
	case Float6E3M2FN:
		return 9
	}
	return 10 // Float4E2M1FN
}
