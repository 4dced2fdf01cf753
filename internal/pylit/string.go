package pylit

import (
	"strings"
	"unicode/utf8"
)

// flags are the letters before a string literal.
type flags uint8

const (
	unicodeFlag flags = 1 << iota
	bytesFlag
	rawFlag
	formatFlag
)

// prefix reads the letters before a quote at offset i, and returns their number. It returns false if no string literal
// starts there.
func (p *parser) prefix(i int) (n int, f flags, ok bool) {
	for ; n <= 2; n++ {
		var letter flags
		switch p.at(i+n) | 0x20 {
		case 'u':
			letter = unicodeFlag
		case 'b':
			letter = bytesFlag
		case 'r':
			letter = rawFlag
		case 'f':
			letter = formatFlag
		default:
			c := p.at(i + n)
			return n, f, c == '\'' || c == '"'
		}
		// A second letter must be an r with b or f, in either order.
		if n > 0 && f|letter != bytesFlag|rawFlag && f|letter != formatFlag|rawFlag {
			break
		}
		f |= letter
	}
	return 0, 0, false
}

// A piece is one string literal. Python joins consecutive literals.
type piece struct {
	flags flags
	start int    // offset of body
	body  string // the text between the quotes, undecoded
	dirty bool   // the value differs from body
}

// str parses one or more string literals.
func (p *parser) str(v *Value) bool {
	return p.simpleStr(v) || p.anyStr(v)
}

// simpleStr parses a string as headers have them: alone, without prefix, escapes or line breaks. For any other text,
// simpleStr returns false and leaves the position where it was.
func (p *parser) simpleStr(v *Value) bool {
	quote := p.text[p.pos]
	if quote != '\'' && quote != '"' || p.at(p.pos+1) == quote {
		return false
	}
	for i := p.pos + 1; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == quote:
			if !endsValue(p.at(i + 1)) {
				return false
			}
			*v = Value{Kind: String, Start: p.pos, End: i + 1, Str: p.text[p.pos+1 : i]}
			p.pos = i + 1
			return true
		case c == '\\' || isNewline(c):
			return false
		}
	}
	return false
}

// endsValue reports whether no string literal can follow, given the next byte c.
func endsValue(c byte) bool {
	return c == ',' || c == ':' || c == ')' || c == ']' || c == '}'
}

// anyStr parses string literals of any form.
func (p *parser) anyStr(v *Value) bool {
	start := p.pos
	first, ok := p.piece()
	if !ok {
		return false
	}
	kind := String
	if first.flags&bytesFlag != 0 {
		kind = Bytes
	}
	*v = Value{Kind: kind, Start: start, End: p.pos, Str: first.body}
	more, ok := p.anotherString()
	if !ok || !more && !first.dirty {
		return ok
	}
	buf, ok := p.decode(nil, first)
	for ok && more {
		var next piece
		if next, ok = p.piece(); !ok {
			return false
		}
		if (first.flags^next.flags)&bytesFlag != 0 {
			return p.fail(next.start, Syntax, "cannot mix bytes and nonbytes literals")
		}
		v.End = p.pos
		if buf, ok = p.decode(buf, next); ok {
			more, ok = p.anotherString()
		}
	}
	v.Str = string(buf)
	return ok
}

// anotherString skips space and reports whether a string literal follows.
func (p *parser) anotherString() (more, ok bool) {
	if !p.space() {
		return false, false
	}
	_, _, more = p.prefix(p.pos)
	return more, true
}

// piece scans one string literal and leaves the position after it.
func (p *parser) piece() (piece, bool) {
	n, f, _ := p.prefix(p.pos)
	if f&formatFlag != 0 {
		return piece{}, p.fail(p.pos, NotLiteral, "an f-string is not a literal")
	}
	open := p.pos + n
	quote := p.text[open : open+1]
	if p.at(open+1) == quote[0] && p.at(open+2) == quote[0] {
		quote = p.text[open : open+3]
	}
	s := piece{flags: f, start: open + len(quote)}
	end, ok := p.closingQuote(&s, quote)
	if ok {
		s.body = p.text[s.start:end]
		p.pos = end + len(quote)
	}
	return s, ok
}

// closingQuote returns the offset of the quote that ends s.
func (p *parser) closingQuote(s *piece, quote string) (int, bool) {
	for i := s.start; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == quote[0]:
			if len(quote) == 1 || strings.HasPrefix(p.text[i:], quote) {
				return i, true
			}
		case c == '\\':
			s.dirty = s.dirty || s.flags&rawFlag == 0
			i = p.escaped(s, i)
		case isNewline(c):
			if len(quote) == 1 {
				return 0, p.fail(s.start-1, Syntax, "unterminated string literal")
			}
			s.dirty = s.dirty || c == '\r'
		case c >= utf8.RuneSelf && s.flags&bytesFlag != 0:
			return 0, p.fail(i, Syntax, "bytes can only contain ASCII literal characters")
		}
	}
	return 0, p.fail(s.start-len(quote), Syntax, "unterminated string literal")
}

// escaped returns the offset of the last byte that the backslash at offset i
// hides from the search for the closing quote, also in a raw string.
func (p *parser) escaped(s *piece, i int) int {
	switch c := p.at(i + 1); {
	case c == '\r':
		s.dirty = true
		if p.at(i+2) == '\n' {
			return i + 2
		}
		return i + 1
	case c == '\'' || c == '"' || c == '\\' || c == '\n':
		return i + 1
	}
	return i
}

// decode appends the value of s to buf.
func (p *parser) decode(buf []byte, s piece) ([]byte, bool) {
	if !s.dirty {
		return append(buf, s.body...), true
	}
	for i, ok := 0, true; i < len(s.body); {
		switch c := s.body[i]; {
		case c == '\r':
			buf = append(buf, '\n')
			i += newlineLen(s.body[i:])
		case c == '\\' && s.flags&rawFlag == 0:
			if buf, i, ok = p.escape(buf, s, i); !ok {
				return nil, false
			}
		default:
			buf = append(buf, c)
			i++
		}
	}
	return buf, true
}

// escape appends the value of the escape sequence at offset i of s.body, and returns the offset after it. There is a
// byte after the backslash: otherwise the backslash would hide the closing quote.
func (p *parser) escape(buf []byte, s piece, i int) ([]byte, int, bool) {
	c := s.body[i+1]
	if at := strings.IndexByte(escapeLetters, c); at >= 0 {
		return append(buf, escapeValues[at]), i + 2, true
	}
	switch {
	case isNewline(c):
		return buf, i + 1 + newlineLen(s.body[i+1:]), true
	case '0' <= c && c <= '7':
		return octal(buf, s, i)
	case c == 'x':
		return p.hex(buf, s, i, 2)
	case s.flags&bytesFlag != 0:
		// Bytes have no escapes for characters.
	case c == 'u':
		return p.hex(buf, s, i, 4)
	case c == 'U':
		return p.hex(buf, s, i, 8)
	case c == 'N':
		return nil, 0, p.fail(s.start+i, Unsupported, `the escape \N for named characters is not supported`)
	}
	return append(buf, '\\'), i + 1, true // Python keeps unknown escapes
}

// The escapes of one letter and their values.
const (
	escapeLetters = `\'"abfnrtv`
	escapeValues  = "\\'\"\a\b\f\n\r\t\v"
)

// newlineLen returns the length of the line break that s starts with.
func newlineLen(s string) int {
	if strings.HasPrefix(s, "\r\n") {
		return 2
	}
	return 1
}

// octal appends the value of one to three octal digits. It may be over 255,
// which bytes cut to eight bits (a DeprecationWarning in newer Pythons).
func octal(buf []byte, s piece, i int) ([]byte, int, bool) {
	var r rune
	end := i + 1
	for end < len(s.body) && end < i+4 && '0' <= s.body[end] && s.body[end] <= '7' {
		r = r<<3 | rune(s.body[end]-'0')
		end++
	}
	return appendChar(buf, s.flags, r), end, true
}

// hex appends the value of exactly n hexadecimal digits.
func (p *parser) hex(buf []byte, s piece, i, n int) ([]byte, int, bool) {
	var r uint32
	for j := i + 2; j < i+2+n; j++ {
		if j >= len(s.body) || !isDigitOf(s.body[j], 16) {
			return nil, 0, p.fail(s.start+i, Syntax, "truncated "+s.body[i:i+2]+" escape")
		}
		r = r<<4 | hexValue(s.body[j])
	}
	if r > utf8.MaxRune {
		return nil, 0, p.fail(s.start+i, Syntax, "illegal Unicode character in escape")
	}
	return appendChar(buf, s.flags, rune(r)), i + 2 + n, true
}

func hexValue(c byte) uint32 {
	if isDigit(c) {
		return uint32(c - '0')
	}
	return uint32(c|0x20-'a') + 10
}

// appendChar appends a character, or a byte if the literal is bytes.
func appendChar(buf []byte, f flags, r rune) []byte {
	switch {
	case f&bytesFlag != 0:
		return append(buf, byte(r))
	case isSurrogate(r):
		// utf8.AppendRune would put U+FFFD in its place.
		return append(buf, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(buf, r)
}

func isSurrogate(r rune) bool { return 0xD800 <= r && r <= 0xDFFF }
