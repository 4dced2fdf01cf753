package charts

import (
	"context"
	"iter"
	"math"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/numbers"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

// A series is a list of points, joined in order or drawn one by one, or how many there are in each cell of a grid. NaN
// interrupts a line.
type series struct {
	name   string
	x, y   []float64
	joined bool
	grid   *grid // the counts of points that are too many for dots; nil otherwise
}

const (
	bandBytes  = 4 << 20  // converted to float64 at a time
	blockBytes = 64 << 20 // read at a time
)

// A column is the numbers of one coordinate: a row, a column or a field of an array.
type column struct {
	npy.Source
	ctx          context.Context // of Chart.Add
	before, rest []npy.Index     // the index before and after the position in the column
	of           dtype.Type      // of the numbers
	length       int
	component    component
}

// A component is the part of complex numbers that is drawn.
type component int

const (
	magnitude component = iota
	realPart
	imagPart
)

// part reads a range of a column.
func (c column) part(start, stop int) ([]float64, error) {
	a, err := numbers.Read(c.ctx, c, slices.Concat(c.before, []npy.Index{npy.Span(start, stop)}, c.rest)...)
	if err != nil {
		return nil, err
	}
	return coordinates(a, c.component)
}

// bytes is the size of an element of the file. The column may be one field of it.
func (c column) bytes() int { return max(c.DType().ItemSize(), 1) }

// isTime reports whether coordinates of a type are seconds.
func isTime(t dtype.Type) bool {
	return t.Kind() == dtype.KindDatetime && t.Step().Unit != dtype.Generic
}

// timeMax is the distance from 1970, in seconds, up to which times can be on an axis: some 300,000 years.
const timeMax = 1e13

// coordinates returns the elements as numbers. Times become seconds since 1970, and times beyond timeMax infinite.
func coordinates(a *npy.Array, of component) ([]float64, error) {
	t := a.DType()
	switch {
	case isTime(t):
		return numbers.ReaderOf(func(x scalar.Datetime64) float64 { return seconds(x, t.Step()) })(a)
	case t.Kind() == dtype.KindComplex && of != magnitude:
		return numbers.PartsOf(a, of == imagPart)
	}
	return numbers.Of(a)
}

// seconds returns a time as seconds since 1970, NaN for NaT.
func seconds(t scalar.Datetime64, step dtype.Step) float64 {
	if t.IsNaT() {
		return math.NaN()
	}
	clock, err := t.Time(step)
	if err != nil || math.Abs(float64(clock.Unix())) > timeMax {
		return math.Inf(1)
	}
	return float64(clock.Unix()) + float64(clock.Nanosecond())/1e9
}

// A pair is the coordinates of a series. Without x, the index takes its place.
type pair struct {
	x, y         *column
	xName, yName string
}

// part reads a range of the points.
func (p pair) part(start, stop int) (xs, ys []float64, err error) {
	if ys, err = p.y.part(start, stop); err != nil {
		return nil, nil, err
	}
	if p.x != nil {
		xs, err = p.x.part(start, stop)
		return xs, ys, err
	}
	xs = make([]float64, len(ys))
	for i := range xs {
		xs[i] = float64(start + i)
	}
	return xs, ys, nil
}

// blocks goes through the points of a range, some megabytes at a time.
func (p pair) blocks() iter.Seq2[[2][]float64, error] {
	return func(yield func([2][]float64, error) bool) {
		step := max(bandBytes/max(p.y.bytes(), 16), 1) // two float64 for each point
		for start := 0; start < p.y.length; start += min(step, p.y.length-start) {
			xs, ys, err := p.part(start, start+min(step, p.y.length-start))
			if !yield([2][]float64{xs, ys}, err) || err != nil {
				return
			}
		}
	}
}
