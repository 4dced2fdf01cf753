package join

import (
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/query/internal/sortkey"
)

// layout lays out the rows of the result: the left fields, and then the right ones without keys.
func (p *plan) layout() error {
	var out []dtype.Field
	taken := map[string]bool{}
	for _, f := range p.left.fields {
		to := fields.Place{DType: f.DType, Offset: p.leftSize}
		p.copies = append(p.copies, move{name: f.Name, from: fields.Place{DType: f.DType, Offset: f.Offset}, to: to})
		p.leftSize += f.DType.ItemSize()
		out, taken[f.Name] = append(out, dtype.Field{Name: f.Name, DType: f.DType}), true
	}
	p.copies = merged(p.copies)
	p.rightSize = p.keySize
	for _, f := range p.columns() {
		name := f.Name
		if slices.ContainsFunc(p.left.fields, func(l dtype.Field) bool { return l.Name == name }) {
			name += p.how.Suffix
		}
		if taken[name] {
			return diag.Errorf("query", "two fields of the result have the name %q; choose a suffix for the fields of right", name)
		}
		taken[name] = true
		t, err := p.nullable(f.DType)
		if err != nil {
			return err
		}
		m, err := newMove(f.Name, fields.Place{DType: f.DType, Offset: f.Offset}, fields.Place{DType: t, Offset: p.rightSize})
		if err != nil {
			return err
		}
		if m.convert != nil && f.DType.Equal(t) {
			m.convert = nil // a bool stays as it is
		}
		p.rightMove = append(p.rightMove, m)
		p.rightSize += t.ItemSize()
		out = append(out, dtype.Field{Name: name, DType: t})
		gap := make([]byte, t.ItemSize())
		if err := p.putMissing(gap, t, f.Name); err != nil {
			return err
		}
		p.missing = append(p.missing, gap...)
	}
	p.rightMove = append(slices.Clip(p.rightMove[:len(p.keys)]), merged(p.rightMove[len(p.keys):])...)
	var err error
	p.record, err = dtype.Packed(out...)
	return err
}

// columns returns the right fields of the result. The key of an asof join is one of them, because its values are others than left's.
func (p *plan) columns() []dtype.Field {
	if !p.how.hasRight() {
		return nil
	}
	equal := p.how.On
	if p.how.How == asof {
		equal = p.how.By
	}
	return slices.DeleteFunc(slices.Clone(p.right.fields), func(f dtype.Field) bool {
		return slices.ContainsFunc(equal, func(k Key) bool {
			return k.Right == f.Name || k.Right == "" && !p.right.src.DType().IsStruct()
		})
	})
}

// nullable returns the dtype of a right field that may be missing. Integers and bools become float64, which has NaN.
func (p *plan) nullable(t dtype.Type) (dtype.Type, error) {
	if !p.how.keepsAll() || p.how.Fill != "" {
		return t, nil
	}
	switch kind := elem.KindOf(t); {
	case t.IsSubarray():
		item, err := p.nullable(t.Elem())
		if err != nil || item.Equal(t.Elem()) {
			return t, err
		}
		return dtype.Subarray(item, t.SubShape()...)
	case t.IsStruct():
		inner, same := t.Fields(), true
		for i := range inner {
			item, err := p.nullable(inner[i].DType)
			if err != nil {
				return t, err
			}
			same = same && item.Equal(inner[i].DType)
			inner[i].DType = item
		}
		if same {
			return t, nil
		}
		return dtype.Packed(inner...)
	case kind == dtype.KindBool || isInt(kind):
		return dtype.Float64, nil
	case kind == dtype.KindFloat && t.ItemSize() == 1: // some have no NaN
		return dtype.Float32, nil
	}
	return t, nil
}

// putMissing writes the value of a right field in a row without a match.
func (p *plan) putMissing(dst []byte, t dtype.Type, name string) error {
	switch kind := elem.KindOf(t); {
	case t.IsSubarray():
		size := t.Elem().ItemSize()
		if size == 0 || len(dst) == 0 || !p.how.keepsAll() {
			return nil
		}
		if err := p.putMissing(dst[:size], t.Elem(), name); err != nil {
			return err
		}
		for i := size; i < len(dst); i += size {
			copy(dst[i:i+size], dst[:size])
		}
	case t.IsStruct():
		for _, f := range t.Fields() {
			if err := p.putMissing(dst[f.Offset:f.Offset+f.DType.ItemSize()], f.DType, fields.Join(name, f.Name)); err != nil {
				return err
			}
		}
	case !p.how.keepsAll():
	case p.how.Fill != "" && (kind == dtype.KindBool || isReal(kind) || kind == dtype.KindComplex):
		parse, err := elem.Texts{}.Parser(t)
		if err == nil {
			err = parse(dst, p.how.Fill)
		}
		if err != nil {
			return diag.Errorf("query", "field %q of dtype %s has no value %q to fill rows without a match", name, t, p.how.Fill)
		}
	case kind == dtype.KindFloat || kind == dtype.KindComplex || kind == dtype.KindDatetime || kind == dtype.KindTimedelta:
		return sortkey.PutMissing(dst, t)
	}
	return nil
}
