package tableread

import (
	"errors"
	"fmt"

	"github.com/npygo/npy/convert/internal/fault"
	"github.com/npygo/npy/convert/internal/infer"
	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/convert/internal/plain"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/elem"
)

// A target describes how the cells of a column are stored.
type target struct {
	offset, end int // within the bytes of a row
	parse       elem.ParseFunc
	isText      bool
	missing     bool // the dtype has a missing value
	localized   bool // numbers are not written as Go writes them
	isBool      bool
	dates       options.Dates // the order of dates that are not ISO 8601
	isTime      bool
	cells       *infer.Cells
	isFloat     bool           // the dtype is the inferred one of floats
	isBig       bool           // the byte order is big-endian
	whole       elem.ParseFunc // of integers and bools: reads texts that parse refuses, decimal numbers with a whole value
}

// values returns the plain value of d for each column, or a single one if all columns share it.
func (t *table) values(d dtype.Type) ([]plain.Value, error) {
	switch {
	case len(t.first) == 0:
		return nil, nil
	case !d.IsStruct():
		return []plain.Value{{DType: d}}, nil
	case t.report.Header && !t.report.Inferred:
		return t.match(d)
	}
	list, err := plain.ValuesOf(d)
	if err == nil && t.chosen != nil {
		return t.spread(list), nil
	}
	if err == nil {
		err = t.checkWidth(len(list))
	}
	return list, err
}

// targets returns the target of each column, or a single target if all columns share it.
func (t *table) targets(d dtype.Type) ([]target, error) {
	list, err := t.values(d)
	if err != nil {
		return nil, err
	}
	targets := make([]target, len(list))
	var parse, whole elem.ParseFunc
	texts := t.options.Texts()
	exact := texts
	exact.Decimals = false // which takes time for every cell
	for i, l := range list {
		if !t.reads(i) {
			continue
		}
		if i == 0 || !l.DType.Equal(list[i-1].DType) {
			var err error
			if parse, err = exact.Parser(l.DType); err != nil {
				return nil, diag.Wrap("convert", err)
			}
			if whole = nil; texts.HasDecimals(l.DType) {
				whole, _ = texts.Parser(l.DType)
			}
		}
		targets[i] = target{
			offset: l.Offset, end: l.Offset + l.DType.ItemSize(), parse: parse,
			isText: elem.IsText(l.DType), missing: elem.IsMissing(l.DType),
			localized: !t.cells.Plain && isNumeric(l.DType) && l.DType.Kind() != dtype.KindDatetime && l.DType.Kind() != dtype.KindTimedelta,
			isBool:    l.DType.Kind() == dtype.KindBool, isTime: l.DType.Kind() == dtype.KindDatetime,
			dates: t.options.Table.Dates, cells: t.cells, whole: whole, isFloat: l.DType.Equal(dtype.Float64),
			isBig: l.DType.ByteOrder() == dtype.BigEndian,
		}
		if i < len(t.guesses) {
			targets[i].dates = t.guesses[i].DateOrder(t.cells)
		}
	}
	return targets, nil
}

// match returns the plain value of a struct for each column, matched by the names in the header.
func (t *table) match(d dtype.Type) ([]plain.Value, error) {
	list, err := plain.ValuesOf(d)
	if err == nil {
		err = t.checkWidth(len(list))
	}
	if err != nil {
		return nil, err
	}
	if t.inOrder(list) {
		return list, nil
	}
	byName := make(map[string]plain.Value, len(list))
	for _, l := range list {
		byName[l.Name] = l
	}
	if len(byName) < len(list) { // a field "a.b" and a field b in a field a
		return nil, &fault.Error{Line: t.first[0].line, Err: errors.New("several fields of the dtype have one name, so the columns must be in the order of the dtype")}
	}
	matched := make([]plain.Value, len(list))
	for i, c := range t.first {
		l, ok := byName[c.name()]
		if !ok {
			return nil, &fault.Error{Line: c.line, Column: i + 1, Err: fmt.Errorf("%s is not the name of exactly one field of the dtype", elem.Quote(c.name()))}
		}
		delete(byName, l.Name)
		matched[i] = l
	}
	return matched, nil
}

func (t *table) inOrder(list []plain.Value) bool {
	for i, c := range t.first {
		if c.name() != list[i].Name {
			return false
		}
	}
	return true
}

func (t *table) checkWidth(n int) error {
	if n == len(t.first) {
		return nil
	}
	return &fault.Error{Line: t.first[0].line, Err: fmt.Errorf("%s, want %d: the dtype has as many values", fault.Count(len(t.first), "cell"), n)}
}
