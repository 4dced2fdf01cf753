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

// A series is a list of points, joined in order or drawn one by one. NaN interrupts a line.
type series struct {
	name   string
	x, y   []float64
	joined bool
}

const (
	lineMax     = 256 << 20 // bytes of a column that are read for a line
	lineBuckets = 1000      // stretches of a line; each is reduced to its least and its greatest number
	bandBytes   = 4 << 20   // read at a time
)

// A column is the numbers of one coordinate: an array of one dimension, or the elements that an index selects in each
// row.
type column struct {
	npy.Source
	ctx    context.Context // of Chart.Add
	rest   []npy.Index     // a field, or one number of a row
	of     dtype.Type      // of the numbers
	length int
}

// part reads a range of a column.
func (c column) part(start, stop int) ([]float64, error) {
	a, err := numbers.Read(c.ctx, c, append([]npy.Index{npy.Span(start, stop)}, c.rest...)...)
	if err != nil {
		return nil, err
	}
	return coordinates(a)
}

// isTime reports whether coordinates of a type are seconds.
func isTime(t dtype.Type) bool {
	return t.Kind() == dtype.KindDatetime && t.Step().Unit != dtype.Generic
}

// timeMax is the distance from 1970, in seconds, up to which times can be on an axis: some 300,000 years.
const timeMax = 1e13

// coordinates returns the elements as numbers. Times become seconds since 1970, and times beyond timeMax become NaN.
func coordinates(a *npy.Array) ([]float64, error) {
	if !isTime(a.DType()) {
		return numbers.Of(a)
	}
	step := a.DType().Step()
	seconds := numbers.ReaderOf(func(t scalar.Datetime64) float64 {
		clock, err := t.Time(step)
		if err != nil || math.Abs(float64(clock.Unix())) > timeMax {
			return math.NaN()
		}
		return float64(clock.Unix()) + float64(clock.Nanosecond())/1e9
	})
	return seconds(a)
}

// line reads a column as a line along its indices, or along another column. A long column is cut into lineBuckets
// stretches. Each is reduced to its least and its greatest number, in their order. If the column has more than
// lineMax bytes, only the beginning of each stretch is read.
func (c column) line(along *column) (x, y []float64, err error) {
	if c.length <= 4*lineBuckets {
		if y, err = c.part(0, c.length); err != nil {
			return nil, nil, err
		}
		if along != nil {
			x, err = along.part(0, c.length)
			return x, y, err
		}
		for i := range y {
			x = append(x, float64(i))
		}
		return x, y, nil
	}
	most := max(lineMax/lineBuckets/max(c.DType().ItemSize(), 1), 1)
	for i := range lineBuckets {
		start, stop := part(c.length, i, lineBuckets), part(c.length, i+1, lineBuckets)
		stop = min(stop, start+most)
		values, err := c.part(start, stop)
		if err != nil {
			return nil, nil, err
		}
		places := extremePlaces(values)
		for _, at := range places {
			y = append(y, values[at])
			if along == nil {
				x = append(x, float64(start+at))
				continue
			}
			moment, err := along.part(start+at, start+at+1)
			if err != nil {
				return nil, nil, err
			}
			x = append(x, moment[0])
		}
	}
	return x, y, nil
}

// part returns the start of piece i of n pieces of a length, without overflow.
func part(length, i, n int) int { return length/n*i + length%n*i/n }

// extremePlaces returns the positions of the least and the greatest number, in order. It returns the first position
// if no number is finite.
func extremePlaces(values []float64) []int {
	low, high := -1, -1
	for i, x := range values {
		if x != x || math.IsInf(x, 0) {
			continue
		}
		if low < 0 || x < values[low] {
			low = i
		}
		if high < 0 || x > values[high] {
			high = i
		}
	}
	if low == high {
		return []int{max(low, 0)}
	}
	return []int{min(low, high), max(low, high)}
}

// bands goes through one or two columns, some megabytes at a time.
func bands(x, y column) iter.Seq2[[2][]float64, error] {
	return func(yield func([2][]float64, error) bool) {
		step := max(bandBytes/max(x.DType().ItemSize(), 1), 1)
		for start := 0; start < y.length; start += step {
			stop := min(start+step, y.length)
			a, err := x.part(start, stop)
			if err != nil {
				yield([2][]float64{}, err)
				return
			}
			b, err := y.part(start, stop)
			if !yield([2][]float64{a, b}, err) || err != nil {
				return
			}
		}
	}
}

// scatterMax is the largest number of points that are drawn unchanged.
const scatterMax = 10_000

// scatter reads the points of two columns. If there are more than scatterMax, it rounds them to a grid as fine as
// pixels and keeps one for each position, in two passes over the columns and little memory.
func scatter(x, y column, logX, logY bool) (xs, ys []float64, err error) {
	if y.length <= scatterMax {
		if xs, err = x.part(0, x.length); err == nil {
			ys, err = y.part(0, y.length)
		}
		return xs, ys, err
	}
	across, down := emptyAxis(logX, false), emptyAxis(logY, false)
	for both, err := range bands(x, y) {
		if err != nil {
			return nil, nil, err
		}
		across.include(both[0])
		down.include(both[1])
	}
	across.settle(0)
	down.settle(0)
	const side = 800
	seen := make([]bool, (side+1)*(side+1))
	placeX, placeY := across.place(), down.place()
	for both, err := range bands(x, y) {
		if err != nil {
			return nil, nil, err
		}
		for i, v := range both[0] {
			a, b := placeX(v), placeY(both[1][i])
			if !(a >= 0 && a <= 1 && b >= 0 && b <= 1) {
				continue
			}
			if at := int(a*side)*(side+1) + int(b*side); !seen[at] {
				seen[at] = true
				xs, ys = append(xs, v), append(ys, both[1][i])
			}
		}
	}
	return xs, ys, nil
}

// histogram counts the numbers of an array of any shape in bins of the same width between the least and the greatest,
// numpy.histogram: two passes. NaN and infinities are left out.
func histogram(ctx context.Context, s npy.Source, bins int, log, time bool) (axis, []int, error) {
	span := emptyAxis(log, time)
	for values, err := range everything(ctx, s) {
		if err != nil {
			return span, nil, err
		}
		span.include(values)
	}
	span.settle(0)
	counts := make([]int, bins)
	place := span.place()
	for values, err := range everything(ctx, s) {
		if err != nil {
			return span, nil, err
		}
		for _, x := range values {
			if at := place(x); at >= 0 && at <= 1 {
				counts[min(int(at*float64(bins)), bins-1)]++
			}
		}
	}
	return span, counts, nil
}

// everything goes through all elements, some rows at a time.
func everything(ctx context.Context, s npy.Source) iter.Seq2[[]float64, error] {
	return func(yield func([]float64, error) bool) {
		shape := s.Shape()
		if len(shape) == 0 || slices.Contains(shape, 0) {
			return
		}
		row := s.DType().ItemSize()
		for _, n := range shape[1:] {
			row *= n
		}
		step := max(bandBytes/max(row, 1), 1)
		for start := 0; start < shape[0]; start += step {
			a, err := numbers.Read(ctx, s, npy.Span(start, min(start+step, shape[0])))
			var values []float64
			if err == nil {
				values, err = coordinates(a)
			}
			if !yield(values, err) || err != nil {
				return
			}
		}
	}
}
