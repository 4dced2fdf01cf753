package scalar

import "github.com/npygo/npy/dtype"

// Convert returns the moment t, which counts steps of from, in steps of to. It rounds down, towards the past, as
// NumPy's astype does between datetime64 units, and reports whether the result is exact. NaT stays NaT. A count that
// does not fit in 64 bits gives a *[RangeError] with [ErrRange], where NumPy wraps around up to 2.4. A generic step
// gives [ErrUnit], unless both steps are generic.
func (t Datetime64) Convert(from, to dtype.Step) (x Datetime64, exact bool, err error) {
	if t.Ticks == NaT || from == to {
		return t, true, nil
	}
	n, exact, err := convertTicks(t.Ticks, from, to)
	if err != nil {
		return Datetime64{}, false, stepError(t.Format(from), "datetime64", from, to, err)
	}
	return Datetime64{n}, exact, nil
}

// Convert returns the duration d, which counts steps of from, in steps of to. It rounds down, as NumPy's astype does
// between timedelta64 units, and reports whether the result is exact. Years and months have no fixed length in other
// units: a year counts as 365.2425 days and a month as a twelfth of a year, as in NumPy, and exact is false. NaT and
// errors are as in [Datetime64.Convert].
func (d Timedelta64) Convert(from, to dtype.Step) (x Timedelta64, exact bool, err error) {
	if d.Ticks == NaT || from == to {
		return d, true, nil
	}
	n, exact, err := int64(0), false, ErrUnit
	if isCalendar(from.Unit) == isCalendar(to.Unit) {
		n, exact, err = convertTicks(d.Ticks, from, to)
	} else if hasLength(from) && hasLength(to) {
		n, err = convertMean(d.Ticks, from, to)
	}
	if err != nil {
		return Timedelta64{}, false, stepError(d.Format(from), "timedelta64", from, to, err)
	}
	return Timedelta64{n}, exact, nil
}

func stepError(value, kind string, from, to dtype.Step, err error) error {
	return &RangeError{Value: value, Type: typeName(kind, from), Target: typeName(kind, to), Err: err}
}

func isCalendar(u dtype.Unit) bool { return u == dtype.Year || u == dtype.Month }

// hasLength reports whether a tick is a positive number of units that exist.
func hasLength(s dtype.Step) bool { return hasCalendar(s.Unit) && s.Num > 0 }

// convertTicks converts a count as the moment at that distance from the epoch. This is right for durations too if both
// steps are calendar units, or neither is.
func convertTicks(n int64, from, to dtype.Step) (int64, bool, error) {
	if !hasLength(from) {
		return 0, false, ErrUnit
	}
	return instantOf(mulInt64(n, int64(from.Num)), from.Unit).ticks(to)
}

// convertMean converts years and months to other units, or the reverse, by the mean length of a month in the 400 years
// after which the calendar repeats (get_datetime_conversion_factor in NumPy's datetime.c). It is a whole number of
// seconds.
func convertMean(n int64, from, to dtype.Step) (int64, error) {
	const month = daysPerEra * secondsPerDay / (400 * 12)
	v := mulInt64(n, int64(from.Num))
	if isCalendar(from.Unit) {
		sec, _ := v.mul(monthsIn(from.Unit) * month) // 95 bits times 25
		n, _, err := instant{sec: sec}.ticks(to)
		return n, err
	}
	v, _ = instantOf(v, from.Unit).sec.divFloor(monthsIn(to.Unit) * month)
	v, _ = v.divFloor(uint64(to.Num))
	x, ok := v.int64()
	if !ok || x == NaT {
		return 0, ErrRange
	}
	return x, nil
}

func monthsIn(u dtype.Unit) uint64 {
	if u == dtype.Year {
		return 12
	}
	return 1
}
