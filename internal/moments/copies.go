package moments

import "math/bits"

// Numbers that are there n times have n times the moments: all sums are linear, and squares are taken from the same number.

// Repeat makes the sums of some numbers the sums of n copies of them, exactly.
func (s *Sums) Repeat(n int64) {
	s.N *= n
	s.PosInf *= n
	s.NegInf *= n
	Multiply(s.Sum[:], uint64(n))
	Multiply(s.Squares[:], uint64(n))
}

// Repeat makes the moments of some numbers the moments of n copies of them.
func (c *Cell) Repeat(n int64) {
	c.N *= n
	c.Sum = c.Sum.repeat(n)
	c.Squares.Pair = c.Squares.repeat(n)
	if far := c.Far; far != nil {
		c.Far = &Far{far.Large.repeat(n), far.Wide.repeat(n), far.Narrow.repeat(n)}
	}
}

// repeat returns n times the sum.
func (p Pair) repeat(n int64) Pair {
	if !finite(p.Hi) {
		return p
	}
	hi := float64(n)
	return p.times(Pair{hi, float64(n - int64(hi))})
}

// Multiply multiplies a number in two's complement, low word first, if the product fits.
func Multiply(x []uint64, n uint64) {
	var carry uint64
	for i, w := range x {
		hi, lo := bits.Mul64(w, n)
		var c uint64
		x[i], c = bits.Add64(lo, carry, 0)
		carry = hi + c
	}
}
