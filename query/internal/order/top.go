package order

import (
	"bytes"
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/query/internal/rowsource"
	"github.com/npygo/npy/query/internal/sortkey"
)

// Top returns the first n rows of the sorted order, or all if there are fewer. It reads src once.
func (s Sort) Top(ctx context.Context, src npy.Source, n int) (*npy.Array, error) {
	p, err := sortkey.For(src, s.By, s.Descending)
	if err != nil {
		return nil, err
	}
	shape := src.Shape()
	if n = min(n, shape[0]); n < 0 {
		return nil, diag.Errorf("query", "%d rows: want 0 or more", n)
	}
	if shape[0] = n; n > rowsMax/4 {
		return nil, tooManyRows(n)
	}
	t := &topRows{plan: p, n: n}
	done, total := int64(0), int64(src.Shape()[0])*int64(p.Row)
	runs, err := rowsource.AllRuns(ctx, src, p.Row)
	if err != nil {
		return nil, err
	}
	for run, err := range runs {
		if err != nil {
			return nil, err
		}
		if p.Row == 0 || n == 0 {
			break
		}
		if run.Value != nil { // more than n of them are not among the first
			run.Data = bytes.Repeat(run.Value, min(run.Count, n))
		}
		if err := t.add(ctx, run.Data); err != nil {
			return nil, err
		}
		if done += int64(run.Count) * int64(p.Row); s.Progress != nil {
			s.Progress(done, total)
		}
	}
	if err := t.shrink(ctx); err != nil {
		return nil, err
	}
	return npy.FromBytes(src.DType(), t.rows, shape...)
}

// A topRows keeps the first n of the rows added so far, and at most max(n, topExtra) others.
type topRows struct {
	plan *sortkey.Plan
	n    int
	rows []byte
	last []byte // the n-th row of the first ones, if there are as many
	key  uint64 // its first word
}

// topExtra is the smallest number of other rows that is worth a sort.
const topExtra = 1 << 14

func (t *topRows) add(ctx context.Context, data []byte) error {
	size := t.plan.Row
	full := (t.n + max(t.n, topExtra)) * size
	for ; len(data) > 0; data = data[size:] {
		row := data[:size]
		if t.last != nil && !t.before(row) {
			continue
		}
		if t.rows = append(t.rows, row...); len(t.rows) >= full {
			if err := t.shrink(ctx); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// before reports whether a row comes before the last of the first n. A row equal to it comes later.
func (t *topRows) before(row []byte) bool {
	if t.plan.Len() == 0 {
		return false
	}
	if key := t.plan.Word(0, row); key != t.key {
		return key < t.key
	}
	return t.plan.Compare(1, row, t.last) < 0
}

// shrink sorts the rows and keeps the first n.
func (t *topRows) shrink(ctx context.Context) error {
	size := t.plan.Row
	if size == 0 || len(t.rows) == 0 {
		return nil
	}
	table := newKeyTable(len(t.rows)/size, true)
	if err := (&sorter{plan: t.plan}).order(ctx, table, t.rows); err != nil {
		return err
	}
	keep := table.rows[:min(t.n, len(table.rows))]
	first := bulk.Make(len(keep) * size)
	if err := gather(ctx, first, t.rows, keep, size); err != nil {
		return err
	}
	t.rows = append(t.rows[:0], first...)
	if len(keep) == t.n {
		t.last = first[len(first)-size:]
		if t.plan.Len() > 0 {
			t.key = t.plan.Word(0, t.last)
		}
	}
	return nil
}
