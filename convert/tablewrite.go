package convert

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
)

// A column writes one cell of each line.
type column struct {
	leaf
	format elem.FormatFunc
	quotes bool // its texts may need quotes
}

// A tableState writes the cells of a table one after the other.
type tableState struct {
	*output
	delim   byte
	width   int // cells of a line
	cells   int // written of this line
	columns []column
}

func tableWriter(delim byte) func(*output, content, WriteOptions) error {
	return func(out *output, a content, o WriteOptions) error { return writeTable(out, delim, a, o) }
}

func writeTable(out *output, delim byte, a content, o WriteOptions) error {
	t := &tableState{output: out, delim: delim}
	if err := t.plan(a, newObjectWriter(o)); err != nil {
		return err
	}
	if a.dtype.IsStruct() && !o.NoHeader {
		t.header()
	}
	if t.width == 0 { // rows without cells
		for range a.shape[0] {
			t.buf = append(t.buf, '\n')
		}
		return nil
	}
	return eachItem(a, t.item)
}

// plan lays out the lines, or says why a does not fit into a table.
func (t *tableState) plan(a content, w *objectWriter) error {
	shape, most := a.shape, 2
	if a.dtype.IsStruct() {
		most = 1
	}
	if len(shape) > most {
		return fmt.Errorf("convert: a table has room for %d %s of %s, the array has %d: take a slice, reshape it, or write .json",
			most, plural(most, "dimension"), map[bool]string{true: "records", false: "values"}[most == 1], len(shape))
	}
	list, err := leaves(a.dtype)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return fmt.Errorf("convert: dtype %s has no columns for a table; write .json", a.dtype)
	}
	f, err := formatsOf(a, w.texts, w.cell)
	if err != nil {
		return err
	}
	for _, l := range list {
		c := column{leaf: l, quotes: elem.IsText(l.dtype) || l.dtype.Kind() == dtype.KindObject}
		if c.format, err = f.at(l.dtype, l.number); err != nil {
			return fmt.Errorf("convert: %w", err)
		}
		if !utf8.ValidString(l.name) {
			return fmt.Errorf("convert: field name %q is not Unicode text; rename it", l.name)
		}
		t.columns = append(t.columns, c)
	}
	t.width = len(list)
	if len(shape) == 2 {
		t.width = shape[1]
	}
	return nil
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

func (t *tableState) header() {
	for i, c := range t.columns {
		if i > 0 {
			t.buf = append(t.buf, t.delim)
		}
		start := len(t.buf)
		t.buf = append(t.buf, c.name...)
		t.quote(start)
	}
	t.buf = append(t.buf, '\n')
}

// item writes the cells of one element, and ends the line when it is full.
func (t *tableState) item(item []byte) error {
	for i := range t.columns {
		c := &t.columns[i]
		if t.cells > 0 {
			t.buf = append(t.buf, t.delim)
		}
		start := len(t.buf)
		var err error
		if t.buf, err = c.format(t.buf, item[c.offset:c.offset+c.dtype.ItemSize()]); err != nil {
			if c.name != "" {
				return fmt.Errorf("field %s: %w", c.name, err)
			}
			return err
		}
		if c.quotes || len(t.buf) == start {
			t.quote(start)
		}
		t.cells++
	}
	if t.cells < t.width {
		return nil
	}
	t.cells = 0
	t.buf = append(t.buf, '\n')
	return t.pass()
}

// quote puts quotes around the cell that starts at start if it needs them.
func (t *tableState) quote(start int) {
	cell := t.buf[start:]
	if !t.needsQuotes(cell) {
		return
	}
	text := string(cell)
	t.buf = append(t.buf[:start], '"')
	t.buf = append(t.buf, strings.ReplaceAll(text, `"`, `""`)...)
	t.buf = append(t.buf, '"')
}

func (t *tableState) needsQuotes(cell []byte) bool {
	if len(cell) == 0 {
		return t.width == 1 // else the line would be blank
	}
	if isSpace(cell[0]) || isSpace(cell[len(cell)-1]) || cell[0] == byteOrderMark[0] {
		return true
	}
	for _, c := range cell {
		if c == t.delim || c == '"' || c == '\n' || c == '\r' {
			return true
		}
	}
	return false
}

// isSpace reports whether c does not count at the ends of a number.
func isSpace(c byte) bool { return c == ' ' || c == '\t' }
