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
	case isText && strings.EqualFold(strings.TrimSpace(text), "nat"):
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
		if err == nil && coarse.Ticks < 0 || err != nil && strings.HasPrefix(strings.TrimSpace(text), "-") {
			far.Neg(far)
		}
		return far
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

// compareTimes returns the comparison of two nodes of times.
func (c *checker) compareTimes(x *expr, r relation, a, b *node, t typ) func(e *env) vec {
	if a.class == timedeltaValue && b.isInteger() { // integers are ticks
		b = ticksOf(b, a.step)
	} else if b.class == timedeltaValue && a.isInteger() {
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
			if isNaT(p) || isNaT(w.ints[i]) {
				out[i] = b2u(r == notEqual)
			}
		}
		e.release(v)
		e.release(w)
		return vec{mask: out, owned: true}
	}
}

// ticksOf returns integers as a timedelta of a step.
func ticksOf(a *node, step dtype.Step) *node {
	b := *a
	b.class, b.step, b.column = timedeltaValue, step, -1
	return &b
}

// timeOrder returns the function that compares times of two steps exactly, or nil if the steps have no relation.
func timeOrder(a, b typ) func(x, y int64) int {
	convert := func(n int64, from, to dtype.Step) (int64, bool, error) {
		if a.class == datetimeValue {
			v, exact, err := scalar.Datetime64{Ticks: n}.Convert(from, to)
			return v.Ticks, exact, err
		}
		v, exact, err := scalar.Timedelta64{Ticks: n}.Convert(from, to)
		return v.Ticks, exact, err
	}
	if a.step != b.step {
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

// operateTimes returns a op b where one of them is a time.
func (c *checker) operateTimes(x *expr, op string, a, b *node) *node {
	for _, n := range []*node{a, b} {
		if _, ok := textOf(n.constant); n.isConst && ok && (op == "+" || op == "-") {
			c.fail(n.x, "the text of a time can be compared, not added; compare the difference of two times")
		}
	}
	if a.isConst || b.isConst || op != "+" && op != "-" || !a.isTime() || !b.isTime() || a.class == timedeltaValue && b.class == datetimeValue && op == "-" ||
		a.class == datetimeValue && b.class == datetimeValue && op == "+" {
		c.fail(x, "%s of these is not defined; times have differences, and sums with timedeltas", op)
	}
	t := typ{class: timedeltaValue, shape: c.shape(x, a, b)}
	if (a.class == datetimeValue) != (b.class == datetimeValue) {
		t.class = datetimeValue
	}
	switch {
	case a.step == b.step:
		t.step = a.step
	case a.step.Unit > b.step.Unit:
		t.step = a.step
	default:
		t.step = b.step
	}
	if _, den, ok := a.step.Ratio(t.step); !ok || den != 1 {
		c.fail(x, "%s and %s have no common unit", a.typ, b.typ)
	}
	if _, den, ok := b.step.Ratio(t.step); !ok || den != 1 {
		c.fail(x, "%s and %s have no common unit", a.typ, b.typ)
	}
	return &node{typ: t, x: x, column: -1, eval: addTimes(op, a, b, t)}
}

// addTimes returns the sum or the difference of times. A result that does not fit in 64 bits is an error.
func addTimes(op string, a, b *node, t typ) func(e *env) vec {
	scaleA, _, _ := a.step.Ratio(t.step)
	scaleB, _, _ := b.step.Ratio(t.step)
	return func(e *env) vec {
		v, w := e.fit(a, t), e.fit(b, t)
		out := e.takeInts(e.values(t))
		for i, p := range v.ints {
			q := w.ints[i]
			if isNaT(p) || isNaT(q) {
				out[i] = scalar.NaT
				continue
			}
			if op == "-" {
				q = -q
			}
			sum, ok := addScaled(p, scaleA, q, scaleB)
			if !ok {
				e.fail(i/max(t.items(), 1), "the result of %s is out of the range of %s", op, t)
			}
			out[i] = sum
		}
		e.release(v)
		e.release(w)
		return vec{ints: out, owned: true}
	}
}

// addScaled returns p·a + q·b, if it is an int64 and not NaT.
func addScaled(p int64, a uint64, q int64, b uint64) (int64, bool) {
	x, ok1 := scaled(p, a)
	y, ok2 := scaled(q, b)
	sum := x + y
	return sum, ok1 && ok2 && (sum > x) == (y > 0) && !isNaT(sum)
}

func scaled(p int64, a uint64) (int64, bool) {
	if a == 1 || p == 0 {
		return p, true
	}
	if a > math.MaxInt64 {
		return 0, false
	}
	x := p * int64(a)
	return x, x/int64(a) == p
}

// calendar returns a function that gives a part of a datetime, in UTC as NumPy has it. NaT gives -1.
func calendar(name string) func(c *checker, x *expr, args []*node) *node {
	return func(c *checker, x *expr, args []*node) *node {
		a := c.variable(x, args[0])
		if a.class != datetimeValue || a.step.Unit == dtype.Generic {
			c.fail(a.x, "%s is for datetime64, not %s", name, a.typ)
		}
		t := int64Type
		t.shape = a.shape
		return &node{typ: t, x: x, column: -1, eval: func(e *env) vec {
			v := a.eval(e)
			out := e.takeInts(len(v.ints))
			for i, n := range v.ints {
				out[i] = calendarPart(name, n, a.step)
			}
			e.release(v)
			return vec{ints: out, owned: true}
		}}
	}
}

func calendarPart(name string, n int64, step dtype.Step) int64 {
	if isNaT(n) {
		return -1
	}
	in := func(unit dtype.Unit) (int64, bool) {
		v, _, err := scalar.Datetime64{Ticks: n}.Convert(step, dtype.Step{Num: 1, Unit: unit})
		return v.Ticks, err == nil
	}
	between := func(fine, coarse dtype.Unit) int64 {
		f, ok := in(fine)
		if !ok {
			return -1
		}
		whole, _ := in(coarse)
		start, _, err := scalar.Datetime64{Ticks: whole}.Convert(dtype.Step{Num: 1, Unit: coarse}, dtype.Step{Num: 1, Unit: fine})
		if err != nil {
			return -1
		}
		return f - start.Ticks
	}
	switch name {
	case "year":
		y, _ := in(dtype.Year)
		return y + 1970
	case "month":
		return between(dtype.Month, dtype.Year) + 1
	case "day":
		return between(dtype.Day, dtype.Month) + 1
	case "hour":
		return between(dtype.Hour, dtype.Day)
	case "minute":
		return between(dtype.Minute, dtype.Hour)
	case "second":
		return between(dtype.Second, dtype.Minute)
	}
	days, ok := in(dtype.Day)
	if !ok {
		return -1
	}
	return ((days+3)%7 + 7) % 7 // 1970-01-01 was a Thursday; Monday is 0, as in Python
}
