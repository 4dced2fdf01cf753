package expression

import (
	"cmp"
	"errors"
	"math"
	"math/big"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
	"github.com/npygo/npy/scalar"
)

// compareTime returns the comparison of times with a constant: the text of a time, or a number of ticks for a timedelta.
func (c *checker) compareTime(x *syntax.Expr, r relation, a, b *values.Node, t values.Type) func(e *values.Env) values.Vec {
	low, high := a.Limits()
	text, isText := textOf(b.Constant)
	var value *big.Rat
	switch number, _ := numberValue(b.Constant); {
	case isText && (strings.EqualFold(strings.TrimSpace(text), "nat") || text == "" && a.Class == values.Datetime):
		return compareInts(a, bound{relation: r, always: true, result: r == notEqual}, t)
	case isText && a.Class == values.Datetime:
		value = c.datetime(b.Expr, text, a.Step)
	case isText:
		value = c.timedelta(b.Expr, text, a.Step)
	case a.Class == values.Datetime:
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
func (c *checker) compareTimes(x *syntax.Expr, r relation, a, b *values.Node, t values.Type) func(e *values.Env) values.Vec {
	wideA, wideB := a.Wide(), b.Wide()
	switch {
	case a.Class == values.Timedelta && b.IsCount():
		b = ticksOf(b, a.Step)
	case b.Class == values.Timedelta && a.IsCount():
		a = ticksOf(a, b.Step)
	}
	if a.Class != b.Class {
		c.fail(x, "%s and %s cannot be compared", a.Type, b.Type)
	}
	order := timeOrder(a.Type, b.Type)
	if order == nil {
		c.fail(x, "%s and %s have no common unit", a.Type, b.Type)
	}
	same := a.Step == b.Step
	if wideA || wideB {
		same, order = false, func(x, y int64) int { return compareWide(x, y, wideA, wideB) }
	}
	return values.TestPairs(a, b, t, func(v, w *values.Vec, out []uint8) {
		if same {
			compareEach(out, v.Ints, w.Ints, r)
		} else {
			for i, p := range v.Ints {
				out[i] = values.Bit(r.holds(order(p, w.Ints[i])))
			}
		}
		for i, p := range v.Ints {
			if isNaT(p) && !wideA || isNaT(w.Ints[i]) && !wideB {
				out[i] = values.Bit(r == notEqual)
			}
		}
	})
}

// timeOrder returns the function that compares times of two steps exactly, or nil if the steps have no relation.
func timeOrder(a, b values.Type) func(x, y int64) int {
	convert := func(n int64, from, to dtype.Step) (int64, bool, error) {
		if a.Class == values.Datetime {
			v, exact, err := scalar.Datetime64{Ticks: n}.Convert(from, to)
			return v.Ticks, exact, err
		}
		v, exact, err := scalar.Timedelta64{Ticks: n}.Convert(from, to)
		return v.Ticks, exact, err
	}
	switch {
	case a.Step == b.Step:
	case a.Step.Unit == dtype.Generic || b.Step.Unit == dtype.Generic: // ticks of the other step
		return cmp.Compare[int64]
	default:
		if _, _, err := convert(1, a.Step, b.Step); errors.Is(err, scalar.ErrUnit) {
			return nil
		}
		if a.Class == values.Timedelta {
			if isCalendar(a.Step.Unit) != isCalendar(b.Step.Unit) {
				return nil
			}
		}
	}
	return func(x, y int64) int {
		if isNaT(x) || isNaT(y) {
			return 0
		}
		if n, exact, err := convert(y, b.Step, a.Step); err == nil {
			if x == n && !exact {
				return -1
			}
			return cmp.Compare(x, n)
		}
		n, exact, err := convert(x, a.Step, b.Step)
		if err != nil { // neither fits in the other step: only the sign is left
			return cmp.Compare(x, 0)
		}
		if n == y && !exact {
			return 1
		}
		return cmp.Compare(n, y)
	}
}
