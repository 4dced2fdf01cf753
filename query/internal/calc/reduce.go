package calc

import (
	"math"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/query/internal/syntax"
)

// A reduction makes cells for the results of a function over values of a dtype. It returns nil if the function is not for the dtype.
type reduction func(t dtype.Type, ddof float64) cells

// reductions are the functions over axes.
var reductions = map[string]reduction{
	"sum": sums, "prod": products, "mean": means, "min": extremes(false), "max": extremes(true), "any": logical(true), "all": logical(false), "count": counts,
	"argmin": positions(false), "argmax": positions(true), "var": deviations(false), "std": deviations(true), "median": medians,
}

// reductionName returns the name in reductions of a function.
func reductionName(name string) string {
	switch name {
	case "amin":
		return "min"
	case "amax":
		return "max"
	case "count_nonzero":
		return "count"
	}
	return name
}

// maxCells is the most memory of the result of a reduction.
const maxCells int64 = 4 << 30

// reduces reports whether a call reduces an array: min(a, b) is of two, element by element.
func (c *calculator) reduces(x *syntax.Expr) bool {
	if name := reductionName(x.Text); name != "min" && name != "max" {
		return true
	}
	return len(x.Args) == 1 || isKeyword(x, 1) || x.Args[1].Kind == syntax.Number || x.Args[1].Kind == syntax.Unary && len(c.shapesIn(x.Args[1])) == 0
}

// reduce returns the name of the result of a reduction: mean(a, axis=0, keepdims=True).
func (c *calculator) reduce(x *syntax.Expr) *syntax.Expr {
	if len(x.Args) == 0 || isKeyword(x, 0) {
		c.fail(x, "%s wants an array", x.Text)
	}
	src := c.elementwise(x.Args[0])
	shape := src.Shape()
	var along []bool
	keep, ddof := false, 0.0
	for i, arg := range x.Args[1:] {
		name := "axis"
		if isKeyword(x, i+1) {
			name = x.Keys[i+1]
		} else if i > 0 {
			c.fail(arg, "%s wants an array, and then axis=, keepdims= and so on with their names", x.Text)
		}
		switch {
		case name == "axis" && arg.Kind == syntax.Name && arg.Text == "None":
		case name == "axis":
			along = c.axes(arg, shape)
		case name == "keepdims" && arg.Kind == syntax.Name && (arg.Text == "True" || arg.Text == "False"):
			keep = arg.Text == "True"
		case name == "ddof" && (x.Text == "var" || x.Text == "std"):
			ddof = float64(c.integer(arg))
		default:
			c.fail(arg, "%s has no argument %s like this; it has axis=0 or axis=(0, 1), keepdims=True, and ddof=1 for var and std", x.Text, name)
		}
	}
	if along == nil {
		along = slices.Repeat([]bool{true}, len(shape))
	}
	return c.named(x, c.reduced(x, src, along, keep, ddof))
}

// axes returns the axes of an argument: 0, -1 or (0, 1).
func (c *calculator) axes(x *syntax.Expr, shape []int) []bool {
	list := []*syntax.Expr{x}
	if x.Kind == syntax.Tuple {
		list = x.Args
	}
	along := make([]bool, len(shape))
	for _, one := range list {
		axis := c.integer(one)
		if axis < -len(shape) || axis >= len(shape) {
			c.fail(one, "axis %d is out of range for an array of shape %s", axis, format.ShapeString(shape))
		}
		if axis = (axis + len(shape)) % len(shape); along[axis] {
			c.fail(one, "axis %d is there twice", axis)
		}
		along[axis] = true
	}
	return along
}

// reduced returns the result of a reduction along axes.
func (c *calculator) reduced(x *syntax.Expr, src npy.Source, along []bool, keep bool, ddof float64) npy.Source {
	t := src.DType()
	results := reductions[reductionName(x.Text)](t, ddof)
	if results == nil {
		c.fail(x, "%s is not for dtype %s", x.Text, t)
	}
	reversed := false
	if _, ordered := results.(*extreme); !ordered { // for its positions the order is C order
		if src, reversed = npy.StoredOrder(src); reversed {
			along = slices.Clone(along)
			slices.Reverse(along)
		}
	}
	shape := src.Shape()
	var out []int
	n, each := 1, 1
	for axis, m := range shape {
		switch {
		case !along[axis]:
			out = append(out, m)
			if m > 0 && (int64(n) > maxCells/int64(m) || n > math.MaxInt/m) {
				syntax.Fail(diag.Wrap("query", bounded.Over("", maxCells, 0, "the result of %s has more than %d elements", x.Text, maxCells)))
			}
			n *= m
		default:
			if each *= m; keep {
				out = append(out, 1)
			}
		}
	}
	if need := int64(n) * int64(results.width(each)); need > maxCells {
		syntax.Fail(diag.Wrap("query", bounded.Over("", maxCells, need, "%s takes %d bytes of memory, over %d", x.Text, need, maxCells)))
	}
	if each == 0 && n > 0 && !results.empty() {
		c.fail(x, "%s of no values; the array has the shape %s", x.Text, format.ShapeString(shape))
	}
	results.start(n, each)
	if err := addAll(c.ctx, results, src, along); err != nil {
		c.must(x, nil, err)
	}
	a, err := results.array(c.ctx, out)
	if err == nil && reversed {
		a = a.T()
	}
	return c.must(x, a, err)
}
