package tablewrite

import (
	"fmt"
	"unicode/utf8"

	"github.com/npygo/npy/convert/internal/fault"
	"github.com/npygo/npy/convert/internal/output"
	"github.com/npygo/npy/convert/internal/plain"
	"github.com/npygo/npy/convert/internal/values"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/elem"
)

// A column writes one cell of each line.
type column struct {
	plain.Value
	format elem.FormatFunc
	quotes bool // its text may need quotes
}

// A layout describes how an array is divided into lines of cells.
type layout struct {
	columns []column
	perLine int // elements per line
}

// width returns the number of cells per line.
func (l *layout) width() int { return l.perLine * len(l.columns) }

// layoutOf returns the layout of the lines, or an error if a does not fit into a table.
func layoutOf(a output.Content, w *values.Objects) (l layout, err error) {
	shape, most := a.Shape, 2
	if a.DType.IsStruct() {
		most = 1
	}
	if len(shape) > most {
		return l, diag.Errorf("convert", "a table can have %d %s of %s, the array has %d: select a part, reshape it, or write .json",
			most, fault.Plural(most, "dimension"), map[bool]string{true: "records", false: "values"}[most == 1], len(shape))
	}
	list, err := plain.ValuesOf(a.DType)
	if err != nil {
		return l, err
	}
	if len(list) == 0 {
		return l, diag.Errorf("convert", "dtype %s has no values for the columns of a table; write .json", a.DType)
	}
	f, err := values.FormatsOf(a, w.Texts, w.Cell)
	if err != nil {
		return l, err
	}
	for _, v := range list {
		c := column{Value: v, quotes: elem.IsText(v.DType) || v.DType.Kind() == dtype.KindObject}
		if c.format, err = f.At(v.DType, v.Number); err != nil {
			return l, diag.Wrap("convert", err)
		}
		if !utf8.ValidString(v.Name) {
			return l, diag.Errorf("convert", "field name %q is not Unicode text; rename it", v.Name)
		}
		l.columns = append(l.columns, c)
	}
	l.perLine = 1
	if len(shape) == 2 {
		l.perLine = shape[1]
	}
	return l, nil
}

// append appends the text of the column for an element.
func (c *column) append(dst, item []byte) ([]byte, error) {
	dst, err := c.format(dst, item[c.Offset:c.Offset+c.DType.ItemSize()])
	if err != nil && c.Name != "" {
		err = fmt.Errorf("field %s: %w", c.Name, err)
	}
	return dst, err
}
