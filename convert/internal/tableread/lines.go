package tableread

import (
	"strings"

	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
)

// lineRatio limits the memory of the texts of all rows, relative to the text: each takes as much as the longest.
const (
	lineRatio = 4
	lineFree  = 1 << 20
)

// lineLen returns the bytes of the field for the text of each row, the longest with its line end.
func (t *table) lineLen() int { return max(t.widest, len(t.line)) + len("\n") }

// keepsLines reports whether records of dtype d can have a field for the text of each row.
func (t *table) keepsLines(d dtype.Type) bool {
	o := t.options.Table
	if !t.report.Inferred || !d.IsStruct() || t.Delimiter() == 0 || o.Ragged == options.RaggedFill || t.rows < 0 {
		return false
	}
	if _, taken := d.FieldByName(options.LineField); taken {
		return false
	}
	n := t.lineLen()
	return elem.Saturate(t.rows, n, 0) <= max(elem.Saturate(lineRatio, t.bytes, 0), lineFree) && n <= dtype.MaxItemSize-d.ItemSize()
}

// withLines returns d with a field for the text of each row, if the options ask for it and the table can have it.
func (t *table) withLines(d dtype.Type) (dtype.Type, error) {
	if !t.options.Table.Lines || !t.keepsLines(d) {
		return d, nil
	}
	lines := &options.Lines{Delimiter: t.Delimiter(), Localized: !t.cells.Plain}
	fields := d.Fields()
	for _, f := range fields {
		lines.Names = append(lines.Names, f.Name)
	}
	if t.report.Header {
		lines.Header = ended(t.line)
	}
	with, err := dtype.Struct(-1, append(fields, dtype.Field{Name: options.LineField, DType: dtype.Bytes(t.lineLen()), Offset: d.ItemSize()})...)
	if err != nil {
		return d, err
	}
	t.report.Lines = lines
	return with, nil
}

// putLine stores the text of a row. It ends in a line end, so that it has no NUL at its end, which bytes lose.
func putLine(item []byte, line string) {
	n := copy(item, line)
	if !isEnded(line) {
		item[n] = '\n'
	}
}

// ended returns a line with a line end.
func ended(line string) string {
	if isEnded(line) {
		return line
	}
	return line + "\n"
}

func isEnded(line string) bool { return strings.HasSuffix(line, "\n") || strings.HasSuffix(line, "\r") }
