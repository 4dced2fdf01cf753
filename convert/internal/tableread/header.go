package tableread

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/npygo/npy/convert/internal/fault"
	"github.com/npygo/npy/convert/internal/infer"
	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/convert/internal/plain"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
)

// A firstCell is a cell of the first row.
type firstCell struct {
	text   string
	quoted bool
	line   int
}

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
	d := t.options.DType
	switch {
	case t.options.Header != options.HeaderAuto:
		return t.options.Header == options.HeaderYes
	case t.implied:
		return true
	case d.IsValid() && d.IsStruct():
		_, err := t.match(d)
		return err == nil
	case t.loadtxt: // numpy.savetxt writes a header as a comment
		return false
	case alone:
		return false
	case d.IsValid():
		return isNumeric(d) && (t.isPandasIndex() || t.hasOnlyNames() && !slices.ContainsFunc(t.first, firstCell.isMistake))
	case !t.hasOnlyNames():
		return t.isPandasIndex() || t.areYears()
	}
	return t.standsAbove()
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
		case kind == nameCell && (!t.guesses[i].Seen || t.guesses[i].Could != 0):
			return true
		case kind == missingCell:
			doubts = doubts || i > 0 || c.text != ""
		case t.guesses[i].Again, len(c.text) > maxName:
			doubts = true
		}
	}
	return !doubts
}

// isMistake reports whether a cell that is not a number may be a mistyped number, which a header row would hide.
func (c firstCell) isMistake() bool {
	text := infer.Trim(c.text)
	return text != "" && strings.IndexByte("+-.0123456789", text[0]) >= 0
}

// isNumeric reports whether a name is never valid text for t.
func isNumeric(t dtype.Type) bool {
	return !elem.IsText(t) && (t.Kind() != dtype.KindVoid || elem.IsNamedNumber(t))
}

// name returns the name in a cell of the header. Spaces at its ends count only within quotes, as Write quotes such
// names.
func (c firstCell) name() string {
	if c.quoted {
		return c.text
	}
	return infer.Trim(c.text)
}

// match returns the plain value of a struct for each column, matched by the names in the header.
func (t *table) match(d dtype.Type) ([]plain.Value, error) {
	list, err := plain.ValuesOf(d)
	if err == nil {
		err = t.checkWidth(len(list))
	}
	if err != nil {
		return nil, err
	}
	if t.inOrder(list) {
		return list, nil
	}
	byName := make(map[string]plain.Value, len(list))
	for _, l := range list {
		byName[l.Name] = l
	}
	if len(byName) < len(list) { // a field "a.b" and a field b in a field a
		return nil, &fault.Error{Line: t.first[0].line, Err: errors.New("several fields of the dtype have one name, so the columns must be in the order of the dtype")}
	}
	matched := make([]plain.Value, len(list))
	for i, c := range t.first {
		l, ok := byName[c.name()]
		if !ok {
			return nil, &fault.Error{Line: c.line, Column: i + 1, Err: fmt.Errorf("%s is not the name of exactly one field of the dtype", elem.Quote(c.name()))}
		}
		delete(byName, l.Name)
		matched[i] = l
	}
	return matched, nil
}

func (t *table) inOrder(list []plain.Value) bool {
	for i, c := range t.first {
		if c.name() != list[i].Name {
			return false
		}
	}
	return true
}

func (t *table) checkWidth(n int) error {
	if n == len(t.first) {
		return nil
	}
	return &fault.Error{Line: t.first[0].line, Err: fmt.Errorf("%s, want %d: the dtype has as many values", fault.Count(len(t.first), "cell"), n)}
}
