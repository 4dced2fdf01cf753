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

// withLines returns d with a field for the text of each row, if the options ask for it and the table can have it.
func (t *table) withLines(d dtype.Type) (dtype.Type, error) {
	widest := max(t.widest, len(t.line)) + len("\n")
	o := t.options.Table
	switch {
	case !o.Lines, !t.report.Inferred, !d.IsStruct(), t.Delimiter() == 0, o.Ragged == options.RaggedFill, t.rows < 0:
		return d, nil
	case elem.Saturate(t.rows, widest, 0) > max(elem.Saturate(lineRatio, t.bytes, 0), lineFree), widest > dtype.MaxItemSize-d.ItemSize():
		return d, nil
	}
	lines := &options.Lines{Delimiter: t.Delimiter(), Localized: !t.cells.Plain}
	fields := d.Fields()
	for _, f := range fields {
		if f.Name == options.LineField {
			return d, nil
		}
		lines.Names = append(lines.Names, f.Name)
	}
	if t.report.Header {
		lines.Header = ended(t.line)
	}
	with, err := dtype.Struct(-1, append(fields, dtype.Field{Name: options.LineField, DType: dtype.Bytes(widest), Offset: d.ItemSize()})...)
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
