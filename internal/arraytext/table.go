package arraytext

import (
	"bufio"
	"bytes"
	"unicode/utf8"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/escape"
)

// cellMax is the length of the longest text of a cell or header, in code points. Numbers are never cut, and nothing
// is cut where every element is printed.
const cellMax = 40

// paddingMax is the width in code points up to which the cells of a column are aligned, so that one long name or text does not
// make every row as long.
const paddingMax = 200

// cellItems is the number of items of a subarray that are formatted for a cell: more than fit.
const cellItems = cellMax / 2

// printTable prints an array of structs of at most one dimension: a header, and a line for each struct.
func (p Printer) printTable(out *bufio.Writer, a Array) error {
	if len(a.Shape) == 0 {
		a.Shape, a.Strides = []int{1}, []int{a.DType.ItemSize()}
	}
	t := table{grid: p.grid(a), out: out, mark: p.Mark}
	f := formats{precision: p.Precision, float128: p.Float128, numpy1: p.NumPy == 1, budget: &budget{limit: itemsMax}, separator: " ", bare: true, objects: a.Objects, textMax: p.textMax(t.printed), printed: p.Text}
	if !p.full() {
		f.cut, f.budget.limit = cellMax, cellItems
	}
	t.addColumns(f, a.DType, "", 0)
	t.settle()
	return t.print()
}

// A table prints the structs of a grid with one dimension.
type table struct {
	grid
	out     *bufio.Writer
	mark    MarkFunc
	columns []column
	line    []byte
	cell    []byte
}

// A column is a field without fields of its own.
type column struct {
	name        string
	dtype       dtype.Type
	format      *elementFormat
	offset, end int // in the struct
	open        bool
	left        bool // aligned at the left
	cut         int  // the longest text of a subarray, 0 for any
	width       int
}

// addColumns adds the fields of a struct at the given offset, with prefix before their names.
func (t *table) addColumns(f formats, s dtype.Type, prefix string, offset int) {
	for i := range s.NumField() {
		field := s.Field(i)
		name := printable(field.Name)
		if name == "" {
			name = "''"
		}
		name, start := prefix+name, offset+field.Offset
		if f.cut > 0 {
			name = string(cutText([]byte(name), 0, f.cut))
		}
		if field.DType.NumField() > 0 {
			t.addColumns(f, field.DType, name+".", start)
			continue
		}
		c := column{name: name, dtype: field.DType, offset: start, end: start + field.DType.ItemSize(), left: isText(field.DType)}
		c.format = &elementFormat{f.of(field.DType), f.budget}
		if c.width = escape.Width(name); t.edges[0].Cut() {
			c.width = max(c.width, len("..."))
		}
		if field.DType.IsSubarray() {
			c.cut = f.cut
		}
		t.columns = append(t.columns, c)
	}
}

// isText reports whether a column of this type is aligned at the left.
func isText(t dtype.Type) bool {
	switch t.Kind() {
	case dtype.KindBytes, dtype.KindStr, dtype.KindVoid:
		return !elem.IsNamedNumber(t)
	}
	return false
}

// settle measures the printed elements: first the formats, then the widths.
func (t *table) settle() {
	for t.next() {
		t.each(func(item []byte) {
			for _, c := range t.columns {
				if c.open {
					c.format.measure(item[c.offset:c.end])
				}
			}
		})
	}
	t.each(func(item []byte) {
		for i := range t.columns {
			c := &t.columns[i]
			c.width = min(max(c.width, escape.Width(string(t.text(c, item)))), paddingMax)
		}
	})
}

func (t *table) next() bool {
	open := false
	for i := range t.columns {
		c := &t.columns[i]
		c.open = c.format.next()
		open = open || c.open
	}
	return open
}

// text returns the text of a cell, which the next call overwrites.
func (t *table) text(c *column, item []byte) []byte {
	t.cell = c.format.append(t.cell[:0], item[c.offset:c.end])
	if c.cut > 0 {
		t.cell = cutList(t.cell, c.cut)
	}
	return t.cell
}

// cutList cuts the text of a list to n code points, after an item if it can.
func cutList(text []byte, n int) []byte {
	if utf8.RuneCount(text) <= n {
		return text
	}
	const end = " ...]"
	text = cutText(text, 0, n-len(end)+len("..."))
	text = text[:len(text)-len("...")]
	if i := bytes.LastIndexByte(text, ' '); i > 0 {
		text = text[:i]
	}
	return append(bytes.TrimRight(text, " "), end...)
}

func (t *table) print() error {
	t.row(nil, func(c *column) []byte { return []byte(c.name) })
	for i := range t.edges[0].all(t.Shape[0]) {
		t.line = append(t.line, '\n')
		if i == omitted {
			t.row(nil, func(*column) []byte { return []byte("...") })
			continue
		}
		item := t.ItemAt(t.Offset + i*t.Strides[0])
		t.row(item, func(c *column) []byte { return t.text(c, item) })
		if err := t.flush(); err != nil {
			return err
		}
	}
	return t.flush()
}

// row adds the cells of a row to the line, without trailing spaces. item is nil if the row is not an element.
func (t *table) row(item []byte, cell func(*column) []byte) {
	for i := range t.columns {
		c := &t.columns[i]
		if i > 0 {
			t.line = append(t.line, "  "...)
		}
		text := cell(c)
		pad := c.width - escape.Width(string(text))
		if !c.left {
			t.line = appendSpaces(t.line, pad)
		}
		if item != nil {
			t.line = appendMarked(t.line, text, t.mark, c.dtype, item[c.offset:c.end])
		} else {
			t.line = append(t.line, text...)
		}
		if c.left {
			t.line = appendSpaces(t.line, pad)
		}
	}
	t.line = bytes.TrimRight(t.line, " ")
}

func (t *table) flush() error {
	_, err := t.out.Write(t.line)
	t.line = t.line[:0]
	return err
}
