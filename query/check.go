package query

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/npygo/npy/dtype"
)

// A checker gives types to a parsed expression, and makes nodes that can be evaluated. It ends by a panic with an error.
type checker struct {
	text    string
	rows    column // the elements of a row
	columns []column
	table   map[string]*function // when it is needed
}

func (c *checker) fail(x *expr, format string, args ...any) {
	panic(failure{errorAt(c.text, x.pos, x.end-x.pos, format, args...)})
}

// check returns the node of an expression.
func (c *checker) check(x *expr) *node {
	switch x.kind {
	case numberExpr:
		return c.constant(x, x.value)
	case stringExpr:
		return c.constant(x, x.text)
	case bytesExpr:
		return c.constant(x, []byte(x.text))
	case nameExpr, fieldExpr, indexExpr:
		return c.name(x)
	case callExpr:
		return c.call(x)
	case tupleExpr:
		c.fail(x, "a list of values is for 'in' only")
	case unaryExpr:
		return c.unary(x)
	case compareExpr:
		return c.comparison(x)
	}
	return c.binary(x)
}

// name returns the node of a column, a constant or the row number.
func (c *checker) name(x *expr) *node {
	col, ok := c.find(x)
	if !ok {
		return c.constantName(x)
	}
	t := col.typ()
	if col.DType.IsStruct() {
		c.fail(x, "it is a record; name one of its fields: %s", fieldList(col.DType))
	}
	if t.class == otherValue {
		if col.DType.HasObject() {
			c.fail(x, "it holds Python objects, which cannot be in a condition")
		}
		c.fail(x, "dtype %s cannot be in a condition", t)
	}
	id := slices.IndexFunc(c.columns, col.equal)
	if id < 0 {
		id = len(c.columns)
		c.columns = append(c.columns, col)
	}
	load := loader(col.DType)
	return &node{typ: t, x: x, column: id, eval: func(e *env) vec { return e.columnValues(id, t, load) }}
}

// constantName returns the node of a name that is no column.
func (c *checker) constantName(x *expr) *node {
	if x.kind == fieldExpr {
		if object := x.args[0]; object.kind == nameExpr && slices.Contains([]string{"np", "numpy", "math"}, object.text) {
			if value, ok := names[x.text]; ok {
				return c.constant(x, value)
			}
		}
		return c.attribute(x)
	}
	if x.kind == indexExpr {
		c.fail(x.args[0], "an index applies to a field or to x, not to a result")
	}
	if value, ok := names[x.text]; ok && !x.parens {
		return c.constant(x, value)
	}
	if x.text == "row" && !x.parens {
		return &node{typ: int64Type, x: x, column: -1, eval: func(e *env) vec {
			out := e.takeInts(e.n)
			for i := range out {
				out[i] = e.first + int64(i)
			}
			return vec{ints: out, owned: true}
		}}
	}
	if c.functions()[x.text] != nil {
		c.fail(x, "%s is a function; write %s(…)", x.text, x.text)
	}
	c.unknown(x)
	return nil
}

// unknown fails for a name that is not known.
func (c *checker) unknown(x *expr) {
	t := c.rows.DType
	if t.IsStruct() {
		c.noField(x, x.text, t)
	}
	c.failUnknown(x, x.text, append(slices.Sorted(maps.Keys(c.functions())), "row", "x"),
		"unknown name %q; x is the value of a row, and row its number; put text in quotes", x.text)
}

// noField fails for a name that is not a field of t.
func (c *checker) noField(x *expr, name string, t dtype.Type) {
	if !t.IsStruct() {
		c.fail(x, "dtype %s has no field %q", t, name)
	}
	var known []string
	for _, f := range t.Fields() {
		known = append(known, f.Name)
	}
	c.failUnknown(x, name, known, "no field %q; the fields are %s", name, fieldList(t))
}

func (c *checker) failUnknown(x *expr, name string, known []string, format string, args ...any) {
	err := errorAt(c.text, x.pos, x.end-x.pos, format, args...)
	err.Name, err.Known = name, known
	panic(failure{err})
}

// fieldList lists the fields of a struct, at most the first few.
func fieldList(t dtype.Type) string {
	const most = 12
	var list []string
	for _, f := range t.Fields() {
		if len(list) == most {
			list = append(list, "…")
			break
		}
		list = append(list, f.Name)
	}
	return strings.Join(list, ", ")
}

// find returns the column that an expression names.
func (c *checker) find(x *expr) (column, bool) {
	switch x.kind {
	case nameExpr:
		if col, ok := c.rows.field(x.text); ok {
			return col, true
		}
		return c.rows, x.text == "x" && !x.parens
	case fieldExpr:
		object, ok := c.find(x.args[0])
		if !ok {
			return object, false
		}
		col, ok := object.field(x.text)
		if !ok && object.DType.IsStruct() {
			c.noField(x, x.text, object.DType)
		}
		return col, ok
	case indexExpr:
		object, ok := c.find(x.args[0])
		if !ok {
			if x.args[0].kind == nameExpr {
				c.unknown(x.args[0])
			}
			return object, false
		}
		col, name, err := object.slice(x.text)
		if name != "" {
			c.noField(x, name, object.DType)
		}
		if err != nil {
			c.fail(x, "%v", err)
		}
		return col, true
	}
	return column{}, false
}

func (c *checker) unary(x *expr) *node {
	a := c.check(x.args[0])
	if a.isConst {
		return c.foldUnary(x, x.text, a)
	}
	switch x.text {
	case "not":
		return c.negate(x, c.condition(a, "not"))
	case "~":
		if a.class == boolValue {
			return c.negate(x, a)
		}
		if !a.isInteger() {
			c.fail(x, "~ is for bools and integers, not %s; ~ binds before comparisons: write ~(…), or 'not'", a.typ)
		}
	}
	if a.class == boolValue {
		c.fail(x, "%s of bools is not defined; ~ or 'not' negates", x.text)
	}
	if !a.isNumber() && a.class != timedeltaValue {
		c.fail(x, "%s of %s is not defined", x.text, a.typ)
	}
	if x.text == "+" {
		return a
	}
	return each(x, a, a.typ, func(v *vec, out *vec) {
		switch {
		case x.text == "~":
			for i, n := range v.ints {
				out.ints[i] = wrap(a.typ, ^n)
			}
		default:
			for i, n := range v.ints {
				out.ints[i] = wrap(a.typ, -n)
			}
		}
		for i, f := range v.floats {
			out.floats[i] = -f
		}
		for i, z := range v.complexes {
			out.complexes[i] = -z
		}
	})
}

// each returns a node of type t that computes a value of every value of a.
func each(x *expr, a *node, t typ, do func(v, out *vec)) *node {
	return &node{typ: t, x: x, column: -1, eval: func(e *env) vec {
		v := a.eval(e)
		out := e.newVec(t)
		do(&v, &out)
		e.release(v)
		return out
	}}
}

// newVec returns memory for the values of type t in the block.
func (e *env) newVec(t typ) vec {
	n := e.values(t)
	switch t.class {
	case boolValue:
		return vec{mask: e.takeMask(n), owned: true}
	case floatValue:
		return vec{floats: e.takeFloats(n), owned: true}
	case complexValue:
		return vec{complexes: e.takeComplexes(n), owned: true}
	case strValue, bytesValue:
		return vec{texts: e.takeTexts(n), owned: true}
	}
	return vec{ints: e.takeInts(n), owned: true}
}

// negate returns the opposite of a condition.
func (c *checker) negate(x *expr, a *node) *node {
	return each(x, a, a.typ, func(v, out *vec) {
		for i, b := range v.mask {
			out.mask[i] = b ^ 1
		}
	})
}

// condition returns a node as bools, for an operator that wants conditions.
func (c *checker) condition(a *node, op string) *node {
	if a.isConst {
		if _, ok := numberValue(a.constant); !ok {
			c.fail(a.x, "%s wants a condition; compare it with something", op)
		}
		return c.typed(&node{x: a.x, constant: isTrue(a.constant), isConst: true}, boolType)
	}
	if !a.isNumber() {
		c.fail(a.x, "%s wants a condition, not %s; compare it with something", op, a.typ)
	}
	return truth(a)
}

func (c *checker) binary(x *expr) *node {
	a, b := c.check(x.args[0]), c.check(x.args[1])
	switch x.text {
	case "and", "or":
		if a.isConst && b.isConst {
			if x.text == "and" {
				return c.constant(x, isTrue(a.constant) && isTrue(b.constant))
			}
			return c.constant(x, isTrue(a.constant) || isTrue(b.constant))
		}
		op := map[string]string{"and": "&", "or": "|"}[x.text]
		return c.join(x, op, c.condition(a, x.text), c.condition(b, x.text))
	}
	if a.isConst && b.isConst {
		return c.fold(x, x.text, a, b)
	}
	return c.operate(x, x.text, a, b)
}

// join returns a op b for bools.
func (c *checker) join(x *expr, op string, a, b *node) *node {
	t := boolType
	t.shape = c.shape(x, a, b)
	return &node{typ: t, x: x, column: -1, eval: combine(op, a, b, t)}
}

// shape returns the shape of the values of a pair.
func (c *checker) shape(x *expr, a, b *node) []int {
	shape, ok := sameShape(a, b)
	if !ok {
		c.fail(x, "rows have values of shape %v and %v, which do not go together", a.shape, b.shape)
	}
	return shape
}

// bitwise fails for &, | or ^ of a type that they are not for.
func (c *checker) bitwise(x *expr, op string) {
	word := map[string]string{"&": "and", "|": "or"}[op]
	if word == "" {
		c.fail(x, "%s is for conditions and integers", op)
	}
	c.fail(x, "%s binds before comparisons, as in Python; write '%s', or each condition in parentheses: (a > 1) %s (b < 2)", op, word, op)
}

// operate returns a op b, at least one of which is not a constant.
func (c *checker) operate(x *expr, op string, a, b *node) *node {
	if a.isTime() || b.isTime() {
		return c.operateTimes(x, op, a, b)
	}
	for _, n := range []*node{a, b} {
		if n.isConst {
			if _, ok := numberValue(n.constant); ok {
				continue
			}
		} else if n.isNumber() {
			continue
		}
		if op == "&" || op == "|" {
			c.bitwise(x, op)
		}
		c.fail(x, "%s is for numbers; one of its operands is text", op)
	}
	t := c.numbers(x, op, a, b)
	if i, ok := b.constant.(*big.Int); ok && op == "**" && i.Sign() < 0 && t.class < floatValue {
		c.fail(x, "an integer to a negative power; make one of them a float: %s ** %v.0", x.args[0].text, short(i))
	}
	a, b = c.fitted(a, t), c.fitted(b, t)
	return c.compute(x, op, a, b, t)
}

// numbers returns the type of the numbers that both operands become.
func (c *checker) numbers(x *expr, op string, a, b *node) typ {
	switch {
	case a.isConst:
		return c.weak(x, op, a, b.typ)
	case b.isConst:
		return c.weak(x, op, b, a.typ)
	}
	return promote(a.typ, b.typ)
}

// weak returns the type of a constant with an operand of type t: that of t, if it has numbers of the kind of the constant.
func (c *checker) weak(x *expr, op string, a *node, t typ) typ {
	t = t.scalar()
	if _, isBool := a.constant.(bool); isBool {
		return t
	}
	if op == "/" && t.class < floatValue {
		t = float64Type
	}
	number, _ := numberValue(a.constant)
	switch v := number.(type) {
	case *big.Int:
		if t.class == boolValue {
			t = int64Type
		}
		if t.isInteger() {
			if low, high := t.limits(); v.Cmp(low) < 0 || v.Cmp(high) > 0 {
				c.fail(a.x, "%v does not fit in %s; use a float, or compare with it instead", short(v), t)
			}
		}
	case float64:
		if t.class < floatValue {
			return float64Type
		}
	case complex128:
		if t.class < floatValue {
			return complex128Type
		}
		if t.class == floatValue {
			return typ{class: complexValue, size: max(2*t.size, 8)}
		}
	}
	return t
}

// short returns the text of an integer, or what kind of integer it is.
func short(v *big.Int) string {
	if v.BitLen() > 200 {
		return fmt.Sprintf("an integer of %d bits", v.BitLen())
	}
	return v.String()
}

// fitted returns a constant as a node of type t, and every other node as it is.
func (c *checker) fitted(a *node, t typ) *node {
	if !a.isConst {
		return a
	}
	return c.typed(a, t)
}

func fits(i *big.Int) bool { return i.IsInt64() || i.IsUint64() }

// compute returns a op b for numbers, where t is their common type.
func (c *checker) compute(x *expr, op string, a, b *node, t typ) *node {
	t.shape = c.shape(x, a, b)
	switch op {
	case "&", "|", "^":
		if t.class > uintValue {
			c.bitwise(x, op)
		}
	case "/":
		if t.class < floatValue {
			t = typ{class: floatValue, size: 8, shape: t.shape}
		}
	}
	if t.class == boolValue {
		switch op {
		case "&", "|", "^":
			return &node{typ: t, x: x, column: -1, eval: combine(op, a, b, t)}
		case "+", "max":
			return &node{typ: t, x: x, column: -1, eval: combine("|", a, b, t)}
		case "*", "min":
			return &node{typ: t, x: x, column: -1, eval: combine("&", a, b, t)}
		case "-":
			c.fail(x, "bools cannot be subtracted; ^ says whether they differ")
		}
		t.class, t.size = intValue, 1
	}
	out := &node{typ: t, x: x, column: -1}
	switch t.class {
	case intValue, uintValue:
		out.eval = computeInts(op, a, b, t)
	case floatValue:
		out.eval = computeFloats(op, a, b, t)
	default:
		if complexOps[op] == nil {
			c.fail(x, "%s of complex numbers is not supported", op)
		}
		out.eval = computeComplexes(op, a, b, t)
	}
	return out
}
