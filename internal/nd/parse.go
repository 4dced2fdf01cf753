package nd

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/pylit"
)

// ParseIndex reads an index as Python writes it: "0:10, ..., ::2", "-1", "'x', 5:", with or without brackets. Several pairs of
// brackets may follow each other: "['x'][5:]".
func ParseIndex(text string) ([]Index, error) {
	rest := strings.TrimSpace(text)
	if !strings.HasPrefix(rest, "[") {
		return parseEntries(rest, text, strings.Index(text, rest))
	}
	var index []Index
	for rest != "" {
		if rest[0] != '[' {
			return nil, errTrailing(text, rest)
		}
		end := closing(rest)
		if end < 0 {
			return nil, diag.Errorf("npy", "index %q: want [ and ] in pairs", text)
		}
		entries, err := parseEntries(rest[1:end], text, strings.LastIndex(text, rest)+1)
		if err != nil {
			return nil, err
		}
		if len(index) > 0 && !index[len(index)-1].isName() && len(entries) > 0 && !entries[0].isName() {
			return nil, diag.Errorf("npy", "index %q: positions in two brackets; write them in one", text)
		}
		index = append(index, entries...)
		rest = strings.TrimSpace(rest[end+1:])
	}
	return index, nil
}

// errTrailing is the error for rest, which follows the bracket that closes an index. A list with an entry after it needs
// brackets of its own.
func errTrailing(text, rest string) error {
	hint := ""
	if entries := splitEntries(rest); rest[0] == ',' && len(entries) > 1 && closing(rest) < 0 {
		hint = fmt.Sprintf("; a list and other entries are written in one more pair of brackets, [%s]", strings.TrimSpace(text))
	}
	at := strings.LastIndex(text, rest)
	return diag.Errorf("npy", "index %q%s: unexpected %q after the closing ]%s", text, place(text, at), strings.TrimSpace(rest), hint)
}

func (x Index) isName() bool { return x.Kind == Field || x.Kind == Fields }

// closing returns the position of the bracket that closes the first bracket of s, or -1. Quoted names may contain
// brackets.
func closing(s string) int {
	quote, depth := byte(0), 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0 && c == '\\':
			i++ // an escaped character of the name
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote == 0 && c == '[':
			depth++
		case quote == 0 && c == ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// parseEntries reads the entries between two brackets. Their first character is at byte at of text.
func parseEntries(body, text string, at int) ([]Index, error) {
	var index []Index
	for _, entry := range splitEntries(body) {
		x, err := parseEntry(strings.TrimSpace(entry))
		if err != nil {
			return nil, diag.Errorf("npy", "index %q%s: %w", text, place(text, at), err)
		}
		index = append(index, x)
		at += len(entry) + len(",")
	}
	return index, nil
}

// place names the wrong character of an index, unless it is the first.
func place(text string, at int) string {
	if at <= 1 {
		return ""
	}
	for at < len(text) && text[at] == ' ' {
		at++
	}
	return fmt.Sprintf(" at character %d", utf8.RuneCountInString(text[:at])+1)
}

// splitEntries cuts at commas outside of quotes and brackets. A trailing comma adds no entry.
func splitEntries(body string) []string {
	var entries []string
	quote, start, depth := byte(0), 0, 0
	for i := 0; i < len(body); i++ {
		c := body[i]
		switch {
		case quote != 0 && c == '\\':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote == 0 && c == '[':
			depth++
		case quote == 0 && c == ']':
			depth--
		case quote == 0 && depth <= 0 && c == ',':
			entries = append(entries, body[start:i])
			start = i + 1
		}
	}
	if strings.TrimSpace(body[start:]) != "" {
		entries = append(entries, body[start:])
	}
	return entries
}

func parseEntry(s string) (Index, error) {
	switch {
	case s == "...":
		return Index{Kind: Ellipsis}, nil
	case s == "None" || s == "newaxis" || s == "np.newaxis":
		return Index{}, fmt.Errorf("%s adds an axis, which is not possible here; use only integers, slices, '...', lists and field names", s)
	case strings.HasPrefix(s, "["):
		return parseList(s)
	case s == "True" || s == "False":
		return Index{}, fmt.Errorf("%s is an entry of a mask, which is not possible here; choose rows by a condition", s)
	case isIdentifier(s):
		return Index{Kind: Field, Name: s}, nil
	case strings.HasPrefix(s, "'") || strings.HasPrefix(s, "\""):
		v, err := pylit.Parse(s)
		if err != nil || v.Kind != pylit.String {
			return Index{}, fmt.Errorf("%s is not a quoted field name", s)
		}
		return Index{Kind: Field, Name: v.Str}, nil
	case !strings.Contains(s, ":"):
		i, fits, err := parseInt(s)
		if err == nil && !fits {
			err = fmt.Errorf("%s is beyond every axis", s)
		}
		return Index{Kind: Integer, Start: i}, err
	}
	return parseSlice(s)
}

// parseList reads a list of positions or of field names.
func parseList(s string) (Index, error) {
	if closing(s) != len(s)-1 {
		return Index{}, fmt.Errorf("%s is not a list of integers or of field names", s)
	}
	x := Index{Kind: List, List: []int{}}
	for i, entry := range splitEntries(s[1 : len(s)-1]) {
		e, err := parseEntry(strings.TrimSpace(entry))
		switch {
		case err != nil:
			return Index{}, err
		case e.Kind == Field && len(x.Names) == i:
			x.Kind, x.Names = Fields, append(x.Names, e.Name)
		case e.Kind == Integer && len(x.List) == i:
			x.List = append(x.List, e.Start)
		default:
			return Index{}, fmt.Errorf("%s is not a list of integers or of field names", s)
		}
	}
	return x, nil
}

// isIdentifier reports whether s is an identifier of Python.
func isIdentifier(s string) bool {
	for i, c := range s {
		if c != '_' && !unicode.IsLetter(c) && (i == 0 || !unicode.IsDigit(c)) {
			return false
		}
	}
	return s != ""
}

func parseSlice(s string) (Index, error) {
	parts := strings.Split(s, ":")
	if len(parts) > 3 {
		return Index{}, fmt.Errorf("slice %q has more than start:stop:step", s)
	}
	var x Index
	for i, part := range parts {
		if part = strings.TrimSpace(part); part == "" || part == "None" {
			continue
		}
		n, _, err := parseInt(part) // a number that is too large is clamped, as in Python
		if err != nil {
			return Index{}, err
		}
		switch i {
		case 0:
			x.Start, x.HasStart = n, true
		case 1:
			x.Stop, x.HasStop = n, true
		case 2:
			x.Step, x.HasStep = n, true
		}
	}
	return x, nil
}

// parseInt reads an integer of Python, with a sign, underscores, and a prefix for base 2, 8 or 16. A number that does not fit
// becomes the largest or the smallest int.
func parseInt(s string) (n int, fits bool, err error) {
	digits := strings.TrimLeft(s, "+-")
	x, err := strconv.ParseInt(s, 0, strconv.IntSize)
	octal := len(digits) > 1 && digits[0] == '0' && !strings.ContainsAny(digits[1:2], "bBoOxX") // Go's, not Python's
	if err != nil && !errors.Is(err, strconv.ErrRange) || octal && strings.Trim(digits, "0_") != "" {
		return 0, false, fmt.Errorf("%q is not an integer, a slice such as 0:10:2, '...', a list such as [3, 1], or a field name", s)
	}
	return int(x), err == nil, nil
}
