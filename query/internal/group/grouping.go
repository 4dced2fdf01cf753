package group

import (
	"context"
	"io"
	"iter"
	"math"
	"slices"
	"sync/atomic"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/announce"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/query/internal/rowsource"
	"github.com/npygo/npy/query/internal/sortkey"
	"github.com/npygo/npy/source"
)

// Rows are grouped in chunks, each by one goroutine into a table of its own. The tables are merged in the order of the
// chunks, which have the same rows on every machine. So the result does not depend on the number of goroutines.
const (
	chunkRows  = 1 << 15
	chunkBytes = 1 << 20
)

// A grouping groups the rows of a source.
type grouping struct {
	plan     *sortkey.Plan
	places   []fields.Place // of the keys
	size     int            // bytes of the items of the keys of a row
	rows     int
	makeAggs func() []aggregate
	most     int    // groups
	limit    string // the name of their limit, Max or Memory
	room     int64  // bytes for groups, if Memory limits them
	keyBytes int    // of a group, without its results
	memory   int64
	progress func(done, total int64)

	step   int // rows of a chunk
	states []chunkState
	total  *table      // of the chunks that were merged
	over   atomic.Bool // there are more than most groups
	done   int         // rows that were merged
}

// A chunkState is the memory of one goroutine.
type chunkState struct {
	data []byte
	keys []uint64
	ids  []uint32
}

// run groups all rows.
func (g *grouping) run(ctx context.Context, src npy.Source) (*table, error) {
	g.step = min(max(chunkBytes/max(g.plan.Row, 1), 1), chunkRows)
	g.states = make([]chunkState, par.Workers())
	g.total = g.newTable()
	runs, err := rowsource.Runs(ctx, src, g.plan.Row)
	if err != nil {
		return nil, err
	}
	if runs != nil {
		err = g.inRuns(ctx, runs)
	} else if data, ok := npy.DataOf(src); ok && g.plan.Row > 0 {
		announce.Reads(data, 0, data.Size())
		err = g.anywhere(ctx, data)
	} else {
		err = g.inOrder(ctx, src)
	}
	if err == nil && g.over.Load() {
		err = g.tooMany()
	}
	return g.total, err
}

// chunks groups n rows in chunks, on several goroutines. read gives the rows of a chunk, from row low to row high.
func (g *grouping) chunks(ctx context.Context, n int, read func(s *chunkState, low, high int) ([]byte, error)) error {
	merged := 0
	return par.Ordered(ctx, (n+g.step-1)/g.step, len(g.states), func(w, i int) (*table, error) {
		if g.over.Load() {
			return nil, g.tooMany()
		}
		low, high := i*g.step, min((i+1)*g.step, n)
		data, err := read(&g.states[w], low, high)
		if err != nil {
			return nil, err
		}
		return g.chunk(&g.states[w], data, high-low), nil
	}, func(t *table) {
		g.merge(t)
		rows := min(g.step, n-merged)
		merged += rows
		g.count(rows)
	})
}

// chunk groups n rows.
func (g *grouping) chunk(s *chunkState, data []byte, n int) *table {
	t := g.newTable()
	words, size := t.words, g.plan.Row
	s.keys = slices.Grow(s.keys[:0], n*words)[:n*words]
	s.ids = slices.Grow(s.ids[:0], n)[:n]
	g.plan.WordsOf(s.keys, data, n)
	for i := range n {
		id, added := t.find(s.keys[i*words : (i+1)*words])
		if added {
			for _, p := range g.places {
				at := i*size + p.Offset
				t.items = append(t.items, data[at:at+p.DType.ItemSize()]...)
			}
		}
		s.ids[i] = uint32(id)
	}
	for _, a := range t.aggs {
		a.add(s.ids, t.n, data, size)
	}
	return t
}

// merge adds the groups of the next rows.
func (g *grouping) merge(t *table) {
	if g.over.Load() {
		return
	}
	g.limitTo(g.total.aggs)
	if !g.total.merge(t, g.most) {
		g.over.Store(true)
	}
}

// count reports the progress after some rows were grouped.
func (g *grouping) count(rows int) {
	if g.done += rows; g.progress != nil {
		g.progress(int64(g.done)*int64(g.plan.Row), int64(g.rows)*int64(g.plan.Row))
	}
}

// anywhere groups rows that several goroutines can read.
func (g *grouping) anywhere(ctx context.Context, data io.ReaderAt) error {
	return g.chunks(ctx, g.rows, func(s *chunkState, low, high int) ([]byte, error) {
		n := (high - low) * g.plan.Row
		s.data = slices.Grow(s.data[:0], n)[:n]
		if k, err := data.ReadAt(s.data, int64(low)*int64(g.plan.Row)); k < n {
			return nil, rowsource.EndsEarly(err)
		}
		return s.data, nil
	})
}

// inRuns groups runs of rows. A run may be one row many times.
func (g *grouping) inRuns(ctx context.Context, runs iter.Seq2[source.Run, error]) error {
	for run, err := range runs {
		switch {
		case err != nil:
			return err
		case run.Value != nil:
			g.copies(run.Value, run.Count)
			g.count(run.Count)
		default:
			if err := g.chunks(ctx, run.Count, g.of(run.Data)); err != nil {
				return err
			}
		}
		if g.over.Load() {
			return g.tooMany()
		}
	}
	return nil
}

// of returns the function that reads chunks of rows from data.
func (g *grouping) of(data []byte) func(s *chunkState, low, high int) ([]byte, error) {
	return func(_ *chunkState, low, high int) ([]byte, error) {
		return data[low*g.plan.Row : high*g.plan.Row], nil
	}
}

// copies merges the group of n equal rows: the group of one row, doubled as often as needed.
func (g *grouping) copies(row []byte, n int) {
	some := g.chunk(&g.states[0], row, 1)
	for ; n > 1; n /= 2 {
		if n%2 == 1 {
			g.merge(some)
		}
		twice := g.newTable()
		twice.merge(some, 1)
		twice.merge(some, 1)
		some = twice
	}
	g.merge(some)
}

// inOrder reads some chunks at a time.
func (g *grouping) inOrder(ctx context.Context, src npy.Source) error {
	feed := rowsource.NewFeed(ctx, src, 0)
	defer feed.Stop()
	rows := min(4*len(g.states)*g.step, g.rows) // at a time
	batch := make([]byte, rows*g.plan.Row)
	for first := 0; first < g.rows; first += rows {
		n := min(rows, g.rows-first)
		data := batch[:n*g.plan.Row]
		if err := feed.Read(ctx, data); err != nil {
			return err
		}
		if err := g.chunks(ctx, n, g.of(data)); err != nil {
			return err
		}
		if g.over.Load() {
			return g.tooMany()
		}
	}
	return nil
}

func (g *grouping) tooMany() error {
	if g.limit == "Max" {
		return diag.Wrap("query", bounded.Over(g.limit, g.most, g.most+1, "more than %d distinct values", g.most))
	}
	return diag.Wrap("query", bounded.Over(g.limit, g.memory, g.memory+1, "more than %d groups, which do not fit in memory; use fewer fields or coarser values", g.most))
}

// limitTo limits the number of groups to as many as fit in memory.
func (g *grouping) limitTo(aggs []aggregate) {
	if g.limit != "Memory" {
		return
	}
	bytes := g.keyBytes
	for _, a := range aggs {
		bytes += a.bytes()
	}
	g.most = mostGroups(g.room, bytes)
}

func (g *grouping) newTable() *table {
	return &table{words: g.plan.Len(), size: g.size, aggs: g.makeAggs()}
}

// mostGroups returns the number of groups that fit in memory, each of size bytes.
func mostGroups(memory int64, size int) int {
	return int(min(memory/int64(2*size), math.MaxInt32-1)) // slices may have twice the memory that they need
}
