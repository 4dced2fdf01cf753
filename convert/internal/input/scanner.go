package input

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// Cells are read in two passes over the text: one to survey them and one to fill the array. A list of the cells would
// take more memory than the text itself. Both passes must see the same cells, so everything about quotes and line ends
// is here and nowhere else.

// The Rules of a kind of table define where its cells end.
type Rules struct {
	delim   byte
	comment byte      // begins a comment; 0 for none
	quotes  bool      // cells may be quoted
	lines   bool      // NDJSON: a row is everything up to "\n"
	Spaces  bool      // any number of spaces separates cells
	ends    [256]bool // bytes that end an unquoted cell, or that it must not contain
	quick   bool      // ends are only delim, line ends and perhaps quotes, so that Row finds them
}

// WordSpaces separate cells if the delimiter is a space.
const WordSpaces = " \t\v\f"

// TableRules returns the rules of a table whose cells delim separates, where a space means any number of spaces.
func TableRules(delim, comment byte, quotes bool) *Rules {
	r := &Rules{delim: delim, comment: comment, quotes: quotes, Spaces: delim == ' '}
	ends := "\n\r"
	if r.Spaces {
		ends += WordSpaces
	}
	if quotes {
		ends += `"`
	}
	for i := range len(ends) {
		r.ends[ends[i]] = true
	}
	r.ends[delim] = true
	if comment != 0 {
		r.ends[comment] = true
	}
	r.quick = !r.Spaces && comment == 0 && delim < utf8.RuneSelf
	return r
}

// Delimiter returns the byte between two cells, or 0 if cells may not be quoted or are separated by any number of spaces.
func (r *Rules) Delimiter() byte {
	if !r.quotes || r.Spaces {
		return 0
	}
	return r.delim
}

// LineRules returns the rules of NDJSON: a row is everything up to "\n".
func LineRules() *Rules { return &Rules{lines: true} }

// A Scanner splits a block of a table into cells.
type Scanner struct {
	*Rules
	text   string
	Pos    int
	Line   int  // where the last cell began, from 1
	End    int  // the line of pos
	Quoted bool // the last cell was quoted
	finder
}

// Since returns the text from pos to the place that the scanner has reached.
func (s *Scanner) Since(pos int) string { return s.text[pos:s.Pos] }

// NewScanner returns a scanner at the start of b.
func NewScanner(b Block, r *Rules) *Scanner {
	return &Scanner{Rules: r, text: b.Text, Line: b.Line, End: b.Line}
}

// More skips blank lines and reports whether another row follows.
func (s *Scanner) More() bool {
	if s.Spaces || s.comment != 0 {
		return s.moreWords()
	}
	for s.Pos < len(s.text) && (s.text[s.Pos] == '\n' || s.text[s.Pos] == '\r') {
		s.lineEnd()
	}
	return s.Pos < len(s.text)
}

// moreWords is more for tables with comments or spaces between cells: lines of only spaces and comments are blank.
func (s *Scanner) moreWords() bool {
	for {
		start := s.Pos
		s.skipSpaces()
		if s.Pos == len(s.text) {
			return false
		}
		if c := s.text[s.Pos]; c != '\n' && c != '\r' {
			if !s.Spaces {
				s.Pos = start // the spaces belong to the first cell
			}
			return true
		}
		s.lineEnd()
	}
}

// skipSpaces skips spaces and a comment after them.
func (s *Scanner) skipSpaces() {
	for s.Pos < len(s.text) {
		switch c := s.text[s.Pos]; {
		case c == s.delim && !s.Spaces:
			return
		case c == ' ' || c == '\t' || c == '\v' || c == '\f':
			s.Pos++
		case c == s.comment && c != 0:
			s.skipComment()
			return
		default:
			return
		}
	}
}

// skipComment skips the rest of the line.
func (s *Scanner) skipComment() {
	n := strings.IndexAny(s.text[s.Pos:], "\r\n")
	if n < 0 {
		n = len(s.text) - s.Pos
	}
	s.Pos += n
}

// lineEnd skips the end of a line: "\n", "\r\n" or "\r".
func (s *Scanner) lineEnd() {
	if s.text[s.Pos] == '\r' && strings.HasPrefix(s.text[s.Pos+1:], "\n") {
		s.Pos++
	}
	s.Pos++
	s.End++
}

// ErrOpenQuote is the error for a quoted cell that the text or the block does not end.
var ErrOpenQuote = errors.New("the quote is not closed")

// Next returns the next cell and whether it is the last of its row. It may be called only after more has reported true
// or after a cell that was not the last.
func (s *Scanner) Next() (cell string, last bool, err error) {
	s.Line, s.Quoted = s.End, false
	if s.quotes && s.Pos < len(s.text) && s.text[s.Pos] == '"' {
		if cell, err = s.quotedCell(); err != nil {
			return "", false, err
		}
	} else {
		cell = s.plainCell()
	}
	switch {
	case s.Spaces:
		s.skipSpaces()
	case s.comment != 0 && s.Pos < len(s.text) && s.text[s.Pos] == s.comment:
		s.skipComment()
	}
	if s.Pos == len(s.text) {
		return cell, true, nil
	}
	switch c := s.text[s.Pos]; {
	case c == '\n' || c == '\r':
		s.lineEnd()
		return cell, true, nil
	case s.Spaces:
		return cell, false, nil
	case c == s.delim:
		s.Pos++
		return cell, false, nil
	case s.Quoted:
		return "", false, errors.New("text follows the closing quote of a cell")
	}
	return "", false, errors.New(`quote within a cell without quotes: put the cell in quotes and write "" for each in it`)
}

// plainCell reads an unquoted cell.
func (s *Scanner) plainCell() string {
	rest := s.text[s.Pos:]
	for i := range len(rest) {
		if s.ends[rest[i]] {
			s.Pos += i
			return rest[:i]
		}
	}
	s.Pos = len(s.text)
	return rest
}

// quotedCell reads a quoted cell. Line breaks in the cell are kept unchanged.
func (s *Scanner) quotedCell() (string, error) {
	s.Quoted = true
	start, doubled := s.Pos+1, false
	for i := start; ; {
		n := strings.IndexByte(s.text[i:], '"')
		if n < 0 {
			return "", ErrOpenQuote
		}
		i += n + 1
		if i < len(s.text) && s.text[i] == '"' {
			doubled = true
			i++
			continue
		}
		s.Pos = i
		break
	}
	cell := s.text[start : s.Pos-1]
	s.End += countLines(cell)
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

// A Block is a piece of a text that consists of whole rows.
type Block struct {
	Text string
	Line int // the number of its first line, from 1
}
