package pictures

import (
	"errors"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Limits are the numbers at both ends of the colours: given numbers, percentiles, or the extremes.
type Limits struct {
	low, high float64
	percent   bool
	set       bool
}

// String implements pflag.Value.
func (l *Limits) String() string { return "" }

// Type implements pflag.Value: help shows it as the name of the value.
func (l *Limits) Type() string { return "low,high" }

// Set reads "-1,1" and "2%,98%".
func (l *Limits) Set(text string) error {
	low, high, ok := strings.Cut(text, ",")
	*l = Limits{set: true, percent: strings.HasSuffix(low, "%") && strings.HasSuffix(high, "%")}
	if l.percent {
		low, high = strings.TrimSuffix(low, "%"), strings.TrimSuffix(high, "%")
	}
	var err, err2 error
	l.low, err = strconv.ParseFloat(strings.TrimSpace(low), 64)
	l.high, err2 = strconv.ParseFloat(strings.TrimSpace(high), 64)
	if !ok || err != nil || err2 != nil || !(l.low < l.high) || math.IsInf(l.high-l.low, 0) {
		return errors.New("want two numbers, the lower first, such as -1,1 or 2%,98%")
	}
	if l.percent && (l.low < 0 || l.high > 100) {
		return errors.New("percentiles must be from 0% to 100%")
	}
	return nil
}

// CheckLog refuses limits that have no logarithm.
func (l Limits) CheckLog(log bool) error {
	if log && l.set && !l.percent && l.low <= 0 {
		return errors.New("--log needs --limits above zero")
	}
	return nil
}

// of returns the limits for values, or NaN if no value has a place on the scale. Values without a place are ignored.
// If there are numbers on both sides of zero, the middle of a diverging map is zero.
func (l Limits) of(values []float64, log, diverging bool) (low, high float64) {
	if l.set && !l.percent {
		return l.low, l.high
	}
	finite := make([]float64, 0, len(values))
	for _, x := range values {
		if !math.IsInf(x, 0) && x == x && (!log || x > 0) {
			finite = append(finite, x)
		}
	}
	if len(finite) == 0 {
		return math.NaN(), math.NaN()
	}
	low, high = slices.Min(finite), slices.Max(finite)
	if l.percent {
		sort.Float64s(finite)
		low, high = percentile(finite, l.low), percentile(finite, l.high)
	}
	if diverging && !log && low < 0 && high > 0 {
		high = max(-low, high)
		low = -high
	}
	return low, high
}

// percentile returns the number below which percent of the sorted numbers lie, numpy.percentile.
func percentile(sorted []float64, percent float64) float64 {
	at := percent / 100 * float64(len(sorted)-1)
	i := min(int(at), len(sorted)-1)
	j := min(i+1, len(sorted)-1)
	part := at - float64(i)
	return sorted[i]*(1-part) + sorted[j]*part
}
