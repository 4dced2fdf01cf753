package tableread

import (
	"errors"
	"fmt"
	"strings"

	"github.com/npygo/npy/convert/internal/fault"
	"github.com/npygo/npy/convert/internal/infer"
	"github.com/npygo/npy/convert/internal/plain"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/elem"
)

func (t *table) guess() (dtype.Type, error) {
	if len(t.first) == 0 {
		return dtype.Float64, nil
	}
	isArray := !t.report.Header && len(t.options.Table.Columns) == 0 && !t.options.Table.Records
	if isArray {
		if g := t.allNumbers(); g.Could&infer.ComplexCell != 0 {
			d, c, err := g.DType(t.cells)
			if err == nil {
				return d, nil
			}
			if t.loadtxt {
				return d, &fault.Error{Line: c.At, Err: fmt.Errorf("%s: %w; %s", elem.Quote(c.Text), err, fault.GiveDType)}
			}
		}
	}
	names, err := t.fieldNames(t.report.Header, t.note)
	if err != nil {
		return dtype.Type{}, err
	}
	if name, unknown := t.options.Table.UnknownColumn(names); unknown {
		return dtype.Type{}, noColumn(name, names)
	}
	if err := t.checkWanted(names); err != nil && t.report.Header {
		return dtype.Type{}, err
	}
	var types []dtype.Type
	var read []string
	for i, name := range names {
		if !t.reads(i) {
			t.report.Unread = append(t.report.Unread, name)
			continue
		}
		d, err := t.columnType(i, name)
		if err != nil {
			return d, err
		}
		types, read = append(types, d), append(read, name)
	}
	names = read
	if isArray && t.sameDates() {
		if d, ok := common(types); ok {
			return d, nil
		}
	}
	return t.structOf(names, types)
}

// listed returns some names for an error.
func listed(names []string) string {
	const most = 8
	var quoted []string
	for _, n := range names[:min(len(names), most)] {
		quoted = append(quoted, elem.Quote(n))
	}
	if len(names) > most {
		quoted = append(quoted, fmt.Sprintf("… (%d)", len(names)))
	}
	return strings.Join(quoted, ", ")
}

// columnType returns the dtype of column i. Numbers that no dtype holds remain text.
func (t *table) columnType(i int, name string) (dtype.Type, error) {
	g := &t.guesses[i]
	if d, ok := t.options.Table.Columns[name]; ok {
		if !plain.HasNoLength(d) {
			return d, nil
		}
		return plain.WithLength(d, g.Longest)
	}
	d, c, err := g.DType(t.cells)
	switch {
	case err == nil:
		return d, nil
	case c.Text == "":
		return d, &fault.Error{Line: t.first[0].line, Column: i + 1, Err: err}
	}
	wayOut := fault.GiveDType
	if errors.Is(err, infer.ErrDates) {
		wayOut = fault.GiveDates
	}
	t.note("column %s remains text: line %d: %s: %s; %s", elem.Quote(name), c.At, elem.Quote(c.Text), err, wayOut)
	return plain.Str(g.Longest)
}

// sameDates reports whether day and month have the same order in all columns.
func (t *table) sameDates() bool {
	for i := range t.guesses {
		if t.guesses[i].DateOrder(t.cells) != t.guesses[0].DateOrder(t.cells) {
			return false
		}
	}
	return true
}

// allNumbers returns one guess for all columns, as numbers without names are one array. Numbers of numpy.loadtxt have no leading
// zeros that mean more.
func (t *table) allNumbers() infer.Guess {
	g := infer.NewGuess()
	for i := range t.guesses {
		g.Merge(&t.guesses[i])
	}
	if t.loadtxt {
		g.Zero = infer.Culprit{}
	}
	return g
}

// common returns the dtype of all columns if they share one, or if all are str.
func common(types []dtype.Type) (dtype.Type, bool) {
	all := types[0]
	for _, d := range types[1:] {
		switch {
		case d.Kind() != all.Kind() || !elem.IsText(d) && !d.Equal(all):
			return d, false
		case d.ItemSize() > all.ItemSize():
			all = d
		}
	}
	return all, true
}

func (t *table) structOf(names []string, types []dtype.Type) (dtype.Type, error) {
	fields := make([]dtype.Field, len(types))
	size := 0
	for i, d := range types {
		fields[i] = dtype.Field{Name: names[i], DType: d, Offset: size}
		if size += d.ItemSize(); size > dtype.MaxItemSize {
			return d, diag.Wrap("convert", bounded.Over("", dtype.MaxItemSize, 0, "a line takes more than %d bytes", dtype.MaxItemSize))
		}
	}
	return dtype.Struct(-1, fields...)
}
