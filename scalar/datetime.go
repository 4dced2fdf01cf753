package scalar

import (
	"math"
	"time"

	"github.com/npygo/npy/dtype"
)

// NaT, not a time, is the tick count that NumPy reserves for a missing [Datetime64] or [Timedelta64]
// (NPY_DATETIME_NAT).
const NaT = math.MinInt64

// A Datetime64 is an item of a NumPy datetime64 array: ticks since 1970-01-01T00:00 UTC in the proleptic Gregorian
// calendar without leap seconds. The length of a tick is part of the dtype. Methods take it as a [dtype.Step]. Ticks is
// [NaT] for a missing value.
//
// Where NumPy overflows 64 bits internally (weeks, multiples such as 25s, years near the ends) the methods here return
// the right answer.
type Datetime64 struct {
	Ticks int64 `dtype:"datetime64"` // since 1970, negative before
}

// IsNaT reports whether t is [NaT].
func (t Datetime64) IsNaT() bool { return t.Ticks == NaT }

// Append appends t as str(numpy.datetime64) and numpy.datetime_as_string print it: 2020 for years,
// 2020-01 for months, 2020-01-02 for weeks and days, then 2020-01-02T03, 2020-01-02T03:04,
// 2020-01-02T03:04:05 and three more decimals for each finer unit. Years before 0 are four characters
// wide with the sign counted in, -001, years after 9999 as wide as they are (make_iso_8601_datetime in
// NumPy's datetime_strings.c). NaT is NaT.
//
// NumPy refuses to print a generic datetime64 other than NaT; here it gives the bare count of ticks, as
// does a unit that does not exist.
func (t Datetime64) Append(dst []byte, step dtype.Step) []byte {
	if t.Ticks == NaT || !hasCalendar(step.Unit) {
		return appendCount(dst, t.Ticks)
	}
	v := mulInt64(t.Ticks, int64(step.Num))
	switch step.Unit {
	case dtype.Year:
		return date{year: v.addInt(1970)}.appendYear(dst)
	case dtype.Month:
		return dateOfMonth(v).appendMonth(dst)
	}
	at := instantOf(v, step.Unit)
	days, tod := at.sec.divFloor(secondsPerDay)
	dst = dateOf(days).append(dst)
	if step.Unit <= dtype.Day {
		return dst
	}
	return appendClock(dst, int(tod), at.atto, step.Unit)
}

// Format returns the text of [Datetime64.Append].
func (t Datetime64) Format(step dtype.Step) string { return string(t.Append(nil, step)) }

// The range of seconds since 1970 in which a time.Time counts, compares and names its year correctly: from the
// year -292277022398 until its count of seconds since the year 1 would overflow.
const (
	minTimeSec = -9223372028683785600
	maxTimeSec = math.MaxInt64 - 62135596800
)

// Time returns t in UTC. It returns a *[RangeError] for NaT, for a generic step, for a fraction of a nanosecond and for
// times more than about 292 billion years away. On 32-bit systems time.Time holds all of these times but names years
// beyond 2**31 wrongly.
func (t Datetime64) Time(step dtype.Step) (time.Time, error) {
	if t.Ticks == NaT {
		return time.Time{}, t.rangeError(step, ErrNaT)
	}
	if !hasCalendar(step.Unit) {
		return time.Time{}, t.rangeError(step, ErrUnit)
	}
	at := instantOf(mulInt64(t.Ticks, int64(step.Num)), step.Unit)
	sec, ok := at.sec.int64()
	if !ok || sec < minTimeSec || sec > maxTimeSec {
		return time.Time{}, t.rangeError(step, ErrRange)
	}
	if at.atto%1e9 != 0 {
		return time.Time{}, t.rangeError(step, ErrInexact)
	}
	return time.Unix(sec, int64(at.atto/1e9)).UTC(), nil
}

func (t Datetime64) rangeError(step dtype.Step, err error) error {
	return &RangeError{Value: t.Format(step), Type: typeName("datetime64", step), Target: "time.Time", Err: err}
}

// Datetime64FromTime returns the step t falls in, rounding down, towards the past, as NumPy's astype does
// between datetime64 units. A moment whose count does not fit in 64 bits and a generic step give a
// *[RangeError]. The time zone of t does not matter.
func Datetime64FromTime(t time.Time, step dtype.Step) (Datetime64, error) {
	at := instant{wide(t.Unix()), uint64(t.Nanosecond()) * 1e9}
	n, _, err := at.ticks(step)
	if err != nil {
		return Datetime64{}, &RangeError{Value: t.String(), Type: "time.Time", Target: typeName("datetime64", step), Err: err}
	}
	return Datetime64{n}, nil
}

// ParseDatetime64 reads the ISO 8601 texts NumPy reads (parse_iso_8601_datetime): a year of any number of
// digits with an optional sign, then as far as wanted -MM, -DD, T or one space and hh, :mm, :ss, a point
// and up to 18 decimals. White space may lead; after a time Z or an offset such as +01:00, from which the
// time becomes UTC, and white space may follow. NaT in any case and the empty text are NaT.
//
// A date or a time of day that does not exist is rejected with [ErrDate], as in NumPy. A moment that is not
// a whole number of steps is rejected with [ErrInexact], where NumPy rounds down. A count that does not fit
// in 64 bits is rejected with [ErrRange], where NumPy wraps. Also rejected are today, now, and a bare sign
// for a year, which NumPy reads as year 0. A minus sign after white space counts, where NumPy ignores it.
// NumPy warns of Z and offsets. All errors are *[ParseError].
func ParseDatetime64(s string, step dtype.Step) (Datetime64, error) {
	t, exact, err := FloorDatetime64(s, step)
	if err == nil && !exact {
		return Datetime64{}, &ParseError{Type: typeName("datetime64", step), Text: s, Err: ErrInexact}
	}
	return t, err
}

// FloorDatetime64 is [ParseDatetime64] for moments between two steps. It rounds them down, as NumPy does, and reports
// whether the result is exact.
func FloorDatetime64(s string, step dtype.Step) (t Datetime64, exact bool, err error) {
	if seconds, ok := plainSeconds(s); ok {
		if n, exact, ok := plainTicks(seconds, step); ok {
			return Datetime64{n}, exact, nil
		}
	}
	return floorDatetime64(s, step)
}

// floorDatetime64 is FloorDatetime64 for all texts and steps.
func floorDatetime64(s string, step dtype.Step) (t Datetime64, exact bool, err error) {
	if isNaTText(s) {
		return Datetime64{NaT}, true, nil
	}
	p := dateParser{text: s}
	at, err := p.parse()
	if err != nil {
		return Datetime64{}, false, &ParseError{Type: typeName("datetime64", step), Text: s, Offset: p.pos, Err: err}
	}
	n, exact, err := at.ticks(step)
	if err != nil {
		return Datetime64{}, false, &ParseError{Type: typeName("datetime64", step), Text: s, Err: err}
	}
	return Datetime64{n}, exact, nil
}
