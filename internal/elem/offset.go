package elem

import (
	"math/bits"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/jsontext"
	"github.com/npygo/npy/scalar"
)

// CutOffset divides the text of a time with an offset from UTC, +01:00, +0100 or +01, into the local time and the offset
// in minutes.
func CutOffset(text string) (local string, minutes int, ok bool) {
	for _, n := range []int{len("+01:00"), len("+0100"), len("+01")} {
		at := len(text) - n
		if at < 0 || text[at] != '+' && text[at] != '-' {
			continue
		}
		local = text[:at]
		digits := text[at+1:]
		if n == len("+01:00") && digits[2] == ':' {
			digits = digits[:2] + digits[3:]
		}
		if len(digits)%2 != 0 || jsontext.Digits(digits) != len(digits) || !strings.ContainsAny(local, "T: ") {
			continue
		}
		minutes = 60 * (10*int(digits[0]-'0') + int(digits[1]-'0'))
		if len(digits) == 4 {
			minutes += 10*int(digits[2]-'0') + int(digits[3]-'0')
		}
		if text[at] == '-' {
			minutes = -minutes
		}
		return local, minutes, minutes > -24*60 && minutes < 24*60
	}
	return "", 0, false
}

// parseLocal returns the time in UTC of a local time.
func parseLocal(local string, minutes int, step dtype.Step) (scalar.Datetime64, error) {
	at, err := scalar.ParseDatetime64(local, step)
	if err != nil || at.Ticks == scalar.NaT || minutes == 0 {
		return at, err
	}
	shift, err := minuteTicks(minutes, step)
	if err != nil {
		return scalar.Datetime64{}, err
	}
	utc := at.Ticks - shift
	if (utc < at.Ticks) != (shift > 0) || utc == int64(scalar.NaT) {
		return scalar.Datetime64{}, scalar.ErrRange
	}
	return scalar.Datetime64{Ticks: utc}, nil
}

// minuteTicks returns a number of minutes in steps.
func minuteTicks(minutes int, step dtype.Step) (int64, error) {
	size := map[dtype.Unit]uint64{dtype.Week: 604800, dtype.Day: 86400, dtype.Hour: 3600, dtype.Minute: 60}[step.Unit] // in seconds
	count := 60 * uint64(max(minutes, -minutes))
	switch {
	case size > 0:
	case step.Unit < dtype.Second: // months and years
		return 0, scalar.ErrInexact
	default:
		size = 1
		for u := dtype.Second; u < step.Unit; u++ {
			high, low := bits.Mul64(count, 1000)
			if high > 0 {
				return 0, scalar.ErrRange
			}
			count = low
		}
	}
	size *= uint64(step.Num)
	switch {
	case count%size != 0:
		return 0, scalar.ErrInexact
	case count/size > 1<<62:
		return 0, scalar.ErrRange
	case minutes < 0:
		return -int64(count / size), nil
	}
	return int64(count / size), nil
}
