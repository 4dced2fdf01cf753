package stats

import (
	"math"
	"math/bits"
)

// meanOf returns sum/n, rounded once. It is facts.integers without the cost of big numbers, of which there may be many.
func meanOf(sum [2]uint64, n int64) float64 {
	negative := sum[1]&topBit != 0
	if negative {
		var borrow uint64
		sum[0], borrow = bits.Sub64(0, sum[0], 0)
		sum[1], _ = bits.Sub64(0, sum[1], borrow)
	}
	mean := ratio([4]uint64{sum[0], sum[1]}, n, false)
	if negative {
		return -mean
	}
	return mean
}

// stdOf returns √(n·Σx² - (Σx)²) / n, which is exact up to the root.
func stdOf(sum [2]uint64, squares [3]uint64, n int64) float64 {
	if sum[1]&topBit != 0 {
		var borrow uint64
		sum[0], borrow = bits.Sub64(0, sum[0], 0)
		sum[1], _ = bits.Sub64(0, sum[1], borrow)
	}
	v := multiply([4]uint64{squares[0], squares[1], squares[2]}, []uint64{uint64(n)})
	square := multiply([4]uint64{sum[0], sum[1]}, sum[:])
	var borrow uint64
	for i := range v {
		v[i], borrow = bits.Sub64(v[i], square[i], borrow)
	}
	return ratio(v, n, true)
}

// multiply returns a product that must be less than 2**256.
func multiply(x [4]uint64, y []uint64) (p [4]uint64) {
	for j, b := range y {
		var carry uint64
		for i := 0; i+j < len(p); i++ {
			hi, lo := bits.Mul64(x[i], b)
			var c uint64
			lo, c = bits.Add64(lo, carry, 0)
			hi += c
			p[i+j], c = bits.Add64(p[i+j], lo, 0)
			carry = hi + c
		}
	}
	return p
}

// ratio returns x/n, or √x/n, computed with the digits of two float64.
func ratio(x [4]uint64, n int64, root bool) float64 {
	top := 3
	for top > 0 && x[top] == 0 {
		top--
	}
	var hi, lo float64 // of the three highest words, of which the first may be small
	exp := 64 * max(top-2, 0)
	for i := top; i >= max(top-2, 0); i-- {
		hi, lo = hi*(1<<64), lo*(1<<64)
		for _, half := range []float64{float64(x[i]>>32) * (1 << 32), float64(x[i] & (1<<32 - 1))} {
			p := pair{hi, lo}
			p.add(half)
			hi, lo = p.hi+p.lo, p.lo-((p.hi+p.lo)-p.hi)
		}
	}
	if hi == 0 {
		return 0
	}
	if root {
		s := math.Sqrt(hi)
		hi, lo = s, (math.FMA(-s, s, hi)+lo)/(2*s)
		exp /= 2
	}
	nhi := float64(n)
	nlo := float64(n - int64(nhi))
	q := hi / nhi
	rest := math.FMA(-q, nhi, hi) - q*nlo + lo
	return math.Ldexp(q+rest/nhi, exp)
}
