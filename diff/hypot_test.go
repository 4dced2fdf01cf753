package diff

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// exactHypot computes hypot with 300 bits and rounds once.
func exactHypot(x, y float64) float64 {
	square := func(x float64) *big.Float {
		f := new(big.Float).SetPrec(300).SetFloat64(x)
		return f.Mul(f, f)
	}
	sum := square(x)
	sum.Add(sum, square(y))
	h, _ := sum.Sqrt(sum).Float64()
	return h
}

func TestHypot(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	number := func(span int) float64 {
		return math.Ldexp(r.NormFloat64(), r.IntN(2*span+1)-span)
	}
	wrong, n := 0, 200_000
	for i := range n {
		span := []int{2, 30, 900}[i%3]
		x, y := number(span), number(span)
		got, want := hypot(x, y), exactHypot(x, y)
		if got != hypot(-y, x) {
			t.Fatalf("hypot(%g, %g) = %g, and %g of (%g, %g)", x, y, got, hypot(-y, x), -y, x)
		}
		if got == want {
			continue
		}
		if wrong++; got != math.Nextafter(want, 0) && got != math.Nextafter(want, math.Inf(1)) {
			t.Fatalf("hypot(%x, %x) = %x, want %x", x, y, got, want)
		}
	}
	if wrong > n/100 {
		t.Errorf("%d of %d are not rounded to the nearest number", wrong, n)
	}
	inf, nan := math.Inf(1), math.NaN()
	for _, tt := range []struct{ x, y, want float64 }{
		{inf, nan, inf}, {nan, -inf, inf}, {nan, 1, nan}, {1, nan, nan}, {0, 0, 0}, {0, 5e-324, 5e-324}, {3e-324, 4e-324, 5e-324},
		{3e300, -4e300, 5e300}, {math.MaxFloat64, math.MaxFloat64, inf}, {0x1.84f68730626p-10, 65504, 0x1.ffc0000000002p+15}, {0x1.c66b0cb8d308p-10, 65504, 0x1.ffc0000000003p+15},
	} {
		if got := hypot(tt.x, tt.y); got != tt.want && !(math.IsNaN(got) && math.IsNaN(tt.want)) {
			t.Errorf("hypot(%g, %g) = %g, want %g", tt.x, tt.y, got, tt.want)
		}
	}
}
