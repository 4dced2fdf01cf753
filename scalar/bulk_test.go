package scalar

import (
	"math"
	"slices"
	"testing"
)

// manyFloat32s calls check with blocks of float32 that cover every upper half, with lower halves near every rounding
// boundary of every format.
func manyFloat32s(t *testing.T, check func(src []float32)) {
	t.Helper()
	lows := []uint32{0, 1, 0x7fff, 0x8000, 0x8001, 0xffff}
	for bit := range 15 {
		lows = append(lows, 1<<bit, 3<<bit&0xffff, 1<<bit-1, 1<<bit+1)
	}
	src := make([]float32, 0, 16*len(lows))
	for high := range uint32(1 << 16) {
		for _, low := range lows {
			src = append(src, math.Float32frombits(high<<16|low))
		}
		if high%16 == 15 {
			check(src)
			src = src[:0]
		}
	}
}

func TestBulkFrom(t *testing.T) {
	formats := byteFormats()
	manyFloat32s(t, func(src []float32) {
		f16, bf16, f8 := make([]Float16, len(src)), make([]BFloat16, len(src)), make([]uint8, len(src))
		Float32sToFloat16s(f16, src)
		Float32sToBFloat16s(bf16, src)
		for i, f := range src {
			if a, b := Float16FromFloat32(f), BFloat16FromFloat32(f); a != f16[i] || b != bf16[i] {
				t.Fatalf("%#x: float16 %#x, want %#x; bfloat16 %#x, want %#x", math.Float32bits(f), f16[i], a, bf16[i], b)
			}
		}
		if math.Float32bits(src[0])>>16%64 != 0 { // a quarter is enough for the one-byte formats, which share these blocks
			return
		}
		for _, format := range formats {
			format.bulkFrom(f8, src)
			for i, f := range src {
				if want := format.from32(f); f8[i] != want {
					t.Fatalf("%s of %#x: %#x, want %#x", format.name, math.Float32bits(f), f8[i], want)
				}
			}
		}
	})
}

func TestBulkTo(t *testing.T) {
	const n = 1 << 16
	f16, bf16 := make([]Float16, n), make([]BFloat16, n)
	for i := range n {
		f16[i], bf16[i] = Float16{Bits: uint16(i)}, BFloat16{Bits: uint16(i)}
	}
	for _, c := range []struct {
		name     string
		to32     func([]float32)
		to64     func([]float64)
		scalar32 func(int) float32
		scalar64 func(int) float64
	}{
		{"Float16s", func(dst []float32) { Float16sToFloat32s(dst, f16) }, func(dst []float64) { Float16sToFloat64s(dst, f16) },
			func(i int) float32 { return f16[i].Float32() }, func(i int) float64 { return f16[i].Float64() }},
		{"BFloat16s", func(dst []float32) { BFloat16sToFloat32s(dst, bf16) }, func(dst []float64) { BFloat16sToFloat64s(dst, bf16) },
			func(i int) float32 { return bf16[i].Float32() }, func(i int) float64 { return bf16[i].Float64() }},
	} {
		got32, got64 := make([]float32, n), make([]float64, n)
		c.to32(got32)
		c.to64(got64)
		for i := range n {
			if got, want := math.Float32bits(got32[i]), math.Float32bits(c.scalar32(i)); got != want {
				t.Errorf("%s: float32 of %#x is %#x, want %#x", c.name, i, got, want)
			}
			if got, want := math.Float64bits(got64[i]), math.Float64bits(c.scalar64(i)); got != want {
				t.Errorf("%s: float64 of %#x is %#x, want %#x", c.name, i, got, want)
			}
		}
	}
	all := make([]uint8, 1<<8)
	for i := range all {
		all[i] = uint8(i)
	}
	for _, f := range byteFormats() {
		got32, got64 := make([]float32, 1<<8), make([]float64, 1<<8)
		f.bulk(got32, all)
		f.bulk64(got64, all)
		for i, x := range all {
			if math.Float32bits(got32[i]) != math.Float32bits(f.to32(x)) || math.Float64bits(got64[i]) != math.Float64bits(f.to64(x)) {
				t.Errorf("%s: %#x gives %v and %v, want %v", f.name, x, got32[i], got64[i], f.to64(x))
			}
		}
	}
}

// Slices take several code paths, one of them up to the first NaN. Any bits from any start must give the results of the
// methods.
func FuzzBulkFloat16(f *testing.F) {
	f.Add(uint16(100), uint8(1), uint64(0x7c01_3c00_8001_0001))
	f.Add(uint16(3000), uint8(7), uint64(0x0123_4567_89ab_cdef))
	f.Add(uint16(50), uint8(0), uint64(0x7f80_0001_ffff_ffff))
	f.Fuzz(func(t *testing.T, n uint16, skip uint8, seed uint64) {
		half, single := make([]Float16, int(n)+int(skip))[skip:], make([]float32, int(n)+int(skip))[skip:]
		for i := range half {
			seed = seed*6364136223846793005 + 1442695040888963407
			half[i], single[i] = Float16{Bits: uint16(seed >> 48)}, math.Float32frombits(uint32(seed>>32))
			if seed>>28%32 != 0 { // seldom NaN or too large, often rounded
				half[i].Bits &^= 0x4000
				single[i] = math.Float32frombits(uint32(seed>>32)&0xcfff_ffff | 0x3000_0000)
			}
		}
		wide, double, narrow := make([]float32, n), make([]float64, n), make([]Float16, n)
		Float16sToFloat32s(wide, half)
		Float16sToFloat64s(double, half)
		Float32sToFloat16s(narrow, single)
		for i, h := range half {
			if math.Float32bits(wide[i]) != math.Float32bits(h.Float32()) || math.Float64bits(double[i]) != math.Float64bits(h.Float64()) {
				t.Fatalf("%#x at %d of %d: %v and %v, want %v", h, i, n, wide[i], double[i], h.Float64())
			}
			if want := Float16FromFloat32(single[i]); narrow[i] != want {
				t.Fatalf("%#x at %d of %d: %#x, want %#x", math.Float32bits(single[i]), i, n, narrow[i], want)
			}
		}
	})
}

// Few elements take another code path than many.
func TestBulkFewFloat16s(t *testing.T) {
	for i := range 1 << 16 {
		var got [1]float32
		Float16sToFloat32s(got[:], []Float16{{Bits: uint16(i)}})
		if want := (Float16{Bits: uint16(i)}).Float32(); math.Float32bits(got[0]) != math.Float32bits(want) {
			t.Errorf("Float16 %#x: %v, want %v", i, got[0], want)
		}
	}
}

// Slices large enough for several goroutines.
func TestBulkLarge(t *testing.T) {
	src := make([]float32, 1_500_001)
	for i := range src {
		src[i] = float32(i%4001-2000) / 8
	}
	half, back := make([]Float16, len(src)), make([]float32, len(src))
	Float32sToFloat16s(half, src)
	Float16sToFloat32s(back, half)
	if !slices.Equal(back, src) {
		t.Error("float16 and back changes multiples of 1/8")
	}
	brain := make([]BFloat16, len(src))
	Float32sToBFloat16s(brain, src)
	BFloat16sToFloat32s(back, brain)
	for i, f := range back {
		if want := BFloat16FromFloat32(src[i]).Float32(); f != want {
			t.Fatalf("bfloat16 of %v and back: %v, want %v", src[i], f, want)
		}
	}
}

func TestBulkShort(t *testing.T) {
	dst := []float32{7, 7, 7}
	Float16sToFloat32s(dst, []Float16{{Bits: 0x3c00}})
	Float8sToFloat32s(dst[2:], []Float8E5M2{})
	if dst[0] != 1 || dst[1] != 7 || dst[2] != 7 {
		t.Errorf("beyond the source: %v", dst)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for a short destination")
		}
	}()
	Float32sToFloat16s(make([]Float16, 2), dst)
}

const benchSize = 16 << 20 // larger than the caches

func benchBulk[D, S any](b *testing.B, name string, convert func([]D, []S), value func(i int) S) {
	dst, src := make([]D, benchSize), make([]S, benchSize)
	for i := range src {
		src[i] = value(i)
	}
	b.Run(name, func(b *testing.B) {
		b.SetBytes(int64(benchSize * (sizeOf[D]() + sizeOf[S]()))) // read and written
		for b.Loop() {
			convert(dst, src)
		}
	})
}

func sizeOf[T any]() int {
	switch any(*new(T)).(type) {
	case Float16, BFloat16:
		return 2
	case float32:
		return 4
	case float64:
		return 8
	}
	return 1
}

func BenchmarkBulk(b *testing.B) {
	normal := func(i int) float32 { return float32(i%2001-1000) / 300 }
	half := func(i int) Float16 { return Float16FromFloat32(normal(i)) }
	brain := func(i int) BFloat16 { return BFloat16FromFloat32(normal(i)) }
	small := func(i int) Float8E4M3FN { return Float8E4M3FNFromFloat32(normal(i)) }
	benchBulk(b, "copy float32", func(dst, src []float32) { copy(dst, src) }, normal)
	benchBulk(b, "Float16sToFloat32s", Float16sToFloat32s, half)
	benchBulk(b, "Float16sToFloat32s all", Float16sToFloat32s, func(i int) Float16 { return Float16{Bits: uint16(i * 40503)} })
	benchBulk(b, "Float16sToFloat64s", Float16sToFloat64s, half)
	benchBulk(b, "Float32sToFloat16s", Float32sToFloat16s, normal)
	benchBulk(b, "BFloat16sToFloat32s", BFloat16sToFloat32s, brain)
	benchBulk(b, "BFloat16sToFloat64s", BFloat16sToFloat64s, brain)
	benchBulk(b, "Float32sToBFloat16s", Float32sToBFloat16s, normal)
	benchBulk(b, "Float8sToFloat32s", Float8sToFloat32s[Float8E4M3FN], small)
	benchBulk(b, "Float8sToFloat64s", Float8sToFloat64s[Float8E4M3FN], small)
	benchBulk(b, "Float32sToFloat8s", Float32sToFloat8s[Float8E4M3FN], normal)
	benchBulk(b, "one by one", func(dst []float32, src []Float16) {
		for i, h := range src {
			dst[i] = h.Float32()
		}
	}, half)
	benchBulk(b, "one by one back", func(dst []Float16, src []float32) {
		for i, f := range src {
			dst[i] = Float16FromFloat32(f)
		}
	}, normal)
}
