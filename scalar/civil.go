package scalar

import (
	"math"
	"math/bits"
	"time"

	"github.com/npygo/npy/dtype"
)

// A CivilTime is a moment of the proleptic Gregorian calendar in UTC, in the parts that a calendar and a clock show.
type CivilTime struct {
	Year                 float64      // beyond ±2**53 the nearest float64
	Month, Day           int          // from 1
	Hour, Minute, Second int          // from 0; there are no leap seconds
	Attosecond           int64        // after the second, below 10**18
	Weekday              time.Weekday // of the day, also of a unit that is longer
}

// Civil returns the parts of t, for every datetime64 of every unit. A year, a month and a week begin with their first moment.
// ok is false for NaT and for a step without a unit, whose counts are not moments.
func (t Datetime64) Civil(step dtype.Step) (c CivilTime, ok bool) {
	if t.Ticks == NaT || !hasLength(step) {
		return c, false
	}
	at := instantOf(mulInt64(t.Ticks, int64(step.Num)), step.Unit)
	days, tod := at.sec.divFloor(secondsPerDay)
	d := dateOf(days)
	_, weekday := days.addInt(int64(time.Thursday)).divFloor(7) // of 1970-01-01
	return CivilTime{
		Year: d.year.float64(), Month: d.month, Day: d.day,
		Hour: int(tod / 3600), Minute: int(tod / 60 % 60), Second: int(tod % 60),
		Attosecond: int64(at.atto), Weekday: time.Weekday(weekday),
	}, true
}

// float64 returns the nearest float64. x must not be the smallest int128.
func (x int128) float64() float64 {
	if x.hi < 0 {
		return -x.neg().float64()
	}
	if x.hi == 0 {
		return float64(x.lo)
	}
	n := bits.LeadingZeros64(uint64(x.hi))
	top := uint64(x.hi)<<n | x.lo>>(64-n)
	if x.lo<<n != 0 {
		top |= 1 // which decides ties
	}
	return math.Ldexp(float64(top), 64-n)
}
