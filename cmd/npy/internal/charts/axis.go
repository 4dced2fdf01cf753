package charts

import (
	"math"
	"strconv"
	"time"

	"github.com/npygo/npy/cmd/npy/internal/pictures"
)

// An axis is a range of numbers. On an axis of time they are seconds since 1970.
type axis struct {
	low, high float64
	log, time bool
	down      bool // values fall along the axis
	title     string
}

// A tick is a marked number on an axis.
type tick struct {
	at    float64
	label string
}

// include extends an axis to some numbers, except numbers that have no place on it.
func (a *axis) include(values []float64) {
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

// settle extends the range at both ends by a margin, and widens the range of a single number or of none.
func (a *axis) settle(margin float64) {
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

// ticks chooses about n round numbers.
func (a axis) ticks(n int) []tick {
	switch {
	case a.time:
		return a.timeTicks(n)
	case a.log && a.high/a.low >= 100:
		return a.decadeTicks(n)
	}
	return a.evenTicks(n)
}

// evenTicks returns multiples of 1, 2 or 5 times a power of ten.
func (a axis) evenTicks(n int) []tick {
	step := evenStep(a.high/float64(n) - a.low/float64(n))
	var ticks []tick
	for _, x := range a.multiples(step) {
		ticks = append(ticks, tick{x, numberLabel(x, step, max(math.Abs(a.low), math.Abs(a.high)))})
	}
	return ticks
}

// multiples returns the multiples of step on the axis, without repetitions if step is too small for the numbers.
func (a axis) multiples(step float64) (all []float64) {
	for i := math.Ceil(a.low / step); i*step <= a.high && i+1 > i; i++ {
		if n := len(all); n == 0 || i*step > all[n-1] {
			all = append(all, i*step)
		}
	}
	return all
}

// evenStep returns the least of 1, 2, 5, 10, … that is at least x.
func evenStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, digit := range []float64{1, 2, 5} {
		if digit*power >= x*(1-1e-9) {
			return digit * power
		}
	}
	return 10 * power
}

// numberLabel formats a multiple of step with as many digits as step has. It uses an exponent if the largest number
// on the axis has too many digits.
func numberLabel(x, step, largest float64) string {
	if x == 0 {
		return "0"
	}
	digits := int(math.Floor(math.Log10(step) + 1e-9))
	if largest >= 1e6 || largest < 1e-3 {
		return strconv.FormatFloat(x, 'e', max(int(math.Floor(math.Log10(math.Abs(x))+1e-9))-digits, 0), 64)
	}
	return strconv.FormatFloat(x, 'f', max(-digits, 0), 64)
}

// decadeTicks returns every power of ten, or every step-th one.
func (a axis) decadeTicks(n int) []tick {
	first, last := math.Ceil(math.Log10(a.low)-1e-9), math.Floor(math.Log10(a.high)+1e-9)
	step := max(math.Ceil((last-first)/float64(n)), 1)
	var ticks []tick
	for i := first; i <= last; i += step {
		x := math.Pow(10, i)
		label := "1e" + strconv.Itoa(int(i))
		if -3 <= i && i <= 5 {
			label = strconv.FormatFloat(x, 'f', -1, 64)
		}
		ticks = append(ticks, tick{x, label})
	}
	return ticks
}

const (
	minute = 60
	hour   = 60 * minute
	day    = 24 * hour
	month  = 30.4 * day
	year   = 365.25 * day
)

// timeSteps are the steps of clocks and calendars, from a second to a month, with the format of their labels.
var timeSteps = []struct {
	seconds float64
	format  string
}{
	{1, "15:04:05"}, {2, "15:04:05"}, {5, "15:04:05"}, {10, "15:04:05"}, {15, "15:04:05"}, {30, "15:04:05"},
	{minute, "15:04"}, {2 * minute, "15:04"}, {5 * minute, "15:04"}, {10 * minute, "15:04"}, {15 * minute, "15:04"}, {30 * minute, "15:04"},
	{hour, "15:04"}, {2 * hour, "15:04"}, {3 * hour, "15:04"}, {6 * hour, "01-02 15:04"}, {12 * hour, "01-02 15:04"},
	{day, "2006-01-02"}, {2 * day, "2006-01-02"}, {5 * day, "2006-01-02"}, {10 * day, "2006-01-02"}, {20 * day, "2006-01-02"},
}

// timeTicks returns round times.
func (a axis) timeTicks(n int) []tick {
	wanted := (a.high - a.low) / float64(n)
	switch {
	case wanted <= 0.5:
		return a.clockTicks(evenStep(wanted), "15:04:05.999999999")
	case wanted > 0.6*month:
		return a.monthTicks(monthStep(wanted))
	}
	for _, s := range timeSteps {
		if s.seconds >= wanted {
			return a.clockTicks(s.seconds, s.format)
		}
	}
	return a.monthTicks(1)
}

func (a axis) clockTicks(step float64, format string) []tick {
	var ticks []tick
	for _, x := range a.multiples(step) {
		ticks = append(ticks, tick{x, timeOf(x).Format(format)})
	}
	return ticks
}

// monthStep returns a number of months, in whole years if it is at least one year.
func monthStep(seconds float64) int {
	for _, n := range []int{1, 2, 3, 6} {
		if float64(n)*month >= seconds {
			return n
		}
	}
	return 12 * int(max(evenStep(seconds/year), 1))
}

func (a axis) monthTicks(step int) []tick {
	format := "2006-01"
	if step >= 12 {
		format = "2006"
	}
	first := timeOf(a.low)
	months := (first.Year()*12 + int(first.Month()) - 1) / step * step
	var ticks []tick
	for ; ; months += step {
		t := time.Date(0, time.Month(months+1), 1, 0, 0, 0, 0, time.UTC)
		switch x := float64(t.Unix()); {
		case x > a.high:
			return ticks
		case x >= a.low:
			ticks = append(ticks, tick{x, t.Format(format)})
		}
	}
}

func timeOf(seconds float64) time.Time {
	whole := math.Floor(seconds)
	return time.Unix(int64(whole), int64((seconds-whole)*1e9)).UTC()
}

// timeTitle returns the day on which an axis of hours or less begins.
func (a axis) timeTitle() string {
	if !a.time || a.high-a.low > 2*day {
		return ""
	}
	return timeOf(a.low).Format("2006-01-02")
}
