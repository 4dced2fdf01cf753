package accumulate

import (
	"context"
	"iter"
	"math"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/stats/internal/feed"
	"github.com/npygo/npy/stats/internal/items"
	"github.com/npygo/npy/stats/internal/tally"
)

// An Accumulator summarises elements that arrive in pieces. It holds at most one block.
type Accumulator struct {
	t       dtype.Type
	columns []tally.Column
	shape   []int         // of the array, if known is set
	known   bool          // the shape is known
	order   *tally.Order  // of the array, if it is not C order
	total   []tally.Total // one per column
	blocks  feed.Cutter
	next    int64            // the position of the first element of the incomplete block
	elems   int64            // in total, without the incomplete block, or of no bytes
	scratch []*items.Scratch // one per goroutine
}

// blockBytes is the size of a block, the unit of work of a goroutine.
const blockBytes = 256 << 10

// BlockElements returns the number of elements of t in a block: as many as fit in 256 KB, at least one.
func BlockElements(t dtype.Type) int {
	return max(blockBytes/max(t.ItemSize(), 1), 1)
}

// New returns an Accumulator for elements of t. If t contains objects the error wraps npy.ErrObjects.
func New(t dtype.Type) (Accumulator, error) {
	switch {
	case !t.IsValid():
		return Accumulator{}, diag.Errorf("stats", "the zero Type is not a dtype")
	case t.HasObject():
		return Accumulator{}, diag.Errorf("stats", "dtype %s: %w", t, npy.ErrObjects)
	}
	columns := tally.ColumnsOf(t)
	return Accumulator{t: t, columns: columns, total: make([]tally.Total, len(columns))}, nil
}

// block returns the size of a block in bytes.
func (acc *Accumulator) block() int { return BlockElements(acc.t) * acc.t.ItemSize() }

// Add adds the elements in data, which may begin and end within an element and is not retained.
func (acc *Accumulator) Add(data []byte) {
	if acc.t.ItemSize() > 0 {
		acc.blocks.Cut(data, acc.block(), acc.addBlocks)
	}
}

// AddEmpty adds n elements of a dtype whose items have no bytes. It does nothing for other dtypes.
func (acc *Accumulator) AddEmpty(n int64) {
	if acc.t.ItemSize() == 0 && n > 0 {
		acc.elems += min(n, math.MaxInt64-acc.elems)
	}
}

// addBlocks adds whole blocks.
func (acc *Accumulator) addBlocks(data []byte) {
	block := acc.block()
	_ = acc.eachOf(context.Background(), len(data)/block, func(_ *items.Scratch, i int) ([]byte, error) { // it cannot fail
		return data[i*block : (i+1)*block], nil
	})
}

// eachOf adds n whole blocks on all processors. read returns the bytes of a block.
func (acc *Accumulator) eachOf(ctx context.Context, n int, read func(s *items.Scratch, i int) ([]byte, error)) error {
	workers := max(min(par.Workers(), n), 1)
	for len(acc.scratch) < workers {
		acc.scratch = append(acc.scratch, new(items.Scratch))
	}
	size := acc.t.ItemSize()
	first, each := acc.next, int64(BlockElements(acc.t))
	acc.next += int64(n) * each
	acc.elems += int64(n) * each
	var mu sync.Mutex
	return par.Each(ctx, n, workers, func(w, i int) error {
		s := acc.scratch[w]
		data, err := read(s, i)
		if err != nil {
			return err
		}
		for k := range acc.columns {
			part := acc.columns[k].Block(s, acc.order, size, data, first+int64(i)*each)
			mu.Lock()
			acc.total[k].Add(&part)
			mu.Unlock()
		}
		return nil
	})
}

// Result returns one summary, or one per field for records. More elements may be added afterwards. If the data ends within an
// element the error wraps io.ErrUnexpectedEOF.
func (acc *Accumulator) Result() ([]tally.Summary, error) {
	elems, err := acc.elements()
	if err != nil {
		return nil, err
	}
	all := make([]tally.Summary, len(acc.columns))
	for i, total := range acc.totals() {
		c := &acc.columns[i]
		if c.Size == 0 {
			n, ok := items.Mul(elems, c.Each)
			if !ok {
				return nil, diag.Wrap("stats", bounded.Over("", 0, 0, "%d times %d elements of no bytes are more than can be counted", elems, c.Each))
			}
			total.Count, total.Empty = n, n
		}
		all[i] = total.Summary(c)
		if total.Known {
			all[i].ArgMin, all[i].ArgMax = acc.index(c, total.MinAt), acc.index(c, total.MaxAt)
		}
	}
	return all, nil
}

// elements returns the number of elements, including the incomplete block.
func (acc *Accumulator) elements() (int64, error) {
	n, err := acc.blocks.Elements(acc.t.ItemSize())
	return acc.elems + n, err
}

// totals yields a copy of the total of each column, including the incomplete block.
func (acc *Accumulator) totals() iter.Seq2[int, tally.Total] {
	return func(yield func(int, tally.Total) bool) {
		var s items.Scratch
		for i := range acc.columns {
			sum := acc.total[i].Clone()
			if rest := acc.blocks.Rest(); len(rest) > 0 {
				part := acc.columns[i].Block(&s, acc.order, acc.t.ItemSize(), rest, acc.next)
				sum.Add(&part)
			}
			if !yield(i, sum) {
				return
			}
		}
	}
}

// index returns the index of an item, given its position in C order.
func (acc *Accumulator) index(c *tally.Column, at int64) []int {
	if !acc.known {
		return append([]int{int(at / c.Each)}, unravel(at%c.Each, c.Dims)...)
	}
	return append(unravel(at/c.Each, acc.shape), unravel(at%c.Each, c.Dims)...)
}

// unravel returns the index of the element at a position in C order, as numpy.unravel_index.
func unravel(at int64, shape []int) []int {
	index := make([]int, len(shape))
	for i := len(shape) - 1; i >= 0; i-- {
		index[i] = int(at % int64(shape[i]))
		at /= int64(shape[i])
	}
	return index
}
