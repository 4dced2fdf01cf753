package query

import (
	"bytes"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"
)

// A function makes the node of a call.
type function struct {
	low, high int // the number of arguments; high is -1 if there is no limit
	make      func(c *checker, x *expr, args []*node) *node
}

// functionTable returns the functions by their names.
func functionTable() map[string]*function {
	reals := func(do func(float64) float64) func(c *checker, x *expr, args []*node) *node {
		return func(c *checker, x *expr, args []*node) *node { return c.float(x, args[0], do) }
	}
	return map[string]*function{
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
	}
}

// sameFunction has other names of functions, from NumPy, pandas and Python.
var sameFunction = map[string]string{
	"absolute": "abs", "fabs": "abs", "minimum": "min", "maximum": "max", "str_len": "len", "isna": "isnan", "isnull": "isnan",
	"rint": "round", "amin": "min", "amax": "max", "dayofweek": "weekday",
}

// functions returns the functions by their names.
func (c *checker) functions() map[string]*function {
	if c.table == nil {
		c.table = functionTable()
	}
	return c.table
}

func (c *checker) call(x *expr) *node {
	name := x.text
	if same := sameFunction[name]; same != "" {
		name = same
	}
	f := c.functions()[name]
	if f == nil {
		known := slices.Sorted(maps.Keys(c.functions()))
		c.failUnknown(x, x.text, known, "unknown function %q; the functions are %s", x.text, strings.Join(known, ", "))
	}
	if n := len(x.args); n < f.low || f.high >= 0 && n > f.high {
		c.fail(x, "%s has %d arguments; want %s", x.text, n, countText(f.low, f.high))
	}
	var args []*node
	for _, arg := range x.args {
		if arg.kind == tupleExpr && f.high == 2 && len(args) == 1 { // startswith(name, ('a', 'b'))
			return c.anyOf(x, f, args[0], arg.args)
		}
		args = append(args, c.check(arg))
	}
	return f.make(c, x, args)
}

func countText(low, high int) string {
	switch {
	case high < 0:
		return "one or more"
	case low == high:
		return big.NewInt(int64(low)).String()
	}
	return big.NewInt(int64(low)).String() + " or " + big.NewInt(int64(high)).String()
}

// anyOf returns whether a function of two arguments holds for one of several second arguments.
func (c *checker) anyOf(x *expr, f *function, a *node, list []*expr) *node {
	var found *node
	for _, item := range list {
		one := f.make(c, x, []*node{a, c.check(item)})
		if found == nil {
			found = one
		} else {
			found = c.join(x, "|", c.condition(found, x.text), c.condition(one, x.text))
		}
	}
	if found == nil {
		c.fail(x, "%s wants at least one text", x.text)
	}
	return found
}

// attribute returns the node of object.name where this is a function of the object: z.real, time.year.
func (c *checker) attribute(x *expr) *node {
	object := x.args[0]
	if object.kind == fieldExpr && object.text == "dt" {
		object = object.args[0]
	}
	if f := c.functions()[x.text]; f != nil && f.low == 1 && slices.Contains([]string{"real", "imag", "year", "month", "day", "hour", "minute", "second", "weekday"}, x.text) {
		return f.make(c, x, []*node{c.check(object)})
	}
	a := c.check(object)
	if a.isConst {
		c.fail(x, "a constant has no field %q", x.text)
	}
	c.fail(x, "%s has no field %q", a.typ, x.text)
	return nil
}

// variable returns an argument that is not a constant, or fails.
func (c *checker) variable(x *expr, a *node) *node {
	if a.isConst {
		number, ok := numberValue(a.constant)
		if !ok {
			c.fail(x, "%s of a constant; name a field, or x", x.text)
		}
		t := float64Type
		switch v := number.(type) {
		case *big.Int:
			if fits(v) {
				t = int64Type
				if !v.IsInt64() {
					t.class = uintValue
				}
			}
		case complex128:
			t = complex128Type
		}
		return c.typed(a, t)
	}
	return a
}

// number returns an argument that must be a number.
func (c *checker) number(x *expr, a *node) *node {
	a = c.variable(x, a)
	if !a.isNumber() {
		c.fail(a.x, "%s is for numbers, not %s", x.text, a.typ)
	}
	return a
}

// real returns an argument that must be a real number.
func (c *checker) real(x *expr, a *node) *node {
	if a = c.number(x, a); a.class == complexValue {
		c.fail(a.x, "%s is for real numbers, not %s", x.text, a.typ)
	}
	return a
}

// reduce returns the function any or all, over the values of each row.
func reduce(op string) func(c *checker, x *expr, args []*node) *node {
	return func(c *checker, x *expr, args []*node) *node {
		if args[0].isConst {
			return c.constant(x, isTrue(args[0].constant))
		}
		a := c.condition(args[0], x.text)
		k := a.items()
		return each(x, a, boolType, func(v, out *vec) {
			for i := range out.mask {
				values := v.mask[i*k : (i+1)*k]
				if op == "|" {
					out.mask[i] = b2u(bytes.IndexByte(values, 1) >= 0)
				} else {
					out.mask[i] = b2u(bytes.IndexByte(values, 0) < 0)
				}
			}
		})
	}
}

// boolsOf returns the type of the results of a test of each value of a.
func boolsOf(a *node) typ {
	t := boolType
	t.shape = a.shape
	return t
}

// test returns a function that tests floats and the parts of complex numbers. It is false for integers.
func test(is func(float64) bool) func(c *checker, x *expr, args []*node) *node {
	return func(c *checker, x *expr, args []*node) *node {
		a := c.variable(x, args[0])
		if a.isTime() && x.text != "isinf" {
			return isNaTs(c, x, args)
		}
		a = c.number(x, a)
		return each(x, a, boolsOf(a), func(v, out *vec) {
			if v.floats == nil && v.complexes == nil {
				fill(out.mask, 0)
			}
			for i, f := range v.floats {
				out.mask[i] = b2u(is(f))
			}
			for i, z := range v.complexes {
				out.mask[i] = b2u(is(real(z)) || is(imag(z)))
			}
		})
	}
}

func isFinite(c *checker, x *expr, args []*node) *node {
	a := c.variable(x, args[0])
	if !a.isNumber() && !a.isTime() {
		c.fail(a.x, "isfinite is for numbers and times, not %s", a.typ)
	}
	return each(x, a, boolsOf(a), func(v, out *vec) {
		fill(out.mask, 1)
		if a.isTime() {
			exceptNaT(out.mask, v.ints)
		}
		for i, f := range v.floats {
			out.mask[i] = b2u(isFiniteFloat(f))
		}
		for i, z := range v.complexes {
			out.mask[i] = b2u(isFiniteFloat(real(z)) && isFiniteFloat(imag(z)))
		}
	})
}

func isFiniteFloat(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

func isNaTs(c *checker, x *expr, args []*node) *node {
	a := c.variable(x, args[0])
	if !a.isTime() {
		c.fail(a.x, "%s is for times, not %s", x.text, a.typ)
	}
	return each(x, a, boolsOf(a), func(v, out *vec) {
		for i, t := range v.ints {
			out.mask[i] = b2u(isNaT(t))
		}
	})
}

func absolute(c *checker, x *expr, args []*node) *node {
	a := c.variable(x, args[0])
	if a.class != timedeltaValue {
		a = c.number(x, a)
	}
	t := a.typ
	switch a.class {
	case boolValue, uintValue:
		return a
	case complexValue:
		t.class, t.size = floatValue, a.size/2
	}
	return each(x, a, t, func(v, out *vec) {
		for i, n := range v.ints {
			if n < 0 {
				n = wrap(t, -n)
			}
			out.ints[i] = n
		}
		for i, f := range v.floats {
			out.floats[i] = math.Abs(f)
		}
		for i, z := range v.complexes {
			out.floats[i] = roundTo(t.size, math.Hypot(real(z), imag(z)))
		}
	})
}

// float returns a function of floats. Integers become the smallest float that holds them, as in NumPy.
func (c *checker) float(x *expr, a *node, do func(float64) float64) *node {
	a = c.real(x, a)
	t := typ{class: floatValue, size: a.size, shape: a.shape}
	switch a.class {
	case boolValue:
		t.size = 2
	case intValue, uintValue:
		t.size = min(2*a.size, 8)
	}
	return &node{typ: t, x: x, column: -1, eval: func(e *env) vec {
		v := e.as(a.eval(e), a.typ, float64Type)
		out := e.takeFloats(len(v.floats))
		for i, f := range v.floats {
			out[i] = do(f)
		}
		roundAll(t.size, out)
		e.release(v)
		return vec{floats: out, owned: true}
	}}
}

// whole returns a function that rounds floats to integers, and leaves integers as they are.
func whole(do func(float64) float64) func(c *checker, x *expr, args []*node) *node {
	return func(c *checker, x *expr, args []*node) *node {
		if a := c.real(x, args[0]); a.class != floatValue {
			return a
		}
		return c.float(x, args[0], do)
	}
}

// round is numpy.round: halves go to the even neighbour.
func round(c *checker, x *expr, args []*node) *node {
	a := c.real(x, args[0])
	digits := int64(0)
	if len(args) == 2 {
		n, ok := args[1].constant.(*big.Int)
		if !ok || !n.IsInt64() || n.Int64() < -300 || n.Int64() > 300 {
			c.fail(args[1].x, "round wants a number of digits, from -300 to 300")
		}
		digits = n.Int64()
	}
	switch {
	case a.class != floatValue && digits >= 0:
		return a
	case a.class != floatValue:
		c.fail(x, "round of integers to tens is not supported; divide first")
	case digits == 0:
		return c.float(x, a, math.RoundToEven)
	}
	size := a.size
	scale := roundTo(size, math.Pow10(int(max(digits, -digits))))
	return c.float(x, a, func(f float64) float64 {
		if digits < 0 {
			return roundTo(size, math.RoundToEven(roundTo(size, f/scale))*scale)
		}
		return math.RoundToEven(roundTo(size, f*scale)) / scale
	})
}

// part returns the function real or imag.
func part(of func(complex128) float64) func(c *checker, x *expr, args []*node) *node {
	return func(c *checker, x *expr, args []*node) *node {
		a := c.number(x, args[0])
		if a.class != complexValue {
			c.fail(a.x, "%s is for complex numbers, not %s", x.text, a.typ)
		}
		t := typ{class: floatValue, size: a.size / 2, shape: a.shape}
		return each(x, a, t, func(v, out *vec) {
			for i, z := range v.complexes {
				out.floats[i] = of(z)
			}
		})
	}
}

// text returns an argument that must be text.
func (c *checker) textArg(x *expr, a *node) *node {
	if a.isConst || !a.isText() {
		got := "a constant"
		if !a.isConst {
			got = a.typ.String()
		}
		c.fail(a.x, "%s is for fields of text, not %s", x.text, got)
	}
	return a
}

func textLen(c *checker, x *expr, args []*node) *node {
	a := c.textArg(x, args[0])
	t := int64Type
	t.shape = a.shape
	return each(x, a, t, func(v, out *vec) {
		for i, s := range v.texts {
			n := len(s)
			if a.class == strValue {
				n = characters(s)
			}
			out.ints[i] = int64(n)
		}
	})
}

// characters returns the number of code points in text that may have lone surrogates of three bytes.
func characters(s []byte) int {
	n := 0
	for _, b := range s {
		if utf8.RuneStart(b) {
			n++
		}
	}
	return n
}

func textMap(do func([]byte) []byte) func(c *checker, x *expr, args []*node) *node {
	return func(c *checker, x *expr, args []*node) *node {
		a := c.textArg(x, args[0])
		return each(x, a, a.typ, func(v, out *vec) {
			for i, s := range v.texts {
				out.texts[i] = do(s)
			}
		})
	}
}

// textTest returns a function that tests a text with another.
func textTest(do func(s, part []byte) bool) func(c *checker, x *expr, args []*node) *node {
	return func(c *checker, x *expr, args []*node) *node {
		a := c.textArg(x, args[0])
		if !args[1].isConst {
			return c.testTexts(x, do, a, c.textArg(x, args[1]))
		}
		text, ok := textOf(args[1].constant)
		if !ok {
			c.fail(args[1].x, "%s wants a text in quotes", x.text)
		}
		want := []byte(text)
		return each(x, a, boolsOf(a), func(v, out *vec) {
			for i, s := range v.texts {
				out.mask[i] = b2u(do(s, want))
			}
		})
	}
}

func (c *checker) testTexts(x *expr, do func(s, part []byte) bool, a, b *node) *node {
	if a.class != b.class {
		c.fail(x, "%s of %s and %s", x.text, a.typ, b.typ)
	}
	t := boolType
	t.shape = c.shape(x, a, b)
	return &node{typ: t, x: x, column: -1, eval: func(e *env) vec {
		v, w := e.fit(a, t), e.fit(b, t)
		out := e.takeMask(e.values(t))
		for i, s := range v.texts {
			out[i] = b2u(do(s, w.texts[i]))
		}
		e.release(v)
		e.release(w)
		return vec{mask: out, owned: true}
	}}
}

// partOf returns whether a text is part of the text of a node: 'a' in name.
func (c *checker) partOf(x *expr, a, part *node) *node {
	if a.isConst || !a.isText() {
		c.fail(x, "'in' wants a list such as (1, 2), or a field of text after it")
	}
	named := *x
	named.text = "in"
	return textTest(bytes.Contains)(c, &named, []*node{a, part})
}
