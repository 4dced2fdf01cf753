package values

import (
	"fmt"
	"strconv"

	"github.com/npygo/npy/internal/escape"
	"github.com/npygo/npy/pickle"
)

// Text in ISO 8601 of the times of Python's module datetime.

func appendDate(dst []byte, year, month, day int) []byte {
	return fmt.Appendf(dst, "%04d-%02d-%02d", year, month, day)
}

func appendClock(dst []byte, hour, minute, second, microsecond int) []byte {
	dst = fmt.Appendf(dst, "%02d:%02d:%02d", hour, minute, second)
	if microsecond != 0 {
		dst = fmt.Appendf(dst, ".%06d", microsecond)
	}
	return dst
}

// appendZone appends an offset such as +01:00 for a timezone. The zone of a library has rules of its own, so its text is
// appended in brackets.
func appendZone(dst []byte, tz any) ([]byte, error) {
	zone, ok := tz.(*pickle.TimeZone)
	switch {
	case tz == nil:
		return dst, nil
	case !ok || zone.Offset == nil:
		dst, err := escape.AppendStr(append(dst, '['), shortRepr(tz))
		return append(dst, ']'), err
	}
	negative, seconds, microsecond := absolute(zone.Offset)
	sign := byte('+')
	if negative {
		sign = '-'
	}
	dst = fmt.Appendf(dst, "%c%02d:%02d", sign, seconds/3600, seconds/60%60)
	if seconds%60 != 0 || microsecond != 0 {
		dst = fmt.Appendf(dst, ":%02d", seconds%60)
	}
	if microsecond != 0 {
		dst = fmt.Appendf(dst, ".%06d", microsecond)
	}
	return dst, nil
}

// absolute returns a time span as a sign and a length.
func absolute(d *pickle.Timedelta) (negative bool, seconds int64, microsecond int) {
	seconds, microsecond = int64(d.Days)*86400+int64(d.Seconds), d.Microseconds
	if seconds >= 0 {
		return false, seconds, microsecond
	}
	if microsecond > 0 {
		return true, -seconds - 1, 1_000_000 - microsecond
	}
	return true, -seconds, 0
}

// appendDuration appends a time span: P1DT2H3M4.5S.
func appendDuration(dst []byte, d *pickle.Timedelta) []byte {
	negative, seconds, microsecond := absolute(d)
	if negative {
		dst = append(dst, '-')
	}
	dst = append(dst, 'P')
	if days := seconds / 86400; days > 0 {
		dst = append(strconv.AppendInt(dst, days, 10), 'D')
	}
	rest := seconds % 86400
	if rest == 0 && microsecond == 0 && seconds > 0 {
		return dst
	}
	dst = append(dst, 'T')
	if hours := rest / 3600; hours > 0 {
		dst = append(strconv.AppendInt(dst, hours, 10), 'H')
	}
	if minutes := rest / 60 % 60; minutes > 0 {
		dst = append(strconv.AppendInt(dst, minutes, 10), 'M')
	}
	if rest%60 == 0 && microsecond == 0 && rest > 0 {
		return dst
	}
	dst = strconv.AppendInt(dst, rest%60, 10)
	if microsecond > 0 {
		dst = fmt.Appendf(dst, ".%06d", microsecond)
	}
	return append(dst, 'S')
}
