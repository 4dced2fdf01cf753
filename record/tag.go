package record

import (
	"fmt"
	"strings"

	"github.com/npygo/npy/dtype"
)

// A tag is the npy key of a struct tag.
type tag struct {
	name  string // "" for none
	title string
	dtype dtype.Type // invalid if the tag has none
	skip  bool
}

// parseTag parses name,descr,title=…: all are optional, and must be in this order except for the title. A comma
// within quotes, brackets or parentheses does not separate.
func parseTag(text string) (tag, error) {
	if text == "-" {
		return tag{skip: true}, nil
	}
	parts, err := splitTag(text)
	if err != nil {
		return tag{}, err
	}
	g := tag{name: unquote(parts[0])}
	for i, part := range parts[1:] {
		title, isTitle := strings.CutPrefix(part, "title=")
		switch {
		case isTitle:
			g.title = unquote(title)
		case i > 0:
			return tag{}, fmt.Errorf("option %q is not known, want name,descr,title=…", part)
		case part != "":
			if g.dtype, err = dtype.Parse(unquote(part)); err != nil {
				return tag{}, err
			}
		}
	}
	return g, nil
}

// splitTag splits text at the commas outside of quotes, brackets and parentheses.
func splitTag(text string) ([]string, error) {
	var parts []string
	depth, quoted, start := 0, false, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '\'':
			quoted = !quoted
		case quoted:
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		case c == ',' && depth == 0:
			parts = append(parts, strings.TrimSpace(text[start:i]))
			start = i + 1
		}
	}
	if quoted || depth != 0 {
		return nil, fmt.Errorf("quotes or brackets are not closed")
	}
	return append(parts, strings.TrimSpace(text[start:])), nil
}

// unquote removes the quotes of a text that is quoted as a whole, in which two quotes stand for one. Quotes within a list
// belong to the list.
func unquote(s string) string {
	if len(s) < 2 || s[0] != '\'' || s[len(s)-1] != '\'' {
		return s
	}
	inner := s[1 : len(s)-1]
	if strings.Contains(strings.ReplaceAll(inner, "''", ""), "'") {
		return s
	}
	return strings.ReplaceAll(inner, "''", "'")
}
