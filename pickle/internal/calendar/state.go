package calendar

// The sizes of the states of Python's datetime. A state is the bytes of a date or time, which are pickled: two for the year,
// big-endian, three for the microseconds, one for each other part. Fold is the highest bit of the month in a datetime, and of
// the hour in a time.
const (
	DateSize     = 4
	TimeSize     = 6
	DatetimeSize = DateSize + TimeSize

	FoldBit = 0x80 // the second of two equal times
)

// AppendDate appends a date.
func AppendDate(b []byte, year, month, day int) []byte {
	return append(b, byte(year>>8), byte(year), byte(month), byte(day))
}

// AppendTime appends a time of day.
func AppendTime(b []byte, hour, minute, second, microsecond int) []byte {
	return append(b, byte(hour), byte(minute), byte(second), byte(microsecond>>16), byte(microsecond>>8), byte(microsecond))
}

// Date returns the date in DateSize bytes, and whether Python has it.
func Date(b []byte) (year, month, day int, ok bool) {
	year, month, day = int(b[0])<<8|int(b[1]), int(b[2]), int(b[3])
	return year, month, day, IsDate(year, month, day)
}

// Time returns the time of day in TimeSize bytes, and whether Python has it.
func Time(b []byte) (hour, minute, second, microsecond int, ok bool) {
	hour, minute, second, microsecond = int(b[0]), int(b[1]), int(b[2]), int(b[3])<<16|int(b[4])<<8|int(b[5])
	return hour, minute, second, microsecond, IsTime(hour, minute, second, microsecond)
}
