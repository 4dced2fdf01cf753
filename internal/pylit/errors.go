package pylit

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Class is the kind of an error.
type Class uint8

const (
	// Syntax: Python cannot parse the text (SyntaxError).
	Syntax Class = iota
	// NotLiteral: the text is an expression, but one with a name, an operator or
	// a call, which literal_eval refuses (ValueError: malformed node or string).
	NotLiteral
	// Unhashable: a list, set or dict is used as a key (TypeError).
	Unhashable
	// Limit: the text is beyond a limit of this package on depth or digits.
	Limit
	// Unsupported: the text is valid in Python and this package cannot read it.
	Unsupported
)

// An Error says what is wrong with a text, and where. Every error of this
// package is of type *Error.
type Error struct {
	Offset int // byte offset in the text
	Class  Class
	Msg    string // one line without the offset
}

// Error returns one short line, such as "byte 12: unexpected ')'".
func (e *Error) Error() string {
	return "byte " + strconv.Itoa(e.Offset) + ": " + e.Msg
}

// fail records the first error and returns false, which every method of parser returns to its caller.
func (p *parser) fail(offset int, class Class, msg string) bool {
	if p.err == nil {
		p.err = &Error{Offset: offset, Class: class, Msg: msg}
	}
	return false
}

// neverClosed reports the end of the text inside the bracket at offset open.
func (p *parser) neverClosed(open int) bool {
	return p.fail(open, Syntax, "'"+p.text[open:open+1]+"' was never closed")
}

// noOperand reports that no value starts at the current position.
func (p *parser) noOperand() bool {
	switch c := p.peek(); {
	case c == 0:
		return p.fail(p.pos, Syntax, "unexpected end of text, a value is missing")
	case c == '\n' || c == '\r':
		return p.fail(p.pos, Syntax, "unexpected end of line, a value is missing")
	case c == '~' || c == '*':
		return p.fail(p.pos, NotLiteral, "operator '"+string(rune(c))+"' is not part of a literal")
	}
	return p.fail(p.pos, Syntax, "unexpected "+p.character())
}

// noSeparator reports that a value is followed by something other than want, the token that may follow it. An operator
// or a call makes the text an expression; anything else breaks the syntax.
func (p *parser) noSeparator(want string) bool {
	c := p.peek()
	switch c {
	case '(':
		return p.fail(p.pos, NotLiteral, "a call is not a literal")
	case '[':
		return p.fail(p.pos, NotLiteral, "a subscript is not a literal")
	case '.', '*', '/', '%', '@', '&', '|', '^', '<', '>':
		return p.fail(p.pos, NotLiteral, "operator '"+string(rune(c))+"' is not part of a literal")
	}
	if c == '=' && p.at(p.pos+1) == '=' || c == '!' && p.at(p.pos+1) == '=' || c == ':' && p.at(p.pos+1) == '=' {
		return p.fail(p.pos, NotLiteral, "operator '"+p.text[p.pos:p.pos+2]+"' is not part of a literal")
	}
	if isNameStart(c) {
		switch word := p.text[p.pos:p.nameEnd(p.pos)]; word {
		case "if", "for", "and", "or", "in", "is", "not", "async":
			return p.fail(p.pos, NotLiteral, "operator '"+word+"' is not part of a literal")
		}
	}
	if c == 0 {
		return p.fail(p.pos, Syntax, "unexpected end of text, expected "+want)
	}
	return p.fail(p.pos, Syntax, "unexpected "+p.character()+", expected "+want)
}

// badName reports a word that is not a literal. To Python most words are names of variables; its keywords are syntax
// errors, except keywords that start an expression.
func (p *parser) badName(start int, word string) bool {
	switch word {
	case "and", "as", "assert", "async", "break", "class", "continue", "def", "del", "elif", "else", "except",
		"finally", "for", "from", "global", "if", "import", "in", "is", "nonlocal", "or", "pass", "raise",
		"return", "try", "while", "with", "yield":
		return p.fail(start, Syntax, "unexpected keyword "+word)
	}
	if r, n := utf8.DecodeRuneInString(word); n > 1 && !unicode.IsLetter(r) && !unicode.Is(unicode.Nl, r) {
		return p.fail(start, Syntax, "unexpected "+p.character())
	}
	return p.fail(start, NotLiteral, "name "+shorten(word, 40)+" is not a literal")
}

// character names the character at the current position for a message.
func (p *parser) character() string {
	r, n := utf8.DecodeRuneInString(p.text[p.pos:])
	if unicode.IsPrint(r) {
		return "'" + p.text[p.pos:p.pos+n] + "'"
	}
	hex := strings.ToUpper(strconv.FormatInt(int64(r), 16))
	return "character U+" + "0000"[:max(0, 4-len(hex))] + hex
}

// shorten cuts s to at most n bytes, never inside a character, and marks the cut.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + ellipsis
}
