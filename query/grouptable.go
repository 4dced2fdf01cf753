package query

import (
	"context"
	"iter"
	"math"
	"slices"
	"sync/atomic"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/announce"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/query/internal/rowsource"
	"github.com/npygo/npy/query/internal/sortkey"
)

// Rows are grouped in chunks, each by one goroutine into a table of its own. The tables are merged in the order of the
// chunks, which have the same rows on every machine. So the result does not depend on the number of goroutines.
const (
	groupRows  = 1 << 15
	groupBytes = 1 << 20
)

// A groupTable numbers groups of rows with equal keys, in the order of their first rows.
type groupTable struct {
	words int
	slots []uint32 // a hash table of the numbers of groups plus 1
	keys  []uint64 // words of each group
	items []byte   // the items of the keys of the first row of each group
	size  int      // bytes of these per group
	n     int
	aggs  []aggregate
}

// find returns the number of the group with a key, and adds a group if there is none.
func (t *groupTable) find(key []uint64) (id int, added bool) {
	if 2*t.n >= len(t.slots) {
		t.grow()
	}
	mask := len(t.slots) - 1
search:
	for at := int(hashKey(key)) & mask; ; at = (at + 1) & mask {
		id := int(t.slots[at]) - 1
		if id < 0 {
			t.n++
			t.slots[at] = uint32(t.n)
			t.keys = append(t.keys, key...)
			return t.n - 1, true
		}
		for w, x := range key {
			if t.keys[id*t.words+w] != x {
				continue search
			}
		}
		return id, false
	}
}

func hashKey(key []uint64) uint64 {
	h := uint64(0)
	for _, x := range key {
		h = (h ^ x) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h * 0xbf58476d1ce4e5b9 >> 20
}

func (t *groupTable) grow() {
	t.slots = make([]uint32, max(2*len(t.slots), 256))
	mask := len(t.slots) - 1
	for id := range t.n {
		at := int(hashKey(t.keys[id*t.words:(id+1)*t.words])) & mask
		for t.slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = uint32(id + 1)
	}
}

// A grouping groups the rows of a source.
type grouping struct {
	plan     *sortkey.Plan
	places   []fields.Place // of the keys
	size     int            // bytes of the items of the keys of a row
	rows     int
	makeAggs func() []aggregate
	most     int    // groups
	limit    string // the name of what limits them
	room     int64  // bytes for groups, if Memory limits them
	keyBytes int    // of a group, without its results
	memory   int64
	progress func(done, total int64)
}

// chunkState is the memory of one goroutine.
type chunkState struct {
	data []byte
	keys []uint64
	ids  []uint32
}

// run groups all rows.
func (g *grouping) run(ctx context.Context, src npy.Source) (*groupTable, error) {
	step := min(max(groupBytes/max(g.plan.Row, 1), 1), groupRows)
	chunks := (g.rows + step - 1) / step
	total := g.newTable()
	var over atomic.Bool
	merge := func(t *groupTable) {
		if over.Load() {
			return
		}
		g.limitTo(total.aggs)
		if !total.merge(t, g.most) {
			over.Store(true)
		}
	}
	workers := par.Workers()
	states := make([]chunkState, workers)
	done := 0
	count := func() {
		if done++; g.progress != nil {
			g.progress(int64(min(done*step, g.rows))*int64(g.plan.Row), int64(g.rows)*int64(g.plan.Row))
		}
	}
	each := func(n int, read func(s *chunkState, i int) ([]byte, error)) error {
		return par.Ordered(ctx, n, workers, func(w, i int) (*groupTable, error) {
			if over.Load() {
				return nil, g.tooMany()
			}
			data, err := read(&states[w], i)
			if err != nil {
				return nil, err
			}
			return g.chunk(&states[w], data, min(step, g.rows-i*step)), nil
		}, func(t *groupTable) { merge(t); count() })
	}
	runs, err := rowsource.Runs(ctx, src, g.plan.Row)
	if err != nil {
		return nil, err
	}
	if runs != nil {
		err = g.inRuns(ctx, runs, step, workers, &states, merge, &over)
	} else if data, ok := npy.DataOf(src); ok && g.plan.Row > 0 {
		announce.Reads(data, 0, data.Size())
		err = each(chunks, func(s *chunkState, i int) ([]byte, error) {
			n := min(step, g.rows-i*step) * g.plan.Row
			s.data = slices.Grow(s.data[:0], n)[:n]
			if k, err := data.ReadAt(s.data, int64(i)*int64(step)*int64(g.plan.Row)); k < n {
				return nil, rowsource.EndsEarly(err)
			}
			return s.data, nil
		})
	} else {
		err = g.inOrder(ctx, src, step, workers, &states, merge, count, &over)
	}
	if err == nil && over.Load() {
		err = g.tooMany()
	}
	return total, err
}

// inRuns groups runs of rows, of which some are one row many times.
func (g *grouping) inRuns(ctx context.Context, runs iter.Seq2[npy.Run, error], step, workers int, states *[]chunkState, merge func(*groupTable), over *atomic.Bool) error {
	size, done := g.plan.Row, int64(0)
	for run, err := range runs {
		rows := run.Count
		switch {
		case err != nil:
			return err
		case run.Value != nil:
			g.copies(&(*states)[0], run.Value, rows, merge)
		default:
			err := par.Ordered(ctx, (rows+step-1)/step, workers, func(w, i int) (*groupTable, error) {
				n := min(step, rows-i*step)
				return g.chunk(&(*states)[w], run.Data[i*step*size:][:n*size], n), nil
			}, merge)
			if err != nil {
				return err
			}
		}
		if over.Load() {
			return g.tooMany()
		}
		if done += int64(rows) * int64(size); g.progress != nil {
			g.progress(done, int64(g.rows)*int64(size))
		}
	}
	return nil
}

// copies merges the group of n rows that are equal: those of one row, doubled as often as it takes.
func (g *grouping) copies(s *chunkState, row []byte, n int, merge func(*groupTable)) {
	some := g.chunk(s, row, 1)
	for ; n > 1; n /= 2 {
		if n%2 == 1 {
			merge(some)
		}
		twice := g.newTable()
		twice.merge(some, 1)
		twice.merge(some, 1)
		some = twice
	}
	merge(some)
}

// inOrder reads some chunks at a time.
func (g *grouping) inOrder(ctx context.Context, src npy.Source, step, workers int, states *[]chunkState, merge func(*groupTable), count func(), over *atomic.Bool) error {
	feed := rowsource.NewFeed(ctx, src, 0)
	defer feed.Stop()
	batch := make([]byte, min(4*workers*step, g.rows)*g.plan.Row)
	for first := 0; first < g.rows; first += 4 * workers * step {
		rows := min(4*workers*step, g.rows-first)
		data := batch[:rows*g.plan.Row]
		if err := feed.Read(ctx, data); err != nil {
			return err
		}
		err := par.Ordered(ctx, (rows+step-1)/step, workers, func(w, i int) (*groupTable, error) {
			n := min(step, rows-i*step)
			return g.chunk(&(*states)[w], data[i*step*g.plan.Row:][:n*g.plan.Row], n), nil
		}, func(t *groupTable) { merge(t); count() })
		if err != nil {
			return err
		}
		if over.Load() {
			return g.tooMany()
		}
	}
	return nil
}

func (g *grouping) tooMany() error {
	if g.limit == "Max" {
		return bounded.Over(g.limit, g.most, g.most+1, "query: more than %d distinct values", g.most)
	}
	return bounded.Over(g.limit, g.memory, g.memory+1, "query: more than %d groups, which do not fit in memory; use fewer fields or coarser values", g.most)
}

// limitTo sets the number of groups to those that fit in memory.
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

func (g *grouping) newTable() *groupTable {
	return &groupTable{words: g.plan.Len(), size: g.size, aggs: g.makeAggs()}
}

// chunk groups n rows.
func (g *grouping) chunk(s *chunkState, data []byte, n int) *groupTable {
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

// merge adds the groups of a later chunk. It returns false if there are more than most groups.
func (t *groupTable) merge(u *groupTable, most int) bool {
	ids := make([]uint32, u.n)
	for i := range ids {
		id, added := t.find(u.keys[i*u.words : (i+1)*u.words])
		if added {
			if t.n > most {
				return false
			}
			t.items = append(t.items, u.items[i*t.size:(i+1)*t.size]...)
		}
		ids[i] = uint32(id)
	}
	for i, a := range t.aggs {
		a.merge(u.aggs[i], ids, t.n)
	}
	return true
}

// mostGroups returns the number of groups that fit in memory, each of size bytes.
func mostGroups(memory int64, size int) int {
	return int(min(memory/int64(2*size), math.MaxInt32-1)) // slices may have twice the memory that they need
}
