package input

import (
	"context"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/query"
)

// A Lines keeps the lines of a table of text, so that chosen or sorted rows are written cell for cell as they were.
type Lines struct {
	Format convert.Format     // of IN and OUT
	Set    []query.Assignment // the columns that are computed

	read *convert.Lines // nil if the records lack the lines
}

// LinesOf returns the Lines of a table of text in the same format as OUT, or nil if OUT is not such a table.
func LinesOf(format convert.Format, set []query.Assignment) *Lines {
	if format != convert.CSV && format != convert.TSV {
		return nil
	}
	return &Lines{Format: format, Set: set}
}

// ask makes a read of text keep its lines.
func (l *Lines) ask(from convert.Format, o *convert.ReadOptions) {
	o.Table.Lines = l != nil && from == l.Format
}

// keep takes the lines of a report.
func (l *Lines) keep(report convert.Report) {
	if l != nil {
		l.read = report.Lines
	}
}

// Write makes a write of src keep the lines of the table. It returns src without them if they cannot be kept.
func (l *Lines) Write(ctx context.Context, src npy.Source, o *convert.WriteOptions) (npy.Source, error) {
	t := src.DType()
	if l == nil || l.read == nil || !t.IsStruct() {
		return src, nil
	}
	names := make([]string, t.NumField())
	for i := range names {
		names[i] = t.Field(i).Name
	}
	n := len(l.read.Names)
	switch {
	case !slices.Contains(names, convert.LineField):
	case len(names) > n && names[n] == convert.LineField && slices.Equal(names[:n], l.read.Names) && !l.changes():
		o.Lines = l.read
	default:
		return query.Compute(ctx, src, query.Columns{Drop: []string{convert.LineField}})
	}
	return src, nil
}

// WithoutLine returns the dtype of records without the field for the text of each row.
func WithoutLine(t dtype.Type) (dtype.Type, error) {
	fields := slices.DeleteFunc(t.Fields(), func(f dtype.Field) bool { return f.Name == convert.LineField })
	return dtype.Packed(fields...)
}

// changes reports whether a computed column replaces one of the table, or would have other separators.
func (l *Lines) changes() bool {
	return len(l.Set) > 0 && l.read.Localized ||
		slices.ContainsFunc(l.Set, func(a query.Assignment) bool { return slices.Contains(l.read.Names, a.Name) })
}
