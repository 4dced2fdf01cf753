package pickle

import (
	"slices"

	"github.com/npygo/npy/pickle/internal/calendar"
)

// stateOf returns the first argument as bytes, if it has the given length, and the tzinfo, if the second argument is
// one.
func stateOf(args []any, size int) (b []byte, tz any, ok bool) {
	if len(args) == 0 || len(args) > 2 {
		return nil, nil, false
	}
	if s, isText := args[0].(string); isText && len(s) > 2*size {
		return nil, nil, false
	}
	if b, ok = RawBytes(args[0]); !ok || len(b) != size {
		return nil, nil, false
	}
	if len(args) == 2 {
		tz = args[1]
		ok = isTZInfo(tz)
	}
	return b, tz, ok
}

// isTZInfo reports whether v may be a tzinfo: not if it is a value of one of Python's own types.
func isTZInfo(v any) bool {
	switch v.(type) {
	case nil, *TimeZone:
		return true
	case *Global:
		return false
	}
	return callable(v) == nil
}

func newDatetime(_ *decoding, class *Global, args []any) (any, error) {
	b, tz, ok := stateOf(args, calendar.DatetimeSize)
	if !ok {
		return nil, nil
	}
	b, fold := cutFold(b, 2)
	d := &Datetime{Fold: fold, TZ: tz, class: class}
	var isDate, isTime bool
	d.Year, d.Month, d.Day, isDate = calendar.Date(b)
	d.Hour, d.Minute, d.Second, d.Microsecond, isTime = calendar.Time(b[calendar.DateSize:])
	if !isDate || !isTime {
		return nil, nil
	}
	return d, nil
}

// cutFold returns a state without the bit for the second of two equal times, which is in byte i, and that bit.
func cutFold(b []byte, i int) (state []byte, fold int) {
	state = slices.Clone(b)
	state[i] &^= calendar.FoldBit
	return state, int(b[i] / calendar.FoldBit)
}

func newDate(_ *decoding, class *Global, args []any) (any, error) {
	b, _, ok := stateOf(args, calendar.DateSize)
	if !ok || len(args) != 1 {
		return nil, nil
	}
	d := &Date{class: class}
	if d.Year, d.Month, d.Day, ok = calendar.Date(b); !ok {
		return nil, nil
	}
	return d, nil
}

func newTime(_ *decoding, class *Global, args []any) (any, error) {
	b, tz, ok := stateOf(args, calendar.TimeSize)
	if !ok {
		return nil, nil
	}
	b, fold := cutFold(b, 0)
	t := &Time{Fold: fold, TZ: tz, class: class}
	if t.Hour, t.Minute, t.Second, t.Microsecond, ok = calendar.Time(b); !ok {
		return nil, nil
	}
	return t, nil
}

// newTimedelta takes three integers, which must be Python's only way to divide a length of time into them.
func newTimedelta(_ *decoding, class *Global, args []any) (any, error) {
	if len(args) != 3 {
		return nil, nil
	}
	days, ok1 := args[0].(int64)
	seconds, ok2 := args[1].(int64)
	us, ok3 := args[2].(int64)
	const maxDays = 999_999_999
	if !ok1 || !ok2 || !ok3 || days < -maxDays || days > maxDays || seconds < 0 || seconds >= 86400 || us < 0 || us >= 1_000_000 {
		return nil, nil
	}
	return &Timedelta{int(days), int(seconds), int(us), class}, nil
}

// newTimeZone takes an offset of less than a day, and optionally a name.
func newTimeZone(_ *decoding, class *Global, args []any) (any, error) {
	if len(args) == 0 || len(args) > 2 {
		return nil, nil
	}
	offset, ok := args[0].(*Timedelta)
	if !ok || offset.Days < -1 || offset.Days > 0 || offset.microseconds() == -calendar.MicrosecondsPerDay {
		return nil, nil
	}
	z := &TimeZone{Offset: offset, class: class}
	if len(args) == 2 {
		if z.Name, ok = args[1].(string); !ok {
			return nil, nil
		}
	}
	return z, nil
}

// microseconds returns a length of time of a few days in microseconds, 0 for nil.
func (d *Timedelta) microseconds() int64 {
	if d == nil {
		return 0
	}
	return int64(d.Days)*calendar.MicrosecondsPerDay + int64(d.Seconds)*1_000_000 + int64(d.Microseconds)
}
