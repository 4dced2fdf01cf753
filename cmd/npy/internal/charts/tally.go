package charts

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A tally counts points that have no place on a chart, by reason. A point counts once.
type tally struct {
	points             int // examined
	nan, far, infinite int
	notPositive        [2]int // on a logarithmic axis x or y
	outside            int    // of --xlim or --ylim
	unread, of         int    // elements of a long line that were not read, and all of them
	aTime              bool   // NaN stands for NaT on one of the axes
}

// sift counts the points without a place on two axes and makes NaN of their coordinates. It counts points outside of the
// limits, and leaves them in place if keep is set, because a line may cross the limits. y is nil for numbers on one axis.
func (t *tally) sift(x, y *axis, xs, ys []float64, keep bool) {
	t.points += len(xs)
	t.aTime = t.aTime || x.time || y != nil && y.time
	nan := math.NaN()
	lowX, highX := x.reach()
	lowY, highY := -1.0, 1.0
	if y != nil {
		lowY, highY = y.reach()
	}
	for i, v := range xs {
		w := 1.0
		if ys != nil {
			w = ys[i]
		}
		if v >= lowX && v <= highX && w >= lowY && w <= highY {
			continue
		}
		fits := false
		switch {
		case v != v || w != w:
			t.nan++
		case math.IsInf(v, 0) || math.IsInf(w, 0):
			if x.time && math.IsInf(v, 0) || y != nil && y.time && math.IsInf(w, 0) {
				t.far++
			} else {
				t.infinite++
			}
		case x.log && v <= 0:
			t.notPositive[0]++
		case y != nil && y.log && w <= 0:
			t.notPositive[1]++
		case !x.within(v) || y != nil && !y.within(w):
			t.outside++
			fits = keep
		}
		if !fits {
			xs[i] = nan
			if ys != nil {
				ys[i] = nan
			}
		}
	}
}

// add adds the counts of another array.
func (t *tally) add(other tally) {
	t.points += other.points
	t.nan += other.nan
	t.far += other.far
	t.infinite += other.infinite
	t.notPositive[0] += other.notPositive[0]
	t.notPositive[1] += other.notPositive[1]
	t.outside += other.outside
	t.unread += other.unread
	t.of += other.of
	t.aTime = t.aTime || other.aTime
}

// repeat returns the counts for times copies of the points.
func (t tally) repeat(times int) tally {
	for _, n := range []*int{&t.points, &t.nan, &t.far, &t.infinite, &t.notPositive[0], &t.notPositive[1], &t.outside} {
		*n *= times
	}
	return t
}

// left is the number of points that have a place.
func (t *tally) left() int {
	return t.points - t.nan - t.far - t.infinite - t.notPositive[0] - t.notPositive[1] - t.outside
}

// A reason is why points are left out, and how many.
type reason struct {
	count     int
	what, end string
}

func (t *tally) reasons() []reason {
	nan, notOnLog := "NaN", " and cannot be on a log axis"
	if t.aTime {
		nan = "NaN or NaT"
	}
	all := []reason{
		{t.nan, nan, " and left out"}, {t.infinite, "infinite", " and left out"},
		{t.far, "more than 300,000 years from 1970", " and left out"},
		{t.notPositive[0], "not positive along x", notOnLog}, {t.notPositive[1], "not positive", notOnLog},
		{t.outside, "outside of --xlim or --ylim", ""},
	}
	return slices.DeleteFunc(all, func(r reason) bool { return r.count == 0 })
}

// String returns the number of points with the property, as text.
func (r reason) String() string {
	if r.count == 1 {
		return "1 is " + r.what
	}
	return fmt.Sprintf("%d are %s", r.count, r.what)
}

// words describes the points left out, one line for each reason.
func (t *tally) words() []string {
	var all []string
	for _, r := range t.reasons() {
		all = append(all, fmt.Sprintf("of %d values, %s%s", t.points, r, r.end))
	}
	if t.unread > 0 {
		all = append(all, fmt.Sprintf("of %d elements, %d are read, spread evenly", t.of, t.of-t.unread))
	}
	return all
}

// nothing returns the error for an array none of whose values has a place.
func (t *tally) nothing() error {
	var all []string
	for _, r := range t.reasons() {
		all = append(all, r.String())
	}
	hint := ""
	switch {
	case t.notPositive[0]+t.notPositive[1] > 0:
		hint = "; a log axis has only positive values, leave --log out"
	case t.outside > 0:
		hint = "; leave --xlim and --ylim out, or widen them"
	}
	return fmt.Errorf("it has no values to draw: of %d values, %s%s", t.points, strings.Join(all, ", "), hint)
}
