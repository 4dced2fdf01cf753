package moments

import (
	"math"
	"math/bits"
)

// AddInt adds an integer of 128 bits to a sum, in two's complement, low word first.
func AddInt(sum *[2]uint64, lo, hi uint64) {
	var carry uint64
	sum[0], carry = bits.Add64(sum[0], lo, 0)
	sum[1] += hi + carry
}

// AddSquare adds the square of x to a sum of squares, low word first.
func AddSquare(squares *[3]uint64, x uint64) {
	hi, lo := bits.Mul64(x, x)
	AddSquares(squares, [3]uint64{lo, hi})
}

// AddSquares adds a sum of squares to another.
func AddSquares(squares *[3]uint64, x [3]uint64) {
	var carry uint64
	squares[0], carry = bits.Add64(squares[0], x[0], 0)
	squares[1], carry = bits.Add64(squares[1], x[1], carry)
	squares[2], _ = bits.Add64(squares[2], x[2], carry)
}

// IntMean returns sum/n, rounded once, without the cost of big numbers.
func IntMean(sum [2]uint64, n int64) float64 {
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

// IntStd returns √(n·Σx² - (Σx)²) / n, which is exact up to the root.
func IntStd(sum [2]uint64, squares [3]uint64, n int64) float64 {
	return ratio(deviationsOf(sum, squares, n), n, true)
}

// IntVar returns (n·Σx² - (Σx)²) / n², which is exact up to the quotients.
func IntVar(sum [2]uint64, squares [3]uint64, n int64) float64 {
	return ratio(deviationsOf(sum, squares, n), n, false) / float64(n)
}

// deviationsOf returns n·Σx² - (Σx)².
func deviationsOf(sum [2]uint64, squares [3]uint64, n int64) [4]uint64 {
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
	return v
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
			p := Pair{hi, lo}
			p.Add(half)
			hi, lo = p.Hi+p.Lo, p.Lo-((p.Hi+p.Lo)-p.Hi)
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
