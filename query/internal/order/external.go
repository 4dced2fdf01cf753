package order

import (
	"context"
	"math"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/query/internal/rowsource"
)

// A runMaker reads rows, sorts them in parts that fit in memory, and writes the parts to a spill if there are several.
type runMaker struct {
	sorter   *sorter
	memory   sharing
	temp     string // the path next to which the spill is made
	progress func(done, total int64)
	out      *Sorted
	done     int64
	total    int64
}

func (r *runMaker) run(ctx context.Context, src npy.Source, n int) (err error) {
	size := r.sorter.plan.Row
	if n > math.MaxInt/size && r.memory.rows >= n {
		return tooManyRows(n)
	}
	data := bulk.MakeFill[byte](r.memory.rows * size)
	t := newKeyTable(r.memory.rows, true)
	feed := rowsource.NewFeed(ctx, src, r.memory.feed)
	defer feed.Stop()
	if n <= r.memory.rows {
		if err := r.read(ctx, feed, data); err != nil {
			return err
		}
		return r.inMemory(ctx, t, data)
	}
	if r.out.spill, err = newSpill(r.temp); err != nil {
		return err
	}
	for left := n; left > 0; left -= len(t.keys) {
		t = t.first(min(left, r.memory.rows))
		rows := data[:len(t.keys)*size]
		if err := r.read(ctx, feed, rows); err != nil {
			return err
		}
		r.out.spill.begin()
		if err := r.sorter.sorted(ctx, t, rows, r.memory.piece, r.out.spill.write); err != nil {
			return err
		}
	}
	r.out.memory = &mergeMemory{data: data, keys: t.keys[:cap(t.keys)][:r.memory.rows], piece: r.memory.piece}
	return r.out.reduce(ctx, r.temp, r.out.memory.ways(size))
}

// read fills data with the next rows.
func (r *runMaker) read(ctx context.Context, feed *rowsource.Feed, data []byte) error {
	for len(data) > 0 {
		n := min(len(data), 32<<20)
		if err := feed.Read(ctx, data[:n]); err != nil {
			return err
		}
		data = data[n:]
		if r.done += int64(n); r.progress != nil {
			r.progress(r.done, 2*r.total)
		}
	}
	return nil
}

// inMemory sorts all rows in memory. They are put in order when they are read from the result.
func (r *runMaker) inMemory(ctx context.Context, t *keyTable, data []byte) error {
	r.out.data = data
	if r.sorter.plain != nil {
		if done, err := r.sorter.plain.sort(ctx, t, data, data); done || err != nil {
			return err
		}
	}
	if err := r.sorter.order(ctx, t, data); err != nil {
		return err
	}
	r.out.rows = t.rows
	return nil
}
