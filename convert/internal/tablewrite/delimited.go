package tablewrite

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert/internal/infer"
	"github.com/npygo/npy/convert/internal/input"
	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/convert/internal/output"
	"github.com/npygo/npy/convert/internal/values"
)

// A tableState writes the lines of CSV and TSV.
type tableState struct {
	layout
	delim          byte
	escapeFormulas bool
	lines          *options.Lines // the first column is the text of a whole line; nil if there is none
}

// Writer returns the Write function of a format whose cells delim separates.
func Writer(delim byte) func(context.Context, io.Writer, npy.Source, options.Write) error {
	return func(ctx context.Context, w io.Writer, src npy.Source, o options.Write) error {
		return output.WriteText(ctx, w, src, o, func(out *output.Output, a output.Content, o options.Write) error { return writeTable(out, delim, a, o) })
	}
}

func writeTable(out *output.Output, delim byte, a output.Content, o options.Write) error {
	l, err := layoutOf(a, values.NewObjects(a.Context(), o))
	if err != nil {
		return err
	}
	t := &tableState{layout: l, delim: delim, escapeFormulas: o.EscapeFormulas}
	if o.Lines != nil {
		if err := t.keepLines(o.Lines); err != nil {
			return err
		}
	}
	if a.DType.IsStruct() && !o.NoHeader {
		out.Buf = t.header(out.Buf)
	}
	if t.perLine == 0 { // rows without cells
		for range a.Shape[0] {
			out.Buf = append(out.Buf, '\n')
		}
		return nil
	}
	if t.lines != nil {
		return output.WriteItems(out, a, t.line)
	}
	return output.WriteItems(out, a, t.item)
}

func (t *tableState) header(dst []byte) []byte {
	if t.lines != nil {
		return t.lineHeader(dst)
	}
	for i, c := range t.columns {
		if i > 0 {
			dst = append(dst, t.delim)
		}
		start := len(dst)
		dst = t.quote(append(dst, c.Name...), start)
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
		if dst, err = t.cell(dst, item, c); err != nil {
			return dst, err
		}
	}
	if inLine == t.perLine-1 {
		dst = append(dst, '\n')
	}
	return dst, nil
}

// cell appends the cell of a column.
func (t *tableState) cell(dst, item []byte, c *column) (_ []byte, err error) {
	start := len(dst)
	if dst, err = c.append(dst, item); err != nil {
		return dst, err
	}
	if c.quotes || len(dst) == start {
		dst = t.quote(dst, start)
	}
	return dst, nil
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
	if infer.IsSpace(cell[0]) || infer.IsSpace(cell[len(cell)-1]) || cell[0] == input.ByteOrderMark[0] {
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
	return t.delim == ',' && t.width() == 1 && mayBeSplit(cell)
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
var plainCells = sync.OnceValue(func() *infer.Cells { return infer.NewCells(options.Table{}) })

// mayBeSplit reports whether a cell is several values with spaces between them, which a reader could take for cells.
func mayBeSplit(cell []byte) bool {
	if !bytes.ContainsAny(cell, input.WordSpaces) {
		return false
	}
	words := strings.FieldsFunc(string(cell), func(r rune) bool { return strings.ContainsRune(input.WordSpaces, r) })
	return infer.AreValues(words, plainCells())
}
