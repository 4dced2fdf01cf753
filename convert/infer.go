package convert

import (
	"errors"
	"fmt"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/escape"
	"github.com/npygo/npy/internal/jsontext"
	"github.com/npygo/npy/scalar"
)

// A kinds is a set of what a cell could be besides text.
type kinds uint8

const (
	boolCell kinds = 1 << iota
	numberCell
	complexCell // every number is one
	timeCell
	anyCell = boolCell | numberCell | complexCell | timeCell
)

// A guess gathers what the cells of a column have in common.
type guess struct {
	could   kinds
	seen    bool // one was not empty
	missing bool
	unit    dtype.Unit
	numbers
	longest int // in code points
}

func newGuess() guess { return guess{could: anyCell} }

// merge takes note of what was seen of the column in later text.
func (g *guess) merge(later *guess) {
	g.could &= later.could
	g.seen = g.seen || later.seen
	g.missing = g.missing || later.missing
	g.unit = max(g.unit, later.unit)
	g.longest = max(g.longest, later.longest)
	g.numbers.merge(&later.numbers)
}

// observe takes note of a cell on a line.
func (g *guess) observe(cell string, line int) {
	if g.could == 0 {
		g.longest = max(g.longest, escape.StrLen(cell))
		return
	}
	text := trim(cell)
	if text == "" {
		g.missing = true
		g.longest = max(g.longest, len(cell))
		return
	}
	g.seen = true
	if integer, ok := scanNumber(text); ok {
		g.could &= numberCell | complexCell
		g.add(text, integer, line)
		g.longest = max(g.longest, len(cell))
		return
	}
	is, unit := classify(text)
	g.could &= is
	g.unit = max(g.unit, unit)
	g.longest = max(g.longest, escape.StrLen(cell))
}

// classify says what a text that is no number could be, and the unit of a time.
func classify(text string) (kinds, dtype.Unit) {
	switch text {
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return boolCell, 0
	}
	if strings.EqualFold(text, "nat") {
		return timeCell, 0
	}
	if unit, ok := timeUnit(text); ok {
		return timeCell, unit
	}
	if c := text[len(text)-1]; c != 'j' && c != 'J' && c != ')' || len(text) == 1 {
		return 0, 0
	}
	if _, err := scalar.ParseComplex128(text); err == nil || errors.Is(err, scalar.ErrRange) {
		return complexCell, 0
	}
	return 0, 0
}

// timeUnit returns the unit that text, a moment in ISO 8601, is written in. A year alone is taken for a number.
func timeUnit(text string) (dtype.Unit, bool) {
	year := strings.TrimLeft(text, "+-")
	n := jsontext.Digits(year)
	if n < 4 || n == len(year) || year[n] != '-' {
		return 0, false
	}
	unit := dtype.Month
	switch rest := strings.TrimRight(year[n:], " \tZ"); {
	case len(rest) <= len("-mm"):
	case len(rest) <= len("-mm-dd"):
		unit = dtype.Day
	case len(rest) <= len("-mm-ddThh"):
		unit = dtype.Hour
	case len(rest) <= len("-mm-ddThh:mm"):
		unit = dtype.Minute
	case len(rest) <= len("-mm-ddThh:mm:ss."):
		unit = dtype.Second
	default:
		decimals := len(rest) - len("-mm-ddThh:mm:ss.")
		unit = min(dtype.Second+dtype.Unit((decimals+2)/3), dtype.Attosecond)
	}
	// A few units reach only some seconds from 1970, so the range is left to whoever reads the whole column.
	_, err := scalar.ParseDatetime64(text, dtype.Step{Num: 1, Unit: unit})
	return unit, err == nil || errors.Is(err, scalar.ErrRange) && timeFields(text)
}

// timeFields reports whether text is a moment, in whatever range.
func timeFields(text string) bool {
	_, err := scalar.ParseDatetime64(text, dtype.Step{Num: 1, Unit: dtype.Second})
	return err == nil || errors.Is(err, scalar.ErrInexact)
}

// dtype returns the dtype for the column. An error comes with the cell that is in the way.
func (g *guess) dtype() (t dtype.Type, c culprit, err error) {
	switch {
	case !g.seen:
		return dtype.Float64, c, nil
	case g.could&boolCell != 0 && !g.missing:
		return dtype.Bool, c, nil
	case g.could&numberCell != 0:
		return g.numbers.dtype(g.missing)
	case g.could&complexCell != 0:
		return dtype.Complex128, c, nil
	case g.could&timeCell != 0:
		step := dtype.Step{}
		if g.unit != dtype.Generic {
			step = dtype.Step{Num: 1, Unit: g.unit}
		}
		return dtype.Datetime64(step), c, nil
	}
	t, err = strOf(g.longest)
	return t, c, err
}

// isText reports whether the column can only be str.
func (g *guess) isText() bool {
	return g.seen && (g.could == 0 || g.could == boolCell && g.missing)
}

// strOf returns the str dtype for texts of up to n characters.
func strOf(n int) (dtype.Type, error) {
	if n > dtype.MaxItemSize/4 {
		return dtype.Type{}, fmt.Errorf("text of %d characters is longer than a str can be", n)
	}
	return dtype.Str(max(n, 1)), nil // as NumPy: at least one
}

const (
	guessFree  = 64 << 20 // bytes that an array of a guessed dtype may take without question
	guessRatio = 64       // and beyond, how many bytes for each byte of text
)

// checkGuess refuses texts of which one long cell makes all others as long: an array of str takes four bytes for each
// character of the longest.
func checkGuess(t dtype.Type, count, text int) error {
	limit := max(elem.Saturate(text, guessRatio, 0), guessFree)
	if n := elem.Saturate(count, t.ItemSize(), 0); n > limit {
		return fmt.Errorf("convert: dtype %s for the longest text would take %d bytes, over %d for %d bytes of text; give a dtype: %w",
			t, n, limit, text, npy.ErrLimit)
	}
	return nil
}
