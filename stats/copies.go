package stats

import (
	"bytes"
	"context"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/moments"
	"github.com/npygo/npy/source"
)

// Elements that are known to be equal, without being read, are counted: one of them, or one block, is summarised, and
// the summary multiplied.

// addRuns adds runs: data by add, n equal elements by copies.
func addRuns(runs iter.Seq2[source.Run, error], add func(data []byte), copies func(value []byte, n int)) error {
	for run, err := range runs {
		switch {
		case err != nil:
			return err
		case run.Data != nil:
			add(run.Data)
		default:
			copies(run.Value, run.Count)
		}
	}
	return nil
}

// addCopies adds equal elements. The array is divided into the same blocks as if the elements were read.
func (acc *Accumulator) addCopies(value []byte, count int) {
	n := int64(count)
	each := int64(BlockElements(acc.t))
	size := int64(acc.t.ItemSize())
	if begun := int64(len(acc.rest)) / size; begun > 0 {
		k := min(n, each-begun)
		acc.Add(bytes.Repeat(value, int(k)))
		n -= k
	}
	if blocks := n / each; blocks > 0 {
		block := make([]byte, each*size)
		bulk.Repeat(block, value)
		var s scratch
		for i, c := range acc.columns {
			t := s.tallyOf(c, acc.order, int(size), block, acc.next)
			if acc.order != nil && t.known {
				first := acc.order.least(acc.next, acc.next+blocks*each) * c.items
				t.minAt, t.maxAt = first+t.minAt%c.items, first+t.maxAt%c.items
			}
			acc.total[i].addTimes(&t, blocks)
		}
		acc.next += blocks * each
		acc.elems += blocks * each
		n %= each
	}
	acc.Add(bytes.Repeat(value, int(n)))
}

// addTimes adds the summary of n blocks with the same elements, of which o is the first.
func (t *total) addTimes(o *tally, n int64) {
	var all total
	all.add(o)
	all.facts.repeat(n)
	for _, s := range []*moments.Sums{all.re, all.im} {
		if s != nil {
			s.Repeat(n)
		}
	}
	t.merge(&all)
}

// repeat turns the facts of some items into the facts of n copies of them.
func (t *facts) repeat(n int64) {
	for _, count := range []*int64{&t.count, &t.nans, &t.infs, &t.nats, &t.zeros, &t.empty} {
		*count *= n
	}
	moments.Multiply(t.sum[:], uint64(n))
	moments.Multiply(t.squares[:], uint64(n))
}

// repeat turns the moments of some numbers into the moments of n copies of them.
func (m *reals) repeat(n int64) {
	m.Repeat(n)
	m.posInf *= n
	m.negInf *= n
}

// least returns the first position in C order among the elements from low up to high in the stored order.
func (o *order) least(low, high int64) (at int64) {
	for _, n := range o.shape {
		n := int64(n)
		k := low % n // the index along the axis
		if k > 0 && low-k+n < high {
			k = 0
		}
		at = at*n + k
		low, high = (low-k+n-1)/n, (high-k+n-1)/n // of the other axes
	}
	return at
}

// resultBytes is about the memory of a result along axes.
const resultBytes = 100

// addCopies adds n equal elements, which begin where a slab does.
func (acc *AxisAccumulator) addCopies(value []byte, n int) {
	from := int(acc.have / int64(acc.column.size))
	acc.have += int64(n) * int64(acc.column.size)
	acc.cells.grow(reach(acc.groups, from+n), acc.results)
	var s scratch
	var one, many tally
	acc.column.add(&s, &one, value)
	last := int64(0) // many has so many
	copiesIn(acc.groups, 0, from, from+n, 1, func(cell, step, cells int, n int64) {
		if n != last {
			many, last = one, n
			many.facts.repeat(n)
			many.re.repeat(n)
		}
		for range cells {
			t := many
			acc.cells.tally(cell, &t)
			cell += step
		}
	})
}

// copiesIn calls do for the results of the elements from from to to of a sub-block that is there so many times: for cells from
// cell on, step apart, each of which has n of them.
func copiesIn(gs []axisGroup, cell, from, to int, times int64, do func(cell, step, cells int, n int64)) {
	g := gs[0]
	switch {
	case from >= to:
		return
	case len(gs) == 1 && g.step == 0:
		do(cell, 0, 1, int64(to-from)*times)
		return
	case len(gs) == 1:
		do(cell+from*g.step, g.step, to-from, times)
		return
	}
	if i := from / g.unit; from%g.unit > 0 || to < (i+1)*g.unit { // part of a sub-block
		end := min(to, (i+1)*g.unit)
		copiesIn(gs[1:], cell+i*g.step, from-i*g.unit, end-i*g.unit, times, do)
		from = end
	}
	first, last := from/g.unit, to/g.unit
	if g.step == 0 && first < last {
		copiesIn(gs[1:], cell, 0, g.unit, times*int64(last-first), do)
	}
	for i := first; g.step > 0 && i < last; i++ {
		copiesIn(gs[1:], cell+i*g.step, 0, g.unit, times, do)
	}
	if last*g.unit >= from && last*g.unit < to {
		copiesIn(gs[1:], cell+last*g.step, 0, to-last*g.unit, times, do)
	}
}

// eachRun calls add for all elements of src: for data once, for one element the number of times that it is there.
func eachRun(ctx context.Context, src npy.Source, add func(data []byte, times int64)) error {
	runs, err := source.Runs(ctx, src, source.RunOptions{Memory: blockMemory})
	if err != nil {
		return err
	}
	if runs == nil {
		return eachBlock(ctx, src, blockMemory, func(data []byte) { add(data, 1) })
	}
	return addRuns(runs, func(data []byte) { add(data, 1) }, func(value []byte, n int) { add(value, int64(n)) })
}
