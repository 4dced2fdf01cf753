package convert

import (
	"errors"
	"strings"
)

// Cells are read in two passes over the text: one to survey them and one to fill the array. A list of the cells would
// take more memory than the text itself. Both passes must see the same cells, so everything about quotes and line ends
// is here and nowhere else.

// The rules of a kind of table define where its cells end.
type rules struct {
	delim   byte
	comment byte      // begins a comment; 0 for none
	quotes  bool      // cells may be quoted
	lines   bool      // NDJSON: a row is everything up to "\n"
	spaces  bool      // any number of spaces separates cells
	ends    [256]bool // bytes that end an unquoted cell, or that it must not contain
}

// wordSpaces separate cells if the delimiter is a space.
const wordSpaces = " \t\v\f"

// tableRules returns the rules of a table whose cells delim separates, where a space means any number of spaces.
func tableRules(delim, comment byte, quotes bool) *rules {
	r := &rules{delim: delim, comment: comment, quotes: quotes, spaces: delim == ' '}
	ends := string(delim) + "\n\r"
	if r.spaces {
		ends = wordSpaces + "\n\r"
	}
	if quotes {
		ends += `"`
	}
	for i := range len(ends) {
		r.ends[ends[i]] = true
	}
	if comment != 0 {
		r.ends[comment] = true
	}
	return r
}

// A cellScanner splits a block of a table into cells.
type cellScanner struct {
	*rules
	text   string
	pos    int
	line   int  // where the last cell began, from 1
	end    int  // the line of pos
	quoted bool // the last cell was quoted
}

func newCellScanner(b block, r *rules) *cellScanner {
	return &cellScanner{rules: r, text: b.text, line: b.line, end: b.line}
}

// more skips blank lines and reports whether another row follows.
func (s *cellScanner) more() bool {
	if s.spaces || s.comment != 0 {
		return s.moreWords()
	}
	for s.pos < len(s.text) && (s.text[s.pos] == '\n' || s.text[s.pos] == '\r') {
		s.lineEnd()
	}
	return s.pos < len(s.text)
}

// moreWords is more for tables with comments or spaces between cells: lines of only spaces and comments are blank.
func (s *cellScanner) moreWords() bool {
	for {
		start := s.pos
		s.skipSpaces()
		if s.pos == len(s.text) {
			return false
		}
		if c := s.text[s.pos]; c != '\n' && c != '\r' {
			if !s.spaces {
				s.pos = start // the spaces belong to the first cell
			}
			return true
		}
		s.lineEnd()
	}
}

// skipSpaces skips spaces and a comment after them.
func (s *cellScanner) skipSpaces() {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == s.delim && !s.spaces:
			return
		case c == ' ' || c == '\t' || c == '\v' || c == '\f':
			s.pos++
		case c == s.comment && c != 0:
			s.skipComment()
			return
		default:
			return
		}
	}
}

// skipComment skips the rest of the line.
func (s *cellScanner) skipComment() {
	n := strings.IndexAny(s.text[s.pos:], "\r\n")
	if n < 0 {
		n = len(s.text) - s.pos
	}
	s.pos += n
}

// lineEnd skips the end of a line: "\n", "\r\n" or "\r".
func (s *cellScanner) lineEnd() {
	if s.text[s.pos] == '\r' && strings.HasPrefix(s.text[s.pos+1:], "\n") {
		s.pos++
	}
	s.pos++
	s.end++
}

var errOpenQuote = errors.New("the quote is not closed")

// next returns the next cell and whether it is the last of its row. It may be called only after more has reported true
// or after a cell that was not the last.
func (s *cellScanner) next() (cell string, last bool, err error) {
	s.line, s.quoted = s.end, false
	if s.quotes && s.pos < len(s.text) && s.text[s.pos] == '"' {
		if cell, err = s.quotedCell(); err != nil {
			return "", false, err
		}
	} else {
		cell = s.plainCell()
	}
	switch {
	case s.spaces:
		s.skipSpaces()
	case s.comment != 0 && s.pos < len(s.text) && s.text[s.pos] == s.comment:
		s.skipComment()
	}
	if s.pos == len(s.text) {
		return cell, true, nil
	}
	switch c := s.text[s.pos]; {
	case c == '\n' || c == '\r':
		s.lineEnd()
		return cell, true, nil
	case s.spaces:
		return cell, false, nil
	case c == s.delim:
		s.pos++
		return cell, false, nil
	case s.quoted:
		return "", false, errors.New("text follows the closing quote of a cell")
	}
	return "", false, errors.New(`quote within a cell without quotes: put the cell in quotes and write "" for each in it`)
}

// plainCell reads an unquoted cell.
func (s *cellScanner) plainCell() string {
	rest := s.text[s.pos:]
	for i := range len(rest) {
		if s.ends[rest[i]] {
			s.pos += i
			return rest[:i]
		}
	}
	s.pos = len(s.text)
	return rest
}

// quotedCell reads a quoted cell. Line breaks in the cell are kept unchanged.
func (s *cellScanner) quotedCell() (string, error) {
	s.quoted = true
	start, doubled := s.pos+1, false
	for i := start; ; {
		n := strings.IndexByte(s.text[i:], '"')
		if n < 0 {
			return "", errOpenQuote
		}
		i += n + 1
		if i < len(s.text) && s.text[i] == '"' {
			doubled = true
			i++
			continue
		}
		s.pos = i
		break
	}
	cell := s.text[start : s.pos-1]
	s.end += countLines(cell)
	if doubled {
		cell = strings.ReplaceAll(cell, `""`, `"`)
	}
	return cell, nil
}

// countLines counts line ends: "\n", "\r\n" and "\r".
func countLines(s string) int {
	n := strings.Count(s, "\n")
	if strings.IndexByte(s, '\r') >= 0 {
		n += strings.Count(s, "\r") - strings.Count(s, "\r\n")
	}
	return n
}

// trim removes the spaces around a cell.
func trim(cell string) string {
	for cell != "" && isSpace(cell[0]) {
		cell = cell[1:]
	}
	for cell != "" && isSpace(cell[len(cell)-1]) {
		cell = cell[:len(cell)-1]
	}
	return cell
}
