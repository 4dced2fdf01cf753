package group

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/query/internal/filter"
	"github.com/npygo/npy/query/internal/rowset"
	"github.com/npygo/npy/query/internal/rowsource"
	"github.com/npygo/npy/query/internal/sortkey"
)

// Filter returns the rows of src whose keys no row before them has. Without keys, whole rows are compared.
func (u Unique) Filter(ctx context.Context, src npy.Source) (npy.Source, error) {
	n, size, err := rowsource.Shape(src)
	switch {
	case err != nil:
		return nil, err
	case size == 0: // all rows are equal
		return src.Select(npy.SpanTo(min(n, 1)))
	}
	texts := Group{By: u.By}.texts()
	if npy.IsOnePass(src) && (size > dtype.MaxItemSize || sequencesOf(src, texts) != nil) { // which are read before
		if src, err = npy.Rereadable(ctx, src); err != nil {
			return nil, err
		}
	}
	x, err := u.rowBuilder(ctx, src)
	if err != nil {
		return nil, err
	}
	x.result("", column{}, func() aggregate { return &firstRows{} })
	g, err := x.grouping()
	if err != nil {
		return nil, err
	}
	keep := npy.IsOnePass(src)
	if g.keys, g.size = nil, 0; keep {
		g.keys, g.size = []column{{Place: fields.Place{DType: dtype.Bytes(size)}}}, size
	}
	g.keyBytes += g.size
	t, err := g.run(ctx, x.columns.src)
	if err != nil {
		return nil, err
	}
	if keep {
		shape := src.Shape()
		shape[0] = t.n
		return npy.FromBytes(src.DType(), t.items, shape...)
	}
	return filter.Rows(src, setOf(t.aggs[0].(*firstRows).rows, n)), nil
}

// rowBuilder returns the builder of the keys of rows.
func (u Unique) rowBuilder(ctx context.Context, src npy.Source) (*builder, error) {
	by := u.By
	if by == nil {
		by = []sortkey.Key{}
	}
	x, err := Unique{By: by}.builder(ctx, src)
	if err != nil {
		return nil, err
	}
	x.most, x.memory, x.progress = u.Max, u.Memory, u.Progress
	if u.By != nil {
		return x, nil
	}
	row := src.DType()
	if shape := src.Shape(); len(shape) > 1 {
		if row, err = dtype.Subarray(row, shape[1:]...); err != nil {
			return nil, err
		}
	}
	x.keyAt("row", column{Place: fields.Place{DType: row}})
	return x, nil
}

// setOf returns the set of some of n rows, which are given in their order.
func setOf(rows []int, n int) *rowset.Set {
	set := &rowset.Set{}
	const section = 1 << 16
	mask := make([]uint8, section)
	for low := 0; low < n; low += section {
		clear(mask)
		for ; len(rows) > 0 && rows[0] < low+section; rows = rows[1:] {
			mask[rows[0]-low] = 1
		}
		var bits rowset.Bits
		bits.Pack(mask[:min(section, n-low)])
		set.Append(bits)
	}
	set.Finish()
	return set
}

// firstRows are the numbers of the first row of each group. Groups are numbered in the order of these rows.
type firstRows struct{ rows []int }

func (c *firstRows) add(b batch) {
	for i, id := range b.ids {
		if int(id) == len(c.rows) {
			c.rows = append(c.rows, b.first+i)
		}
	}
}

func (c *firstRows) merge(later aggregate, ids []uint32, _ int) {
	for i, id := range ids {
		if int(id) == len(c.rows) {
			c.rows = append(c.rows, later.(*firstRows).rows[i])
		}
	}
}

func (c *firstRows) put([]byte, int) error { return nil }
func (c *firstRows) dtype() dtype.Type     { return dtype.Int64 }
func (c *firstRows) bytes() int            { return 8 }
