// Package curve makes lines of arrays of any size: for each column of pixels the first, the least, the largest and the last
// element, which draw the same line as all elements do. Jugel, Jerzak, Hackenbroich and Markl call that M4 (VLDB 2014).
package curve

import (
	"context"
	"errors"
	"math"
	"sort"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/source"
)

// A Column summarises some elements for drawing. All are NaN if there is no number.
type Column struct{ First, Min, Max, Last float64 }

var none = Column{math.NaN(), math.NaN(), math.NaN(), math.NaN()}

// add adds the element that follows.
func (c *Column) add(o Column) {
	if o.Last != o.Last {
		return
	}
	if c.First != c.First {
		*c = o
		return
	}
	c.Min, c.Max, c.Last = min(c.Min, o.Min), max(c.Max, o.Max), o.Last
}

// Columns holds a number of columns of elements from Low up to, and without, High. Column i has the elements from Edge(i) up to
// Edge(i+1).
type Columns struct {
	Low, High int
	Columns   []Column
	each      int // elements of a column; 0 if they are divided evenly
}

// Edge returns the first element of column i.
func (c *Columns) Edge(i int) int {
	if c.each > 0 {
		return min(c.Low+i*c.each, c.High)
	}
	return c.Low + int(float64(c.High-c.Low)*float64(i)/float64(len(c.Columns)))
}

func (c *Columns) clear() {
	for i := range c.Columns {
		c.Columns[i] = none
	}
}

// Like reads the elements of src, of the same length, and divides them as c does.
func (c *Columns) Like(ctx context.Context, src npy.Source) (*Columns, error) {
	out := &Columns{Low: c.Low, High: c.High, Columns: make([]Column, len(c.Columns)), each: c.each}
	return out, out.fill(ctx, src)
}

// Of reads the elements of src, which has one axis, from low up to high, and divides them among n columns.
func Of(ctx context.Context, src npy.Source, low, high, n int) (*Columns, error) {
	c := &Columns{Low: low, High: high, Columns: make([]Column, min(n, high-low))}
	return c, c.fill(ctx, src)
}

const levelColumns = 1 << 20

// Level divides all elements of src among about 1,000,000 columns. [Columns.Cut] makes the columns of a window from them.
func Level(ctx context.Context, src npy.Source) (*Columns, error) {
	n := src.Shape()[0]
	each := Each(n)
	c := &Columns{High: n, Columns: make([]Column, (n+each-1)/each), each: each}
	return c, c.fill(ctx, src)
}

// Each returns the number of elements of a column of the Level of n elements.
func Each(n int) int { return max((n+levelColumns-1)/levelColumns, 1) }

func (c *Columns) fill(ctx context.Context, src npy.Source) error {
	c.clear()
	if len(src.Shape()) != 1 {
		return errors.New("a line has one axis")
	}
	read := codec.RealsOf(src.DType())
	if read == nil {
		return errors.ErrUnsupported
	}
	src, err := src.Select(npy.Span(c.Low, c.High))
	if err != nil {
		return err
	}
	return source.EachRegion(ctx, src, func(r npy.Region, stored npy.Source) error {
		at := c.Low + r.Origin[0]
		if stored != nil {
			return c.read(ctx, read, stored, at)
		}
		var buf codec.Buffer
		c.addEqual(read(&buf, r.Value.Bytes())[0], at, r.Shape[0])
		return nil
	})
}

// read adds the elements of src, the first of which is at position at.
func (c *Columns) read(ctx context.Context, read codec.Reals, src npy.Source, at int) error {
	var buf codec.Buffer
	column := c.columnOf(at)
	for a, err := range src.Blocks(ctx, 0) {
		if err != nil {
			return err
		}
		data, _ := a.ViewBytes()
		for size := src.DType().ItemSize(); len(data) > 0; {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			part := data[:min(len(data), chunk*size)]
			data = data[len(part):]
			at, column = c.add(read(&buf, part), at, column)
		}
	}
	return nil
}

// columnOf returns the column of a position.
func (c *Columns) columnOf(at int) int {
	return sort.Search(len(c.Columns)-1, func(i int) bool { return c.Edge(i+1) > at })
}

// addEqual adds n elements that all are x, the first of them at position at.
func (c *Columns) addEqual(x float64, at, n int) {
	for i := c.columnOf(at); i < len(c.Columns) && c.Edge(i) < at+n; i++ {
		c.Columns[i].add(Column{x, x, x, x})
	}
}

const chunk = 16 << 10 // elements that are converted at a time

// add adds xs, whose first element is at position at, to the columns from column on. It returns the position after xs, and the
// column of the last element.
func (c *Columns) add(xs []float64, at, column int) (int, int) {
	for len(xs) > 0 {
		for column+1 < len(c.Columns) && c.Edge(column+1) <= at {
			column++
		}
		n := len(xs)
		if column+1 < len(c.Columns) {
			n = min(n, c.Edge(column+1)-at)
		}
		c.Columns[column].add(reduce(xs[:n]))
		xs, at = xs[n:], at+n
	}
	return at, column
}

func reduce(xs []float64) Column {
	c := none
	low, high := math.Inf(1), math.Inf(-1)
	for _, x := range xs {
		if x < low {
			low = x
		}
		if x > high {
			high = x
		}
	}
	for i := 0; i < len(xs); i++ {
		if xs[i] == xs[i] {
			c.First = xs[i]
			break
		}
	}
	if c.First != c.First {
		return none
	}
	for i := len(xs) - 1; i >= 0; i-- {
		if xs[i] == xs[i] {
			c.Last = xs[i]
			break
		}
	}
	c.Min, c.Max = low, high
	return c
}

// Cut makes n columns of the columns from low to high, which are extended to whole columns of c.
func (c *Columns) Cut(low, high, n int) *Columns {
	i0, i1 := low/c.each, (high+c.each-1)/c.each
	if n = min(n, i1-i0); n == 0 {
		return &Columns{Low: low, High: low, each: c.each}
	}
	group := (i1 - i0 + n - 1) / n
	out := &Columns{Low: i0 * c.each, High: min(i1*c.each, c.High), Columns: make([]Column, (i1-i0+group-1)/group), each: group * c.each}
	out.clear()
	for i := i0; i < i1; i++ {
		out.Columns[(i-i0)/group].add(c.Columns[i])
	}
	return out
}

// Bytes returns the size in memory.
func (c *Columns) Bytes() int64 { return int64(len(c.Columns)) * 32 }
