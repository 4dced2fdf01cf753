package query

import (
	"slices"
	"strings"

	"github.com/npygo/npy/internal/bounded"
)

// The limits of an expression.
const (
	maxText  = 64 << 10 // bytes
	maxDepth = 200      // levels of brackets and of operators before an operand
	maxNodes = 10_000   // operators, names and constants
)

// An expr is a node of a parsed expression.
type expr struct {
	kind     exprKind
	pos, end int
	text     string  // the operator, the name, the value of a string, or an index with its brackets
	value    any     // of a number
	args     []*expr // operands, arguments, or the items of a tuple
	ops      []token // of a comparison, one less than args
	parens   bool    // the expression is in parentheses
}

type exprKind byte

const (
	numberExpr exprKind = iota
	stringExpr
	bytesExpr
	nameExpr
	fieldExpr   // args[0].text
	indexExpr   // args[0] text
	callExpr    // text(args…)
	tupleExpr   // (a, b) and [a, b]
	unaryExpr   // - + ~ not
	binaryExpr  // + - * / // % ** & | ^ and or
	compareExpr // a < b <= c, in, not in
)

// A parser reads an expression with Python's grammar. It ends by a panic with an error.
type parser struct {
	text  string
	tok   token // the next one
	depth int
	nodes int
}

func parse(text string) (x *expr, err error) {
	if len(text) > maxText {
		return nil, bounded.Over("", maxText, len(text), "query: an expression of %d bytes is over the limit of %d", len(text), maxText)
	}
	p := &parser{text: text}
	defer recoverError(&err)
	p.advance()
	if p.tok.kind == endToken {
		p.fail(0, 0, "the expression is empty")
	}
	x = p.or()
	if p.tok.kind != endToken {
		p.unexpected()
	}
	return x, nil
}

// A failure is the panic of an error in an expression.
type failure struct{ error }

// recoverError ends a panic with a failure, and sets err.
func recoverError(err *error) {
	if r := recover(); r != nil {
		f, ok := r.(failure)
		if !ok {
			panic(r)
		}
		*err = f.error
	}
}

func (p *parser) fail(pos, n int, format string, args ...any) {
	panic(failure{errorAt(p.text, pos, n, format, args...)})
}

// instead has what people write, and what it is called here.
var instead = map[string]string{
	"&&": "write 'and', or & between conditions in parentheses", "||": "write 'or', or | between conditions in parentheses",
	"!": "write 'not', or ~ before a condition in parentheses", "=": "equality is ==", "<>": "inequality is !=",
	"<<": "shifts are not supported; multiply by a power of two", ">>": "shifts are not supported; divide with //",
}

func (p *parser) unexpected() {
	t := p.tok
	switch hint := instead[t.text]; {
	case t.kind == endToken:
		p.fail(t.pos, 0, "the expression ends too early")
	case t.kind == opToken && hint != "":
		p.fail(t.pos, t.end-t.pos, "unexpected %s; %s", t.text, hint)
	default:
		p.fail(t.pos, t.end-t.pos, "unexpected %s; an operator is missing before it, or it is in the wrong place", p.text[t.pos:t.end])
	}
}

func (p *parser) advance() { p.tok = p.lex(p.tok.end) }

// is reports whether the next token is one of some operators.
func (p *parser) is(ops ...string) bool {
	return p.tok.kind == opToken && slices.Contains(ops, p.tok.text)
}

func (p *parser) expect(op string) {
	if !p.is(op) {
		if p.tok.kind == endToken {
			p.fail(p.tok.pos, 0, "a closing %s is missing", op)
		}
		p.unexpected()
	}
	p.advance()
}

// node counts a node of the expression.
func (p *parser) node(x expr) *expr {
	if p.nodes++; p.nodes > maxNodes {
		panic(failure{bounded.Over("", maxNodes, 0, "query: an expression of more than %d operators, names and constants", maxNodes)})
	}
	return &x
}

// nested runs a rule that can contain itself.
func (p *parser) nested(rule func() *expr) *expr {
	if p.depth++; p.depth > maxDepth {
		panic(failure{bounded.Over("", maxDepth, 0, "query: an expression with more than %d levels of brackets", maxDepth)})
	}
	defer func() { p.depth-- }()
	return rule()
}

// left reads operands with operators of one precedence between them.
func (p *parser) left(operand func() *expr, ops ...string) *expr {
	x := operand()
	for p.is(ops...) {
		op := p.tok.text
		p.advance()
		y := operand()
		x = p.node(expr{kind: binaryExpr, text: op, args: []*expr{x, y}, pos: x.pos, end: y.end})
	}
	return x
}

func (p *parser) or() *expr     { return p.left(p.and, "or") }
func (p *parser) and() *expr    { return p.left(p.not, "and") }
func (p *parser) bitOr() *expr  { return p.left(p.bitXor, "|") }
func (p *parser) bitXor() *expr { return p.left(p.bitAnd, "^") }
func (p *parser) bitAnd() *expr { return p.left(p.sum, "&") }
func (p *parser) sum() *expr    { return p.left(p.product, "+", "-") }
func (p *parser) product() *expr {
	return p.left(p.factor, "*", "/", "//", "%")
}

// unary reads an operator before its operand.
func (p *parser) unary(rule func() *expr) *expr {
	op := p.tok
	p.advance()
	x := p.nested(rule)
	return p.node(expr{kind: unaryExpr, text: op.text, args: []*expr{x}, pos: op.pos, end: x.end})
}

func (p *parser) not() *expr {
	if p.is("not") {
		return p.unary(p.not)
	}
	return p.comparison()
}

func (p *parser) comparison() *expr {
	x := p.bitOr()
	if !p.atComparison() {
		return x
	}
	c := p.node(expr{kind: compareExpr, args: []*expr{x}, pos: x.pos})
	for p.atComparison() {
		op := p.tok
		p.advance()
		if op.text == "not" {
			op.text, op.end = "not in", p.tok.end
			p.expect("in")
		}
		c.ops = append(c.ops, op)
		c.args = append(c.args, p.bitOr())
	}
	c.end = c.args[len(c.args)-1].end
	return c
}

func (p *parser) atComparison() bool {
	return p.is("<", "<=", ">", ">=", "==", "!=", "in", "not")
}

func (p *parser) factor() *expr {
	if p.is("+", "-", "~") {
		return p.unary(p.factor)
	}
	x := p.primary()
	if !p.is("**") {
		return x
	}
	p.advance()
	y := p.nested(p.factor)
	return p.node(expr{kind: binaryExpr, text: "**", args: []*expr{x, y}, pos: x.pos, end: y.end})
}

// primary reads an operand with the fields, indices and calls that follow it.
func (p *parser) primary() *expr {
	x := p.atom()
	for {
		switch {
		case p.is("."):
			p.advance()
			name := p.tok
			if name.kind != nameToken && name.kind != quotedToken {
				p.unexpected()
			}
			p.advance()
			x = p.node(expr{kind: fieldExpr, text: name.text, args: []*expr{x}, pos: x.pos, end: name.end})
		case p.is("["):
			start := p.tok.pos
			end := p.closing(start)
			x = p.node(expr{kind: indexExpr, text: p.text[start:end], args: []*expr{x}, pos: x.pos, end: end})
			p.tok.end = end
			p.advance()
		case p.is("("):
			x = p.call(x)
		default:
			return x
		}
	}
}

// closing returns the end of the index that begins at position start.
func (p *parser) closing(start int) int {
	for pos := start + 1; ; {
		t := p.lex(indexToken(p.text, pos))
		switch {
		case t.kind == endToken:
			p.fail(start, 1, "a closing ] is missing")
		case t.kind == opToken && t.text == "]":
			return t.end
		case t.kind == opToken && t.text == "[":
			p.fail(start, t.end-start, "lists in an index are not supported")
		}
		pos = t.end
	}
}

// indexToken returns the position of the first token from pos on that is not a colon or a point of "...".
func indexToken(text string, pos int) int {
	for pos < len(text) && strings.IndexByte(": .", text[pos]) >= 0 {
		pos++
	}
	return pos
}

// call reads the arguments of a function, a name, or of a method.
func (p *parser) call(f *expr) *expr {
	c := expr{kind: callExpr, text: f.text, pos: f.pos}
	switch f.kind {
	case nameExpr:
	case fieldExpr: // name.startswith('a') is startswith(name, 'a'), and so is name.str.startswith('a')
		object := f.args[0]
		if object.kind == fieldExpr && object.text == "str" || object.kind == fieldExpr && object.text == "dt" {
			object = object.args[0]
		}
		if object.kind == nameExpr && (object.text == "np" || object.text == "numpy" || object.text == "math") {
			break
		}
		c.args = append(c.args, object)
	default:
		p.unexpected()
	}
	p.advance()
	for !p.is(")") {
		c.args = append(c.args, p.nested(p.or))
		if !p.is(",") {
			break
		}
		p.advance()
	}
	c.end = p.tok.end
	p.expect(")")
	return p.node(c)
}

func (p *parser) atom() *expr {
	t := p.tok
	x := expr{pos: t.pos, end: t.end, text: t.text, value: t.value}
	switch t.kind {
	case numberToken:
		x.kind = numberExpr
	case stringToken:
		x.kind = stringExpr
	case bytesToken:
		x.kind = bytesExpr
	case nameToken, quotedToken:
		x.kind = nameExpr
		if t.kind == quotedToken {
			x.parens = true // it is a field, whatever the word means elsewhere
		}
	default:
		switch {
		case p.is("("):
			return p.parenthesised("(", ")")
		case p.is("["):
			return p.parenthesised("[", "]")
		case p.is("not"):
			return p.unary(p.not)
		}
		p.unexpected()
	}
	p.advance()
	return p.node(x)
}

// parenthesised reads an expression in parentheses, or a tuple or list of expressions.
func (p *parser) parenthesised(open, shut string) *expr {
	start := p.tok.pos
	p.advance()
	tuple := expr{kind: tupleExpr, pos: start}
	comma := open == "["
	for !p.is(shut) {
		tuple.args = append(tuple.args, p.nested(p.or))
		if !p.is(",") {
			break
		}
		comma = true
		p.advance()
	}
	tuple.end = p.tok.end
	p.expect(shut)
	if comma || len(tuple.args) == 0 {
		return p.node(tuple)
	}
	x := *tuple.args[0]
	x.parens, x.pos, x.end = x.kind != nameExpr || x.parens, start, tuple.end
	return &x
}
