package compute

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/query/internal/values"
)

// A reading computes fields of the result from the rows of the array and the sources of sequences.
type reading struct {
	plan    *plan
	columns []*column // that are computed, in the order of the plan
	sources []int     // of each column of the plan: its place among the sources, or -1
	rows    int       // the place of the array, or -1
	fields  []field
	size    int // of a row of the result
	free    sync.Pool
}

// A field is a part of a row of the result.
type field struct {
	offset, size int
	from         int     // the offset in a row of the array
	column       *column // nil for a field of the array
}

// A state has the buffers of one goroutine.
type state struct {
	envs  []*values.Env // of each computed column
	items [][]byte      // of each column of the plan
}

// readColumn returns a Source of one column.
func (p *plan) readColumn(c *column) (npy.Source, error) {
	return p.read(c.item, []field{{size: c.size(), column: c}})
}

// read returns a Source of some fields, which are elements of dtype t.
func (p *plan) read(t dtype.Type, fields []field) (npy.Source, error) {
	r := &reading{plan: p, fields: fields, rows: -1, sources: slices.Repeat([]int{-1}, len(p.columns))}
	var sources []npy.Source
	needed := make([]bool, len(p.columns))
	rows := false
	for _, f := range r.fields {
		if rows = rows || f.column == nil; f.column != nil {
			needed[f.column.number] = true
		}
		r.size = max(r.size, f.offset+f.size)
	}
	for i, c := range slices.Backward(p.columns) {
		switch {
		case !needed[i]:
		case c.source != nil:
			r.sources[i] = len(sources)
			sources = append(sources, c.source)
		default:
			r.columns = append(r.columns, c)
			rows = rows || c.value.NamesFields()
			for j := range p.columns[:i] {
				needed[j] = needed[j] || c.value.IsGiven(j)
			}
		}
	}
	slices.Reverse(r.columns)
	if rows || len(sources) == 0 { // the first, whose blocks are computed, and whose order is kept
		for i := range r.sources {
			if r.sources[i] >= 0 {
				r.sources[i]++
			}
		}
		r.rows, sources = 0, append([]npy.Source{p.src}, sources...)
	}
	return npy.Computed(t, r.compute, sources...)
}

// compute is the [npy.ComputeFunc].
func (r *reading) compute(ctx context.Context, dst []byte, src [][]byte, n int) error {
	if n == 0 {
		return nil
	}
	s, _ := r.free.Get().(*state)
	if s == nil {
		s = &state{items: make([][]byte, len(r.plan.columns))}
		for _, c := range r.columns {
			s.envs = append(s.envs, c.value.NewEnv())
		}
	}
	defer r.free.Put(s)
	batch := values.Batch{N: n, Given: make([][]byte, len(s.items))}
	if r.rows >= 0 {
		batch.Raw = src[r.rows]
	}
	for i, at := range r.sources {
		if at >= 0 {
			batch.Given[i] = src[at]
		}
	}
	for i, c := range r.columns {
		items := dst
		if !r.is(c) {
			items = bulk.Reuse(s.items[c.number], n*c.size())
			s.items[c.number] = items
		}
		if err := c.value.Store(ctx, s.envs[i], batch, items); err != nil {
			return elementError(err)
		}
		batch.Given[c.number] = items
	}
	r.assemble(dst, batch, n)
	return nil
}

// is reports whether a column is all of the result.
func (r *reading) is(c *column) bool {
	only := r.fields[0].column
	return len(r.fields) == 1 && only != nil && only.number == c.number
}

// assemble copies the fields to the rows of the result.
func (r *reading) assemble(dst []byte, b values.Batch, n int) {
	for _, f := range r.fields {
		from, at := b.Raw, f.from
		if f.column != nil {
			from, at = b.Given[f.column.number], 0
		}
		if f.size == 0 || &from[0] == &dst[0] {
			continue
		}
		width := len(from) / n
		if f.size == r.size && width == f.size {
			copy(dst, from)
			continue
		}
		bulk.CopyBytes(dst, f.offset, []int{r.size}, from, at, []int{width}, []int{n}, f.size)
	}
}

// elementError returns the error of a row as an error of an element, whose number package npy completes.
func elementError(err error) error {
	var row *values.RowError
	if errors.As(err, &row) {
		return &codec.ElementError{Index: int(row.Row), Err: errors.New(row.Msg)}
	}
	return err
}
