package order

import (
	"context"
	"io"

	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/query/internal/rowsource"
	"github.com/npygo/npy/query/internal/sortkey"
)

// A mergeMemory is the memory of a merge.
type mergeMemory struct {
	data  []byte
	keys  []uint64 // as many as there are rows in data
	piece int      // bytes given out at a time
}

const blockMin = 16 << 10 // bytes of a run to read at a time: smaller reads cost more than another merge

// ways returns the number of runs that can be merged at a time.
func (a *mergeMemory) ways(size int) int {
	block := max(blockMin/size, 1)
	return max(len(a.keys)/(2*block), 2)
}

// merge calls emit for the rows of runs in sorted order, in pieces. A piece is valid until emit returns.
func (a *mergeMemory) merge(ctx context.Context, p *sortkey.Plan, r io.ReaderAt, runs []run, emit func(rows []byte) error) error {
	m := merge{plan: p}
	block := max(len(a.keys)/(2*len(runs)), 1)
	half := block * p.Row
	defer func() {
		for _, c := range m.cursors {
			c.drop()
		}
	}()
	for i, run := range runs {
		data, keys := a.data[2*i*half:2*(i+1)*half], a.keys[2*i*block:2*(i+1)*block]
		c := &cursor{plan: p, r: r, left: run}
		c.now, c.ahead = rowBlock{data[:half], keys[:block]}, rowBlock{data[half:], keys[block:]}
		m.cursors = append(m.cursors, c)
		c.start()
	}
	for i, c := range m.cursors {
		if ok, err := c.swap(); err != nil {
			return err
		} else if ok {
			m.heap = append(m.heap, entry{c.now.keys[0], i})
		}
	}
	for i := len(m.heap)/2 - 1; i >= 0; i-- {
		m.down(i)
	}
	return m.run(ctx, max(a.piece/p.Row, 1)*p.Row, emit)
}

// A merge is a heap of the next rows of runs.
type merge struct {
	plan    *sortkey.Plan
	cursors []*cursor
	heap    []entry
}

// An entry is the next row of a run, with the first word of its key.
type entry struct {
	key uint64
	run int
}

func (m *merge) run(ctx context.Context, piece int, emit func(rows []byte) error) error {
	out := make([]byte, 0, piece)
	size := m.plan.Row
	for len(m.heap) > 0 {
		c := m.cursors[m.heap[0].run]
		out = append(out, c.row()...)
		if len(out)+size > cap(out) {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := emit(out); err != nil {
				return err
			}
			out = out[:0]
		}
		if c.i++; c.i == c.rows {
			if ok, err := c.swap(); err != nil {
				return err
			} else if !ok {
				last := len(m.heap) - 1
				m.heap[0] = m.heap[last]
				m.heap = m.heap[:last]
				m.down(0)
				continue
			}
		}
		if m.plan.Len() > 0 {
			m.heap[0].key = c.now.keys[c.i]
		}
		m.down(0)
	}
	if len(out) > 0 {
		return emit(out)
	}
	return ctx.Err()
}

// less reports whether the row of a comes before the row of b. Equal rows come in the order of their runs.
func (m *merge) less(a, b entry) bool {
	if a.key != b.key {
		return a.key < b.key
	}
	if m.plan.Len() > 1 {
		if c := m.plan.Compare(1, m.cursors[a.run].row(), m.cursors[b.run].row()); c != 0 {
			return c < 0
		}
	}
	return a.run < b.run
}

// down moves an entry of the heap to its place.
func (m *merge) down(i int) {
	h := m.heap
	for {
		child := 2*i + 1
		if child >= len(h) {
			return
		}
		if child+1 < len(h) && m.less(h[child+1], h[child]) {
			child++
		}
		if !m.less(h[child], h[i]) {
			return
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}

// A cursor reads a run block by block, one ahead.
type cursor struct {
	plan  *sortkey.Plan
	r     io.ReaderAt
	left  run
	now   rowBlock
	ahead rowBlock
	task  *par.Task
	rows  int // of now
	next  int // rows of ahead
	i     int
}

// A rowBlock is a number of rows with the first words of their keys.
type rowBlock struct {
	data []byte
	keys []uint64
}

func (c *cursor) row() []byte { return c.now.data[c.i*c.plan.Row : (c.i+1)*c.plan.Row] }

// start begins to read the next block.
func (c *cursor) start() {
	n := int(min(int64(len(c.ahead.data)), c.left.end-c.left.start))
	at := c.left.start
	c.left.start += int64(n)
	c.next, c.task = n/c.plan.Row, nil
	if n == 0 {
		return
	}
	block, size := c.ahead, c.plan.Row
	c.task = par.Go(func() error {
		if k, err := c.r.ReadAt(block.data[:n], at); k < n {
			return rowsource.EndsEarly(err)
		}
		if c.plan.Len() > 0 {
			for i := range n / size {
				block.keys[i] = c.plan.Word(0, block.data[i*size:(i+1)*size])
			}
		}
		return nil
	})
}

// swap goes on to the next block. It returns false at the end.
func (c *cursor) swap() (bool, error) {
	if c.task == nil {
		return false, nil
	}
	task := c.task
	c.task = nil
	if err := task.Wait(); err != nil {
		return false, err
	}
	c.now, c.ahead = c.ahead, c.now
	c.rows, c.i = c.next, 0
	c.start()
	return true, nil
}

// drop waits for the block that is being read.
func (c *cursor) drop() {
	if c.task != nil {
		_ = c.task.Wait()
	}
}
