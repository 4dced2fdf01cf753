package query

import (
	"cmp"
	"errors"
	"math"
	"math/big"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

// compareTime returns the comparison of times with a constant: the text of a time, or a number of ticks for a timedelta.
func (c *checker) compareTime(x *expr, r relation, a, b *node, t typ) func(e *env) vec {
	low, high := a.limits()
	text, isText := textOf(b.constant)
	var value *big.Rat
	switch number, _ := numberValue(b.constant); {
	case isText && (strings.EqualFold(strings.TrimSpace(text), "nat") || text == "" && a.class == datetimeValue):
		return c.compareInts(a, bound{relation: r, always: true, result: r == notEqual}, t)
	case isText && a.class == datetimeValue:
		value = c.datetime(b.x, text, a.step)
	case isText:
		value = c.timedelta(b.x, text, a.step)
	case a.class == datetimeValue:
		c.fail(x, "a time is compared with a number; write the time as text, such as '2024-03-01' or '2024-03-01T12:00'")
	default:
		switch v := number.(type) {
		case *big.Int:
			value = new(big.Rat).SetInt(v)
		case float64:
			if math.IsNaN(v) || math.IsInf(v, 0) {
				c.fail(x, "a timedelta is compared with %v", v)
			}
			value = new(big.Rat).SetFloat64(v)
		default:
			c.fail(x, "a timedelta is compared with a complex number")
		}
	}
	return c.compareInts(a, boundOf(r, value, low, high), t)
}

// half marks a moment between two ticks.
var half = big.NewRat(1, 2)

// datetime returns a moment in ticks of a step; a moment between two ticks is any number between them. One that is out of
// range is far beyond it.
func (c *checker) datetime(x *expr, text string, step dtype.Step) *big.Rat {
	ticks, exact, err := scalar.FloorDatetime64(text, step)
	switch {
	case errors.Is(err, scalar.ErrRange):
		far := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 100))
		coarse, _, err := scalar.FloorDatetime64(text, dtype.Step{Num: 1, Unit: dtype.Year})
		if err == nil && coarse < 0 || err != nil && strings.HasPrefix(strings.TrimSpace(text), "-") {
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
	value := new(big.Rat).SetInt64(int64(ticks))
	if !exact {
		value.Add(value, half)
	}
	return value
}

// noDate fails for the text of a date that does not exist, at the part of the text that is wrong.
func (c *checker) noDate(x *expr, text string, err error) {
	var e *scalar.ParseError
	pos, n := x.pos, x.end-x.pos
	if i := strings.Index(c.text[x.pos:x.end], text); i >= 0 && errors.As(err, &e) { // the text has no escapes
		pos, n, err = x.pos+i+e.Offset, len("dd"), e.Err
	}
	panic(failure{errorAt(c.text, pos, n, "%q is not a time: %v", text, err)})
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

// timedelta returns a duration such as "5 m" or "1h 30min" in ticks of a step.
func (c *checker) timedelta(x *expr, text string, step dtype.Step) *big.Rat {
	rest := strings.TrimSpace(text)
	negative := strings.HasPrefix(rest, "-")
	rest = strings.TrimLeft(rest, "+-")
	sum := new(big.Rat)
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
		if isCalendar(unit) != isCalendar(step.Unit) || step.Unit == dtype.Generic || step.Num <= 0 {
			c.fail(x, "%s has no fixed length in timedelta64[%s]", rest[:m], step)
		}
		tick := new(big.Int).Mul(lengthOf(step.Unit), big.NewInt(int64(step.Num)))
		sum.Add(sum, value.Mul(value, new(big.Rat).SetFrac(lengthOf(unit), tick)))
		rest = strings.TrimSpace(rest[m:])
	}
	if strings.TrimSpace(text) == "" {
		c.fail(x, "an empty text is not a duration; write a number and a unit, such as '5 min'")
	}
	if negative {
		sum.Neg(sum)
	}
	return sum
}

func isCalendar(u dtype.Unit) bool { return u == dtype.Year || u == dtype.Month }

// lengthOf returns the length of a unit in attoseconds, or that of a year or a month in months.
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

// compareTimes returns the comparison of two nodes, at least one of which is a time. Integers are ticks of a timedelta.
func (c *checker) compareTimes(x *expr, r relation, a, b *node, t typ) func(e *env) vec {
	wideA, wideB := a.wide(), b.wide()
	switch {
	case a.class == timedeltaValue && b.isCount():
		b = ticksOf(b, a.step)
	case b.class == timedeltaValue && a.isCount():
		a = ticksOf(a, b.step)
	}
	if a.class != b.class {
		c.fail(x, "%s and %s cannot be compared", a.typ, b.typ)
	}
	order := timeOrder(a.typ, b.typ)
	if order == nil {
		c.fail(x, "%s and %s have no common unit", a.typ, b.typ)
	}
	same := a.step == b.step
	if wideA || wideB {
		same, order = false, func(x, y int64) int { return compareWide(x, y, wideA, wideB) }
	}
	return func(e *env) vec {
		v, w := e.fit(a, t), e.fit(b, t)
		out := e.takeMask(e.values(t))
		if same {
			compareEach(out, v.ints, w.ints, r)
		} else {
			for i, p := range v.ints {
				out[i] = b2u(r.holds(order(p, w.ints[i])))
			}
		}
		for i, p := range v.ints {
			if isNaT(p) && !wideA || isNaT(w.ints[i]) && !wideB {
				out[i] = b2u(r == notEqual)
			}
		}
		e.release(v)
		e.release(w)
		return vec{mask: out, owned: true}
	}
}

// timeOrder returns the function that compares times of two steps exactly, or nil if the steps have no relation.
func timeOrder(a, b typ) func(x, y int64) int {
	convert := func(n int64, from, to dtype.Step) (int64, bool, error) {
		if a.class == datetimeValue {
			v, exact, err := scalar.Datetime64(n).Convert(from, to)
			return int64(v), exact, err
		}
		v, exact, err := scalar.Timedelta64(n).Convert(from, to)
		return int64(v), exact, err
	}
	switch {
	case a.step == b.step:
	case a.step.Unit == dtype.Generic || b.step.Unit == dtype.Generic: // ticks of the other step
		return cmp.Compare[int64]
	default:
		if _, _, err := convert(1, a.step, b.step); errors.Is(err, scalar.ErrUnit) {
			return nil
		}
		if a.class == timedeltaValue {
			if isCalendar(a.step.Unit) != isCalendar(b.step.Unit) {
				return nil
			}
		}
	}
	return func(x, y int64) int {
		if isNaT(x) || isNaT(y) {
			return 0
		}
		if n, exact, err := convert(y, b.step, a.step); err == nil {
			if x == n && !exact {
				return -1
			}
			return cmp.Compare(x, n)
		}
		n, exact, err := convert(x, a.step, b.step)
		if err != nil { // neither fits in the other step: only the sign is left
			return cmp.Compare(x, 0)
		}
		if n == y && !exact {
			return 1
		}
		return cmp.Compare(n, y)
	}
}
