package npy

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy/internal/pylit"
)

// ParseIndex reads what stands between the brackets of an index in Python: "0:10, ..., ::2", "-1", "'x', 5:". The
// brackets themselves may be there too, several pairs of them one after the other as well: "['x'][5:]".
//
// Integers, slices, an ellipsis and quoted field names are understood; newaxis, lists and masks are not.
func ParseIndex(text string) ([]Index, error) {
	rest := strings.TrimSpace(text)
	if !strings.HasPrefix(rest, "[") {
		return parseEntries(rest, text, strings.Index(text, rest))
	}
	var index []Index
	for rest != "" {
		end := closing(rest)
		if rest[0] != '[' || end < 0 {
			return nil, fmt.Errorf("npy: index %q: want [ and ] in pairs", text)
		}
		entries, err := parseEntries(rest[1:end], text, strings.LastIndex(text, rest)+1)
		if err != nil {
			return nil, err
		}
		if len(index) > 0 && index[len(index)-1].kind != fieldIndex && len(entries) > 0 && entries[0].kind != fieldIndex {
			return nil, fmt.Errorf("npy: index %q: positions in two brackets; write them in one", text)
		}
		index = append(index, entries...)
		rest = strings.TrimSpace(rest[end+1:])
	}
	return index, nil
}

// closing returns the position of the bracket that ends the one at the start of s, skipping over quoted names.
func closing(s string) int {
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0 && c == '\\':
			i++ // whatever follows is part of the name
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote == 0 && c == ']':
			return i
		}
	}
	return -1
}

// parseEntries reads what stands between two brackets, from at on in text.
func parseEntries(body, text string, at int) ([]Index, error) {
	var index []Index
	for _, entry := range splitEntries(body) {
		x, err := parseEntry(strings.TrimSpace(entry))
		if err != nil {
			return nil, fmt.Errorf("npy: index %q%s: %w", text, place(text, at), err)
		}
		index = append(index, x)
		at += len(entry) + len(",")
	}
	return index, nil
}

// place says which character of an index is wrong, where there is more in front of it than a bracket.
func place(text string, at int) string {
	if at <= 1 {
		return ""
	}
	for at < len(text) && text[at] == ' ' {
		at++
	}
	return fmt.Sprintf(" at character %d", utf8.RuneCountInString(text[:at])+1)
}

// splitEntries cuts at commas outside quotes. A comma at the end makes no entry.
func splitEntries(body string) []string {
	var entries []string
	quote, start := byte(0), 0
	for i := 0; i < len(body); i++ {
		c := body[i]
		switch {
		case quote != 0 && c == '\\':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote == 0 && c == ',':
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
		return Ellipsis(), nil
	case s == "None" || s == "newaxis" || s == "np.newaxis":
		return Index{}, fmt.Errorf("%s adds an axis, which is not possible here; use only integers, slices, '...' and field names", s)
	case strings.HasPrefix(s, "'") || strings.HasPrefix(s, "\""):
		v, err := pylit.Parse(s)
		if err != nil || v.Kind != pylit.String {
			return Index{}, fmt.Errorf("%s is not a quoted field name", s)
		}
		return Named(v.Str), nil
	case !strings.Contains(s, ":"):
		i, fits, err := parseInt(s)
		if err == nil && !fits {
			err = fmt.Errorf("%s is beyond every axis", s)
		}
		return At(i), err
	}
	return parseSlice(s)
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
		n, _, err := parseInt(part) // as Python cuts what is too large
		if err != nil {
			return Index{}, err
		}
		switch i {
		case 0:
			x.start, x.hasStart = n, true
		case 1:
			x.stop, x.hasStop = n, true
		case 2:
			x = x.By(n)
		}
	}
	return x, nil
}

// parseInt reads an integer as Python writes it, with a sign and underscores and in base 2, 8 or 16 if its prefix says
// so. One that does not fit becomes the largest or smallest int.
func parseInt(s string) (n int, fits bool, err error) {
	digits := strings.TrimLeft(s, "+-")
	x, err := strconv.ParseInt(s, 0, strconv.IntSize)
	octal := len(digits) > 1 && digits[0] == '0' && !strings.ContainsAny(digits[1:2], "bBoOxX") // Go's, not Python's
	if err != nil && !errors.Is(err, strconv.ErrRange) || octal && strings.Trim(digits, "0_") != "" {
		return 0, false, fmt.Errorf("%q is not an integer, a slice such as 0:10:2, '...' or a quoted field name", s)
	}
	return int(x), err == nil, nil
}
