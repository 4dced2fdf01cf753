package jsontext

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Depth limits the nesting of lists and objects: all dimensions of an array and of records in it.
const Depth = 128

// A Kind is the kind of a JSON value other than a list or an object.
type Kind uint8

// The kinds of values.
const (
	Null Kind = iota
	Bool
	Number
	String
)

// String returns the word for the kind.
func (k Kind) String() string { return [...]string{"null", "bool", "number", "string"}[k] }

// A Token is a JSON value other than a list or an object.
type Token struct {
	Kind Kind
	Text string // of a string its value, without quotes and escapes
	At   int    // offset in the text
}

// String returns the token for a message.
func (t Token) String() string {
	if t.Kind == String {
		return Quote(t.Text)
	}
	return t.Text[:min(len(t.Text), 40)]
}

// Quote quotes s for a message and cuts it after 40 bytes.
func Quote(s string) string {
	const limit = 40
	if len(s) > limit {
		return strconv.Quote(s[:limit]) + "..."
	}
	return strconv.Quote(s)
}

// A Scanner splits JSON (RFC 8259) into tokens. It is strict: no comments, no trailing commas, no NaN, no lone
// surrogates.
type Scanner struct {
	Text string
	Pos  int
	End  int // the end of the scanned text: the end of the text or of a line

	// Failed makes the error for a fault at an offset of Text.
	Failed func(at int, err error) error

	// Words allows NaN, Infinity and -Infinity without quotes, as Python's json module writes them. They are String tokens.
	Words bool

	depth int
}

// Fail returns the error for a fault at an offset.
func (s *Scanner) Fail(at int, format string, args ...any) error {
	return s.Failed(at, fmt.Errorf(format, args...))
}

// Peek skips spaces and returns the next byte, 0 at the end.
func (s *Scanner) Peek() byte {
	for s.Pos < s.End {
		switch c := s.Text[s.Pos]; c {
		case ' ', '\t', '\n', '\r':
			s.Pos++
		default:
			return c
		}
	}
	return 0
}

// Next skips spaces and steps over c, or fails.
func (s *Scanner) Next(c byte, where string) error {
	if s.Peek() != c || s.Pos == s.End {
		return s.Unexpected(fmt.Sprintf("%q %s", c, where))
	}
	s.Pos++
	return nil
}

// Unexpected returns the error for a token other than the expected one.
func (s *Scanner) Unexpected(want string) error {
	if s.Pos >= s.End {
		what := "text"
		if s.End < len(s.Text) {
			what = "line"
		}
		return s.Fail(s.Pos, "%s ends where %s should be", what, want)
	}
	_, size := utf8.DecodeRuneInString(s.Text[s.Pos:])
	return s.Fail(s.Pos, "%s where %s should be", Quote(s.Text[s.Pos:s.Pos+size]), want)
}

// Enter steps over the bracket at the start of a list or object.
func (s *Scanner) Enter() error {
	if s.depth++; s.depth > Depth {
		return s.Fail(s.Pos, "more than %d lists and objects within each other", Depth)
	}
	s.Pos++
	return nil
}

// Leave steps over the bracket at the end of a list or object.
func (s *Scanner) Leave() {
	s.depth--
	s.Pos++
}

// Item steps to item i of a list or object that ends with the bracket end, and reports whether there is an item.
func (s *Scanner) Item(i int, end byte) (bool, error) {
	c := s.Peek()
	switch {
	case c == end:
		return false, nil
	case i == 0:
		return true, nil
	case c != ',':
		return false, s.Unexpected(fmt.Sprintf("',' or %q", end))
	}
	s.Pos++
	return true, nil
}

// Members steps through the next object. do is called for each key, with the key's value next.
func (s *Scanner) Members(do func(key string, at int) error) error {
	if err := s.Enter(); err != nil {
		return err
	}
	for i := 0; ; i++ {
		more, err := s.Item(i, '}')
		if err != nil {
			return err
		}
		if !more {
			s.Leave()
			return nil
		}
		if s.Peek() != '"' {
			return s.Unexpected("a key in quotes")
		}
		at := s.Pos
		key, err := s.Str()
		if err == nil {
			err = s.Next(':', "after the key")
		}
		if err != nil {
			return err
		}
		if err := do(key, at); err != nil {
			return err
		}
	}
}

// Token reads a value other than a list or an object.
func (s *Scanner) Token() (Token, error) {
	c := s.Peek()
	at := s.Pos
	switch {
	case c == '"':
		text, err := s.Str()
		return Token{String, text, at}, err
	case s.Words && (c == 'N' || c == 'I' || c == '-' && strings.HasPrefix(s.Text[at:s.End], minInfinity)):
		for _, word := range [...]string{nan, infinity, minInfinity} {
			if strings.HasPrefix(s.Text[at:s.End], word) {
				s.Pos += len(word)
				return Token{String, word, at}, nil
			}
		}
	case c == '-' || '0' <= c && c <= '9':
		return s.number()
	}
	for _, w := range [...]struct {
		text string
		kind Kind
	}{{"true", Bool}, {"false", Bool}, {"null", Null}} {
		if strings.HasPrefix(s.Text[at:s.End], w.text) {
			s.Pos += len(w.text)
			return Token{w.kind, w.text, at}, nil
		}
	}
	for _, word := range [...]string{"NaN", "Infinity", "nan", "inf"} {
		if strings.HasPrefix(s.Text[at:s.End], word) {
			return Token{}, s.Fail(at, "%s is not JSON: put it in quotes", word)
		}
	}
	return Token{}, s.Unexpected("a value")
}

func (s *Scanner) number() (Token, error) {
	start := s.Pos
	if s.Text[s.Pos] == '-' {
		s.Pos++
	}
	n := s.digits()
	ok := n == 1 || n > 1 && s.Text[s.Pos-n] != '0'
	if ok && s.has('.') {
		s.Pos++
		ok = s.digits() > 0
	}
	if ok && (s.has('e') || s.has('E')) {
		s.Pos++
		if s.has('-') || s.has('+') {
			s.Pos++
		}
		ok = s.digits() > 0
	}
	if !ok {
		if strings.HasPrefix(s.Text[start:s.End], "-Infinity") {
			return Token{}, s.Fail(start, "-Infinity is not JSON: put it in quotes")
		}
		return Token{}, s.Fail(start, "%s is not a JSON number", Quote(s.Text[start:min(s.Pos+1, s.End)]))
	}
	return Token{Number, s.Text[start:s.Pos], start}, nil
}

func (s *Scanner) has(c byte) bool { return s.Pos < s.End && s.Text[s.Pos] == c }

func (s *Scanner) digits() int {
	n := Digits(s.Text[s.Pos:s.End])
	s.Pos += n
	return n
}

// Str reads a string. Its first quote is next.
func (s *Scanner) Str() (string, error) {
	start := s.Pos
	escaped, ascii := false, true
	for i := start + 1; i < s.End; i++ {
		switch c := s.Text[i]; {
		case c == '"':
			s.Pos = i + 1
			raw := s.Text[start+1 : i]
			if !ascii && !utf8.ValidString(raw) {
				return "", s.Fail(start, "string %s is not UTF-8", Quote(raw))
			}
			if escaped {
				return s.unescape(start+1, i)
			}
			return raw, nil
		case c == '\\':
			escaped = true
			i++
		case c < ' ':
			return "", s.Fail(i, "byte %#02x in a string: write it as \\u%04x", c, c)
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return "", s.Fail(start, "string is not closed")
}

// unescape returns the value of the text between the quotes of a string.
func (s *Scanner) unescape(start, end int) (string, error) {
	var b strings.Builder
	b.Grow(end - start)
	for i := start; i < end; {
		n := strings.IndexByte(s.Text[i:end], '\\')
		if n < 0 {
			b.WriteString(s.Text[i:end])
			break
		}
		b.WriteString(s.Text[i : i+n])
		i += n
		c := s.Text[i+1] // string has checked that a byte follows
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
			return "", s.Fail(i, "escape \\%c is not JSON", c)
		}
		b.WriteByte("\"\\/\b\f\n\r\t"[k])
		i += 2
	}
	return b.String(), nil
}

// unescapeRune reads \uNNNN, or two of them if they are a pair of surrogates.
func (s *Scanner) unescapeRune(i, end int) (r rune, size int, err error) {
	hi, ok := hexRune(s.Text[i:end])
	if !ok {
		return 0, 0, s.Fail(i, "escape \\u without four hexadecimal digits")
	}
	if !utf16.IsSurrogate(hi) {
		return hi, 6, nil
	}
	lo, _ := hexRune(s.Text[i+6 : end])
	if r = utf16.DecodeRune(hi, lo); r == utf8.RuneError {
		return 0, 0, s.Fail(i, `lone surrogate \u%04x: write it as \\u%04x`, hi, hi)
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

// Digits returns the number of decimal digits at the start of s.
func Digits(s string) int {
	for i := range len(s) {
		if s[i]-'0' > 9 {
			return i
		}
	}
	return len(s)
}
