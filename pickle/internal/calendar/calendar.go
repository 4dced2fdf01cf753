package calendar

// MicrosecondsPerDay is the length of a day.
const MicrosecondsPerDay = 24 * 60 * 60 * 1_000_000

// IsDate reports whether Python has the date: in the years 1 to 9999.
func IsDate(year, month, day int) bool {
	return 1 <= year && year <= 9999 && 1 <= month && month <= 12 && 1 <= day && day <= daysIn(year, month)
}

// IsTime reports whether Python has the time of day.
func IsTime(hour, minute, second, microsecond int) bool {
	return hour < 24 && minute < 60 && second < 60 && microsecond < 1_000_000
}

// daysIn returns the length of a month.
func daysIn(year, month int) int {
	next := Days(year, month+1, 1)
	if month == 12 {
		next = Days(year+1, 1, 1)
	}
	return int(next - Days(year, month, 1))
}

// Days returns the days from 1 March of year 0 to a date.
func Days(year, month, day int) int64 {
	if month < 3 { // years that begin in March end with the leap day
		year, month = year-1, month+12
	}
	y := int64(year)
	return 365*y + FloorDiv(y, 4) - FloorDiv(y, 100) + FloorDiv(y, 400) + int64((153*(month-3)+2)/5+day-1)
}

// TimeOfDay returns a time of day in microseconds.
func TimeOfDay(hour, minute, second, microsecond int) int64 {
	return int64((hour*60+minute)*60+second)*1_000_000 + int64(microsecond)
}

// FloorDiv returns a/b, rounded down, for b > 0.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
