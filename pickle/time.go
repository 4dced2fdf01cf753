package pickle

// A Datetime is Python's datetime.datetime.
type Datetime struct {
	Year, Month, Day                  int
	Hour, Minute, Second, Microsecond int
	Fold                              int // 1 for the second of two equal times when clocks are set back
	TZ                                any // the tzinfo: nil, a *TimeZone, or an *Object of another library
	class                             *Global
}

// A Date is Python's datetime.date.
type Date struct {
	Year, Month, Day int
	class            *Global
}

// A Time is Python's datetime.time, a time of day.
type Time struct {
	Hour, Minute, Second, Microsecond int
	Fold                              int
	TZ                                any
	class                             *Global
}

// A Timedelta is Python's datetime.timedelta: 0 <= Seconds < 86400 and 0 <= Microseconds < 1000000, as in Python.
type Timedelta struct {
	Days, Seconds, Microseconds int
	class                       *Global
}

// A TimeZone is Python's datetime.timezone: a fixed offset from UTC, and optionally a name.
type TimeZone struct {
	Offset *Timedelta
	Name   any // a string, or nil
	class  *Global
}
