package syntax

import (
	"slices"
	"strings"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
)

// The limits of an expression.
const (
	maxText  = 64 << 10 // bytes
	maxDepth = 200      // levels of brackets and of operators before an operand
	maxNodes = 10_000   // operators, names and constants
)

// An Expr is a node of a parsed expression.
type Expr struct {
	Kind     Kind
	Pos, End int      // in the text
	Text     string   // the operator, the name, the value of a string, or an index with its brackets
	Value    any      // of a number: *big.Int, float64 or complex128
	Args     []*Expr  // operands, arguments, or the items of a tuple
	Ops      []string // of a comparison, one less than Args
	Keys     []string // the names of the Args of a call, "" for those without; nil if none has one
	Parens   bool     // the expression is in parentheses
}

// A Kind is a kind of expression. It gives the Args their meaning.
type Kind byte

// The kinds of expressions.
const (
	Number Kind = iota
	String
	Bytes
	Name
	Field      // Args[0].Text
	Index      // Args[0] Text
	Call       // Text(Args…)
	Tuple      // (a, b) and [a, b]
	Unary      // - + ~ not
	Binary     // + - * / // % @ ** & | ^ and or
	Comparison // a < b <= c, in, not in
)

// A parser reads an expression with Python's grammar. It ends by a panic with an error.
type parser struct {
	lexer
	tok   token // the next one
	depth int
	nodes int
}

// Parse parses an expression. A wrong expression is an [*Error], and a too large or too deeply nested one an error
// of a limit.
func Parse(text string) (x *Expr, err error) {
	if len(text) > maxText {
		return nil, diag.Wrap("query", bounded.Over("", maxText, len(text), "an expression of %d bytes is over the limit of %d", len(text), maxText))
	}
	p := &parser{lexer: lexer{text: text}}
	defer Recover(&err)
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

// instead has hints for the operators of other languages.
var instead = map[string]string{
	"&&": "write 'and', or & between conditions in parentheses", "||": "write 'or', or | between conditions in parentheses",
	"!": "write 'not', or ~ before a condition in parentheses", "=": "equality is ==", "<>": "inequality is !=",
	"<<": "shifts are not supported; multiply by a power of two", ">>": "shifts are not supported; divide with //",
}

// ofSQL has hints for the operators of SQL, which stand where an operator is missing.
var ofSQL = map[string]string{
	"AND": "write 'and'", "OR": "write 'or'", "NOT": "write 'not'", "IN": "write 'in'", "XOR": "write != between conditions in parentheses",
	"IS": "write isnan(x), isnat(x), or x == '' for text", "BETWEEN": "write low <= x <= high",
	"LIKE": "write startswith(x, 'a'), endswith(x, 'a') or contains(x, 'a')", "MOD": "write %", "DIV": "write //",
}

func (p *parser) unexpected() {
	t := p.tok
	word := p.text[t.pos:t.end]
	switch hint := instead[t.text]; {
	case t.kind == endToken:
		p.fail(t.pos, 0, "the expression ends too early")
	case t.kind == opToken && hint != "":
		p.fail(t.pos, t.end-t.pos, "unexpected %s; %s", t.text, hint)
	default:
		if hint = ofSQL[strings.ToUpper(word)]; hint == "" {
			hint = "an operator is missing before it, or it is in the wrong place"
		}
		p.fail(t.pos, t.end-t.pos, "unexpected %s; %s", word, hint)
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
func (p *parser) node(x Expr) *Expr {
	if p.nodes++; p.nodes > maxNodes {
		Fail(diag.Wrap("query", bounded.Over("", maxNodes, 0, "an expression of more than %d operators, names and constants", maxNodes)))
	}
	return &x
}

// nested runs a rule that can contain itself.
func (p *parser) nested(rule func() *Expr) *Expr {
	if p.depth++; p.depth > maxDepth {
		Fail(diag.Wrap("query", bounded.Over("", maxDepth, 0, "an expression with more than %d levels of brackets", maxDepth)))
	}
	defer func() { p.depth-- }()
	return rule()
}

// left reads operands with operators of one precedence between them.
func (p *parser) left(operand func() *Expr, ops ...string) *Expr {
	x := operand()
	for p.is(ops...) {
		op := p.tok.text
		p.advance()
		y := operand()
		x = p.node(Expr{Kind: Binary, Text: op, Args: []*Expr{x, y}, Pos: x.Pos, End: y.End})
	}
	return x
}

func (p *parser) or() *Expr     { return p.left(p.and, "or") }
func (p *parser) and() *Expr    { return p.left(p.not, "and") }
func (p *parser) bitOr() *Expr  { return p.left(p.bitXor, "|") }
func (p *parser) bitXor() *Expr { return p.left(p.bitAnd, "^") }
func (p *parser) bitAnd() *Expr { return p.left(p.sum, "&") }
func (p *parser) sum() *Expr    { return p.left(p.product, "+", "-") }

func (p *parser) product() *Expr {
	return p.left(p.factor, "*", "/", "//", "%", "@")
}

// unary reads an operator before its operand.
func (p *parser) unary(rule func() *Expr) *Expr {
	op := p.tok
	p.advance()
	x := p.nested(rule)
	return p.node(Expr{Kind: Unary, Text: op.text, Args: []*Expr{x}, Pos: op.pos, End: x.End})
}

func (p *parser) not() *Expr {
	if p.is("not") {
		return p.unary(p.not)
	}
	return p.comparison()
}

func (p *parser) comparison() *Expr {
	x := p.bitOr()
	if !p.atComparison() {
		return x
	}
	c := p.node(Expr{Kind: Comparison, Args: []*Expr{x}, Pos: x.Pos})
	for p.atComparison() {
		op := p.tok.text
		p.advance()
		if op == "not" {
			op = "not in"
			p.expect("in")
		}
		c.Ops = append(c.Ops, op)
		c.Args = append(c.Args, p.bitOr())
	}
	c.End = c.Args[len(c.Args)-1].End
	return c
}

func (p *parser) atComparison() bool {
	return p.is("<", "<=", ">", ">=", "==", "!=", "in", "not")
}

func (p *parser) factor() *Expr {
	if p.is("+", "-", "~") {
		return p.unary(p.factor)
	}
	x := p.primary()
	if !p.is("**") {
		return x
	}
	p.advance()
	y := p.nested(p.factor)
	return p.node(Expr{Kind: Binary, Text: "**", Args: []*Expr{x, y}, Pos: x.Pos, End: y.End})
}

// primary reads an operand with the fields, indices and calls that follow it.
func (p *parser) primary() *Expr {
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
			x = p.node(Expr{Kind: Field, Text: name.text, Args: []*Expr{x}, Pos: x.Pos, End: name.end})
		case p.is("["):
			start := p.tok.pos
			end := p.closing(start)
			x = p.node(Expr{Kind: Index, Text: p.text[start:end], Args: []*Expr{x}, Pos: x.Pos, End: end})
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
func (p *parser) call(f *Expr) *Expr {
	c := Expr{Kind: Call, Text: f.Text, Pos: f.Pos}
	switch f.Kind {
	case Name:
	case Field: // name.startswith('a') is startswith(name, 'a'), and so is name.str.startswith('a')
		object := f.Args[0]
		if object.Kind == Field && object.Text == "str" || object.Kind == Field && object.Text == "dt" {
			object = object.Args[0]
		}
		if object.Kind == Name && (object.Text == "np" || object.Text == "numpy" || object.Text == "math") {
			break
		}
		c.Args = append(c.Args, object)
	default:
		p.unexpected()
	}
	p.advance()
	for !p.is(")") {
		p.argument(&c)
		if !p.is(",") {
			break
		}
		p.advance()
	}
	c.End = p.tok.end
	p.expect(")")
	return p.node(c)
}

// argument reads an argument of a call, with its name if it has one.
func (p *parser) argument(c *Expr) {
	x := p.nested(p.or)
	if p.is("=") && x.Kind == Name && !x.Parens {
		p.advance()
		for len(c.Keys) < len(c.Args) {
			c.Keys = append(c.Keys, "")
		}
		c.Keys = append(c.Keys, x.Text)
		x = p.nested(p.or)
	}
	c.Args = append(c.Args, x)
}

func (p *parser) atom() *Expr {
	t := p.tok
	x := Expr{Pos: t.pos, End: t.end, Text: t.text, Value: t.value}
	switch t.kind {
	case numberToken:
		x.Kind = Number
	case stringToken:
		x.Kind = String
	case bytesToken:
		x.Kind = Bytes
	case nameToken, quotedToken:
		x.Kind = Name
		if t.kind == quotedToken {
			x.Parens = true // it is a field, whatever the word means elsewhere
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
func (p *parser) parenthesised(open, shut string) *Expr {
	start := p.tok.pos
	p.advance()
	tuple := Expr{Kind: Tuple, Pos: start}
	comma := open == "["
	for !p.is(shut) {
		tuple.Args = append(tuple.Args, p.nested(p.or))
		if !p.is(",") {
			break
		}
		comma = true
		p.advance()
	}
	tuple.End = p.tok.end
	p.expect(shut)
	if comma || len(tuple.Args) == 0 {
		return p.node(tuple)
	}
	x := *tuple.Args[0]
	x.Parens, x.Pos, x.End = x.Kind != Name || x.Parens, start, tuple.End
	return &x
}
