package pickle

// Python writes the times of module datetime as bytes: two for the year, big-endian, three for the microseconds, one
// for each other part. Fold is the highest bit of the month in a datetime, of the hour in a time.

const microsecondsPerDay = 24 * 60 * 60 * 1_000_000

// foldBit marks the second of two equal times.
const foldBit = 0x80

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

func newDatetime(_ *machine, class *Global, args []any) (any, error) {
	b, tz, ok := stateOf(args, 10)
	if !ok {
		return nil, nil
	}
	d := &Datetime{Year: int(b[0])<<8 | int(b[1]), Month: int(b[2] &^ foldBit), Day: int(b[3]), TZ: tz, class: class}
	d.Hour, d.Minute, d.Second, d.Microsecond = int(b[4]), int(b[5]), int(b[6]), microsecond(b[7:])
	d.Fold = int(b[2] / foldBit)
	if !isDate(d.Year, d.Month, d.Day) || !isTime(d.Hour, d.Minute, d.Second, d.Microsecond) {
		return nil, nil
	}
	return d, nil
}

func newDate(_ *machine, class *Global, args []any) (any, error) {
	b, _, ok := stateOf(args, 4)
	if !ok || len(args) != 1 {
		return nil, nil
	}
	d := &Date{int(b[0])<<8 | int(b[1]), int(b[2]), int(b[3]), class}
	if !isDate(d.Year, d.Month, d.Day) {
		return nil, nil
	}
	return d, nil
}

func newTime(_ *machine, class *Global, args []any) (any, error) {
	b, tz, ok := stateOf(args, 6)
	if !ok {
		return nil, nil
	}
	t := &Time{Hour: int(b[0] &^ foldBit), Minute: int(b[1]), Second: int(b[2]), Microsecond: microsecond(b[3:]), TZ: tz, class: class}
	t.Fold = int(b[0] / foldBit)
	if !isTime(t.Hour, t.Minute, t.Second, t.Microsecond) {
		return nil, nil
	}
	return t, nil
}

func microsecond(b []byte) int { return int(b[0])<<16 | int(b[1])<<8 | int(b[2]) }

// newTimedelta takes three integers, which must be Python's only way to divide a length of time into them.
func newTimedelta(_ *machine, class *Global, args []any) (any, error) {
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
func newTimeZone(_ *machine, class *Global, args []any) (any, error) {
	if len(args) == 0 || len(args) > 2 {
		return nil, nil
	}
	offset, ok := args[0].(*Timedelta)
	if !ok || offset.Days < -1 || offset.Days > 0 || offset.microseconds() == -microsecondsPerDay {
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
	return int64(d.Days)*microsecondsPerDay + int64(d.Seconds)*1_000_000 + int64(d.Microseconds)
}

func isDate(year, month, day int) bool {
	return 1 <= year && year <= 9999 && 1 <= month && month <= 12 && 1 <= day && day <= daysIn(year, month)
}

func isTime(hour, minute, second, microsecond int) bool {
	return hour < 24 && minute < 60 && second < 60 && microsecond < 1_000_000
}

// daysIn returns the length of a month.
func daysIn(year, month int) int {
	next := daysFromCivil(year, month+1, 1)
	if month == 12 {
		next = daysFromCivil(year+1, 1, 1)
	}
	return int(next - daysFromCivil(year, month, 1))
}

// daysFromCivil returns the days from 1 March of year 0 to a date.
func daysFromCivil(year, month, day int) int64 {
	if month < 3 { // years that begin in March end with the leap day
		year, month = year-1, month+12
	}
	y := int64(year)
	return 365*y + floorDiv(y, 4) - floorDiv(y, 100) + floorDiv(y, 400) + int64((153*(month-3)+2)/5+day-1)
}

// timeOfDay returns a time of day in microseconds.
func timeOfDay(hour, minute, second, microsecond int) int64 {
	return int64((hour*60+minute)*60+second)*1_000_000 + int64(microsecond)
}

// floorDiv returns a/b, rounded down, for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
