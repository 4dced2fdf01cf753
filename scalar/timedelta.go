package scalar

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/npygo/npy/dtype"
)

// A Timedelta64 is an item of a NumPy timedelta64 array: a number of ticks. The length of a tick is part of the
// dtype. Methods take it as a [dtype.Step]. [NaT] marks a missing value.
type Timedelta64 struct {
	Ticks int64 `dtype:"timedelta64"` // in units of the dtype, or [NaT]
}

// IsNaT reports whether d is [NaT].
func (d Timedelta64) IsNaT() bool { return d.Ticks == NaT }

var unitNames = [...]string{
	"generic time units", "years", "months", "weeks", "days", "hours", "minutes", "seconds", "milliseconds",
	"microseconds", "nanoseconds", "picoseconds", "femtoseconds", "attoseconds",
}

func unitName(u dtype.Unit) string {
	if int(u) < len(unitNames) {
		return unitNames[u]
	}
	return u.String()
}

// Append appends d as str(numpy.timedelta64) prints it: the number of units, not of ticks, and the unit
// in the plural (timedeltatype_str): 1 days; 125 seconds for five ticks of 25s; 5 generic time units; NaT.
// The number is right even where NumPy's product of ticks and step overflows 64 bits.
func (d Timedelta64) Append(dst []byte, step dtype.Step) []byte {
	if d.Ticks == NaT {
		return append(dst, "NaT"...)
	}
	dst = mulInt64(d.Ticks, tickLen(step)).append(dst, 1)
	return append(append(dst, ' '), unitName(step.Unit)...)
}

// Format returns the text of [Timedelta64.Append].
func (d Timedelta64) Format(step dtype.Step) string { return string(d.Append(nil, step)) }

// tickLen returns the units in a tick; the zero Step counts single generic units.
func tickLen(step dtype.Step) int64 {
	if step == (dtype.Step{}) {
		return 1
	}
	return int64(step.Num)
}

// AppendCount appends the number of ticks or NaT, as NumPy prints the items of an array.
func (d Timedelta64) AppendCount(dst []byte) []byte { return appendCount(dst, d.Ticks) }

// nanosPer returns the nanoseconds in a unit as a fraction, or 0, 0 if it has no fixed length.
func nanosPer(u dtype.Unit) (num, den uint64) {
	switch {
	case u == dtype.Week, u == dtype.Day, u == dtype.Hour, u == dtype.Minute, u == dtype.Second:
		return secondsPer(u) * 1e9, 1
	case u > dtype.Second && u <= dtype.Nanosecond:
		return pow10Uint64(9 - fractionDigits(u)), 1
	case u > dtype.Nanosecond && u <= dtype.Attosecond:
		return 1, pow10Uint64(fractionDigits(u) - 9)
	}
	return 0, 0
}

// Duration returns d as a time.Duration. It gives a *[RangeError] for NaT, for generic, year and month steps, for a
// fraction of a nanosecond and for more than about 292 years.
func (d Timedelta64) Duration(step dtype.Step) (time.Duration, error) {
	if d.Ticks == NaT {
		return 0, d.rangeError(step, ErrNaT)
	}
	num, den := nanosPer(step.Unit)
	if den == 0 {
		return 0, d.rangeError(step, ErrUnit)
	}
	v, ok := mulInt64(d.Ticks, int64(step.Num)).mul(num)
	v, rem := v.divFloor(den)
	n, fits := v.int64()
	if !ok || !fits {
		return 0, d.rangeError(step, ErrRange)
	}
	if rem != 0 {
		return 0, d.rangeError(step, ErrInexact)
	}
	return time.Duration(n), nil
}

func (d Timedelta64) rangeError(step dtype.Step, err error) error {
	return &RangeError{Value: d.Format(step), Type: typeName("timedelta64", step), Target: "time.Duration", Err: err}
}

// ParseTimedelta64 reads a number of ticks, or NaT in any case or the empty text for [NaT], as
// numpy.timedelta64(s, unit) does. It also reads the text of [Timedelta64.Append], a number of units followed by
// the name of the step's unit, which NumPy does not read. Units that are not a whole number of ticks are
// rejected with [ErrInexact]. A number that does not fit in 64 bits is rejected with [ErrRange], where
// NumPy takes the nearest number that fits. All errors are *[ParseError].
func ParseTimedelta64(s string, step dtype.Step) (Timedelta64, error) {
	if isNaTText(s) {
		return Timedelta64{NaT}, nil
	}
	ticks, err := parseTicks(s, step)
	if err != nil {
		return Timedelta64{}, &ParseError{Type: typeName("timedelta64", step), Text: s, Err: err}
	}
	return Timedelta64{ticks}, nil
}

func parseTicks(s string, step dtype.Step) (int64, error) {
	num, isUnits := strings.CutSuffix(s, " "+unitName(step.Unit))
	v, err := parseInt128(num)
	if err != nil {
		return 0, err
	}
	if isUnits {
		n := tickLen(step)
		if n <= 0 {
			return 0, ErrUnit
		}
		var rem uint64
		if v, rem = v.divFloor(uint64(n)); rem != 0 {
			return 0, ErrInexact
		}
	}
	ticks, ok := v.int64()
	if !ok || ticks == math.MinInt64 {
		return 0, ErrRange
	}
	return ticks, nil
}

// parseInt128 reads a sign and up to 30 digits.
func parseInt128(s string) (int128, error) {
	digits := strings.TrimLeft(s, "+-")
	lead, rest := leadingDigits(digits)
	if lead == "" || rest != "" || len(s)-len(digits) > 1 {
		return int128{}, ErrSyntax
	}
	if v, err := strconv.ParseInt(s, 10, 64); err == nil {
		return wide(v), nil
	}
	p := dateParser{text: s}
	v, err := p.year()
	if err == nil && p.far > 0 {
		err = ErrRange
	}
	return v, err
}
