package bulk

import (
	"math"
	"math/rand/v2"
	"testing"
)

// sameFloats tells whether two lanes have the same bits, all NaNs being one.
func sameFloats(a, b [4]float64) bool {
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) && !(math.IsNaN(a[i]) && math.IsNaN(b[i])) {
			return false
		}
	}
	return true
}

func checkSums(t *testing.T, xs []float64, mean float64) {
	t.Helper()
	xs = xs[:len(xs)&^3]
	got, want := NewSums(), NewSums()
	got.Add(xs)
	want.addPlain(xs)
	if !sameFloats(got.Hi, want.Hi) || !sameFloats(got.Lo, want.Lo) || !sameFloats(got.Min, want.Min) || !sameFloats(got.Max, want.Max) || got.Zeros != want.Zeros {
		t.Errorf("sums of %d numbers: got %v, want %v", len(xs), got, want)
	}
	var d, e Deviations
	d.Add(xs, mean)
	e.addPlain(xs, mean)
	if !sameFloats(d.Sum, e.Sum) || !sameFloats(d.Square, e.Square) {
		t.Errorf("deviations of %d numbers from %v: got %v, want %v", len(xs), mean, d, e)
	}
}

func TestSums(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	odd := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64, 1e16, -1e16}
	for _, n := range []int{0, 4, 8, 1000, sumCallTest - 4, sumCallTest, sumCallTest + 4, 3*sumCallTest + 8} {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = r.NormFloat64() * math.Pow(10, float64(r.IntN(20)))
		}
		checkSums(t, xs, 0.1)
		for i := range xs {
			if r.IntN(3) == 0 {
				xs[i] = odd[r.IntN(len(odd))]
			}
		}
		checkSums(t, xs, -3)
	}
}

// sumCallTest is where work is cut on the machines that have a quick way.
const sumCallTest = 1 << 14

func FuzzSums(f *testing.F) {
	f.Add([]byte("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"), 1.5)
	f.Fuzz(func(t *testing.T, raw []byte, mean float64) {
		xs := make([]float64, len(raw)/8)
		for i := range xs {
			var bits uint64
			for _, b := range raw[8*i : 8*i+8] {
				bits = bits<<8 | uint64(b)
			}
			xs[i] = math.Float64frombits(bits)
		}
		checkSums(t, xs, mean)
	})
}

func BenchmarkSums(b *testing.B) {
	xs := make([]float64, 1<<15)
	b.SetBytes(8 << 15)
	b.Run("quick", func(b *testing.B) {
		for b.Loop() {
			s := NewSums()
			s.Add(xs)
			var d Deviations
			d.Add(xs, 1)
		}
	})
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			s := NewSums()
			s.addPlain(xs)
			var d Deviations
			d.addPlain(xs, 1)
		}
	})
}
