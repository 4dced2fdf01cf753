package convert

import (
	"errors"
	"strings"
)

// Cells are read in two passes over the text, one to see what is there and one to fill the array: keeping a list of
// them would take more memory than the text itself. Both passes must see the same cells, so everything about quotes
// and line ends is here and nowhere else.

// A cellScanner takes the text of a table apart.
type cellScanner struct {
	text   string
	delim  byte
	pos    int
	line   int  // from 1, where the last cell began
	end    int  // the line that pos is on
	quoted bool // the last cell had quotes
}

func newCellScanner(text string, delim byte) *cellScanner {
	return &cellScanner{text: text, delim: delim, line: 1, end: 1}
}

// more skips blank lines and reports whether there is a row.
func (s *cellScanner) more() bool {
	for s.pos < len(s.text) && (s.text[s.pos] == '\n' || s.text[s.pos] == '\r') {
		s.lineEnd()
	}
	return s.pos < len(s.text)
}

// lineEnd steps over the end of a line: "\n", "\r\n" or "\r".
func (s *cellScanner) lineEnd() {
	if s.text[s.pos] == '\r' && strings.HasPrefix(s.text[s.pos+1:], "\n") {
		s.pos++
	}
	s.pos++
	s.end++
}

// next returns the next cell and whether it is the last of its row. It may only be called after more reported true or
// after a cell that was not the last.
func (s *cellScanner) next() (cell string, last bool, err error) {
	s.line, s.quoted = s.end, false
	if s.pos < len(s.text) && s.text[s.pos] == '"' {
		if cell, err = s.quotedCell(); err != nil {
			return "", false, err
		}
	} else {
		n := s.plainLen()
		cell = s.text[s.pos : s.pos+n]
		s.pos += n
		if s.pos < len(s.text) && s.text[s.pos] == '"' {
			return "", false, errors.New(`quote within a cell without quotes: put the cell in quotes and write "" for each in it`)
		}
	}
	switch {
	case s.pos == len(s.text):
		return cell, true, nil
	case s.text[s.pos] == s.delim:
		s.pos++
		return cell, false, nil
	case s.text[s.pos] == '\n' || s.text[s.pos] == '\r':
		s.lineEnd()
		return cell, true, nil
	}
	return "", false, errors.New("text behind the closing quote of a cell")
}

// plainLen returns the length of the cell without quotes at pos.
func (s *cellScanner) plainLen() int {
	rest, delim := s.text[s.pos:], s.delim
	for i := range len(rest) {
		if c := rest[i]; c == delim || c == '\n' || c == '\r' || c == '"' {
			return i
		}
	}
	return len(rest)
}

// quotedCell reads a cell in quotes. Line breaks in it are part of the cell, as they are.
func (s *cellScanner) quotedCell() (string, error) {
	s.quoted = true
	start, doubled := s.pos+1, false
	for i := start; ; {
		n := strings.IndexByte(s.text[i:], '"')
		if n < 0 {
			return "", errors.New("quote is never closed")
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

// countLines counts line ends of all three kinds.
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
