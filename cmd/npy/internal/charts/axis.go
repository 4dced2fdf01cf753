package charts

import (
	"fmt"
	"math"

	"github.com/npygo/npy/cmd/npy/internal/pictures"
)

// An axis is a range of numbers. On an axis of time they are seconds since 1970.
type axis struct {
	low, high float64
	from, to  bound // the ends that the user chose
	log, time bool
	whole     bool // only whole numbers are marked
	down      bool // values fall along the axis
	title     string
}

// A bound is an end of an axis that the user chose, or not.
type bound struct {
	at  float64
	set bool
}

// include extends an axis to some numbers, except numbers that have no place on it.
func (a *axis) include(values ...float64) {
	for _, x := range values {
		if x != x || math.IsInf(x, 0) || a.log && x <= 0 {
			continue
		}
		if a.low = min(a.low, x); x > a.high {
			a.high = x
		}
	}
}

// emptyAxis returns an axis without a range.
func emptyAxis(log, time bool) axis {
	return axis{low: math.Inf(1), high: math.Inf(-1), log: log, time: time}
}

// limit sets the ends that the user chose. With the larger one first, values fall along the axis.
func (a *axis) limit(flag string, r Range) error {
	low, high, err := r.ends(a.time)
	if err != nil {
		return fmt.Errorf("%s %s: %w", flag, r.text, err)
	}
	if low > high {
		low, high, a.down = high, low, !a.down
	}
	if a.log && (low <= 0 || high <= 0) {
		return fmt.Errorf("%s %s: a log axis has only positive values", flag, r.text)
	}
	a.from, a.to = bound{low, low == low}, bound{high, high == high}
	return nil
}

// limited reports whether the user chose an end.
func (a *axis) limited() bool { return a.from.set || a.to.set }

// within reports whether a number is within the ends that the user chose.
func (a *axis) within(x float64) bool {
	return !(a.from.set && x < a.from.at) && !(a.to.set && x > a.to.at)
}

// reach returns the least and the greatest number that has a place on the axis.
func (a *axis) reach() (low, high float64) {
	low, high = -math.MaxFloat64, math.MaxFloat64
	if a.log {
		low = math.SmallestNonzeroFloat64
	}
	if a.from.set {
		low = max(low, a.from.at)
	}
	if a.to.set {
		high = min(high, a.to.at)
	}
	return low, high
}

// settle extends the range at both ends by a margin, and widens the range of a single number or of none. The ends that
// the user chose stay.
func (a *axis) settle(margin float64) {
	a.widen(margin)
	if a.from.set {
		a.low = a.from.at
	}
	if a.to.set {
		a.high = a.to.at
	}
	if a.low >= a.high { // one end was chosen, and no number is on its side
		a.low, a.high = a.high, a.low
		a.widen(0)
	}
}

func (a *axis) widen(margin float64) {
	switch {
	case a.low > a.high:
		a.low, a.high = 0, 1
		if a.log {
			a.low, a.high = 1, 10
		}
	case a.low == a.high && a.log:
		a.low, a.high = a.low/2, a.high*2
	case a.low == a.high:
		half := max(math.Abs(a.low)*1e-3, 0.5)
		a.low, a.high = a.low-half, a.high+half
	case a.log:
		factor := math.Pow(a.high/a.low, margin)
		a.low, a.high = a.low/factor, a.high*factor
	default:
		more := (a.high/2 - a.low/2) * 2 * margin
		a.low, a.high = a.low-more, a.high+more
	}
	a.low, a.high = max(a.low, -math.MaxFloat64), min(a.high, math.MaxFloat64)
	if a.log {
		a.low = max(a.low, math.SmallestNonzeroFloat64)
	}
}

// place returns a function that maps numbers to their position between the ends, from 0 to 1.
func (a axis) place() func(float64) float64 {
	place := pictures.Scale(a.low, a.high, a.log)
	if a.down {
		return func(x float64) float64 { return 1 - place(x) }
	}
	return place
}
