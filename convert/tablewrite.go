package convert

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/readonly"
)

// A column writes one cell of each line.
type column struct {
	plainValue
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

// A tableState writes the lines of CSV and TSV.
type tableState struct {
	layout
	delim          byte
	escapeFormulas bool
}

func tableConverter(f Format, ending string, delim byte) Converter {
	c := Converter{
		Format: f, Endings: []string{ending},
		Kept:  "all values, two dimensions, records of one with the names of their fields",
		Lost:  []Loss{dtypeLoss(cellDType), tableShapeLoss(), emptyShapeLoss(), detailLoss()},
		Write: textWriter(func(out *output, a content, o WriteOptions) error { return writeTable(out, delim, a, o) }),
	}
	if !readonly.Build {
		c.Read = tableReader(f, readDelimiter(delim))
	}
	return c
}

// readDelimiter returns the delimiter for reading tables that are written with delim. Files that are called .csv have
// many.
func readDelimiter(delim byte) byte {
	if delim == ',' {
		return 0
	}
	return delim
}

func writeTable(out *output, delim byte, a content, o WriteOptions) error {
	l, err := layoutOf(a, newObjectWriter(o))
	if err != nil {
		return err
	}
	t := &tableState{l, delim, o.EscapeFormulas}
	if a.dtype.IsStruct() && !o.NoHeader {
		out.buf = t.header(out.buf)
	}
	if t.perLine == 0 { // rows without cells
		for range a.shape[0] {
			out.buf = append(out.buf, '\n')
		}
		return nil
	}
	return writeItems(out, a, t.item)
}

// layoutOf returns the layout of the lines, or an error if a does not fit into a table.
func layoutOf(a content, w *objectWriter) (l layout, err error) {
	shape, most := a.shape, 2
	if a.dtype.IsStruct() {
		most = 1
	}
	if len(shape) > most {
		return l, fmt.Errorf("convert: a table can have %d %s of %s, the array has %d: select a part, reshape it, or write .json",
			most, plural(most, "dimension"), map[bool]string{true: "records", false: "values"}[most == 1], len(shape))
	}
	list, err := plainValuesOf(a.dtype)
	if err != nil {
		return l, err
	}
	if len(list) == 0 {
		return l, fmt.Errorf("convert: dtype %s has no values for the columns of a table; write .json", a.dtype)
	}
	f, err := formatsOf(a, w.texts, w.cell)
	if err != nil {
		return l, err
	}
	for _, v := range list {
		c := column{plainValue: v, quotes: elem.IsText(v.dtype) || v.dtype.Kind() == dtype.KindObject}
		if c.format, err = f.at(v.dtype, v.number); err != nil {
			return l, fmt.Errorf("convert: %w", err)
		}
		if !utf8.ValidString(v.name) {
			return l, fmt.Errorf("convert: field name %q is not Unicode text; rename it", v.name)
		}
		l.columns = append(l.columns, c)
	}
	l.perLine = 1
	if len(shape) == 2 {
		l.perLine = shape[1]
	}
	return l, nil
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

func (t *tableState) header(dst []byte) []byte {
	for i, c := range t.columns {
		if i > 0 {
			dst = append(dst, t.delim)
		}
		start := len(dst)
		dst = t.quote(append(dst, c.name...), start)
	}
	return append(dst, '\n')
}

// item appends the cells of element at, and a line end if the line is complete.
func (t *tableState) item(dst, item []byte, at int) (_ []byte, err error) {
	inLine := at % t.perLine
	for i := range t.columns {
		c := &t.columns[i]
		if inLine > 0 || i > 0 {
			dst = append(dst, t.delim)
		}
		start := len(dst)
		if dst, err = c.append(dst, item); err != nil {
			return dst, err
		}
		if c.quotes || len(dst) == start {
			dst = t.quote(dst, start)
		}
	}
	if inLine == t.perLine-1 {
		dst = append(dst, '\n')
	}
	return dst, nil
}

// append appends the text of the column for an element.
func (c *column) append(dst, item []byte) ([]byte, error) {
	dst, err := c.format(dst, item[c.offset:c.offset+c.dtype.ItemSize()])
	if err != nil && c.name != "" {
		err = fmt.Errorf("field %s: %w", c.name, err)
	}
	return dst, err
}

// quote quotes the cell that starts at start, if necessary.
func (t *tableState) quote(dst []byte, start int) []byte {
	if t.escapeFormulas && isFormula(dst[start:]) {
		dst = slices.Insert(dst, start, '\'')
	}
	cell := dst[start:]
	if !t.needsQuotes(cell) {
		return dst
	}
	text := string(cell)
	dst = append(dst[:start], '"')
	dst = append(dst, strings.ReplaceAll(text, `"`, `""`)...)
	return append(dst, '"')
}

func (t *tableState) needsQuotes(cell []byte) bool {
	if len(cell) == 0 {
		return t.width() == 1 // otherwise the line would be blank
	}
	if isSpace(cell[0]) || isSpace(cell[len(cell)-1]) || cell[0] == byteOrderMark[0] {
		return true
	}
	for _, c := range cell {
		switch c {
		case t.delim, '"', '\n', '\r':
			return true
		case ';', '\t', '|': // which could be taken for the delimiter
			if t.delim == ',' {
				return true
			}
		}
	}
	return t.delim == ',' && t.width() == 1 && areValues(cell)
}

// isFormula reports whether a spreadsheet may take a cell for a formula: it begins as one, perhaps after white space that
// some spreadsheets remove or in the full-width characters of East Asia, and is not a number (OWASP, CSV Injection).
func isFormula(cell []byte) bool {
	first, _ := utf8.DecodeRune(cell)
	return strings.ContainsRune("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20", first) && !isDecimal(cell)
}

// isDecimal reports whether a cell is a number in decimal digits, with a sign, a point and an exponent.
func isDecimal(cell []byte) bool {
	if bytes.ContainsFunc(cell, func(r rune) bool { return !strings.ContainsRune("0123456789+-.eE", r) }) {
		return false
	}
	_, err := strconv.ParseFloat(string(cell), 64)
	return err == nil || errors.Is(err, strconv.ErrRange)
}

// plainCells are the values of cells that are read without options.
var plainCells = sync.OnceValue(func() *cellValues { return newCellValues(TableOptions{}) })

// areValues reports whether a cell is several values with spaces between them, which a reader could take for cells.
func areValues(cell []byte) bool {
	if !bytes.ContainsAny(cell, wordSpaces) {
		return false
	}
	words := strings.FieldsFunc(string(cell), func(r rune) bool { return strings.ContainsRune(wordSpaces, r) })
	one := split{rows: [][]string{words}}
	return one.isAllValues(plainCells())
}

// isSpace reports whether c is ignored at the ends of a number.
func isSpace(c byte) bool { return c == ' ' || c == '\t' }
