package infer

import (
	"errors"
	"strings"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert/internal/plain"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
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
	ComplexCell // every number is complex
	timeCell
	AnyCell = boolCell | numberCell | ComplexCell | timeCell
)

// A Guess collects the common properties of the cells of a column.
type Guess struct {
	Could   kinds
	Seen    bool // a cell was not missing
	Missing bool
	First   string // the cell of the first row
	Again   bool   // a later cell is the same; only noticed in columns of text
	Unit    dtype.Unit
	Local   bool    // a time of day has no zone
	Zoned   Culprit // the first time with a zone
	Zero    Culprit // the first integer with a leading zero
	dates
	Numbers
	Longest int // in code points
}

// NewGuess returns the guess for a column without cells.
func NewGuess() Guess { return Guess{Could: AnyCell} }

// Merge adds the observations of later text.
func (g *Guess) Merge(later *Guess) {
	g.Could &= later.Could
	g.Seen = g.Seen || later.Seen
	g.Missing = g.Missing || later.Missing
	g.Again = g.Again || later.Again
	g.Unit = max(g.Unit, later.Unit)
	g.Local = g.Local || later.Local
	g.Zoned.merge(later.Zoned)
	g.Zero.merge(later.Zero)
	g.dates.merge(&later.dates)
	g.Longest = max(g.Longest, later.Longest)
	g.Numbers.merge(&later.Numbers)
}

// Observe adds a cell on a line.
func (g *Guess) Observe(cell string, line int, v *Cells) {
	if g.Could == 0 {
		g.addText(cell)
		return
	}
	if g.Could == timeCell && v.usual && !v.IsMissing(cell) && g.observeTime(cell) {
		return
	}
	if g.HasNumbers(cell, v) && g.observeNumber(cell, line) {
		return
	}
	text := Trim(cell)
	if v.IsMissing(text) {
		g.Missing = true
		g.lengthen(cell)
		return
	}
	g.Seen = true
	if _, ok := v.Bool(text); ok {
		g.Could &= boolCell
		g.addText(cell)
		return
	}
	plain := true // no other separators of numbers are in it: 31.12.2024 among decimal commas may still be a date
	if !v.Plain {
		var number string
		if number, plain = v.Number(text); plain {
			text = number
		}
	}
	if plain && g.observeNumber(text, line) {
		g.Longest = max(g.Longest, len(cell))
		return
	}
	is, unit := kinds(0), dtype.Generic
	if plain {
		is, unit = classify(text)
	}
	if is == 0 && g.Could&timeCell != 0 {
		var ok bool
		if unit, ok = g.observeDate(text, line, v); ok {
			is = timeCell
		}
	}
	if v.keepZones && is == timeCell && isZoned(text) {
		is = 0
	}
	g.Could &= is
	g.Unit = max(g.Unit, unit)
	if unit >= dtype.Hour {
		g.AddZone(text, line)
	}
	g.addText(cell)
}

// HasNumbers reports whether all cells so far are numbers, and a cell that is one means just that.
func (g *Guess) HasNumbers(cell string, v *Cells) bool {
	return g.Could&^(numberCell|ComplexCell) == 0 && g.Could&numberCell != 0 && v.usual && !v.IsMissing(cell)
}

// AddFraction is Observe for a number with a point or an exponent and without spaces around it, if HasNumbers.
func (g *Guess) AddFraction(cell string) {
	g.Seen, g.fraction = true, true
	g.Longest = max(g.Longest, len(cell))
}

// observeNumber adds a number without spaces around it. It reports false, and adds nothing, for any other text.
func (g *Guess) observeNumber(text string, line int) bool {
	integer, ok := ScanNumber(text)
	if !ok {
		return false
	}
	g.Seen = true
	g.Could &= numberCell | ComplexCell
	g.Add(text, integer, line)
	if integer && text[0] == '0' && len(text) > 1 && g.Zero.Text == "" {
		g.Zero = Culprit{strings.Clone(text), line}
	}
	g.Longest = max(g.Longest, len(text))
	return true
}

// observeTime adds a cell in the form of most times to a column of times, in half of the time that Observe takes otherwise. It
// reports false, and adds nothing, for any other cell. The cell is not missing.
func (g *Guess) observeTime(cell string) bool {
	unit := formUnit(cell)
	if unit == dtype.Generic || !isDigit(cell[0]) || !isDigit(cell[len(cell)-1]) {
		return false
	}
	if _, err := scalar.ParseDatetime64(cell, dtype.Step{Num: 1, Unit: unit}); err != nil {
		return false
	}
	g.Seen = true
	g.Unit = max(g.Unit, unit)
	g.Local = g.Local || unit >= dtype.Hour // these forms have no zone
	g.Longest = max(g.Longest, len(cell))
	g.Again = g.Again || cell == g.First
	return true
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// addText adds a cell that is neither missing nor a number.
func (g *Guess) addText(cell string) {
	g.lengthen(cell)
	g.Again = g.Again || cell == g.First
}

// lengthen makes Longest at least the length of a cell. No cell has more code points than bytes.
func (g *Guess) lengthen(cell string) {
	if len(cell) > g.Longest {
		g.Longest = max(g.Longest, escape.StrLen(cell))
	}
}

// isZoned reports whether a time has a zone: Z, or an offset from UTC.
func isZoned(text string) bool {
	if text[len(text)-1] == 'Z' {
		return true
	}
	_, _, ok := elem.CutOffset(text)
	return ok
}

// AddZone records whether a time of day has a zone.
func (g *Guess) AddZone(text string, line int) {
	switch {
	case !isZoned(text):
		g.Local = true
	case g.Zoned.Text == "":
		g.Zoned = Culprit{strings.Clone(text), line}
	}
}

// AreValues reports whether all cells are numbers, bools, times or missing.
func AreValues(cells []string, v *Cells) bool {
	for _, cell := range cells {
		g := NewGuess()
		g.Observe(cell, 0, v)
		if g.Seen && g.Could == 0 {
			return false
		}
	}
	return true
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
	if unit, ok := TimeUnit(text); ok {
		return timeCell, unit
	}
	if c := text[len(text)-1]; c != 'j' && c != 'J' && c != ')' || len(text) == 1 {
		return 0, 0
	}
	if _, err := scalar.ParseComplex128(text); err == nil || errors.Is(err, scalar.ErrRange) {
		return ComplexCell, 0
	}
	return 0, 0
}

// formUnit returns the unit of a text with the form of most times, 2024-03-01, 2024-03-01T12:30 or 2024-03-01T12:30:59, which may be none.
func formUnit(text string) dtype.Unit {
	isClock := len(text) > len("2024-03-01T12:") && text[len("2024-03-01T12")] == ':'
	switch {
	case len(text) < len("2024-03-01") || text[len("2024")] != '-' || text[len("2024-03")] != '-':
	case len(text) == len("2024-03-01"):
		return dtype.Day
	case len(text) == len("2024-03-01T12:30") && isClock:
		return dtype.Minute
	case len(text) == len("2024-03-01T12:30:59") && isClock && text[len("2024-03-01T12:30")] == ':':
		return dtype.Second
	}
	return dtype.Generic
}

// TimeUnit returns the unit in which text, an ISO 8601 moment, is written. A bare year counts as a number.
func TimeUnit(text string) (dtype.Unit, bool) {
	if unit := formUnit(text); unit != dtype.Generic {
		if _, err := scalar.ParseDatetime64(text, dtype.Step{Num: 1, Unit: unit}); err == nil {
			return unit, true
		}
	}
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

// durationUnits are the units by their names in the text of a duration.
var durationUnits = sync.OnceValue(func() map[string]dtype.Unit {
	units := map[string]dtype.Unit{}
	for u := dtype.Year; u <= dtype.Attosecond; u++ {
		_, name, _ := strings.Cut(scalar.Timedelta64{}.Format(dtype.Step{Num: 1, Unit: u}), " ")
		units[name] = u
	}
	return units
})

// DurationUnit returns the unit of a duration, as str(numpy.timedelta64) writes it: 90 seconds.
func DurationUnit(text string) (dtype.Unit, bool) {
	_, name, _ := strings.Cut(text, " ")
	unit, ok := durationUnits()[name]
	if ok {
		_, err := scalar.ParseTimedelta64(text, dtype.Step{Num: 1, Unit: unit})
		ok = err == nil
	}
	return unit, ok
}

// timeFields reports whether text is a moment, regardless of range.
func timeFields(text string) bool {
	_, err := scalar.ParseDatetime64(text, dtype.Step{Num: 1, Unit: dtype.Second})
	return err == nil || errors.Is(err, scalar.ErrInexact)
}

// errZero is the error of a number such as 007, which may be a name: of a postal area, for example.
var errZero = errors.New("the leading zero would be lost")

// DType returns the dtype for the column. An error comes with the cell that caused it.
func (g *Guess) DType(v *Cells) (t dtype.Type, c Culprit, err error) {
	switch {
	case !g.Seen:
		return dtype.Float64, c, nil
	case g.Could&boolCell != 0 && !g.Missing:
		return dtype.Bool, c, nil
	case g.Could&numberCell != 0 && g.Zero.Text != "" && !g.fraction:
		return t, g.Zero, errZero
	case g.Could&numberCell != 0:
		return g.Numbers.DType(g.Missing)
	case g.Could&ComplexCell != 0:
		return dtype.Complex128, c, nil
	case g.Could&timeCell != 0 && g.Local && g.Zoned.Text != "":
		return t, g.Zoned, errors.New("a time with a zone is among times without")
	case g.Could&timeCell != 0:
		if c, err := g.check(v.dates); err != nil {
			return t, c, err
		}
		step := dtype.Step{}
		if g.Unit != dtype.Generic {
			step = dtype.Step{Num: 1, Unit: g.Unit}
		}
		return dtype.Datetime64(step), c, nil
	}
	t, err = plain.Str(g.Longest)
	return t, c, err
}

const (
	guessFree  = 64 << 20 // bytes that an array of an inferred dtype may always take
	guessRatio = 64       // above guessFree, the allowed bytes of array per byte of text
)

// CheckSize rejects a text if one long cell would make the array much larger than the text: an array of str takes four
// bytes per character of the longest cell for each cell.
func CheckSize(t dtype.Type, count, text int) error {
	limit := max(elem.Saturate(text, guessRatio, 0), guessFree)
	if n := elem.Saturate(count, t.ItemSize(), 0); n > limit {
		return diag.Errorf("convert", "dtype %s for the longest text would take %d bytes, over %d for %d bytes of text; give a dtype: %w",
			t, n, limit, text, npy.ErrLimit)
	}
	return nil
}
