package bulk

import (
	"fmt"
	"testing"
)

// benchBytes is the size of the large benchmarks: far beyond the caches.
const benchBytes = 256 << 20

// warm returns n bytes that have been touched, so that page faults stay out of the figures.
func warm(n int) []byte {
	b := Make(n)
	AdviseHuge(b)
	for i := range b {
		b[i] = byte(i * 7)
	}
	return b
}

func BenchmarkMemcpy(b *testing.B) {
	dst, src := warm(benchBytes), warm(benchBytes)
	b.SetBytes(benchBytes)
	for b.Loop() {
		copy(dst, src)
	}
}

func BenchmarkSwap(b *testing.B) {
	dst, src := warm(benchBytes), warm(benchBytes)
	for _, width := range []int{2, 4, 8} {
		b.Run(fmt.Sprint(width), func(b *testing.B) {
			b.SetBytes(benchBytes)
			for b.Loop() {
				Swap(dst, src, width)
			}
		})
	}
}

// BenchmarkCopyTransposed turns arrays in Fortran order into C order.
func BenchmarkCopyTransposed(b *testing.B) {
	dst, src := warm(benchBytes), warm(benchBytes)
	for _, bm := range []struct{ rows, cols, size int }{
		{4096, 8192, 8},
		{4001, 8191, 8}, // strides that do not fall on the same cache sets
		{8192, 8192, 4},
		{16384, 16384, 1},
		{8192, 16384, 2},
		{4096, 4096, 16},
		{1 << 20, 3, 8}, // a few long columns
		{3, 1 << 20, 8},
	} {
		b.Run(fmt.Sprintf("%dx%dx%d", bm.rows, bm.cols, bm.size), func(b *testing.B) {
			shape := []int{bm.rows, bm.cols}
			n := bm.rows * bm.cols * bm.size
			b.SetBytes(int64(n))
			for b.Loop() {
				CopyBytes(dst[:n], 0, []int{bm.cols * bm.size, bm.size}, src[:n], 0, []int{bm.size, bm.rows * bm.size}, shape, bm.size)
			}
		})
	}
}

// BenchmarkCopyField gathers one field of packed records, which is not aligned.
func BenchmarkCopyField(b *testing.B) {
	const n = 10 << 20
	src, dst := warm(14*n), warm(8*n)
	for _, bm := range []struct {
		name         string
		start, width int
	}{{"i4", 0, 4}, {"f8", 4, 8}, {"i2", 12, 2}} {
		b.Run(bm.name, func(b *testing.B) {
			b.SetBytes(int64(n * bm.width))
			for b.Loop() {
				CopyBytes(dst, 0, []int{bm.width}, src, bm.start, []int{14}, []int{n}, bm.width)
			}
		})
	}
}

func BenchmarkWiden(b *testing.B) {
	src, _ := View[float32](warm(benchBytes / 2))
	dst, _ := View[float64](warm(benchBytes))
	if src == nil || dst == nil {
		src, dst = make([]float32, benchBytes/8), make([]float64, benchBytes/8)
	}
	b.SetBytes(benchBytes)
	for b.Loop() {
		Widen(dst, src)
	}
}
