package tableread

import (
	"slices"
	"strconv"
	"strings"

	"github.com/npygo/npy/convert/internal/infer"
	"github.com/npygo/npy/convert/internal/options"
)

// header decides whether the first row holds names or values. alone tells that it is the only row.
func (t *table) header(alone bool) {
	t.report.Header = len(t.first) > 0 && t.isHeader(alone)
	if !t.report.Header && t.report.Inferred {
		for i, c := range t.first {
			t.guesses[i].Observe(c.text, c.line, t.cells)
		}
	}
}

func (t *table) isHeader(alone bool) bool {
	if is, known := t.rowIsHeader(alone); known {
		return is
	}
	return t.standsAbove()
}

// rowIsHeader reports whether the first row holds names, if that is known without the columns below it.
func (t *table) rowIsHeader(alone bool) (is, known bool) {
	d := t.options.DType
	switch {
	case t.options.Header != options.HeaderAuto:
		return t.options.Header == options.HeaderYes, true
	case t.implied:
		return true, true
	case d.IsValid() && d.IsStruct():
		_, err := t.match(d)
		return err == nil, true
	case t.loadtxt: // numpy.savetxt writes a header as a comment
		return false, true
	case alone:
		return !d.IsValid() && len(t.first) > 1 && t.hasOnlyNames() && !slices.ContainsFunc(t.first, firstCell.isMistake), true
	case d.IsValid():
		return isNumeric(d) && (t.isPandasIndex() || t.hasOnlyNames() && !slices.ContainsFunc(t.first, firstCell.isMistake)), true
	case !t.hasOnlyNames():
		return t.isPandasIndex() || t.areYears(), true
	}
	return false, false
}

// A cellKind is the possible kind of a cell of the first row.
type cellKind uint8

const (
	missingCell cellKind = iota
	valueCell
	nameCell
)

// kind tells whether a cell is more likely a value than a name.
func (c firstCell) kind(v *infer.Cells) cellKind {
	g := infer.NewGuess()
	switch g.Observe(c.text, c.line, v); {
	case !g.Seen:
		return missingCell
	case g.Could != 0:
		return valueCell
	}
	return nameCell
}

// hasOnlyNames reports whether the first row has a name, and no values.
func (t *table) hasOnlyNames() bool {
	names := 0
	for _, c := range t.first {
		switch c.kind(t.cells) {
		case valueCell:
			return false
		case nameCell:
			names++
		}
	}
	return names > 0
}

// maxName is the length in bytes beyond which a cell of the first row is taken for data.
const maxName = 256

// standsAbove reports whether names in the first row are certainly, or at least probably, not data. They are if a
// column below a name is not text. If all are text, they are unless a cell other than the index is missing, or a cell
// recurs in its column.
func (t *table) standsAbove() bool {
	doubts := false
	for i, c := range t.first {
		switch kind := c.kind(t.cells); {
		case t.isNameAbove(i):
			return true
		case kind == missingCell:
			doubts = doubts || i > 0 || c.text != ""
		case t.guesses[i].Again, len(c.text) > maxName:
			doubts = true
		}
	}
	return !doubts
}

// isNameAbove reports whether the first row has a name in column i, and the column below it is not text.
func (t *table) isNameAbove(i int) bool {
	return t.first[i].kind(t.cells) == nameCell && (!t.guesses[i].Seen || t.guesses[i].Could != 0)
}

// isMistake reports whether a cell that is not a number may be a mistyped number, which a header row would hide.
func (c firstCell) isMistake() bool {
	text := infer.Trim(c.text)
	return text != "" && strings.IndexByte("+-.0123456789", text[0]) >= 0
}

// isPandasIndex reports whether the first row is the default header of a pandas.DataFrame without names: nothing, then 0,
// 1, 2 and so on, above an index that begins with 0.
func (t *table) isPandasIndex() bool {
	if len(t.first) < 2 || len(t.second) == 0 || infer.Trim(t.second[0]) != "0" {
		return false
	}
	for i, c := range t.first {
		if want := strconv.Itoa(i - 1); i > 0 && c.text != want || i == 0 && c.text != "" {
			return false
		}
	}
	return true
}

// areYears reports whether the first row is a name followed by years in steps: country,2019,2020,2021.
func (t *table) areYears() bool {
	const oldest, newest = 1500, 2200
	year := func(text string) int {
		n, err := strconv.Atoi(infer.Trim(text))
		if err != nil || n < oldest || n > newest {
			return 0
		}
		return n
	}
	n := len(t.first)
	if n < 3 || t.first[0].kind(t.cells) == valueCell {
		return false
	}
	step := year(t.first[2].text) - year(t.first[1].text)
	others := false // a cell of the second row is no year
	for i := 1; i < n; i++ {
		y := year(t.first[i].text)
		if y == 0 || i > 1 && y-year(t.first[i-1].text) != step {
			return false
		}
		others = others || i < len(t.second) && year(t.second[i]) == 0
	}
	return step > 0 && others
}
