package convert

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/npygo/npy/internal/elem"
)

// jsonDepth limits how deep lists and objects may be nested: all dimensions of an array and of records in it.
const jsonDepth = 128

// A tokenKind is what a JSON value is that is no list and no object.
type tokenKind uint8

const (
	nullToken tokenKind = iota
	boolToken
	numberToken
	stringToken
)

// A token is a JSON value that is no list and no object.
type token struct {
	kind tokenKind
	text string // of a string what it stands for, without quotes and escapes
	at   int    // offset in the text
}

// String returns the token for a message.
func (t token) String() string {
	if t.kind == stringToken {
		return elem.Quote(t.text)
	}
	return t.text[:min(len(t.text), 40)]
}

// A jsonScanner takes JSON (RFC 8259) apart. It is strict: no comments, no commas at the end, no NaN.
type jsonScanner struct {
	text  string
	pos   int
	end   int // the scanner stops here: the end of the text or of a line
	depth int

	offset, lines int // of what was before the text
}

// fail makes an Error at offset at. Whoever knows the path adds it on the way out.
func (s *jsonScanner) fail(at int, format string, args ...any) error {
	return &Error{Line: s.lines + lineAt(s.text, at), Offset: s.offset + at, Err: fmt.Errorf(format, args...)}
}

// within adds a step to the path of an Error.
func within(err error, step string) error {
	var e *Error
	if errors.As(err, &e) {
		e.Path = step + e.Path
	}
	return err
}

func indexStep(i int) string { return "[" + strconv.Itoa(i) + "]" }

// peek skips spaces and returns the next byte, 0 at the end.
func (s *jsonScanner) peek() byte {
	for s.pos < s.end {
		switch c := s.text[s.pos]; c {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

// next skips spaces and steps over c, or fails.
func (s *jsonScanner) next(c byte, where string) error {
	if s.peek() != c || s.pos == s.end {
		return s.unexpected(fmt.Sprintf("%q %s", c, where))
	}
	s.pos++
	return nil
}

func (s *jsonScanner) unexpected(want string) error {
	if s.pos >= s.end {
		what := "text"
		if s.end < len(s.text) {
			what = "line"
		}
		return s.fail(s.pos, "%s ends where %s should be", what, want)
	}
	_, size := utf8.DecodeRuneInString(s.text[s.pos:])
	return s.fail(s.pos, "%s where %s should be", elem.Quote(s.text[s.pos:s.pos+size]), want)
}

// enter and leave stand around lists and objects.
func (s *jsonScanner) enter() error {
	if s.depth++; s.depth > jsonDepth {
		return s.fail(s.pos, "more than %d lists and objects within each other", jsonDepth)
	}
	s.pos++
	return nil
}

func (s *jsonScanner) leave() {
	s.depth--
	s.pos++
}

// item steps to item i of a list or object that ends with the bracket end, and reports whether there is one.
func (s *jsonScanner) item(i int, end byte) (bool, error) {
	c := s.peek()
	switch {
	case c == end:
		return false, nil
	case i == 0:
		return true, nil
	case c != ',':
		return false, s.unexpected(fmt.Sprintf("',' or %q", end))
	}
	s.pos++
	return true, nil
}

// token reads a value that is no list and no object.
func (s *jsonScanner) token() (token, error) {
	c := s.peek()
	at := s.pos
	switch {
	case c == '"':
		text, err := s.string()
		return token{stringToken, text, at}, err
	case c == '-' || '0' <= c && c <= '9':
		return s.number()
	}
	for _, w := range [...]struct {
		text string
		kind tokenKind
	}{{"true", boolToken}, {"false", boolToken}, {"null", nullToken}} {
		if strings.HasPrefix(s.text[at:s.end], w.text) {
			s.pos += len(w.text)
			return token{w.kind, w.text, at}, nil
		}
	}
	for _, word := range [...]string{"NaN", "Infinity", "nan", "inf"} {
		if strings.HasPrefix(s.text[at:s.end], word) {
			return token{}, s.fail(at, "%s is not JSON: put it in quotes", word)
		}
	}
	return token{}, s.unexpected("a value")
}

func (s *jsonScanner) number() (token, error) {
	start := s.pos
	if s.text[s.pos] == '-' {
		s.pos++
	}
	n := s.digits()
	ok := n == 1 || n > 1 && s.text[s.pos-n] != '0'
	if ok && s.has('.') {
		s.pos++
		ok = s.digits() > 0
	}
	if ok && (s.has('e') || s.has('E')) {
		s.pos++
		if s.has('-') || s.has('+') {
			s.pos++
		}
		ok = s.digits() > 0
	}
	if !ok {
		if strings.HasPrefix(s.text[start:s.end], "-Infinity") {
			return token{}, s.fail(start, "-Infinity is not JSON: put it in quotes")
		}
		return token{}, s.fail(start, "%s is not a JSON number", elem.Quote(s.text[start:min(s.pos+1, s.end)]))
	}
	return token{numberToken, s.text[start:s.pos], start}, nil
}

func (s *jsonScanner) has(c byte) bool { return s.pos < s.end && s.text[s.pos] == c }

func (s *jsonScanner) digits() int {
	n := digitsLen(s.text[s.pos:s.end])
	s.pos += n
	return n
}

// string reads a string, of which the first quote is next.
func (s *jsonScanner) string() (string, error) {
	start := s.pos
	escaped, ascii := false, true
	for i := start + 1; i < s.end; i++ {
		switch c := s.text[i]; {
		case c == '"':
			s.pos = i + 1
			raw := s.text[start+1 : i]
			if !ascii && !utf8.ValidString(raw) {
				return "", s.fail(start, "string %s is not UTF-8", elem.Quote(raw))
			}
			if escaped {
				return s.unescape(start+1, i)
			}
			return raw, nil
		case c == '\\':
			escaped = true
			i++
		case c < ' ':
			return "", s.fail(i, "byte %#02x in a string: write it as \\u%04x", c, c)
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return "", s.fail(start, "string is never closed")
}

// unescape returns what the inside of a string stands for.
func (s *jsonScanner) unescape(start, end int) (string, error) {
	var b strings.Builder
	b.Grow(end - start)
	for i := start; i < end; {
		n := strings.IndexByte(s.text[i:end], '\\')
		if n < 0 {
			b.WriteString(s.text[i:end])
			break
		}
		b.WriteString(s.text[i : i+n])
		i += n
		c := s.text[i+1] // string has made sure that a byte follows
		if c == 'u' {
			r, size, err := s.unescapeRune(i, end)
			if err != nil {
				return "", err
			}
			b.WriteRune(r)
			i += size
			continue
		}
		k := strings.IndexByte(`"\/bfnrt`, c)
		if k < 0 {
			return "", s.fail(i, "escape \\%c is not JSON", c)
		}
		b.WriteByte("\"\\/\b\f\n\r\t"[k])
		i += 2
	}
	return b.String(), nil
}

// unescapeRune reads \uNNNN, or two of them where they are a pair of surrogates.
func (s *jsonScanner) unescapeRune(i, end int) (r rune, size int, err error) {
	hi, ok := hexRune(s.text[i:end])
	if !ok {
		return 0, 0, s.fail(i, "escape \\u without four hexadecimal digits")
	}
	if !utf16.IsSurrogate(hi) {
		return hi, 6, nil
	}
	lo, _ := hexRune(s.text[i+6 : end])
	if r = utf16.DecodeRune(hi, lo); r == utf8.RuneError {
		return 0, 0, s.fail(i, `lone surrogate \u%04x: write it as \\u%04x`, hi, hi)
	}
	return r, 12, nil
}

func hexRune(s string) (rune, bool) {
	if len(s) < 6 || s[:2] != `\u` || s[2] == '+' || s[2] == '-' {
		return 0, false
	}
	x, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(x), err == nil
}
