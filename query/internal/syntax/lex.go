package syntax

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is a word, a number, a string or an operator of an expression.
type token struct {
	kind     tokenKind
	pos, end int    // in the text
	text     string // of an operator or a name; the value of a string
	value    any    // of a number: *big.Int, float64 or complex128
}

type tokenKind byte

const (
	endToken    tokenKind = iota
	opToken               // also the words and, or, not, in
	nameToken             // an identifier
	quotedToken           // a name between backquotes
	numberToken
	stringToken
	bytesToken // b'…'
)

// operators are in the order in which they are tried: the longest first.
var operators = []string{"**", "//", "==", "!=", "<=", ">=", "<>", "&&", "||", "<<", ">>", "<", ">", "+", "-", "*", "/", "%", "@", "&", "|", "~", "^", "(", ")", "[", "]", ",", ".", "=", "!"}

// words are the operators that are words, and nothing else.
var words = []string{"and", "or", "not", "in"}

// A lexer divides the text of an expression into tokens. It ends by a panic with an error.
type lexer struct{ text string }

func (l *lexer) fail(pos, n int, format string, args ...any) {
	Fail(ErrorAt(l.text, pos, n, format, args...))
}

// lex returns the token at position pos of the text.
func (l *lexer) lex(pos int) token {
	for pos < len(l.text) && strings.IndexByte(" \t\r\n", l.text[pos]) >= 0 {
		pos++
	}
	rest := l.text[pos:]
	if rest == "" {
		return token{kind: endToken, pos: pos, end: pos}
	}
	c, size := utf8.DecodeRuneInString(rest)
	switch {
	case '0' <= c && c <= '9', c == '.' && len(rest) > 1 && '0' <= rest[1] && rest[1] <= '9':
		return l.number(pos)
	case c == '\'' || c == '"':
		return l.quoted(stringToken, pos, pos)
	case (c == 'b' || c == 'B') && len(rest) > 1 && (rest[1] == '\'' || rest[1] == '"'):
		return l.quoted(bytesToken, pos, pos+1)
	case c == '`':
		n := strings.IndexByte(rest[1:], '`')
		if n < 0 {
			l.fail(pos, 1, "the name has no closing `")
		}
		return token{kind: quotedToken, pos: pos, end: pos + n + 2, text: rest[1 : n+1]}
	case c == '_' || unicode.IsLetter(c):
		n := strings.IndexFunc(rest, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
		if n < 0 {
			n = len(rest)
		}
		t := token{kind: nameToken, pos: pos, end: pos + n, text: rest[:n]}
		if slices.Contains(words, t.text) {
			t.kind = opToken
		}
		return t
	}
	for _, op := range operators {
		if strings.HasPrefix(rest, op) {
			return token{kind: opToken, pos: pos, end: pos + len(op), text: op}
		}
	}
	l.fail(pos, size, "unexpected character %q", c)
	return token{}
}

// number reads a number as Python writes it, with an underscore between digits and a trailing j.
func (l *lexer) number(pos int) token {
	rest := l.text[pos:]
	n := 0
	isHex := len(rest) > 1 && rest[0] == '0' && strings.IndexByte("xXoObB", rest[1]) >= 0
	for n < len(rest) {
		c := rest[n]
		sign := (c == '+' || c == '-') && n > 0 && !isHex && (rest[n-1] == 'e' || rest[n-1] == 'E')
		if !sign && c != '.' && c != '_' && !isAlphanumeric(c) {
			break
		}
		n++
	}
	t := token{kind: numberToken, pos: pos, end: pos + n, text: rest[:n]}
	if t.value = numberOf(t.text); t.value == nil {
		l.fail(pos, n, "%q is not a number; put text and times in quotes", t.text)
	}
	return t
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// numberOf returns the value of a literal, or nil. Digits are limited by the length of the expression.
func numberOf(text string) any {
	if strings.HasSuffix(text, "_") || strings.Contains(text, "__") {
		return nil
	}
	plain := strings.ReplaceAll(text, "_", "")
	if isDecimal(plain) {
		if x, ok := new(big.Int).SetString(plain, 10); ok {
			return x
		}
	}
	if len(plain) > 2 && plain[0] == '0' && strings.IndexByte("xXoObB", plain[1]) >= 0 {
		if x, ok := new(big.Int).SetString(plain, 0); ok {
			return x
		}
		return nil
	}
	imaginary := strings.HasSuffix(plain, "j") || strings.HasSuffix(plain, "J")
	if imaginary {
		plain = plain[:len(plain)-1]
	}
	x, err := strconv.ParseFloat(plain, 64)
	switch {
	case err != nil && !isRange(err), strings.ContainsAny(plain, "xXpPnN"):
		return nil
	case imaginary:
		return complex(0, x)
	}
	return x
}

func isDecimal(s string) bool {
	return strings.IndexFunc(s, func(c rune) bool { return c < '0' || c > '9' }) < 0
}

func isRange(err error) bool {
	e, ok := err.(*strconv.NumError)
	return ok && e.Err == strconv.ErrRange
}

// quoted reads a string whose quote is at position from.
func (l *lexer) quoted(kind tokenKind, pos, from int) token {
	quote := l.text[from]
	var b strings.Builder
	for i := from + 1; i < len(l.text); i++ {
		switch c := l.text[i]; {
		case c == quote:
			return token{kind: kind, pos: pos, end: i + 1, text: b.String()}
		case c == '\\' && i+1 < len(l.text):
			i = l.escape(&b, i, kind)
		default:
			b.WriteByte(c)
		}
	}
	l.fail(pos, 1, "the text has no closing %c", quote)
	return token{}
}

// escape reads the escape sequence at position i, and returns the position of its last byte.
func (l *lexer) escape(b *strings.Builder, i int, kind tokenKind) int {
	c := l.text[i+1]
	if at := strings.IndexByte(`\'"nrt0ab`, c); at >= 0 {
		b.WriteByte("\\'\"\n\r\t\x00\a\b"[at])
		return i + 1
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	if digits == 0 || kind == bytesToken && c != 'x' || i+2+digits > len(l.text) {
		b.WriteByte('\\') // as in Python, an unknown escape stays
		return i
	}
	x, err := strconv.ParseUint(l.text[i+2:i+2+digits], 16, 32)
	if err != nil || x > unicode.MaxRune {
		l.fail(i, 2, "the escape needs %d hexadecimal digits of a character", digits)
	}
	if kind == bytesToken {
		b.WriteByte(byte(x))
	} else {
		b.WriteRune(rune(x))
	}
	return i + 1 + digits
}
