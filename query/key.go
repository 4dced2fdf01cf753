package query

import (
	"strings"

	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/query/internal/sortkey"
)

// A Key is a value of each row by which rows are ordered or grouped.
type Key struct {
	// Field is the name of a field of records, dotted if nested: "mag", "pos.x". A name with dots of its own is found
	// as well. A subarray compares item by item, and a struct field by field. For a plain array of one dimension it is
	// "" or "x", for one of two dimensions the number of a column: "3", or "-1" for the last.
	//
	// For [Group] and [Unique] it may also be an expression in the syntax of a [Condition]: "month(time)". A field of that
	// name is preferred.
	Field string

	// As is the name of the key in the result of [Group] and [Unique]. "" means Field.
	As string

	// Descending puts the largest value first. NaN and NaT stay last.
	Descending bool
}

// ParseKeys reads the keys of a list such as "-mag,pos.x" or "year(time),m = month(time)". A minus sign means Descending, and NAME =
// sets As. Commas in parentheses, brackets and quotes are part of an expression, and a name with commas is between backquotes.
func ParseKeys(text string) ([]Key, error) {
	var keys []Key
	for _, one := range splitList(text, ',') {
		name, descending := strings.CutPrefix(strings.TrimSpace(one), "-")
		as, name := cutAs(name)
		if name = unquoted(strings.TrimSpace(name)); name == "" {
			return nil, diag.Errorf("query", "keys %q: a name is missing; want FIELD[,-FIELD]", text)
		}
		keys = append(keys, Key{Field: name, As: as, Descending: descending})
	}
	return keys, nil
}

// splitList returns the parts of a list between separators. Those in parentheses, brackets and quotes that are closed do not separate
// parts.
func splitList(text string, separator rune) []string {
	var parts []string
	depth, start := 0, 0
	quote := rune(0)
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case strings.ContainsRune("'\"`", r) && strings.ContainsRune(text[i+1:], r): // and no apostrophe
			quote = r
		case strings.ContainsRune("([{", r):
			depth++
		case strings.ContainsRune(")]}", r):
			depth = max(depth-1, 0)
		case r == separator && depth == 0:
			parts, start = append(parts, text[start:i]), i+1
		}
	}
	return append(parts, text[start:])
}

// cutAs cuts NAME from NAME = EXPRESSION. It returns "" for text without a name.
func cutAs(text string) (name, rest string) {
	name, rest, ok := strings.Cut(text, "=")
	if name = strings.TrimSpace(name); !ok || strings.HasPrefix(rest, "=") || name == "" || !isIdentifier(unquoted(name)) && unquoted(name) == name {
		return "", text
	}
	return unquoted(name), rest
}

// unquoted returns the name between backquotes, and every other text as it is.
func unquoted(text string) string {
	if n := len(text); n > 2 && text[0] == '`' && strings.IndexByte(text[1:], '`') == n-2 {
		return text[1 : n-1]
	}
	return text
}

// sortKeys returns keys for the packages below. nil stays nil.
func sortKeys(keys []Key) []sortkey.Key {
	if keys == nil {
		return nil
	}
	out := make([]sortkey.Key, len(keys))
	for i, k := range keys {
		out[i] = sortkey.Key(k)
	}
	return out
}
