package scalar

import (
	"strconv"

	"github.com/npygo/npy/dtype"
)

// The proleptic Gregorian calendar over 128-bit years. It repeats every 400 years; such a period is an era. Within an
// era all numbers are small. Years of the computation begin in March, so that the leap day is the last day.

const (
	daysPerEra    = 146097
	epochInEra    = 719468 // days from 0000-03-01 to 1970-01-01
	secondsPerDay = 86400
	attoPerSecond = 1e18
)

// An instant is a moment: whole seconds since 1970-01-01T00:00:00 and a non-negative number of attoseconds after that.
type instant struct {
	sec  int128
	atto uint64
}

// A date is a day of the calendar.
type date struct {
	year       int128
	month, day int // from 1
}

// dateOf returns the date the given number of days after 1970-01-01.
func dateOf(days int128) date {
	era, r := days.addInt(epochInEra).divFloor(daysPerEra)
	doe := int(r)
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	year, _ := era.mul(400) // fits, because it is at most days
	month := mp + 3
	if month > 12 {
		month -= 12
		yoe++
	}
	return date{year.addInt(int64(yoe)), month, doy - (153*mp+2)/5 + 1}
}

// days returns the days from 1970-01-01 to d. Years up to maxYear do not overflow.
func (d date) days() int128 {
	y, mp := d.year, d.month-3
	if mp < 0 {
		y, mp = y.addInt(-1), mp+12
	}
	era, r := y.divFloor(400)
	yoe := int(r)
	doy := (153*mp+2)/5 + d.day - 1
	doe := yoe*365 + yoe/4 - yoe/100 + doy
	days, _ := era.mul(daysPerEra)
	return days.addInt(int64(doe - epochInEra))
}

// daysIn returns the length of d's month.
func (d date) daysIn() int {
	switch d.month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		_, r := d.year.divFloor(400)
		if r%4 == 0 && r%100 != 0 || r == 0 {
			return 29
		}
		return 28
	}
	return 31
}

// months returns the months from 1970-01 to d's month.
func (d date) months() int128 {
	m, _ := d.year.addInt(-1970).mul(12)
	return m.addInt(int64(d.month - 1))
}

// dateOfMonth returns the first day of the month the given number of months after 1970-01.
func dateOfMonth(months int128) date {
	y, m := months.divFloor(12)
	return date{y.addInt(1970), int(m) + 1, 1}
}

// appendYear appends the year as NumPy does, at least four characters wide including the sign.
func (d date) appendYear(dst []byte) []byte { return d.year.append(dst, 4) }

func (d date) appendMonth(dst []byte) []byte { return append2(append(d.appendYear(dst), '-'), d.month) }

func (d date) append(dst []byte) []byte { return append2(append(d.appendMonth(dst), '-'), d.day) }

func append2(dst []byte, v int) []byte { return append(dst, '0'+byte(v/10), '0'+byte(v%10)) }

// secondsPer returns the length in seconds of the units from week to second, and 0 for others.
func secondsPer(u dtype.Unit) uint64 {
	switch u {
	case dtype.Week:
		return 7 * secondsPerDay
	case dtype.Day:
		return secondsPerDay
	case dtype.Hour:
		return 3600
	case dtype.Minute:
		return 60
	case dtype.Second:
		return 1
	}
	return 0
}

// fractionDigits returns the number of decimals of a second for the units from second to attosecond.
func fractionDigits(u dtype.Unit) int { return 3 * max(int(u)-int(dtype.Second), 0) }

func pow10Uint64(n int) uint64 {
	p := uint64(1)
	for range n {
		p *= 10
	}
	return p
}

// hasCalendar reports whether a count of the unit is a moment, as for all units except generic.
func hasCalendar(u dtype.Unit) bool { return u > dtype.Generic && u <= dtype.Attosecond }

// instantOf returns the moment v units after the epoch.
func instantOf(v int128, u dtype.Unit) instant {
	switch {
	case u == dtype.Year:
		return date{v.addInt(1970), 1, 1}.instant()
	case u == dtype.Month:
		return dateOfMonth(v).instant()
	case u <= dtype.Second:
		sec, _ := v.mul(secondsPer(u)) // 94 bits times 20
		return instant{sec: sec}
	}
	n := fractionDigits(u)
	sec, frac := v.divFloor(pow10Uint64(n))
	return instant{sec, frac * pow10Uint64(18-n)}
}

func (d date) instant() instant {
	sec, _ := d.days().mul(secondsPerDay)
	return instant{sec: sec}
}

// units returns the whole units from the epoch to t, rounded down, and whether the result is exact. ok is false if the
// number overflows 128 bits.
func (t instant) units(u dtype.Unit) (v int128, exact, ok bool) {
	if u <= dtype.Month {
		days, tod := t.sec.divFloor(secondsPerDay)
		d := dateOf(days)
		exact = d.day == 1 && tod == 0 && t.atto == 0
		if u == dtype.Month {
			return d.months(), exact, true
		}
		return d.year.addInt(-1970), exact && d.month == 1, true
	}
	if u <= dtype.Second {
		v, rem := t.sec.divFloor(secondsPer(u))
		return v, rem == 0 && t.atto == 0, true
	}
	n := fractionDigits(u)
	v, ok = t.sec.mul(pow10Uint64(n))
	p := pow10Uint64(18 - n)
	return v.addInt(int64(t.atto / p)), t.atto%p == 0, ok
}

// ticks returns t in steps, rounded down, and whether the result is exact. The error is ErrUnit or ErrRange.
func (t instant) ticks(step dtype.Step) (n int64, exact bool, err error) {
	if !hasCalendar(step.Unit) || step.Num <= 0 {
		return 0, false, ErrUnit
	}
	v, exact, ok := t.units(step.Unit)
	if !ok {
		return 0, false, ErrRange
	}
	v, rem := v.divFloor(uint64(step.Num))
	n, ok = v.int64()
	if !ok || n == NaT {
		return 0, false, ErrRange
	}
	return n, exact && rem == 0, nil
}

// appendClock appends the time of day to the precision of the unit.
func appendClock(dst []byte, tod int, atto uint64, u dtype.Unit) []byte {
	dst = append2(append(dst, 'T'), tod/3600)
	if u >= dtype.Minute {
		dst = append2(append(dst, ':'), tod/60%60)
	}
	if u >= dtype.Second {
		dst = append2(append(dst, ':'), tod%60)
	}
	if n := fractionDigits(u); n > 0 {
		dst = appendPadded(append(dst, '.'), atto/pow10Uint64(18-n), n)
	}
	return dst
}

// typeName returns the name NumPy gives the dtype: datetime64[25s], timedelta64.
func typeName(kind string, step dtype.Step) string {
	if step.Unit == dtype.Generic {
		return kind
	}
	return kind + "[" + step.String() + "]"
}

// appendCount appends a bare count of ticks, NaT included.
func appendCount(dst []byte, ticks int64) []byte {
	if ticks == NaT {
		return append(dst, "NaT"...)
	}
	return strconv.AppendInt(dst, ticks, 10)
}
