package expression

import (
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
	"github.com/npygo/npy/scalar"
)

// calendarParts are the functions of a datetime that give one of its parts, in UTC as NumPy has it.
var calendarParts = map[string]func(c *scalar.CivilTime) float64{
	"year":    func(c *scalar.CivilTime) float64 { return c.Year },
	"month":   func(c *scalar.CivilTime) float64 { return float64(c.Month) },
	"day":     func(c *scalar.CivilTime) float64 { return float64(c.Day) },
	"hour":    func(c *scalar.CivilTime) float64 { return float64(c.Hour) },
	"minute":  func(c *scalar.CivilTime) float64 { return float64(c.Minute) },
	"second":  func(c *scalar.CivilTime) float64 { return float64(c.Second) },
	"weekday": func(c *scalar.CivilTime) float64 { return float64((c.Weekday + 6) % 7) }, // Monday is 0, as in Python
}

// calendar returns the function of a name in calendarParts. Its results are floats, because the parts of NaT are NaN: as in pandas,
// no result computed from NaT is less than, greater than or equal to a number.
func calendar(name string) func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
	part := calendarParts[name]
	return func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
		a := c.variable(x, args[0])
		if a.Class != values.Datetime || a.Step.Unit == dtype.Generic {
			c.fail(a.Expr, "%s is for datetime64, not %s", name, a.Type)
		}
		t := values.Float64Type
		t.Shape = a.Shape
		return values.Each(x, a, t, func(v, out *values.Vec) {
			for i, n := range v.Ints {
				civil, ok := scalar.Datetime64{Ticks: n}.Civil(a.Step)
				if out.Floats[i] = math.NaN(); ok {
					out.Floats[i] = part(&civil)
				}
			}
		})
	}
}
