package expression

import (
	"cmp"
	"errors"
	"math"
	"math/big"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/scalar"
)

// compareTime returns the comparison of times with a constant: the text of a time, or a number of ticks for a timedelta.
func (c *checker) compareTime(x *syntax.Expr, r relation, a, b *node, t typ) func(e *Env) vec {
	low, high := a.limits()
	text, isText := textOf(b.constant)
	var value *big.Rat
	switch number, _ := numberValue(b.constant); {
	case isText && (strings.EqualFold(strings.TrimSpace(text), "nat") || text == "" && a.class == datetimeValue):
		return compareInts(a, bound{relation: r, always: true, result: r == notEqual}, t)
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
	return compareInts(a, boundOf(r, value, low, high), t)
}

// compareTimes returns the comparison of two nodes, at least one of which is a time. Integers are ticks of a timedelta.
func (c *checker) compareTimes(x *syntax.Expr, r relation, a, b *node, t typ) func(e *Env) vec {
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
	return testPairs(a, b, t, func(v, w *vec, out []uint8) {
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
	})
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
