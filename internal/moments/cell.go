package moments

import "math"

// Limits of the numbers and differences that a float64 can add up. Others are added to a [Far].
const (
	large  = 0x1p960  // the sum of 2**63 smaller numbers is finite
	wide   = 0x1p440  // so is the square of the sum of 2**63 smaller differences
	narrow = 0x1p-400 // the square of a larger difference has the digits of two float64

	largeScale = 0x1p64 // of Far.Large
	farScale   = 0x1p600
	farExp     = 2 * 600 // of the squares
)

// A Far holds the numbers and squares that the sums of a cell cannot. It is zero for almost all data.
type Far struct {
	Large  Pair // the sum of numbers of 2**960 and more, divided by 2**64
	Wide   Pair // the sum of squares of differences of 2**440 and more, divided by 2**1200
	Narrow Pair // the sum of squares of differences below 2**-400, times 2**1200
}

func (f *Far) add(g *Far) {
	f.Large.AddPair(g.Large)
	f.Wide.AddPair(g.Wide)
	f.Narrow.AddPair(g.Narrow)
}

// Squares is the sum of (x-About)², for differences that a float64 can square; see [Far] for others. About is near the numbers:
// the first of them, or the mean of some. It is NaN before the first. The sum is NaN if there are infinities or NaN.
type Squares struct {
	About float64
	Pair
}

// empty is Squares of no numbers.
var empty = Squares{About: math.NaN()}

// addSum adds a number to a sum. It reports false, and adds nothing, if the number belongs to a Far.
func addSum(sum *Pair, x float64) bool {
	switch {
	case math.Abs(x) < large:
		sum.Add(x)
	case finite(x):
		return false
	default:
		sum.Hi += x
	}
	return true
}

// isPlain reports whether a float64 can add up the squares of differences of the size of d.
func isPlain(d float64) bool {
	size := math.Abs(d)
	return size < wide && size >= narrow
}

// squareOf returns the square of a plain difference d of x from about, with the digits of two float64, so that no first number is
// too far from the others.
func squareOf(d, x, about float64) Pair {
	b := d - x
	lost := (x - (d - b)) - (about + b)
	p := float64(d * d)
	return Pair{p, math.FMA(d, d, -p) + float64(2*d*lost)}
}

// addSquare adds a number. It reports false, and adds nothing, if its square belongs to a Far.
func (q *Squares) addSquare(x float64) bool {
	if q.About != q.About {
		q.About = x
	}
	switch d := x - q.About; {
	case isPlain(d):
		q.AddPair(squareOf(d, x, q.About))
	case d == 0:
	case finite(x) && finite(q.About):
		return false
	default:
		q.Hi = math.NaN()
	}
	return true
}

// addSquare adds the square of the difference of two finite numbers, which is not 0.
func (f *Far) addSquare(x, about float64) {
	k, sum := farScale, &f.Narrow
	if math.Abs(x-about) >= wide {
		k, sum = 1/farScale, &f.Wide
	}
	x, about = float64(x*k), float64(about*k)
	var d Pair
	d.Add(x)
	d.Add(-about)
	sum.AddPair(d.times(d))
}

// A Cell has the moments of numbers. The zero Cell has none.
type Cell struct {
	N       int64 // numbers, with infinities and NaN
	Sum     Pair  // infinite or NaN if there are infinities or NaN
	Squares Squares
	Far     *Far // nil if it is zero
}

func (c *Cell) far() *Far {
	if c.Far == nil {
		c.Far = new(Far)
	}
	return c.Far
}

// Add adds a number.
func (c *Cell) Add(x float64) {
	if c.N == 0 {
		c.Squares = empty
	}
	c.N++
	if !addSum(&c.Sum, x) {
		c.far().Large.Add(float64(x / largeScale))
	}
	if !c.Squares.addSquare(x) {
		c.far().addSquare(x, c.Squares.About)
	}
}

// Merge adds the numbers of another cell.
func (c *Cell) Merge(o *Cell) {
	switch {
	case o.N == 0:
		return
	case c.N == 0:
		*c = *o
		if o.Far != nil {
			far := *o.Far
			c.Far = &far
		}
		return
	}
	far := c.Squares.merge(o)
	c.N += o.N
	c.Sum.AddPair(o.Sum)
	if o.Far != nil {
		far.Large = o.Far.Large
	}
	if far != (Far{}) {
		c.far().add(&far)
	}
}

// merge adds the squares of a cell, and returns the sums that belong to a Far. With a for q.About and b for the other,
// Σ(x-a)² = Σ(x-b)² + (b-a)·(Σ(x-a) + Σ(x-b)).
func (q *Squares) merge(o *Cell) (far Far) {
	if o.Far != nil {
		far = Far{Wide: o.Far.Wide, Narrow: o.Far.Narrow}
	}
	if q.AddPair(o.Squares.Pair); !finite(o.Sum.Hi) {
		q.Hi = math.NaN()
		return far
	}
	switch {
	case o.Squares.About != o.Squares.About:
	case q.About != q.About:
		q.About = o.Squares.About
	default:
		switch u, k := o.shift(q.About); k {
		case 1:
			q.AddPair(u)
		case farScale:
			far.Narrow.AddPair(u)
		default:
			far.Wide.AddPair(u)
		}
	}
	return far
}

// shift returns (Σ(x-a)² - Σ(x-b)²)·k², where b is c.Squares.About. k is 1, or the scale of the sum in a Far to which the result
// belongs. The larger of b-a and the mean of 2x-a-b decides.
func (c *Cell) shift(a float64) (u Pair, k float64) {
	b, n := c.Squares.About, float64(c.N)
	if a == b {
		return Pair{}, 1
	}
	sum, k := c.Sum, 1.0
	if size := math.Max(math.Abs(a), math.Abs(b)); size >= 0x1p900 || math.Abs(sum.Hi) >= 0x1p900 || c.Far != nil && c.Far.Large != (Pair{}) {
		k = 1 / farScale
	}
	for {
		scaled := sum.scaled(k)
		if c.Far != nil {
			scaled.AddPair(c.Far.Large.scaled(k).scaled(largeScale))
		}
		var delta Pair
		delta.Add(float64(b * k))
		delta.Add(float64(-a * k))
		both := scaled.minus(n, float64(b*k))
		both.AddPair(both)
		both.AddPair(delta.times(Pair{Hi: n}))
		if k == 1 {
			switch size := math.Max(math.Abs(delta.Hi), math.Abs(both.Hi)/n); {
			case size >= wide:
				k = 1 / farScale
				continue
			case size < narrow:
				k = farScale
				continue
			}
		}
		return delta.times(both), k
	}
}

// total returns the sum divided by k, a power of two.
func (c *Cell) total() (sum Pair, k float64) {
	if c.Far == nil || c.Far.Large == (Pair{}) || !finite(c.Sum.Hi) {
		return c.Sum, 1
	}
	sum = c.Far.Large
	sum.AddPair(c.Sum.scaled(1 / largeScale))
	return sum, largeScale
}

// plainDeviations is deviations of a cell without a Far.
func plainDeviations(q *Squares, sum Pair, n float64) Pair {
	off := sum.minus(n, q.About).squareOver(n)
	d := q.Pair
	d.AddPair(Pair{-off.Hi, -off.Lo})
	if d.Value() < 0 {
		return Pair{}
	}
	return d
}

// deviations returns the sum of the squares of the distances from the mean times k², where k is a power of two. It is NaN if
// there are no numbers, infinities or NaN. Of the sums of squares of different sizes the largest counts.
func (c *Cell) deviations() (d Pair, k float64) {
	n := float64(c.N)
	if !finite(c.Sum.Hi) || n == 0 {
		return Pair{Hi: math.NaN()}, 1
	}
	q, sum, k := c.Squares.Pair, c.Sum, 1.0
	if far := c.Far; far != nil {
		switch {
		case far.Wide != Pair{} || far.Large != Pair{}:
			k = 1 / farScale
			q = q.scaled(k).scaled(k)
			q.AddPair(far.Wide)
		case q == Pair{} && far.Narrow != Pair{}:
			k = farScale
			q = far.Narrow
		default:
			q.AddPair(far.Narrow.scaled(1 / farScale).scaled(1 / farScale))
		}
		sum = sum.scaled(k)
		sum.AddPair(far.Large.scaled(k).scaled(largeScale))
	}
	return plainDeviations(&Squares{float64(c.Squares.About * k), q}, sum, n), k
}
