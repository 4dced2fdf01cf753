package pylit

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth is MAXLEVEL of CPython's tokenizer: the number of brackets that may be open at once. It also bounds the
// recursion of the parser.
const maxDepth = 200

// Options change the accepted syntax. The zero Options accept the texts that ast.literal_eval accepts.
type Options struct {
	// Long accepts the additional syntax that NumPy's _filter_header makes readable in headers written by Python 2: the
	// suffix L after a number, also with blanks between, as in (3L, 4 L), and blanks after the last line break. A
	// lowercase l stays an error. NumPy tries without the filter first and warns if it was needed.
	Long bool
}

// Parse parses a text as the zero [Options] do.
func Parse(text string) (Value, error) {
	return Options{}.Parse(text)
}

// Parse parses a text that consists of one literal, with blanks, line breaks
// and comments around it where Python allows them. The text is UTF-8; the
// result shares its memory. Errors are of type [*Error].
func (o Options) Parse(text string) (Value, error) {
	p := parser{text: text, long: o.Long}
	var v Value
	if !p.readable() || !p.document(&v) {
		return Value{}, p.err
	}
	return v, nil
}

// A parser reads one text from left to right and never goes back. Its methods return false after an error, which is
// then in err.
type parser struct {
	text  string
	pos   int
	depth int  // open brackets
	long  bool // Options.Long
	plain bool // the operand read last, if a number, has no sign and is no sum
	err   *Error
}

// at returns the byte at offset i, and 0 after the end: the text has no NUL.
func (p *parser) at(i int) byte {
	if i < len(p.text) {
		return p.text[i]
	}
	return 0
}

// peek returns the byte at the current position, and 0 at the end.
func (p *parser) peek() byte { return p.at(p.pos) }

// readable refuses bytes that Python refuses to read as source text.
func (p *parser) readable() bool {
	if i := strings.IndexByte(p.text, 0); i >= 0 {
		return p.fail(i, Syntax, "the text contains a NUL byte")
	}
	if utf8.ValidString(p.text) {
		return true
	}
	i := 0
	for {
		r, n := utf8.DecodeRuneInString(p.text[i:])
		if r == utf8.RuneError && n <= 1 {
			return p.fail(i, Syntax, "the text is not valid UTF-8")
		}
		i += n
	}
}

// document parses the whole text.
func (p *parser) document(v *Value) bool {
	p.blanksOnly() // as literal_eval does before Python looks at the indentation
	if !p.lines() || !p.expression(v) {
		return false
	}
	if p.peek() == ',' && !p.bareTuple(v) {
		return false
	}
	if p.pos < len(p.text) {
		if !isNewline(p.text[p.pos]) {
			return p.noSeparator("the end of the text")
		}
		if !p.lines() {
			return false
		}
	}
	if p.pos < len(p.text) {
		return p.fail(p.pos, Syntax, "unexpected "+p.character()+" after the end of the value")
	}
	return true
}

// bareTuple parses a tuple without parentheses, with v as its first item.
func (p *parser) bareTuple(v *Value) bool {
	var c collector
	start, end := v.Start, 0
	for {
		c.add(v, len(p.text)-p.pos)
		end = v.End
		if p.peek() != ',' {
			break
		}
		p.pos++
		end = p.pos
		if !p.space() {
			return false
		}
		if c := p.peek(); c == 0 || isNewline(c) {
			break
		}
		if !p.expression(v) {
			return false
		}
	}
	*v = Value{Kind: Tuple, Start: start, End: end, Items: c.items()}
	return true
}

// expression parses a value and skips the space after it. The only operators that literal_eval knows are the sign of a
// number and the operator of a complex number.
func (p *parser) expression(v *Value) bool {
	if !p.signed(v) || !p.space() {
		return false
	}
	for p.peek() == '+' || p.peek() == '-' {
		if !p.addImaginary(v) || !p.space() {
			return false
		}
	}
	return true
}

// signed parses a value with at most one sign. Python reads --3 too, but literal_eval refuses it, so there is no loop
// and no recursion here.
func (p *parser) signed(v *Value) bool {
	sign := p.peek()
	if sign != '+' && sign != '-' {
		return p.operand(v)
	}
	start := p.pos
	p.pos++
	if !p.space() {
		return false
	}
	if c := p.peek(); c == '+' || c == '-' {
		return p.fail(p.pos, NotLiteral, "a second sign is not part of a literal")
	}
	if !p.operand(v) {
		return false
	}
	if !p.plain || !v.isNumber() {
		return p.fail(start, NotLiteral, "a sign is allowed only before a number without sign")
	}
	v.Start, p.plain = start, false
	if sign == '-' {
		v.negate()
	}
	return true
}

// operand parses a value without sign, by its first byte.
func (p *parser) operand(v *Value) bool {
	switch c := p.peek(); {
	case c == '\'' || c == '"':
		return p.str(v)
	case isDigit(c):
		return p.number(v)
	case c == '(':
		return p.parenthesis(v)
	case c == '[':
		return p.list(v)
	case c == '{':
		return p.braces(v)
	case isNameStart(c):
		return p.name(v)
	case c == '.':
		return p.dots(v)
	}
	return p.noOperand()
}

// dots parses a text that starts with a dot: an ellipsis or a number.
func (p *parser) dots(v *Value) bool {
	if isDigit(p.at(p.pos + 1)) {
		return p.number(v)
	}
	if !strings.HasPrefix(p.text[p.pos:], "...") {
		return p.noOperand()
	}
	*v = Value{Kind: Ellipsis, Start: p.pos, End: p.pos + 3}
	p.pos += 3
	return true
}

// name parses a text that starts with a letter: a word, or a string with a prefix.
func (p *parser) name(v *Value) bool {
	if _, _, ok := p.prefix(p.pos); ok {
		return p.str(v)
	}
	start := p.pos
	end := p.nameEnd(start)
	switch word := p.text[start:end]; word {
	case "None":
		*v = Value{Kind: None, Start: start, End: end}
	case "True", "False":
		*v = Value{Kind: Bool, Bool: word == "True", Start: start, End: end}
	case "set":
		p.pos = end
		return p.emptySet(v, start)
	default:
		return p.badName(start, word)
	}
	p.pos = end
	return true
}

// emptySet parses the parentheses of set(), the one call that is a literal.
func (p *parser) emptySet(v *Value, start int) bool {
	if !p.space() {
		return false
	}
	if p.peek() != '(' {
		return p.fail(start, NotLiteral, "name set is not a literal, set() is")
	}
	open := p.pos
	if !p.open() {
		return false
	}
	switch p.peek() {
	case ')':
		p.close(v, Set, start, nil)
		return true
	case 0:
		return p.neverClosed(open)
	}
	return p.fail(start, NotLiteral, "a call is not a literal, but for set()")
}

// nameEnd returns the offset after the name that starts at offset i.
func (p *parser) nameEnd(i int) int {
	for i < len(p.text) && (isNameStart(p.text[i]) || isDigit(p.text[i])) {
		i++
	}
	return i
}

// isNameStart takes every byte of a non-ASCII character for a letter, as CPython's tokenizer does. No such name is a
// literal.
func isNameStart(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= utf8.RuneSelf
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// open enters a bracket and skips the space after it.
func (p *parser) open() bool {
	if p.depth == maxDepth {
		return p.fail(p.pos, Limit, "brackets are nested deeper than "+strconv.Itoa(maxDepth))
	}
	p.depth++
	p.pos++
	return p.space()
}

// close leaves a bracket and makes v the container that it ends.
func (p *parser) close(v *Value, kind Kind, start int, items []Value) {
	p.depth--
	p.pos++
	*v = Value{Kind: kind, Start: start, End: p.pos, Items: items}
}
