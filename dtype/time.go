package dtype

import (
	"fmt"
	"math"
	"strings"
)

// A timeText is a datetime64 or timedelta64 code without its metadata.
type timeText struct {
	kind   Kind
	meta   string // with the brackets, "" for generic
	offset int
}

// parseTime cuts "M8", "m8", "datetime64" or "timedelta64" from the front of a code.
func parseTime(body string) (timeText, bool) {
	for _, p := range [...]struct {
		prefix string
		kind   Kind
	}{{"M8", KindDatetime}, {"m8", KindTimedelta}, {"datetime64", KindDatetime}, {"timedelta64", KindTimedelta}} {
		if meta, ok := strings.CutPrefix(body, p.prefix); ok {
			return timeText{p.kind, meta, len(p.prefix)}, true
		}
	}
	return timeText{}, false
}

func (tt timeText) parse() (Type, error) {
	if tt.meta == "" {
		return timeType(tt.kind, Step{}), nil
	}
	inner, closed := strings.CutSuffix(tt.meta, "]")
	inner, opened := strings.CutPrefix(inner, "[")
	if !opened || !closed {
		return Type{}, invalid(tt.offset, "", "invalid datetime metadata %s, want a unit in brackets as in [ns]", quote(tt.meta))
	}
	step, err := ParseStep(inner)
	if err != nil {
		return Type{}, moved(err, tt.offset+1, "")
	}
	return timeType(tt.kind, step), nil
}

// ParseStep reads the metadata of a datetime64 without its brackets: an optional count, a unit, and an optional
// divisor, which must lead to whole steps of a finer unit as in NumPy: "25s", "ns", "Y/12".
func ParseStep(text string) (Step, error) {
	digits := countLen(text)
	num := int64(1)
	if digits > 0 {
		num, _ = parseSize(text[:digits])
		if num < 0 || num > math.MaxInt32 {
			return Step{}, invalid(0, "", "datetime multiple %s is out of range 0 to %d", quote(text[:digits]), math.MaxInt32)
		}
	}
	code, divisor, divided := strings.Cut(text[digits:], "/")
	unit, ok := parseUnit(code)
	if !ok {
		return Step{}, invalid(digits, "", "invalid datetime unit %s, want one of Y M W D h m s ms us ns ps fs as", quote(code))
	}
	step := Step{Num: int32(num), Unit: unit}
	if divided {
		den, ok := parseSize(divisor)
		if !ok || den <= 0 {
			return Step{}, invalid(digits+len(code)+1, "", "invalid datetime divisor %s", quote(divisor))
		}
		var err error
		if step, err = step.divided(den); err != nil {
			return Step{}, &Error{Offset: digits + len(code) + 1, Err: err}
		}
	}
	if step.Unit == Generic {
		return Step{}, nil
	}
	return step, nil
}

// countLen returns the length of the number at the start of text, 0 if there is none. The rules are parseSize's.
func countLen(text string) int {
	rest := strings.TrimLeft(text, cSpace)
	if rest != "" && (rest[0] == '+' || rest[0] == '-') {
		rest = rest[1:]
	}
	unit := strings.TrimLeft(rest, "0123456789")
	if len(unit) == len(rest) {
		return 0
	}
	return len(text) - len(unit)
}

func parseUnit(code string) (Unit, bool) {
	if code == "μs" { // the Greek letter, as in NumPy; not the micro sign
		return Microsecond, true
	}
	for u, c := range unitCodes {
		if c == code {
			return Unit(u), true
		}
	}
	return 0, false
}

// A finer is a finer unit, and the number of these units in one coarser unit.
type finer struct {
	count int64
	unit  Unit
}

// finerUnits lists, for each unit from years to minutes, the units that NumPy tries when it resolves a divisor
// (_multiples_table, numpy 2.x). Months of 4 weeks or 30 days are NumPy's approximation, and are used only here.
var finerUnits = [...][]finer{
	Year:   {{12, Month}, {52, Week}, {365, Day}},
	Month:  {{4, Week}, {30, Day}, {720, Hour}},
	Week:   {{7, Day}, {168, Hour}, {10080, Minute}},
	Day:    {{24, Hour}, {1440, Minute}, {86400, Second}},
	Hour:   {{60, Minute}, {3600, Second}},
	Minute: {{60, Second}, {60000, Millisecond}},
}

// divided returns the step divided by den, in the first finer unit in which it is a whole number.
func (s Step) divided(den int64) (Step, error) {
	tries := []finer{{1000, s.Unit + 1}, {1000000, s.Unit + 2}}
	switch {
	case den == 1:
		return s, nil
	case s.Unit == Generic:
		return Step{}, fmt.Errorf("a generic datetime cannot have a divisor")
	case int(s.Unit) < len(finerUnits):
		tries = finerUnits[s.Unit]
	case s.Unit == Attosecond:
		tries = nil
	case s.Unit == Femtosecond:
		tries = tries[:1]
	}
	for _, f := range tries {
		if f.count%den != 0 {
			continue
		}
		num := int64(s.Num) * (f.count / den)
		if num > math.MaxInt32 {
			return Step{}, fmt.Errorf("datetime multiple %d is over %d", num, math.MaxInt32)
		}
		return Step{Num: int32(num), Unit: f.unit}, nil
	}
	return Step{}, fmt.Errorf("divisor %d is not a multiple of a lower unit of %s", den, s.Unit)
}
