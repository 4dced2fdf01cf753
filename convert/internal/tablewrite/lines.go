package tablewrite

import (
	"bytes"
	"slices"

	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/internal/diag"
)

// keepLines replaces the columns of a table by the text of its lines. Columns after them are added to each line.
func (t *tableState) keepLines(l *options.Lines) error {
	if t.escapeFormulas {
		return diag.New("convert", "EscapeFormulas and Lines exclude each other: lines stay as they are")
	}
	for i, name := range append(slices.Clone(l.Names), options.LineField) {
		if i >= len(t.columns) || t.columns[i].Name != name {
			return diag.Errorf("convert", "Lines needs records as they were read, and column %d is not %q", i, name)
		}
	}
	t.columns, t.lines, t.delim = t.columns[len(l.Names):], l, l.Delimiter
	return nil
}

// lineHeader appends the line of names as it was, and the names of the added columns.
func (t *tableState) lineHeader(dst []byte) []byte {
	line, end := cutLineEnd([]byte(t.lines.Header))
	if len(end) == 0 { // there was none
		return dst
	}
	dst = append(dst, line...)
	for _, c := range t.columns[1:] {
		dst = append(dst, t.delim)
		start := len(dst)
		dst = t.quote(append(dst, c.Name...), start)
	}
	return append(dst, end...)
}

// line appends a line as it was, with the cells of the added columns.
func (t *tableState) line(dst, item []byte, _ int) (_ []byte, err error) {
	text := &t.columns[0]
	line, end := cutLineEnd(bytes.TrimRight(item[text.Offset:text.Offset+text.DType.ItemSize()], "\x00"))
	dst = append(dst, line...)
	for i := range t.columns[1:] {
		if dst, err = t.cell(append(dst, t.delim), item, &t.columns[1+i]); err != nil {
			return dst, err
		}
	}
	return append(dst, end...), nil
}

// cutLineEnd cuts the line end off a line.
func cutLineEnd(line []byte) (text, end []byte) {
	text = bytes.TrimRight(line, "\r\n")
	return text, line[len(text):]
}
