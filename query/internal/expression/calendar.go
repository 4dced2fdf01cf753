package expression

import (
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
	"github.com/npygo/npy/scalar"
)

// A calendarPart is a part of a datetime, in UTC as NumPy has it.
type calendarPart struct {
	of    func(c scalar.CivilTime) float64
	quick func(day, second int64) float64 // days after 1970-01-01, and the second of the day
}

// calendarParts are the functions of a datetime that give one of its parts.
var calendarParts = map[string]calendarPart{
	"year": {func(c scalar.CivilTime) float64 { return c.Year },
		func(day, _ int64) float64 { year, _, _ := dateOf(day); return float64(year) }},
	"month": {func(c scalar.CivilTime) float64 { return float64(c.Month) },
		func(day, _ int64) float64 { _, month, _ := dateOf(day); return float64(month) }},
	"day": {func(c scalar.CivilTime) float64 { return float64(c.Day) },
		func(day, _ int64) float64 { _, _, day = dateOf(day); return float64(day) }},
	"hour": {func(c scalar.CivilTime) float64 { return float64(c.Hour) },
		func(_, second int64) float64 { return float64(second / 3600) }},
	"minute": {func(c scalar.CivilTime) float64 { return float64(c.Minute) },
		func(_, second int64) float64 { return float64(second / 60 % 60) }},
	"second": {func(c scalar.CivilTime) float64 { return float64(c.Second) },
		func(_, second int64) float64 { return float64(second % 60) }},
	"weekday": {func(c scalar.CivilTime) float64 { return float64((c.Weekday + 6) % 7) }, // Monday is 0, as in Python
		func(day, _ int64) float64 { return float64(((day+3)%7 + 7) % 7) }},
}

// calendar returns the function of a name in calendarParts. Its results are floats, because the parts of NaT are NaN: as in pandas,
// no result computed from NaT is less than, greater than or equal to a number.
func calendar(name string) func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
	part := calendarParts[name]
	return func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
		a := c.variable(x, args[0])
		if a.Class != values.Datetime || a.Step.Unit == dtype.Generic {
			c.fail(a.Expr, "%s is for datetime64, not %s", name, a.Type)
		}
		t := values.Float64Type
		t.Shape = a.Shape
		perDay := ticksOfDay(a.Step)
		return values.Each(x, a, t, func(v, out *values.Vec) {
			for i, n := range v.Ints {
				if perDay != 0 && n > -quickTicks && n < quickTicks {
					out.Floats[i] = part.quick(splitDay(n, perDay))
					continue
				}
				civil, ok := scalar.Datetime64{Ticks: n}.Civil(a.Step)
				if out.Floats[i] = math.NaN(); ok {
					out.Floats[i] = part.of(civil)
				}
			}
		})
	}
}

// quickTicks limits the ticks of the quick way: years of 18 digits, and nanoseconds of all but the last and the first day.
const quickTicks = 1<<63 - 86400e9

// ticksOfDay returns the number of ticks of a day, or 0 if it is not a whole number of an int64.
func ticksOfDay(s dtype.Step) int64 {
	ticks := map[dtype.Unit]int64{dtype.Day: 1, dtype.Hour: 24, dtype.Minute: 1440, dtype.Second: 86400,
		dtype.Millisecond: 86400e3, dtype.Microsecond: 86400e6, dtype.Nanosecond: 86400e9}[s.Unit]
	if s.Num != 1 {
		return 0
	}
	return ticks
}

// splitDay returns the day of a moment, from 1970-01-01 on, and the second of the day.
func splitDay(n, perDay int64) (day, second int64) {
	var rest int64
	switch perDay { // a division by a constant is a product
	case 1:
		return n, 0
	case 86400:
		day, rest = n/86400, n%86400
	case 86400e9:
		day, rest = n/86400e9, n%86400e9
	default:
		day, rest = n/perDay, n%perDay
	}
	if rest < 0 {
		day, rest = day-1, rest+perDay
	}
	if perDay <= 86400 {
		return day, rest * (86400 / perDay)
	}
	return day, rest / (perDay / 86400)
}

// dateOf returns the date of a day, some days after 1970-01-01. Years begin in March in the computation, so that the leap day is the
// last, and it goes by the 400 years after which the calendar repeats. Divisions by the lengths of years and months are products, as
// Neri and Schneider show (Euclidean affine functions and their application to calendar algorithms, 2022).
func dateOf(day int64) (year, month, ofMonth int64) {
	const daysPerEra, epochInEra = 146097, 719468
	const shift = 5 * 400 // years that make the days of most dates positive
	if n := day + epochInEra + shift/400*daysPerEra; uint64(n) < 1<<30 {
		n1 := 4*uint32(n) + 3
		century := n1 / daysPerEra
		n2 := 4*(n1%daysPerEra/4) + 3
		p2 := 2939745 * uint64(n2)
		n3 := 2141*(uint32(p2)/2939745/4) + 197913
		year, month, ofMonth = int64(100*century+uint32(p2>>32))-shift, int64(n3>>16), int64(n3&0xffff/2141)+1
		next := (12 - month) >> 63 // -1 in January and February, without a branch that would be guessed wrong
		return year - next, month + 12*next, ofMonth
	}
	era, r := (day+epochInEra)/daysPerEra, (day+epochInEra)%daysPerEra
	if r < 0 {
		era, r = era-1, r+daysPerEra
	}
	year, month, ofMonth = dateOf(r - epochInEra)
	return year + 400*era, month, ofMonth
}
