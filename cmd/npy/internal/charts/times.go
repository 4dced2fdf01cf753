package charts

import (
	"math"
	"time"
)

const (
	minute = 60
	hour   = 60 * minute
	day    = 24 * hour
	week   = 7 * day
	month  = 30.4 * day
	year   = 365.25 * day
)

// timeSteps are the steps of clocks and calendars, from a second to two weeks, with the format of their labels.
var timeSteps = []struct {
	seconds float64
	format  string
}{
	{1, "15:04:05"}, {2, "15:04:05"}, {5, "15:04:05"}, {10, "15:04:05"}, {15, "15:04:05"}, {30, "15:04:05"},
	{minute, "15:04"}, {2 * minute, "15:04"}, {5 * minute, "15:04"}, {10 * minute, "15:04"}, {15 * minute, "15:04"}, {30 * minute, "15:04"},
	{hour, "15:04"}, {2 * hour, "15:04"}, {3 * hour, "15:04"}, {6 * hour, "01-02 15:04"}, {12 * hour, "01-02 15:04"},
	{day, "2006-01-02"}, {2 * day, "2006-01-02"}, {week, "2006-01-02"}, {2 * week, "2006-01-02"},
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

// clockTicks returns multiples of a step since 1970. Weeks begin on Monday: 1970-01-05 is one.
func (a axis) clockTicks(step float64, format string) []tick {
	start := 0.0
	if step >= week {
		start = 4 * day
	}
	a.low, a.high = a.low-start, a.high-start
	var ticks []tick
	for _, x := range a.multiples(step) {
		ticks = append(ticks, tick{x + start, timeOf(x + start).Format(format)})
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

// timeTitle returns the part of a time that the labels of an axis of a few days lack: the day on which it begins, or the year.
func (a axis) timeTitle() string {
	switch span := a.high - a.low; {
	case !a.time || span > 5*day:
		return ""
	case span > 2*day:
		return timeOf(a.low).Format("2006")
	}
	return timeOf(a.low).Format("2006-01-02")
}
