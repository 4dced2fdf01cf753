package tableread

import (
	"strings"

	"github.com/npygo/npy/convert/internal/infer"
	"github.com/npygo/npy/convert/internal/input"
)

// sniffRows is the number of rows by which the delimiter is chosen.
const sniffRows = 100

// A split has the first rows of a text, split at a delimiter.
type split struct {
	rules *input.Rules
	rows  [][]string
	width int  // cells of the first row
	even  bool // nearly all rows have the same number of cells, and more than one
}

// sniff returns the rules of a CSV text without a known delimiter, by its beginning. whole tells that the text ends
// there.
//
// The comma wins unless another delimiter certainly does: a tab that divides all rows, or a semicolon or vertical bar
// where the comma divides nothing or is a decimal comma. Spaces are a delimiter if all words after the first row are
// values.
func (t *table) sniff(text string, whole bool) *input.Rules {
	try := func(delim byte) split {
		return splitWith(input.TableRules(delim, t.options.Table.Comment, true), text, whole)
	}
	comma := try(',')
	if t.options.Table.Decimal == ',' || t.options.Table.Thousands == ',' {
		comma.even = comma.even && strings.Contains(text, `"`)
	}
	tab, semicolon := try('\t'), try(';')
	switch {
	case tab.even:
		return tab.rules
	case semicolon.even && (!comma.even || semicolon.hasDecimalCommas()):
		if o := &t.options.Table; o.Decimal == 0 && o.Thousands == 0 && semicolon.needsDecimalCommas(t.cells) {
			o.Decimal = ','
			t.cells = infer.NewCells(*o)
			t.note("commas in numbers are read as decimal commas; a given decimal separator '.' keeps such cells as text")
		}
		return semicolon.rules
	case comma.even:
		return comma.rules
	}
	if bar := try('|'); bar.even {
		return bar.rules
	}
	if spaces := try(' '); spaces.even && comma.width == 1 && spaces.isAllValues(t.cells) {
		return spaces.rules
	}
	return comma.rules
}

// splitWith divides the first rows of a text.
func splitWith(r *input.Rules, text string, whole bool) split {
	s := split{rules: r}
	cells := input.NewScanner(input.Block{Text: text, Line: 1}, r)
	for len(s.rows) < sniffRows && cells.More() {
		var row []string
		for last := false; !last; {
			cell, end, err := cells.Next()
			if err == input.ErrOpenQuote && !whole && len(s.rows) > 0 {
				s.judge()
				return s
			} else if err != nil {
				return s
			}
			row, last = append(row, cell), end
		}
		if cells.Pos == len(text) && !whole && len(s.rows) > 0 {
			break // the row may continue
		}
		s.rows = append(s.rows, row)
	}
	s.judge()
	return s
}

// judge decides whether the rows are even. A row may have one more cell than the first: an index without a name, or
// nothing after a delimiter at the end of the line.
func (s *split) judge() {
	if len(s.rows) == 0 {
		return
	}
	s.width = len(s.rows[0])
	odd := 0
	for _, row := range s.rows {
		if n := len(row) - s.width; n != 0 && n != 1 {
			odd++
		}
	}
	s.even = s.width > 1 && odd*10 <= len(s.rows)
}

// hasDecimalCommas reports whether cells contain commas, and only as decimal commas.
func (s *split) hasDecimalCommas() bool {
	european := &infer.Cells{Decimal: ','}
	found := false
	for _, row := range s.rows {
		for _, cell := range row {
			if strings.IndexByte(cell, ',') < 0 {
				continue
			}
			text, ok := european.Number(infer.Trim(cell))
			if _, is := infer.ScanNumber(text); !ok || !is {
				return false
			}
			found = true
		}
	}
	return found
}

// needsDecimalCommas reports whether the commas in a table are decimal commas without doubt, as a spreadsheet writes them in much of
// Europe: some column has only numbers once commas are points, a comma is not before three digits as in 1,500, and no cell of a
// column of numbers has a decimal point.
func (s *split) needsDecimalCommas(v *infer.Cells) bool {
	rows := s.rows[min(len(s.rows)-1, 1):]
	certain := false
	for i := range s.width {
		var column []string
		for _, row := range rows {
			if i < len(row) {
				column = append(column, infer.Trim(row[i]))
			}
		}
		numbers, commas, points := commasOf(column, v)
		if numbers && points {
			return false
		}
		certain = certain || numbers && commas
	}
	return certain
}

// commasOf reports whether the cells of a column are numbers with a decimal point or comma, whether a comma in them must be a decimal
// comma, and whether a point is in one of them.
func commasOf(column []string, v *infer.Cells) (numbers, commas, points bool) {
	for _, cell := range column {
		if v.IsMissing(cell) {
			continue
		}
		number := strings.Replace(cell, ",", ".", 1)
		if _, ok := infer.ScanNumber(number); !ok {
			return false, false, false
		}
		numbers = true
		if _, fraction, ok := strings.Cut(cell, ","); ok {
			commas = commas || len(fraction) != 3
		} else {
			points = points || number != cell || strings.Contains(cell, ".")
		}
	}
	return numbers, commas, points
}

// isAllValues reports whether all cells after the first row are numbers, bools, times or missing. If there is only one
// row, it is checked.
func (s *split) isAllValues(v *infer.Cells) bool {
	rows := s.rows[1:]
	if len(rows) == 0 {
		rows = s.rows
	}
	for _, row := range rows {
		if !infer.AreValues(row, v) {
			return false
		}
	}
	return true
}
