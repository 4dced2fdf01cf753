package scalar

import "github.com/npygo/npy/dtype"

// Most times in files have one of three forms, in years of four digits. They are read without the arithmetic of 128 bits that all other
// moments need.

// plainSeconds returns the seconds after 1970 of a text such as 2024-03-01, 2024-03-01T12:30 or 2024-03-01 12:30:59. It reports false
// for all other texts, also those that are no times.
func plainSeconds(s string) (seconds int64, ok bool) {
	if len(s) != len("2024-03-01") && len(s) != len("2024-03-01T12:30") && len(s) != len("2024-03-01T12:30:59") || s[4] != '-' || s[7] != '-' {
		return 0, false
	}
	y1, y2, month, day := twoDigits(s[0:2]), twoDigits(s[2:4]), twoDigits(s[5:7]), twoDigits(s[8:10])
	year := 100*y1 + y2
	if y1 < 1 || y2 < 0 || month < 1 || month > 12 || day < 1 || day > 28 && day > daysIn(year, month) {
		return 0, false
	}
	seconds = secondsPerDay * int64(daysSince1970(year, month, day))
	if len(s) == len("2024-03-01") {
		return seconds, true
	}
	hour, minute, second := twoDigits(s[11:13]), twoDigits(s[14:16]), 0
	ok = (s[10] == 'T' || s[10] == ' ') && s[13] == ':'
	if len(s) > len("2024-03-01T12:30") {
		second = twoDigits(s[17:19])
		ok = ok && s[16] == ':'
	}
	if !ok || uint(hour) > 23 || uint(minute) > 59 || uint(second) > 59 {
		return 0, false
	}
	return seconds + int64(3600*hour+60*minute+second), true
}

// twoDigits returns the number of two digits, or one below zero.
func twoDigits(s string) int {
	tens, ones := s[0]-'0', s[1]-'0'
	if tens > 9 || ones > 9 {
		return -1000
	}
	return int(10*tens + ones)
}

// daysIn returns the length of a month of a year after 0.
func daysIn(year, month int) int {
	return date{year: int128{lo: uint64(year)}, month: month}.daysIn()
}

// daysSince1970 is [date.days] for the years 100 to 9999.
func daysSince1970(year, month, day int) int {
	if month -= 3; month < 0 {
		year, month = year-1, month+12
	}
	return 365*year + year/4 - year/100 + year/400 + (153*month+2)/5 + day - 1 - epochInEra
}

// plainTicks returns the step that has begun after some seconds, and whether it is their moment. It reports false for steps, and for
// years, that need other arithmetic.
func plainTicks(seconds int64, step dtype.Step) (ticks int64, exact, ok bool) {
	const nanoseconds = 9_000_000_000 // fit 64 bits, up to the year 2255 and from 1684 on
	if step.Num < 1 {
		return 0, false, false
	}
	per := int64(step.Num)
	switch {
	case step.Unit >= dtype.Day && step.Unit <= dtype.Second:
		per *= int64(secondsPer(step.Unit))
	case step.Unit > dtype.Second && step.Unit <= dtype.Nanosecond && per == 1 && -nanoseconds < seconds && seconds < nanoseconds:
		return seconds * int64(pow10Uint64(fractionDigits(step.Unit))), true, true
	default:
		return 0, false, false
	}
	ticks = seconds / per
	rest := seconds % per
	if rest < 0 {
		ticks--
	}
	return ticks, rest == 0, true
}
