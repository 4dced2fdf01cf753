package charts

import (
	"math"
	"slices"
)

const (
	lineMax     = 1 << 30 // bytes of a column that are read for a line
	lineLittle  = 1 << 20 // the same of a file that stores far less
	lineBuckets = 1000    // fewest stretches of a line; each is reduced to its extremes
)

// line reads points that are joined. A long line is cut into stretches, as many as the chart has pixels across. Each is
// reduced to its least and its greatest number, in their order. If the column has more than lineMax bytes, or
// more than its file allows, only the beginning of each stretch is read.
func (p pair) line(x, y *axis, pixels int) (s series, t tally, err error) {
	s.joined = true
	start, stop, err := p.visible(x)
	if err != nil {
		return s, t, err
	}
	n := min(max(lineBuckets, pixels), max(stop-start, 1))
	if stop-start <= 4*lineBuckets {
		n = 1
	}
	most := max(p.lineBytes()/n/p.y.bytes(), 1)
	for i := range n {
		from, to := start+part(stop-start, i, n), start+part(stop-start, i+1, n)
		to = min(to, from+most)
		xs, ys, err := p.part(from, to)
		if err != nil {
			return s, t, err
		}
		t.sift(x, y, xs, ys, true)
		places := all(len(xs))
		if n > 1 {
			places = p.extremes(xs, ys)
		}
		for _, at := range places {
			s.x, s.y = append(s.x, xs[at]), append(s.y, ys[at])
		}
	}
	t.of = stop - start
	t.unread = t.of - t.points
	before := p.y.length - (stop - start) // outside of the limits along x
	t.points, t.outside = t.points+before, t.outside+before
	return s, t, nil
}

// all returns the numbers below n.
func all(n int) []int {
	places := make([]int, n)
	for i := range places {
		places[i] = i
	}
	return places
}

// visible returns the range of points that an axis with limits shows, and one more at each end, to which the line goes
// on. Between them other points may be outside.
func (p pair) visible(x *axis) (start, stop int, err error) {
	stop = p.y.length
	switch {
	case !x.limited():
		return 0, stop, nil
	case p.x == nil:
		if x.from.set {
			start = int(min(max(math.Ceil(x.from.at)-1, 0), float64(stop)))
		}
		if x.to.set {
			stop = int(min(max(math.Floor(x.to.at)+2, float64(start)), float64(stop)))
		}
		return start, stop, nil
	}
	if err := p.check(); err != nil {
		return 0, 0, err
	}
	first, last := stop, -1
	step := max(bandBytes/p.x.bytes(), 1)
	for at := 0; at < stop; at += min(step, stop-at) {
		xs, err := p.x.part(at, at+min(step, stop-at))
		if err != nil {
			return 0, 0, err
		}
		for i, v := range xs {
			if v == v && x.within(v) {
				first, last = min(first, at+i), at+i
			}
		}
	}
	return max(min(first, last+1)-1, 0), min(last+2, stop), nil
}

// part returns the start of piece i of n pieces of a length, without overflow.
func part(length, i, n int) int { return length/n*i + length%n*i/n }

// extremes returns the positions of the points of a stretch that are drawn, in order: the points with the least and the
// greatest number along y and, if they are not in order of x, along x.
func (p pair) extremes(xs, ys []float64) []int {
	low, high := extremePlaces(ys)
	places := []int{low, high}
	if p.x != nil {
		low, high = extremePlaces(xs)
		places = append(places, low, high)
	}
	slices.Sort(places)
	return slices.Compact(places)
}

// extremePlaces returns the positions of the least and the greatest number, 0 if there is none.
func extremePlaces(values []float64) (low, high int) {
	low, high = -1, -1
	for i, x := range values {
		if x != x {
			continue
		}
		if low < 0 || x < values[low] {
			low = i
		}
		if high < 0 || x > values[high] {
			high = i
		}
	}
	return max(low, 0), max(high, 0)
}
