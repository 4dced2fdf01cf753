package group

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/query/internal/order"
	"github.com/npygo/npy/query/internal/sortkey"
)

// maxColumns is the most columns that a pivot makes.
const maxColumns = 1000

// A pivot makes wide records of groups: one for the groups that differ in the last key alone, the pivot, with columns for its values.
type pivot struct {
	by     int // keys before the pivot
	aggs   []Agg
	memory int64

	groups *npy.Array // in the order of all keys
	data   []byte     // their bytes
	size   int        // of a group
	starts []int      // the first group of each record
	column []int      // of each group: the number of its value
	values []string   // texts of the values, in their order
}

// pivoted groups the rows of src by all keys, and returns the wide records.
func (g Group) pivoted(ctx context.Context, src npy.Source) (*npy.Array, error) {
	p := pivot{by: len(g.By), aggs: g.Aggs, memory: g.Memory}
	if len(p.aggs) == 0 {
		p.aggs = []Agg{countOfRows}
	}
	g.By, g.Pivot = append(slices.Clip(g.By), *g.Pivot), nil
	var err error
	if p.groups, err = g.Of(ctx, src); err != nil {
		return nil, err
	}
	p.data, p.size = p.groups.Bytes(), p.groups.DType().ItemSize()
	if err := p.divide(); err != nil {
		return nil, err
	}
	if err := p.arrange(g.By[p.by].Descending); err != nil {
		return nil, err
	}
	return p.records()
}

// row returns the bytes of a group.
func (p *pivot) row(i int) []byte { return p.data[i*p.size : (i+1)*p.size] }

// plan returns the plan of some fields of the groups.
func (p *pivot) plan(fs []dtype.Field, descending bool) (*sortkey.Plan, error) {
	plan := sortkey.NewTruth(p.size)
	for _, f := range fs {
		if err := plan.Add(fields.Place{DType: f.DType, Offset: f.Offset}, descending); err != nil {
			return nil, err
		}
	}
	return plan, nil
}

// divide finds the groups that become one record, which follow each other.
func (p *pivot) divide() error {
	plan, err := p.plan(p.groups.DType().Fields()[:p.by], false)
	if err != nil {
		return err
	}
	for i := range p.groups.Len() {
		if i == 0 || plan.Compare(0, p.row(i-1), p.row(i)) != 0 {
			p.starts = append(p.starts, i)
		}
	}
	return nil
}

// arrange numbers the values of the pivot in their order.
func (p *pivot) arrange(descending bool) error {
	f := p.groups.DType().Field(p.by)
	format, err := (elem.Texts{}).Formatter(f.DType)
	if err != nil {
		return diag.Errorf("query", "a pivot needs a field of plain values, not dtype %s", f.DType)
	}
	plan, err := p.plan([]dtype.Field{f}, descending)
	if err != nil {
		return err
	}
	rows := make([]int, p.groups.Len())
	for i := range rows {
		rows[i] = i
	}
	slices.SortFunc(rows, func(i, j int) int { return plan.Compare(0, p.row(i), p.row(j)) })
	p.column = make([]int, len(rows))
	for k, i := range rows {
		if k == 0 || plan.Compare(0, p.row(rows[k-1]), p.row(i)) != 0 {
			text, err := format(nil, p.row(i)[f.Offset:f.Offset+f.DType.ItemSize()])
			if err != nil {
				return err
			}
			p.values = append(p.values, columnName(f.DType, string(text)))
		}
		p.column[i] = len(p.values) - 1
	}
	if n := len(p.values) * len(p.aggs); n > maxColumns {
		return diag.Wrap("query", bounded.Over("", maxColumns, n, "%d values of %s would be %d columns; take coarser values, or leave the pivot out, which gives a record for each", len(p.values), f.Name, n))
	}
	return nil
}

// columnName returns the name of the column of a value: 3 for the float 3.0, and quotes for an empty text.
func columnName(t dtype.Type, text string) string {
	switch {
	case text == "":
		return "''"
	case elem.KindOf(t) == dtype.KindFloat:
		return strings.TrimSuffix(text, ".0")
	}
	return text
}

// records returns the wide records.
func (p *pivot) records() (*npy.Array, error) {
	all := p.groups.DType().Fields()
	out := slices.Clone(all[:p.by])
	names := p.names(out)
	full := len(p.starts)*len(p.values) == p.groups.Len()
	cells := make([]cell, len(p.aggs))
	for j, a := range p.aggs {
		f := all[p.by+1+j]
		cells[j] = cell{from: f, DType: f.DType, what: a.Func}
		if !full {
			if err := cells[j].fill(); err != nil {
				return nil, err
			}
		}
		for v := range p.values {
			out = append(out, dtype.Field{Name: names(a, v), DType: cells[j].DType})
		}
	}
	size := 0
	for i := range out {
		out[i].Offset, size = size, size+out[i].DType.ItemSize()
	}
	record, err := dtype.Struct(-1, out...)
	if err != nil {
		return nil, diag.Wrap("query", err)
	}
	if need, most := int64(size)*int64(len(p.starts)), order.Available(p.memory); size > 0 && need/int64(size) != int64(len(p.starts)) || need > most {
		return nil, diag.Wrap("query", bounded.Over("Memory", most, need, "%d records of %d columns take %d bytes of memory", len(p.starts), len(out), need))
	}
	data := bulk.Make(size * len(p.starts))
	for r, start := range p.starts {
		row, end := data[r*size:(r+1)*size], p.groups.Len()
		if r+1 < len(p.starts) {
			end = p.starts[r+1]
		}
		p.putRecord(row, out, cells, start, end)
	}
	return npy.FromBytes(record, data, len(p.starts))
}

// names returns the function that names the column of a result and a value: the value, with the name of the result before it if
// there are several results, or if a value is the name of a key.
func (p *pivot) names(keys []dtype.Field) func(a Agg, value int) string {
	long := len(p.aggs) > 1 || slices.ContainsFunc(keys, func(f dtype.Field) bool { return slices.Contains(p.values, f.Name) })
	return func(a Agg, value int) string {
		if long {
			return a.Name + "_" + p.values[value]
		}
		return p.values[value]
	}
}

// putRecord writes the record of the groups from start to end.
func (p *pivot) putRecord(row []byte, out []dtype.Field, cells []cell, start, end int) {
	for i, f := range out[:p.by] {
		from := p.groups.DType().Field(i).Offset
		copy(row[f.Offset:f.Offset+f.DType.ItemSize()], p.row(start)[from:])
	}
	for j := range cells {
		c := &cells[j]
		columns := out[p.by+j*len(p.values):][:len(p.values)]
		for _, f := range columns {
			copy(row[f.Offset:], c.missing)
		}
		for i := start; i < end; i++ {
			f := columns[p.column[i]]
			c.put(row[f.Offset:f.Offset+f.DType.ItemSize()], p.row(i)[c.from.Offset:][:c.from.DType.ItemSize()])
		}
	}
}

// A cell is a result in the columns of a pivot.
type cell struct {
	from    dtype.Field // of the groups
	what    string      // the function
	DType   dtype.Type  // of the columns
	missing []byte      // the item of a value without rows; nil if there is none
	reals   codec.Reals // turns integers into floats; nil if the items are copied
	buf     codec.Buffer
}

// fill sets the item of values without rows: 0 for counts, -1 for the numbers of rows, an empty text, NaT, and NaN for all other
// numbers, which make floats of integers.
func (c *cell) fill() error {
	t := c.from.DType
	c.missing = make([]byte, t.ItemSize())
	switch kind := elem.KindOf(t); {
	case c.what == "count" || c.what == "nunique" || elem.IsText(t):
	case c.what == "argmin" || c.what == "argmax":
		row := noRow
		binary.NativeEndian.PutUint64(c.missing, uint64(row))
	case t.IsStruct() || t.IsSubarray():
		return diag.Errorf("query", "a value without rows has no %s of dtype %s", c.what, t)
	case kind == dtype.KindInt || kind == dtype.KindUint || kind == dtype.KindBool:
		c.reals, c.DType = codec.RealsOf(t), dtype.Float64
		c.missing = binary.NativeEndian.AppendUint64(nil, math.Float64bits(math.NaN()))
	case kind == dtype.KindVoid:
		return diag.Errorf("query", "a value without rows has no %s of dtype %s", c.what, t)
	default:
		return sortkey.PutMissing(c.missing, t)
	}
	return nil
}

// put writes a result.
func (c *cell) put(dst, item []byte) {
	if c.reals == nil {
		copy(dst, item)
		return
	}
	binary.NativeEndian.PutUint64(dst, math.Float64bits(c.reals(&c.buf, item)[0]))
}
