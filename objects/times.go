package objects

import (
	"math"
	"math/big"
	"time"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/pickle"
	"github.com/npygo/npy/scalar"
)

// datetimeOf returns a datetime64 as a Python value: a date for days and coarser units, a datetime down to
// microseconds, an int for finer units or years out of range, None for NaT (convert_datetime_to_pyobject).
func datetimeOf(t scalar.Datetime64, step dtype.Step) any {
	if t.Ticks == scalar.NaT || step.Unit == dtype.Generic {
		return nil
	}
	at, err := t.Time(step)
	if step.Unit > dtype.Microsecond || err != nil || at.Year() < 1 || at.Year() > 9999 {
		return t.Ticks
	}
	year, month, day := at.Date()
	if step.Unit <= dtype.Day {
		return &pickle.Date{Year: year, Month: int(month), Day: day}
	}
	hour, minute, second := at.Clock()
	return &pickle.Datetime{Year: year, Month: int(month), Day: day, Hour: hour, Minute: minute, Second: second, Microsecond: at.Nanosecond() / 1000}
}

const (
	dayMicroseconds = 24 * 60 * 60 * 1_000_000
	maxDays         = 999_999_999 // of a timedelta
)

// microseconds returns the number of microseconds in a unit, 0 if it is finer or has no fixed length.
func microseconds(u dtype.Unit) int64 {
	switch u {
	case dtype.Week:
		return 7 * dayMicroseconds
	case dtype.Day:
		return dayMicroseconds
	case dtype.Hour:
		return dayMicroseconds / 24
	case dtype.Minute:
		return 60_000_000
	case dtype.Second:
		return 1_000_000
	case dtype.Millisecond:
		return 1000
	case dtype.Microsecond:
		return 1
	}
	return 0
}

// timedeltaOf returns a timedelta64 as a Python value: a timedelta, an int if it does not fit, None for NaT
// (convert_timedelta_to_pyobject).
func timedeltaOf(d scalar.Timedelta64, step dtype.Step) any {
	unit := microseconds(step.Unit)
	switch {
	case d.Ticks == scalar.NaT:
		return nil
	case unit == 0:
		return d.Ticks
	}
	total := new(big.Int).Mul(big.NewInt(d.Ticks), big.NewInt(int64(step.Num)*unit))
	days, rest := new(big.Int).DivMod(total, big.NewInt(dayMicroseconds), new(big.Int))
	if !days.IsInt64() || days.Int64() < -maxDays || days.Int64() > maxDays {
		return d.Ticks
	}
	us := rest.Int64()
	return &pickle.Timedelta{Days: int(days.Int64()), Seconds: int(us / 1_000_000), Microseconds: int(us % 1_000_000)}
}

// ticksOf is the inverse of datetimeOf and timedeltaOf. It returns false for a value that is not a whole number of
// steps.
func ticksOf(t dtype.Type, v any) (int64, bool) {
	switch v := v.(type) {
	case nil:
		return math.MinInt64, true // NaT
	case int64:
		return v, true
	case *pickle.Date:
		return ticksAt(t, time.Date(v.Year, time.Month(v.Month), v.Day, 0, 0, 0, 0, time.UTC))
	case *pickle.Datetime:
		at := time.Date(v.Year, time.Month(v.Month), v.Day, v.Hour, v.Minute, v.Second, 1000*v.Microsecond, time.UTC)
		ticks, ok := ticksAt(t, at)
		return ticks, ok && v.TZ == nil
	case *pickle.Timedelta:
		unit := microseconds(t.Step().Unit) * int64(t.Step().Num)
		if t.Kind() != dtype.KindTimedelta || unit == 0 {
			return 0, false
		}
		total := new(big.Int).Mul(big.NewInt(int64(v.Days)), big.NewInt(dayMicroseconds))
		total.Add(total, big.NewInt(int64(v.Seconds)*1_000_000+int64(v.Microseconds)))
		ticks, rest := new(big.Int).QuoRem(total, big.NewInt(unit), new(big.Int))
		return ticks.Int64(), ticks.IsInt64() && rest.Sign() == 0
	}
	return 0, false
}

func ticksAt(t dtype.Type, at time.Time) (int64, bool) {
	if t.Kind() != dtype.KindDatetime {
		return 0, false
	}
	ticks, err := scalar.Datetime64FromTime(at, t.Step())
	if err != nil {
		return 0, false
	}
	back, err := ticks.Time(t.Step())
	return ticks.Ticks, err == nil && back.Equal(at)
}
