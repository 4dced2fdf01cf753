package elem

import (
	"strings"

	"github.com/npygo/npy/internal/jsontext"
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
