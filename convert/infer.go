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

// A kinds is the set of types that a cell could have besides text.
type kinds uint8

const (
	boolCell kinds = 1 << iota
	numberCell
	complexCell // every number is complex
	timeCell
	anyCell = boolCell | numberCell | complexCell | timeCell
)

// A guess collects the common properties of the cells of a column.
type guess struct {
	could   kinds
	seen    bool // a cell was not missing
	missing bool
	first   string // the cell of the first row
	again   bool   // a later cell is the same; only noticed in columns of text
	unit    dtype.Unit
	local   bool    // a time of day has no zone
	zoned   culprit // the first time with a zone
	numbers
	longest int // in code points
}

func newGuess() guess { return guess{could: anyCell} }

// merge adds the observations of later text.
func (g *guess) merge(later *guess) {
	g.could &= later.could
	g.seen = g.seen || later.seen
	g.missing = g.missing || later.missing
	g.again = g.again || later.again
	g.unit = max(g.unit, later.unit)
	g.local = g.local || later.local
	g.zoned.merge(later.zoned)
	g.longest = max(g.longest, later.longest)
	g.numbers.merge(&later.numbers)
}

// observe adds a cell on a line.
func (g *guess) observe(cell string, line int, v *cellValues) {
	if g.could == 0 {
		g.addText(cell)
		return
	}
	text := trim(cell)
	if v.isMissing(text) {
		g.missing = true
		g.longest = max(g.longest, escape.StrLen(cell))
		return
	}
	g.seen = true
	if !v.plain {
		var ok bool
		if text, ok = v.number(text); !ok {
			g.could = 0
			g.addText(cell)
			return
		}
	}
	if integer, ok := scanNumber(text); ok {
		g.could &= numberCell | complexCell
		g.add(text, integer, line)
		g.longest = max(g.longest, len(cell))
		return
	}
	is, unit := classify(text)
	g.could &= is
	g.unit = max(g.unit, unit)
	if unit >= dtype.Hour {
		g.addZone(text, line)
	}
	g.addText(cell)
}

// addText adds a cell that is neither missing nor a number.
func (g *guess) addText(cell string) {
	g.longest = max(g.longest, escape.StrLen(cell))
	g.again = g.again || cell == g.first
}

// addZone records whether a time of day has a zone: Z, or an offset from UTC.
func (g *guess) addZone(text string, line int) {
	zoned := text[len(text)-1] == 'Z'
	if !zoned {
		_, _, zoned = elem.CutOffset(text)
	}
	switch {
	case !zoned:
		g.local = true
	case g.zoned.text == "":
		g.zoned = culprit{strings.Clone(text), line}
	}
}

// classify returns the kinds that a text other than a number could have, and the unit if it is a time.
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

// timeUnit returns the unit in which text, an ISO 8601 moment, is written. A bare year counts as a number.
func timeUnit(text string) (dtype.Unit, bool) {
	year := strings.TrimLeft(text, "+-")
	n := jsontext.Digits(year)
	if n < 4 || n == len(year) || year[n] != '-' {
		return 0, false
	}
	least := dtype.Generic
	if local, minutes, ok := elem.CutOffset(text); ok {
		if text, least = local, dtype.Hour; minutes%60 != 0 {
			least = dtype.Minute
		}
		year = strings.TrimLeft(text, "+-")
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
	unit = max(unit, least)
	// The range of some units is only seconds around 1970, so the range is checked when the whole column is read.
	_, err := scalar.ParseDatetime64(text, dtype.Step{Num: 1, Unit: unit})
	return unit, err == nil || errors.Is(err, scalar.ErrRange) && timeFields(text)
}

// timeFields reports whether text is a moment, regardless of range.
func timeFields(text string) bool {
	_, err := scalar.ParseDatetime64(text, dtype.Step{Num: 1, Unit: dtype.Second})
	return err == nil || errors.Is(err, scalar.ErrInexact)
}

// dtype returns the dtype for the column. An error comes with the cell that caused it.
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
	case g.could&timeCell != 0 && g.local && g.zoned.text != "":
		return t, g.zoned, errors.New("a time with a zone is among times without")
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

// strOf returns the str dtype for texts of up to n characters.
func strOf(n int) (dtype.Type, error) {
	if n > dtype.MaxItemSize/4 {
		return dtype.Type{}, fmt.Errorf("text of %d characters is longer than a str can be", n)
	}
	return dtype.Str(max(n, 1)), nil // at least one character, as in NumPy
}

const (
	guessFree  = 64 << 20 // bytes that an array of an inferred dtype may always take
	guessRatio = 64       // above guessFree, the allowed bytes of array per byte of text
)

// checkGuess rejects a text if one long cell would make the array much larger than the text: an array of str takes four
// bytes per character of the longest cell for each cell.
func checkGuess(t dtype.Type, count, text int) error {
	limit := max(elem.Saturate(text, guessRatio, 0), guessFree)
	if n := elem.Saturate(count, t.ItemSize(), 0); n > limit {
		return fmt.Errorf("convert: dtype %s for the longest text would take %d bytes, over %d for %d bytes of text; give a dtype: %w",
			t, n, limit, text, npy.ErrLimit)
	}
	return nil
}
