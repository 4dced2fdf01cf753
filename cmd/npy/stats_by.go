package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/results"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/query"
)

// A groupedStats has the statistics of the fields of an array for each group of its rows.
type groupedStats struct {
	app    *app
	target input.Target
	tables []fieldTable
}

// A fieldTable has a record for each group: the keys, and the results of a field.
type fieldTable struct {
	field string // "" for an array without fields
	*npy.Array
}

// groupStats computes the statistics of a target by keys, in one pass.
func (a *app) groupStats(o input.Opener, t input.Target, by []query.Key, what statistics) (*groupedStats, error) {
	bar := a.progress(diagnose.FileName(t.Name()))
	defer bar.Clear()
	in, err := o.Once(a.ctx, t)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	g := query.Group{By: by, SkipNaN: true, Progress: bar.Set}
	columns := statColumns(in.Source, by)
	if len(columns) == 0 {
		return nil, fmt.Errorf("no field is left for statistics beside the keys")
	}
	firsts := []int{} // of the results of each field
	for _, c := range columns {
		firsts = append(firsts, len(by)+len(g.Aggs))
		g.Aggs = append(g.Aggs, statAggs(c.Name, c.DType, what.quantiles)...)
	}
	groups, err := g.Of(a.ctx, in.Source)
	if err != nil {
		return nil, diagnose.Explain(err)
	}
	out := &groupedStats{app: a, target: t}
	for i, first := range firsts {
		last := append(firsts, groups.DType().NumField())[i+1]
		table, err := cutTable(groups, len(by), first, last, columns[i].Name)
		if err != nil {
			return nil, err
		}
		out.tables = append(out.tables, fieldTable{columns[i].Name, table})
	}
	return out, nil
}

// statColumns returns the fields or columns of an array that have statistics, but for the keys.
func statColumns(src npy.Source, by []query.Key) []dtype.Field {
	t, shape := src.DType(), src.Shape()
	var all []dtype.Field
	switch {
	case t.IsStruct():
		all = t.Fields()
	case len(shape) == 2:
		for i := range shape[1] {
			all = append(all, dtype.Field{Name: strconv.Itoa(i), DType: t})
		}
	default:
		all = []dtype.Field{{DType: t}}
	}
	return slices.DeleteFunc(slices.Clone(all), func(f dtype.Field) bool {
		isKey := slices.ContainsFunc(by, func(k query.Key) bool { return k.Field == f.Name || k.Field == "x" && f.Name == "" })
		return isKey || f.DType.IsStruct() || f.DType.IsSubarray()
	})
}

// statAggs returns the results of a field. The name of each has the name of the field before it, which cutTable removes.
func statAggs(field string, t dtype.Type, quantiles []float64) []query.Agg {
	functions := []string{"count", "nan", "min", "max"}
	switch t.Kind() {
	case dtype.KindBool, dtype.KindInt, dtype.KindUint, dtype.KindFloat:
		functions = append(functions, "mean", "std")
	case dtype.KindDatetime, dtype.KindTimedelta:
		functions = append(functions, "mean")
	default:
		quantiles = nil
	}
	for _, q := range quantiles {
		functions = append(functions, "q"+strconv.FormatFloat(q, 'f', -1, 64))
	}
	aggs := make([]query.Agg, len(functions))
	for i, name := range functions {
		aggs[i] = query.Agg{Func: name, Field: field, As: statName(field, name)}
	}
	aggs[1].Func, aggs[1].Field = "count", "" // of all rows, less those that have a value
	return aggs
}

func statName(field, function string) string { return field + "\x00" + function }

// cutTable returns the records of the keys and of the results from first to last, which are of one field.
func cutTable(groups *npy.Array, keys, first, last int, field string) (*npy.Array, error) {
	t := groups.DType()
	chosen := slices.Concat(t.Fields()[:keys], t.Fields()[first:last])
	for i := range chosen[keys:] {
		f := &chosen[keys+i]
		f.Name = f.Name[len(statName(field, "")):]
	}
	record, err := dtype.Struct(t.ItemSize(), chosen...)
	if err != nil {
		return nil, err
	}
	data, size := slices.Clone(groups.Bytes()), t.ItemSize()
	for row := 0; row < len(data); row += size { // nan has the number of all rows yet
		count, rows := data[row+chosen[keys].Offset:], data[row+chosen[keys+1].Offset:]
		binary.NativeEndian.PutUint64(rows, binary.NativeEndian.Uint64(rows)-binary.NativeEndian.Uint64(count))
	}
	return npy.FromBytes(record, data, groups.Len())
}

// Print prints a table for each field.
func (s *groupedStats) Print(w io.Writer, style results.Style) error {
	fmt.Fprintf(w, "%s%s\n", terminal.Printable(diagnose.FileName(s.target.Name())), terminal.Printable(s.target.Sub))
	for i, t := range s.tables {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if t.field != "" {
			fmt.Fprintln(w, terminal.Printable(t.field))
		}
		if err := s.printTable(w, t.Array, style.Width); err != nil {
			return err
		}
	}
	return nil
}

// printTable prints records, with the fields that fit in a width, or with all if it is 0.
func (s *groupedStats) printTable(w io.Writer, table *npy.Array, width int) error {
	p := npy.Printer{MaxText: s.app.limits["MaxText"], LineWidth: width}
	if width == 0 {
		return p.Print(w, table)
	}
	return printFitted(w, p, table, width, "")
}

// PrintJSON prints an object for each field and group.
func (s *groupedStats) PrintJSON(w io.Writer) error {
	for _, t := range s.tables {
		var rows bytes.Buffer
		if err := s.app.formats.Write(s.app.ctx, &rows, convert.NDJSON, t.Array, s.app.limits.Write(convert.WriteOptions{NaN: convert.NaNWord, Units: true})); err != nil {
			return err
		}
		head := struct {
			File   string  `json:"file"`
			Member *string `json:"member"`
			Field  *string `json:"field"`
		}{s.target.Path, s.target.MemberName(), nil}
		if t.field != "" {
			head.Field = &t.field
		}
		start, err := json.Marshal(head)
		if err != nil {
			return err
		}
		for line := range bytes.Lines(rows.Bytes()) {
			if _, err := fmt.Fprintf(terminal.EscapeJSON(w), "%s,%s", start[:len(start)-1], line[1:]); err != nil {
				return err
			}
		}
	}
	return nil
}
