package compute

import (
	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/source"
)

// A table is an array of records with computed fields. One field is read without the others.
type table struct {
	npy.Source // of all fields
	plan       *plan
	results    []result
}

// Unwrap returns the Source whose optional methods apply.
func (t *table) Unwrap() npy.Source { return t.Source }

// table returns some fields as records.
func (p *plan) table(results []result) (*table, error) {
	var fields []field
	offset := 0
	for _, r := range results {
		f := field{offset: offset, size: r.field.DType.ItemSize(), from: r.field.Offset, column: r.column}
		if r.column != nil {
			f.size = r.column.size()
		}
		fields, offset = append(fields, f), offset+f.size
	}
	record, err := recordOf(results, fields)
	if err != nil {
		return nil, err
	}
	src, err := p.read(record, fields)
	if err != nil {
		return nil, err
	}
	return &table{src, p, results}, nil
}

// recordOf returns the dtype of the records.
func recordOf(results []result, fields []field) (dtype.Type, error) {
	out := make([]dtype.Field, len(fields))
	for i, r := range results {
		out[i] = r.field
		if r.column != nil {
			t, err := r.column.dtype()
			if err != nil {
				return dtype.Type{}, err
			}
			out[i] = dtype.Field{Name: r.name, DType: t}
		}
		out[i].Offset = fields[i].offset
	}
	return dtype.Struct(-1, out...)
}

// Select implements [npy.Source].
func (t *table) Select(index ...npy.Index) (npy.Source, error) {
	if copied, ok, err := source.SelectCopy(t.Source, index); ok {
		return copied, err
	}
	for i, x := range index {
		name, ok := x.Name()
		if !ok {
			continue
		}
		rows, err := t.rows(index[:i])
		if err != nil || rows == nil {
			break
		}
		one, err := rows.field(name)
		if err != nil || one == nil {
			break
		}
		return one.Select(index[i+1:]...)
	}
	if rows, err := t.rows(index); err == nil && rows != nil {
		return rows, nil
	}
	return t.Source.Select(index...)
}

// rows returns part of the rows, or nil if the index also selects fields.
func (t *table) rows(index []npy.Index) (*table, error) {
	if len(index) == 0 {
		return t, nil
	}
	p := *t.plan
	var err error
	if p.src, err = p.src.Select(index...); err != nil || !p.src.DType().Equal(t.plan.src.DType()) {
		return nil, err
	}
	p.columns = append([]*column(nil), p.columns...)
	for i, c := range p.columns {
		if c.source == nil {
			continue
		}
		part := *c
		if part.source, err = c.source.Select(index...); err != nil {
			return nil, err
		}
		p.columns[i] = &part
	}
	return p.table(t.results)
}

// field returns one field, or nil if it is read with the others.
func (t *table) field(name string) (npy.Source, error) {
	for _, r := range t.results {
		if r.name != name {
			continue
		}
		if r.column == nil {
			if t.plan.src.DType().IsStruct() {
				return t.plan.src.Select(npy.Named(name))
			}
			return t.plan.src, nil
		}
		if len(r.column.shape) == 0 {
			return t.plan.readColumn(t.plan.columns[r.column.number])
		}
	}
	return nil, nil
}
