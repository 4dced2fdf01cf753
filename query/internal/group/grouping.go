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
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/query/internal/expression"
	"github.com/npygo/npy/query/internal/rowsource"
	"github.com/npygo/npy/query/internal/sortkey"
	"github.com/npygo/npy/query/internal/values"
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
	keys     []column
	plans    []keyPlan // of the keys, one for each input that has some
	words    int       // of all plans
	size     int       // bytes of the items of the keys of a row
	inputs   []int     // of the aggregates
	computed []*expression.Value
	row      int // bytes of a row
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
	data    []byte
	keys    []uint64
	ids     []uint32
	envs    []*values.Env // of the computed columns
	columns [][]byte      // their values
}

// A keyPlan makes the words of the keys of one input.
type keyPlan struct {
	*sortkey.Plan
	input int
}

// addKey adds a key.
func (g *grouping) addKey(k column) error {
	i := slices.IndexFunc(g.plans, func(p keyPlan) bool { return p.input == k.input })
	if i < 0 {
		size := g.row
		if k.input > 0 {
			size = k.DType.ItemSize()
		}
		i = len(g.plans)
		g.plans = append(g.plans, keyPlan{sortkey.NewTruth(size), k.input})
	}
	p := g.plans[i]
	g.words -= p.Len()
	err := p.Add(k.Place, false)
	g.words += p.Len()
	g.size += k.DType.ItemSize()
	return err
}

// run groups all rows.
func (g *grouping) run(ctx context.Context, src npy.Source) (*table, error) {
	g.step = min(max(chunkBytes/max(g.row, 1), 1), chunkRows)
	g.states = make([]chunkState, par.Workers())
	g.total = g.newTable()
	err := g.all(ctx, src)
	if err == nil && g.over.Load() {
		err = g.tooMany()
	}
	if err == nil && len(g.keys) == 0 && g.total.n == 0 { // one group of no rows
		g.total.find(nil)
		for _, a := range g.total.aggs {
			a.add(batch{groups: 1, size: g.row})
		}
	}
	return g.total, err
}

// all groups all rows, where they are if possible.
func (g *grouping) all(ctx context.Context, src npy.Source) error {
	if g.row == 0 && g.rows > 0 { // rows without bytes are equal
		return g.copies(ctx, []byte{}, 0, g.rows)
	}
	runs, err := rowsource.Runs(ctx, src, g.row)
	if err != nil {
		return err
	}
	if runs != nil {
		return g.inRuns(ctx, runs)
	}
	if rows, ok := bytesOf(src); ok {
		return g.chunks(ctx, 0, g.rows, g.of(rows))
	}
	if data, ok := npy.DataOf(src); ok && g.row > 0 {
		announce.Reads(data, 0, data.Size())
		return g.anywhere(ctx, data)
	}
	return g.inOrder(ctx, src)
}

// bytesOf returns the elements of an array in memory that are in C order.
func bytesOf(src npy.Source) ([]byte, bool) {
	a, ok := src.(*npy.Array)
	if !ok || !a.IsC() {
		return nil, false
	}
	return a.ViewBytes()
}

// chunks groups n rows in chunks, on several goroutines. read gives the rows of a chunk, from row low to row high. first is the number
// of row 0 in the source.
func (g *grouping) chunks(ctx context.Context, first, n int, read func(s *chunkState, low, high int) ([]byte, error)) error {
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
		return g.chunk(ctx, &g.states[w], data, first+low, high-low)
	}, func(t *table) {
		g.merge(t)
		rows := min(g.step, n-merged)
		merged += rows
		g.count(rows)
	})
}

// chunk groups n rows, whose numbers begin with first.
func (g *grouping) chunk(ctx context.Context, s *chunkState, data []byte, first, n int) (*table, error) {
	t := g.newTable()
	if err := s.compute(ctx, g.computed, data, first, n); err != nil {
		return nil, err
	}
	s.keys = slices.Grow(s.keys[:0], n*t.words)[:n*t.words]
	s.ids = slices.Grow(s.ids[:0], n)[:n]
	word := 0
	for _, p := range g.plans {
		rows, _ := s.input(p.input, data, g.row, n)
		p.WordsOf(s.keys[word:], t.words, rows, n)
		word += p.Len()
	}
	for i := range n {
		if t.words == 1 && i > 0 && s.keys[i] == s.keys[i-1] { // as in files in the order of the key
			s.ids[i] = s.ids[i-1]
			continue
		}
		id, added := t.find(s.keys[i*t.words : (i+1)*t.words])
		if added {
			t.items = g.appendKeys(t.items, s, data, i, n)
		}
		s.ids[i] = uint32(id)
	}
	for i, a := range t.aggs {
		b := batch{ids: s.ids, groups: t.n, first: first}
		b.data, b.size = s.input(g.inputs[i], data, g.row, n)
		a.add(b)
	}
	return t, nil
}

// appendKeys appends the items of the keys of a row.
func (g *grouping) appendKeys(items []byte, s *chunkState, data []byte, row, n int) []byte {
	for _, k := range g.keys {
		rows, size := s.input(k.input, data, g.row, n)
		at := row*size + k.Offset
		items = append(items, rows[at:at+k.DType.ItemSize()]...)
	}
	return items
}

// merge adds the groups of the next rows.
func (g *grouping) merge(t *table) {
	if g.over.Load() {
		return
	}
	g.limitTo(g.total.aggs)
	if !g.total.merge(t, g.most) || g.total.n > g.most {
		g.over.Store(true)
	}
}

// count reports the progress after some rows were grouped.
func (g *grouping) count(rows int) {
	if g.done += rows; g.progress != nil {
		g.progress(int64(g.done)*int64(g.row), int64(g.rows)*int64(g.row))
	}
}

// anywhere groups rows that several goroutines can read.
func (g *grouping) anywhere(ctx context.Context, data io.ReaderAt) error {
	return g.chunks(ctx, 0, g.rows, func(s *chunkState, low, high int) ([]byte, error) {
		n := (high - low) * g.row
		s.data = slices.Grow(s.data[:0], n)[:n]
		if k, err := data.ReadAt(s.data, int64(low)*int64(g.row)); k < n {
			return nil, rowsource.EndsEarly(err)
		}
		return s.data, nil
	})
}

// inRuns groups runs of rows. A run may be one row many times.
func (g *grouping) inRuns(ctx context.Context, runs iter.Seq2[source.Run, error]) error {
	first := 0
	for run, err := range runs {
		switch {
		case err != nil:
			return err
		case run.Value != nil:
			if err := g.copies(ctx, run.Value, first, run.Count); err != nil {
				return err
			}
			g.count(run.Count)
		default:
			if err := g.chunks(ctx, first, run.Count, g.of(run.Data)); err != nil {
				return err
			}
		}
		first += run.Count
		if g.over.Load() {
			return g.tooMany()
		}
	}
	return nil
}

// of returns the function that reads chunks of rows from data.
func (g *grouping) of(data []byte) func(s *chunkState, low, high int) ([]byte, error) {
	return func(_ *chunkState, low, high int) ([]byte, error) {
		return data[low*g.row : high*g.row], nil
	}
}

// copies merges the group of n equal rows: the group of one row, doubled as often as needed.
func (g *grouping) copies(ctx context.Context, row []byte, first, n int) error {
	some, err := g.chunk(ctx, &g.states[0], row, first, 1)
	if err != nil {
		return err
	}
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
	return nil
}

// inOrder reads some chunks at a time.
func (g *grouping) inOrder(ctx context.Context, src npy.Source) error {
	feed := rowsource.NewFeed(ctx, src, 0)
	defer feed.Stop()
	rows := min(4*len(g.states)*g.step, g.rows) // at a time
	batch := make([]byte, rows*g.row)
	for first := 0; first < g.rows; first += rows {
		n := min(rows, g.rows-first)
		data := batch[:n*g.row]
		if err := feed.Read(ctx, data); err != nil {
			return err
		}
		if err := g.chunks(ctx, first, n, g.of(data)); err != nil {
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
	if g.total.n > g.most {
		return diag.Wrap("query", bounded.Over(g.limit, g.memory, g.memory+1, "the distinct values of %d groups do not fit in memory", g.total.n))
	}
	return diag.Wrap("query", bounded.Over(g.limit, g.memory, g.memory+1, "more than %d groups, which do not fit in memory; use fewer fields or coarser values", g.most))
}

// limitTo limits the number of groups to as many as fit in memory.
func (g *grouping) limitTo(aggs []aggregate) {
	if g.limit != "Memory" {
		return
	}
	bytes, room := g.keyBytes, g.room
	for _, a := range aggs {
		bytes += a.bytes()
		if a, ok := a.(interface{ held() int64 }); ok {
			room -= 2 * a.held()
		}
	}
	g.most = mostGroups(max(room, 0), bytes)
}

func (g *grouping) newTable() *table {
	return &table{words: g.words, size: g.size, aggs: g.makeAggs()}
}

// mostGroups returns the number of groups that fit in memory, each of size bytes.
func mostGroups(memory int64, size int) int {
	return int(min(memory/int64(2*size), math.MaxInt32-1)) // slices may have twice the memory that they need
}
