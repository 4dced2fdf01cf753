package expression

import (
	"errors"
	"math/big"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
	"github.com/npygo/npy/scalar"
)

// half marks a moment between two ticks.
var half = big.NewRat(1, 2)

// datetime returns a moment in ticks of a step. A moment between two ticks is any number between them, and a moment out of range is
// any number far beyond the range.
func (c *checker) datetime(x *syntax.Expr, text string, step dtype.Step) *big.Rat {
	ticks, exact, err := scalar.FloorDatetime64(text, step)
	switch {
	case errors.Is(err, scalar.ErrRange):
		far := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 100))
		coarse, _, err := scalar.FloorDatetime64(text, dtype.Step{Num: 1, Unit: dtype.Year})
		if err == nil && coarse.Ticks < 0 || err != nil && strings.HasPrefix(strings.TrimSpace(text), "-") {
			far.Neg(far)
		}
		return far
	case errors.Is(err, scalar.ErrDate):
		c.noDate(x, text, err)
	case err != nil && step.Unit == dtype.Generic:
		c.fail(x, "times without a unit can only be compared with each other")
	case err != nil:
		c.fail(x, "%q is not a time; write it as 2024-03-01, 2024-03-01T12:00 or 2024-03-01T12:00:00.5", text)
	}
	value := new(big.Rat).SetInt64(ticks.Ticks)
	if !exact {
		value.Add(value, half)
	}
	return value
}

// noDate fails for the text of a date that does not exist, at the part of the text that is wrong.
func (c *checker) noDate(x *syntax.Expr, text string, err error) {
	var e *scalar.ParseError
	pos, n := x.Pos, x.End-x.Pos
	if i := strings.Index(c.text[x.Pos:x.End], text); i >= 0 && errors.As(err, &e) { // the text has no escapes
		pos, n, err = x.Pos+i+e.Offset, len("dd"), e.Err
	}
	syntax.Fail(syntax.ErrorAt(c.text, pos, n, "%q is not a time: %v", text, err))
}

// timeUnits are the names of units in the text of a timedelta.
var timeUnits = map[string]dtype.Unit{
	"Y": dtype.Year, "year": dtype.Year, "M": dtype.Month, "month": dtype.Month, "W": dtype.Week, "w": dtype.Week, "week": dtype.Week,
	"D": dtype.Day, "d": dtype.Day, "day": dtype.Day, "h": dtype.Hour, "H": dtype.Hour, "hr": dtype.Hour, "hour": dtype.Hour,
	"m": dtype.Minute, "min": dtype.Minute, "minute": dtype.Minute, "s": dtype.Second, "sec": dtype.Second, "second": dtype.Second,
	"ms": dtype.Millisecond, "millisecond": dtype.Millisecond, "us": dtype.Microsecond, "µs": dtype.Microsecond, "microsecond": dtype.Microsecond,
	"ns": dtype.Nanosecond, "nanosecond": dtype.Nanosecond, "ps": dtype.Picosecond, "picosecond": dtype.Picosecond, "fs": dtype.Femtosecond,
	"femtosecond": dtype.Femtosecond, "as": dtype.Attosecond, "attosecond": dtype.Attosecond,
}

// A span is one number and unit of a duration.
type span struct {
	value *big.Rat
	unit  dtype.Unit
	name  string // of the unit, as it is written
}

// duration returns the parts of a duration such as "5 m" or "-1h 30min".
func (c *checker) duration(x *syntax.Expr, text string) (parts []span) {
	rest := strings.TrimSpace(text)
	negative := strings.HasPrefix(rest, "-")
	rest = strings.TrimLeft(rest, "+-")
	for rest != "" {
		n := strings.IndexFunc(rest, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
		if n <= 0 || n > 40 {
			c.fail(x, "%q is not a duration; write a number and a unit, such as '5 min', '1.5 h' or '30 D'", text)
		}
		value, ok := new(big.Rat).SetString(rest[:n])
		rest = strings.TrimSpace(rest[n:])
		m := strings.IndexFunc(rest, func(r rune) bool { return r == ' ' || '0' <= r && r <= '9' })
		if m < 0 {
			m = len(rest)
		}
		unit, known := timeUnits[rest[:m]]
		if !known {
			unit, known = timeUnits[strings.TrimSuffix(rest[:m], "s")]
		}
		if !ok || !known {
			c.fail(x, "%q is not a duration; write a number and a unit, such as '5 min', '1.5 h' or '30 D'", text)
		}
		if negative {
			value.Neg(value)
		}
		parts = append(parts, span{value, unit, rest[:m]})
		rest = strings.TrimSpace(rest[m:])
	}
	if len(parts) == 0 {
		c.fail(x, "an empty text is not a duration; write a number and a unit, such as '5 min'")
	}
	return parts
}

// timedelta returns a duration in ticks of a step.
func (c *checker) timedelta(x *syntax.Expr, text string, step dtype.Step) *big.Rat {
	sum := new(big.Rat)
	for _, s := range c.duration(x, text) {
		if isCalendar(s.unit) != isCalendar(step.Unit) || step.Unit == dtype.Generic || step.Num <= 0 {
			c.fail(x, "%s has no fixed length in timedelta64[%s]", s.name, step)
		}
		tick := new(big.Int).Mul(lengthOf(step.Unit), big.NewInt(int64(step.Num)))
		sum.Add(sum, s.value.Mul(s.value, new(big.Rat).SetFrac(lengthOf(s.unit), tick)))
	}
	return sum
}

// timeConstant returns ticks as a constant time.
func timeConstant(x *syntax.Expr, ticks *big.Int, class values.Class, step dtype.Step) *values.Node {
	n := typed(constant(x, ticks), values.Int64Type)
	n.Type = values.Type{Class: class, Step: step}
	return n
}

// durationNode returns a duration beside an operator as a timedelta64 of the finest unit in its text, or of a finer one that it is a
// whole number of.
func (c *checker) durationNode(x *syntax.Expr, text string) *values.Node {
	unit := dtype.Year
	for _, s := range c.duration(x, text) {
		unit = max(unit, s.unit)
	}
	for ; ; unit++ {
		step := dtype.Step{Num: 1, Unit: unit}
		ticks := c.timedelta(x, text, step)
		switch {
		case ticks.IsInt() && ticks.Num().IsInt64():
			return timeConstant(x, ticks.Num(), values.Timedelta, step)
		case ticks.IsInt() || unit == dtype.Month || unit == dtype.Attosecond:
			c.fail(x, "%q does not fit in the 64 bits of a timedelta64", text)
		}
	}
}

// datetimeNode returns a moment beside an operator as a datetime64 of the step of the other operand, or of a finer unit.
func (c *checker) datetimeNode(x *syntax.Expr, text string, step dtype.Step) *values.Node {
	for {
		ticks := c.datetime(x, text, step)
		switch {
		case ticks.IsInt() && ticks.Num().IsInt64():
			return timeConstant(x, ticks.Num(), values.Datetime, step)
		case ticks.IsInt() || step.Unit == dtype.Attosecond:
			c.fail(x, "%q does not fit in the 64 bits of a datetime64", text)
		}
		step = dtype.Step{Num: 1, Unit: step.Unit + 1}
	}
}

func isCalendar(u dtype.Unit) bool { return u == dtype.Year || u == dtype.Month }

// lengthOf returns the length of a unit in attoseconds, or in months for a year or a month.
func lengthOf(u dtype.Unit) *big.Int {
	switch u {
	case dtype.Year:
		return big.NewInt(12)
	case dtype.Month:
		return big.NewInt(1)
	}
	n := big.NewInt(1)
	for v := u; v < dtype.Attosecond; v++ {
		n.Mul(n, big.NewInt(finer[v]))
	}
	return n
}

// finer has the number of the next finer units in each unit.
var finer = map[dtype.Unit]int64{
	dtype.Week: 7, dtype.Day: 24, dtype.Hour: 60, dtype.Minute: 60, dtype.Second: 1000, dtype.Millisecond: 1000,
	dtype.Microsecond: 1000, dtype.Nanosecond: 1000, dtype.Picosecond: 1000, dtype.Femtosecond: 1000,
}

// Ticks returns the duration of a text such as "1.5 h" in ticks of a step.
func Ticks(text string, step dtype.Step) (ticks *big.Rat, err error) {
	defer syntax.Recover(&err)
	c := &checker{text: text}
	return c.timedelta(&syntax.Expr{End: len(text)}, text, step), nil
}
