package scalar

import (
	"errors"
	"strconv"

	"github.com/npygo/npy/internal/escape"
)

// The reasons wrapped by the errors of this package; test for them with errors.Is.
var (
	// ErrSyntax means that a text does not follow the grammar of its type.
	ErrSyntax = errors.New("invalid syntax")
	// ErrRange means that a value is outside the range of the target type.
	ErrRange = errors.New("value out of range")
	// ErrDate means that a date or a time of day does not exist: 2023-02-29, month 13, hour 24. A date that exists but is
	// too far away for its type is ErrRange.
	ErrDate = errors.New("no such date or time")
	// ErrInexact means that a value has a finer part than the target type holds.
	ErrInexact = errors.New("value is not a whole number of ticks")
	// ErrNaT means that not-a-time has no value in the target type.
	ErrNaT = errors.New("not a time")
	// ErrUnit means that the unit has no fixed length (generic, or years and months for a duration).
	ErrUnit = errors.New("unit has no fixed length")
	// ErrUTF8 means that a string is not UTF-8, even if lone surrogates are allowed.
	ErrUTF8 = escape.ErrUTF8
)

// A ParseError reports a text that is not a value of a type.
type ParseError struct {
	Type   string // NumPy's name of the type: float16, datetime64[s], ...
	Text   string // the whole text
	Offset int    // byte in Text where reading stopped; 0 when the text is at fault as a whole
	Err    error  // ErrSyntax, ErrRange, ErrDate, ErrInexact, ErrUnit, ErrUTF8, or an error that wraps one of them
}

// Error names the type, the text (cut when it is long) and the reason.
func (e *ParseError) Error() string {
	s := "scalar: cannot read " + quote(e.Text) + " as " + e.Type
	if e.Offset > 0 {
		s += " at byte " + strconv.Itoa(e.Offset)
	}
	return s + ": " + e.Err.Error()
}

// Unwrap returns the reason.
func (e *ParseError) Unwrap() error { return e.Err }

// quote quotes s for a message and keeps the message short.
func quote(s string) string {
	const limit = 48
	if len(s) > limit {
		return strconv.Quote(s[:limit]) + "..."
	}
	return strconv.Quote(s)
}

// A dateError is an [ErrDate] that names the part of the date.
type dateError struct {
	name          string // month, day, hour, …
	value, lo, hi int
}

func (e *dateError) Error() string {
	two := func(v int) string { return string(append2(nil, v)) }
	return ErrDate.Error() + ": " + e.name + " " + two(e.value) + ", want " + two(e.lo) + " to " + two(e.hi)
}

func (e *dateError) Unwrap() error { return ErrDate }

// A RangeError reports a time value that another type cannot hold.
type RangeError struct {
	Value  string // the value as text
	Type   string // the type it has
	Target string // the type it should get
	Err    error  // ErrRange, ErrInexact, ErrNaT or ErrUnit
}

// Error names the value, both types and the reason.
func (e *RangeError) Error() string {
	return "scalar: cannot convert " + e.Type + " " + e.Value + " to " + e.Target + ": " + e.Err.Error()
}

// Unwrap returns the reason.
func (e *RangeError) Unwrap() error { return e.Err }

// A CodePointError reports an element of a U item that is not a Unicode code point.
type CodePointError struct {
	Index int    // element of the item, from 0
	Value uint32 // the offending number, above 0x10FFFF
}

// Error names the element and its value.
func (e *CodePointError) Error() string {
	return "scalar: character " + strconv.Itoa(e.Index) + " is 0x" + strconv.FormatUint(uint64(e.Value), 16) +
		", above the last code point 0x10ffff"
}

// A LengthError reports a string with more code points than its U item can hold.
type LengthError struct {
	Length int // code points in the string
	Room   int // code points the item holds
}

// Error names both lengths.
func (e *LengthError) Error() string {
	return "scalar: string of " + strconv.Itoa(e.Length) + " code points does not fit U" + strconv.Itoa(e.Room)
}

// A SizeError reports a buffer whose size does not match its type.
type SizeError struct {
	Type string // NumPy's name of the type
	Size int    // bytes given
	Want string // valid sizes
}

// Error names the type, the size and the sizes allowed.
func (e *SizeError) Error() string {
	return "scalar: " + e.Type + " item of " + strconv.Itoa(e.Size) + " bytes; want " + e.Want
}
