package moments

import (
	"math"
	"sync"
	"sync/atomic"
)

// A Sparse has a T for each of some cells, and takes no memory before one of them is written. Several goroutines may use it, each
// its own cells.
type Sparse[T any] struct {
	mu    sync.Mutex
	all   atomic.Pointer[[]T]
	cells int
}

// Grow makes n cells. They will not be more than most.
func (s *Sparse[T]) Grow(n, most int) {
	s.cells = n
	if all := s.all.Load(); all != nil {
		var zero T
		longer := Extend(*all, n, most, zero)
		s.all.Store(&longer)
	}
}

// At returns cell i to be written.
func (s *Sparse[T]) At(i int) *T {
	all := s.all.Load()
	if all == nil {
		s.mu.Lock()
		if all = s.all.Load(); all == nil {
			made := make([]T, s.cells)
			all = &made
			s.all.Store(all)
		}
		s.mu.Unlock()
	}
	return &(*all)[i]
}

// Of returns cell i, or nil if none was written.
func (s *Sparse[T]) Of(i int) *T {
	if all := s.all.Load(); all != nil {
		return &(*all)[i]
	}
	return nil
}

// Extend returns xs with n elements, of which the new ones are x. It will not have more than most.
func Extend[T any](xs []T, n, most int, x T) []T {
	if n > cap(xs) {
		xs = append(make([]T, 0, max(n, min(2*cap(xs), most))), xs...)
	}
	for len(xs) < n {
		xs = append(xs, x)
	}
	return xs
}

// Cells are the moments of the numbers of each of some results. How many numbers a result has, its user knows. Several goroutines
// may add to cells, each to its own. It must not be copied.
type Cells struct {
	sums    []Pair
	squares []Squares // nil unless deviations are wanted
	std     bool
	far     Sparse[Far]
}

// NewCells returns cells for sums and means, and deviations if std is set.
func NewCells(std bool) *Cells { return &Cells{std: std} }

// Grow makes n cells. They will not be more than most.
func (c *Cells) Grow(n, most int) {
	c.sums = Extend(c.sums, n, most, Pair{})
	if c.std {
		c.squares = Extend(c.squares, n, most, empty)
	}
	c.far.Grow(n, most)
}

// Bytes returns the memory of a cell.
func (c *Cells) Bytes() int {
	n := 16
	if c.std {
		n += 24
	}
	if c.far.all.Load() != nil {
		n += 48
	}
	return n
}

// Add adds a number to a cell.
func (c *Cells) Add(i int, x float64) { c.AddTo([]uint32{uint32(i)}, []float64{x}) }

// AddTo adds each number to the cell of the id of the same index.
func (c *Cells) AddTo(ids []uint32, xs []float64) {
	for k, x := range xs {
		if math.Abs(x) < large {
			c.sums[ids[k]].Add(x)
		} else {
			c.addLarge(int(ids[k]), x)
		}
	}
	if !c.std {
		return
	}
	for k, x := range xs {
		q := &c.squares[ids[k]]
		if d := x - q.About; isPlain(d) {
			b := d - x // as squareOf, which is not inlined
			lost := (x - (d - b)) - (q.About + b)
			p := float64(d * d)
			q.Add(p)
			q.Lo += math.FMA(d, d, -p) + float64(2*d*lost)
		} else if d != 0 {
			c.addRare(int(ids[k]), x)
		}
	}
}

// addLarge adds a number that may be too large for a sum.
func (c *Cells) addLarge(i int, x float64) {
	if !addSum(&c.sums[i], x) {
		c.far.At(i).Large.Add(float64(x / largeScale))
	}
}

// addRare adds the square of a difference that may not be plain.
func (c *Cells) addRare(i int, x float64) {
	if q := &c.squares[i]; !q.addSquare(x) {
		c.far.At(i).addSquare(x, q.About)
	}
}

// AddEach adds numbers to the cells i, i+step, i+2·step and so on, but for NaN. A step of 0 adds all to one cell.
func (c *Cells) AddEach(i, step int, xs []float64) {
	at := i
	for _, x := range xs {
		if math.Abs(x) < large {
			c.sums[at].Add(x)
		} else if x == x {
			c.addLarge(at, x)
		}
		at += step
	}
	if !c.std {
		return
	}
	for _, x := range xs {
		q := &c.squares[i]
		if d := x - q.About; isPlain(d) {
			b := d - x // as squareOf, which is not inlined
			lost := (x - (d - b)) - (q.About + b)
			p := float64(d * d)
			q.Add(p)
			q.Lo += math.FMA(d, d, -p) + float64(2*d*lost)
		} else if d != 0 && x == x {
			c.addRare(i, x)
		}
		i += step
	}
}

// cell returns cell i, which has n numbers.
func (c *Cells) cell(i int, n int64) Cell {
	out := Cell{N: n, Sum: c.sums[i], Squares: empty, Far: c.far.Of(i)}
	if c.std {
		out.Squares = c.squares[i]
	}
	return out
}

// Merge adds the numbers of a cell to cell i.
func (c *Cells) Merge(i int, o *Cell) {
	if o.N == 0 {
		return
	}
	if o.Far == nil && c.sums[i] == (Pair{}) && (!c.std || c.squares[i].About != c.squares[i].About && c.squares[i].Hi == 0) {
		if c.sums[i] = o.Sum; c.std {
			c.squares[i] = o.Squares
		}
		return
	}
	var far Far
	if c.std {
		far = c.squares[i].merge(o)
	}
	c.sums[i].AddPair(o.Sum)
	if o.Far != nil {
		far.Large = o.Far.Large
	}
	if far != (Far{}) {
		c.far.At(i).add(&far)
	}
}

// MergeCell adds the n numbers of cell j of o to cell i.
func (c *Cells) MergeCell(i int, o *Cells, j int, n int64) {
	cell := o.cell(j, n)
	c.Merge(i, &cell)
}

// Exact returns the exact sums of cell i, which has n numbers without NaN.
func (c *Cells) Exact(i int, n int64) *Sums {
	cell := c.cell(i, n)
	var posInf, negInf int64
	if hi := cell.Sum.Hi; !finite(hi) {
		if !(hi < 0) {
			posInf = 1
		}
		if !(hi > 0) {
			negInf = 1
		}
		return &Sums{N: max(n-posInf-negInf, 0), PosInf: posInf, NegInf: negInf}
	}
	s := new(Sums)
	s.Add(&cell, 0, 0)
	return s
}

// Total returns the sum of cell i, which has n numbers.
func (c *Cells) Total(i int, n int64) float64 {
	if c.far.Of(i) == nil {
		return c.sums[i].Value()
	}
	cell := c.cell(i, n)
	sum, k := cell.total()
	return sum.unscaled(1 / k)
}

// Mean returns the mean of cell i, which has n numbers. The mean of no numbers is NaN.
func (c *Cells) Mean(i int, n int64) float64 {
	if c.far.Of(i) == nil {
		return c.sums[i].over(float64(n)).Value()
	}
	cell := c.cell(i, n)
	sum, k := cell.total()
	return sum.over(float64(n)).unscaled(1 / k)
}

// Var returns the variance of cell i, which has n numbers. The variance of no numbers, of infinities and of NaN is NaN.
func (c *Cells) Var(i int, n int64) float64 {
	d, k := c.deviations(i, n)
	return d.over(float64(n)).snapped().unscaled(k, k)
}

// Std returns the standard deviation of cell i, as Var.
func (c *Cells) Std(i int, n int64) float64 {
	d, k := c.deviations(i, n)
	return d.over(float64(n)).root().snapped().unscaled(k)
}

func (c *Cells) deviations(i int, n int64) (d Pair, k float64) {
	if sum := c.sums[i]; c.far.Of(i) == nil && finite(sum.Hi) && n > 0 {
		return plainDeviations(&c.squares[i], sum, float64(n)), 1
	}
	cell := c.cell(i, n)
	return cell.deviations()
}
