package expression

import (
	"bytes"
	"math"
	"math/big"
	"slices"
	"sync"

	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
)

// A function makes the node of a call.
type function struct {
	low, high int // the number of arguments; high is -1 if there is no limit
	make      func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node
}

// functions returns the functions by their names. The table is made when an expression is compiled, not when the program starts.
var functions = sync.OnceValue(func() map[string]*function {
	reals := func(do func(float64) float64) func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
		return func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node { return c.float(x, args[0], do) }
	}
	table := map[string]*function{
		"any": {1, 1, reduce("|")}, "all": {1, 1, reduce("&")},
		"isnan":    {1, 1, test(func(f float64) bool { return f != f })},
		"isinf":    {1, 1, test(func(f float64) bool { return math.IsInf(f, 0) })},
		"isfinite": {1, 1, isFinite},
		"isnat":    {1, 1, isNaTs},
		"abs":      {1, 1, absolute},
		"sqrt":     {1, 1, reals(math.Sqrt)}, "exp": {1, 1, reals(math.Exp)},
		"log": {1, 1, reals(math.Log)}, "log2": {1, 1, reals(math.Log2)}, "log10": {1, 1, reals(math.Log10)},
		"sin": {1, 1, reals(math.Sin)}, "cos": {1, 1, reals(math.Cos)}, "tan": {1, 1, reals(math.Tan)},
		"floor": {1, 1, whole(math.Floor)}, "ceil": {1, 1, whole(math.Ceil)}, "trunc": {1, 1, whole(math.Trunc)},
		"round": {1, 2, round},
		"min":   {1, -1, extreme("min")}, "max": {1, -1, extreme("max")},
		"real": {1, 1, part(func(z complex128) float64 { return real(z) })}, "imag": {1, 1, part(func(z complex128) float64 { return imag(z) })},
		"len":        {1, 1, textLen},
		"lower":      {1, 1, textMap(bytes.ToLower)},
		"upper":      {1, 1, textMap(bytes.ToUpper)},
		"strip":      {1, 1, textMap(bytes.TrimSpace)},
		"startswith": {2, 2, textTest(bytes.HasPrefix)},
		"endswith":   {2, 2, textTest(bytes.HasSuffix)},
		"contains":   {2, 2, textTest(bytes.Contains)},
		"year":       {1, 1, calendar("year")}, "month": {1, 1, calendar("month")}, "day": {1, 1, calendar("day")},
		"hour": {1, 1, calendar("hour")}, "minute": {1, 1, calendar("minute")}, "second": {1, 1, calendar("second")},
		"weekday": {1, 1, calendar("weekday")},
		"where":   {3, 3, choose}, "clip": {3, 3, clip}, "isin": {2, 2, isIn}, "sign": {1, 1, sign},
		"hypot": {2, 2, floatPair(math.Hypot)}, "arctan2": {2, 2, floatPair(math.Atan2)},
		"arcsin": {1, 1, reals(math.Asin)}, "arccos": {1, 1, reals(math.Acos)}, "arctan": {1, 1, reals(math.Atan)},
		"sinh": {1, 1, reals(math.Sinh)}, "cosh": {1, 1, reals(math.Cosh)}, "tanh": {1, 1, reals(math.Tanh)},
		"arcsinh": {1, 1, reals(math.Asinh)}, "arccosh": {1, 1, reals(math.Acosh)}, "arctanh": {1, 1, reals(math.Atanh)},
		"expm1": {1, 1, reals(math.Expm1)}, "log1p": {1, 1, reals(math.Log1p)}, "exp2": {1, 1, reals(math.Exp2)}, "cbrt": {1, 1, reals(math.Cbrt)},
		"degrees": {1, 1, reals(func(f float64) float64 { return f * (180 / math.Pi) })},
		"radians": {1, 1, reals(func(f float64) float64 { return f * (math.Pi / 180) })},
	}
	for name, t := range dtypes {
		table[name] = &function{1, 1, convertTo(t)}
	}
	return table
})

// sameFunction has other names of functions, from NumPy, pandas and Python.
var sameFunction = map[string]string{
	"absolute": "abs", "fabs": "abs", "minimum": "min", "maximum": "max", "str_len": "len", "isna": "isnan", "isnull": "isnan",
	"rint": "round", "amin": "min", "amax": "max", "dayofweek": "weekday", "asin": "arcsin", "acos": "arccos", "atan": "arctan",
	"atan2": "arctan2", "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh", "rad2deg": "degrees", "deg2rad": "radians",
}

// takesList has the functions whose second argument may be a list of values.
var takesList = []string{"startswith", "endswith", "contains", "isin"}

// Sequences are the functions of several rows at once. They are computed before the expressions that contain them.
var Sequences = []string{"cumsum", "diff", "rank", "shift"}

// IsSequence reports whether a name is one of [Sequences].
func IsSequence(name string) bool { return slices.Contains(Sequences, name) }

func countText(low, high int) string {
	switch {
	case high < 0:
		return "one or more"
	case low == high:
		return big.NewInt(int64(low)).String()
	}
	return big.NewInt(int64(low)).String() + " or " + big.NewInt(int64(high)).String()
}
