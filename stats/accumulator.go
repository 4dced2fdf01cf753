package stats

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/par"
)

// An Accumulator summarises elements that arrive in pieces. It holds at most one block: 256 KB, or one element if that
// is larger. It must not be used by several goroutines at once. Add itself uses all processors, until it returns.
type Accumulator struct {
	t       dtype.Type
	columns []column
	shape   []int   // of the array, if known is set
	known   bool    // the shape is known
	order   *order  // of the array, if it is not C order
	total   []tally // one per column
	rest    []byte  // an incomplete block
	elems   int64
	scratch []*scratch // one per goroutine
}

// blockBytes is the size of a block, the unit of work of a goroutine. The results of blocks are merged in order.
const blockBytes = 256 << 10

// New returns an Accumulator for elements of t. If t contains objects the error wraps npy.ErrObjects.
func New(t dtype.Type) (*Accumulator, error) {
	switch {
	case !t.IsValid():
		return nil, fmt.Errorf("stats: the zero Type is not a dtype")
	case t.HasObject():
		return nil, fmt.Errorf("stats: dtype %s: %w", t, npy.ErrObjects)
	}
	columns := columnsOf(t)
	return &Accumulator{t: t, columns: columns, total: make([]tally, len(columns))}, nil
}

// Add adds the elements in data, the bytes of a file or an array. data may begin and end within an element and is not
// retained. Elements of no bytes must be added with AddEmpty.
func (acc *Accumulator) Add(data []byte) {
	size := acc.t.ItemSize()
	if size == 0 {
		return
	}
	block := max(blockBytes/size, 1) * size
	if len(acc.rest) > 0 {
		n := min(block-len(acc.rest), len(data))
		acc.rest = append(acc.rest, data[:n]...)
		data = data[n:]
		if len(acc.rest) < block {
			return
		}
		acc.addBlocks(acc.rest, block)
		acc.rest = acc.rest[:0]
	}
	whole := len(data) / block * block
	acc.addBlocks(data[:whole], block)
	acc.rest = append(acc.rest, data[whole:]...)
}

// AddEmpty adds n elements of a dtype whose items have no bytes, such as "|S0". It does nothing for other dtypes.
func (acc *Accumulator) AddEmpty(n int64) {
	if acc.t.ItemSize() == 0 && n > 0 {
		acc.elems += min(n, math.MaxInt64-acc.elems)
	}
}

// Result returns the summary of the elements added so far: one Stats, or one per field for records. More elements may be
// added afterwards. If the data ends within an element the error wraps io.ErrUnexpectedEOF.
func (acc *Accumulator) Result() ([]Stats, error) {
	size := acc.t.ItemSize()
	elems, total := acc.elems, append([]tally(nil), acc.total...)
	if size > 0 {
		if cut := len(acc.rest) % size; cut > 0 {
			return nil, fmt.Errorf("stats: the data ends after %d of the %d bytes of an element: %w", cut, size, io.ErrUnexpectedEOF)
		}
		elems += int64(len(acc.rest) / size)
		part := make([]tally, len(total))
		new(scratch).block(part, acc.columns, acc.order, size, acc.rest, acc.elems)
		mergeAll(total, part)
	}
	all := make([]Stats, len(total))
	for i, c := range acc.columns {
		if c.size == 0 {
			n, ok := mul(elems, c.items)
			if !ok {
				return nil, bounded.Over("", 0, 0, "stats: %d times %d elements of no bytes are more than can be counted", elems, c.items)
			}
			total[i].count, total[i].empty = n, n
		}
		all[i] = total[i].stats(c)
		if total[i].known {
			all[i].ArgMin, all[i].ArgMax = acc.index(c, total[i].minAt), acc.index(c, total[i].maxAt)
		}
	}
	return all, nil
}

// index returns the index of an item, given its position in C order.
func (acc *Accumulator) index(c column, at int64) []int {
	if !acc.known {
		return append([]int{int(at / c.items)}, unravel(at%c.items, c.Dims)...)
	}
	return append(unravel(at/c.items, acc.shape), unravel(at%c.items, c.Dims)...)
}

// addBlocks adds whole blocks.
func (acc *Accumulator) addBlocks(data []byte, block int) {
	_ = acc.inOrder(context.Background(), len(data)/block, func(s *scratch, part []tally, i int) error { // it cannot fail
		first := acc.elems + int64(i)*int64(block/acc.t.ItemSize())
		s.block(part, acc.columns, acc.order, acc.t.ItemSize(), data[i*block:(i+1)*block], first)
		return nil
	})
	acc.elems += int64(len(data) / acc.t.ItemSize())
}

// inOrder tallies n blocks on all processors and merges the results in the order of the blocks.
func (acc *Accumulator) inOrder(ctx context.Context, n int, one func(s *scratch, part []tally, i int) error) error {
	workers := max(min(par.Workers(), n), 1)
	for len(acc.scratch) < workers {
		acc.scratch = append(acc.scratch, new(scratch))
	}
	return par.Ordered(ctx, n, workers, func(w, i int) ([]tally, error) {
		part := make([]tally, len(acc.columns))
		return part, one(acc.scratch[w], part, i)
	}, func(part []tally) { mergeAll(acc.total, part) })
}

func mergeAll(total, part []tally) {
	for i := range total {
		total[i].merge(&part[i])
	}
}
