package tableread

import (
	"errors"
	"slices"

	"github.com/npygo/npy/convert/internal/infer"
	"github.com/npygo/npy/convert/internal/plain"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/elem"
)

// A fields tells which columns of a table are read. Names choose them, and whether the first row holds names is known only after the
// survey. The survey therefore assumes it, and observes one more column if no chosen one can show that the row holds names. If the
// assumption was wrong, errAgain makes it begin again with all columns.
type fields struct {
	wanted   []string // the names of the columns that are read; nil for all
	chosen   []bool   // these columns; nil for all
	observed []bool   // the columns that the survey looks at; nil for all
}

// errAgain makes the survey begin again, since the columns that it observed do not suffice.
var errAgain = errors.New("again")

// choose asks the options for the columns that are read.
func (t *table) choose() {
	t.fields = fields{}
	choose := t.options.Fields
	if choose == nil || len(t.first) == 0 {
		return
	}
	is, known := t.rowIsHeader(false)
	if known && !is {
		return
	}
	names, err := t.fieldNames(true, func(string, ...any) {})
	if err != nil { // guess returns it
		return
	}
	t.wanted = choose(slices.Clone(names))
	if _, unknown := unknownName(t.wanted, names); unknown || len(t.wanted) == 0 {
		return
	}
	t.chosen = make([]bool, len(names))
	for i, name := range names {
		t.chosen[i] = slices.Contains(t.wanted, name)
	}
	t.observed = slices.Clone(t.chosen)
	if known {
		return
	}
	witness := -1
	for i := range t.first {
		if !t.isAbove(i) {
			continue
		}
		if t.chosen[i] {
			return
		}
		if witness < 0 {
			witness = i
		}
	}
	if witness < 0 {
		t.observed = nil
		return
	}
	t.observed[witness] = true
}

// isAbove reports whether the first row has a name in column i, and the second row a value that is not text.
func (t *table) isAbove(i int) bool {
	if i >= len(t.second) || t.first[i].kind(t.cells) != nameCell {
		return false
	}
	g := infer.NewGuess()
	g.Observe(t.second[i], 0, t.cells)
	return g.Seen && g.Could != 0
}

// isSettled reports whether the columns that were observed show whether the first row holds names.
func (t *table) isSettled(alone bool) bool {
	if t.observed == nil {
		return true
	}
	if _, known := t.rowIsHeader(alone); known {
		return true
	}
	for i := range t.first {
		if t.observed[i] && t.isNameAbove(i) {
			return true
		}
	}
	return false
}

// reads reports whether column i is read.
func (t *table) reads(i int) bool { return t.chosen == nil || t.chosen[i] }

// checkWanted returns an error if a chosen name is not the name of a column.
func (t *table) checkWanted(names []string) error {
	if name, unknown := unknownName(t.wanted, names); unknown {
		return noColumn(name, names)
	}
	return nil
}

// noColumn is the error for a name that no column has.
func noColumn(name string, names []string) error {
	return diag.Errorf("convert", "no column is called %s; the columns are %s", elem.Quote(name), listed(names))
}

// unknownName returns the first of the wanted names that is not among names.
func unknownName(wanted, names []string) (string, bool) {
	known := make(map[string]bool, len(names))
	for _, name := range names {
		known[name] = true
	}
	for _, name := range wanted {
		if !known[name] {
			return name, true
		}
	}
	return "", false
}

// spread returns the plain value of each column, which is the zero Value for those that are not read.
func (t *table) spread(list []plain.Value) []plain.Value {
	all := make([]plain.Value, len(t.first))
	for i := range all {
		if t.chosen[i] {
			all[i], list = list[0], list[1:]
		}
	}
	return all
}
