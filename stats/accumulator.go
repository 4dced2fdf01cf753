package stats

import (
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/par"
)

// An Accumulator summarises elements that arrive in pieces. It holds at most one block: 256 KB, or one element if that
// is larger. Accumulators of pieces of an array can be sent to other machines and merged, with the result of one for the
// whole array; see [Accumulator.Merge]. It must not be used by several goroutines at once. Add itself uses all processors, until it returns.
type Accumulator struct {
	t       dtype.Type
	columns []column
	shape   []int      // of the array, if known is set
	known   bool       // the shape is known
	order   *order     // of the array, if it is not C order
	total   []total    // one per column
	rest    []byte     // an incomplete block
	next    int64      // the position of the first element of rest
	elems   int64      // in total, or of no bytes
	scratch []*scratch // one per goroutine
}

// blockBytes is the size of a block, the unit of work of a goroutine.
const blockBytes = 256 << 10

// BlockElements returns the number of elements of t in a block of an [Accumulator]: as many as fit in 256 KB, at least
// one. Pieces of an array that begin at multiples of it have the same blocks as the whole array, see
// [Accumulator.Merge].
func BlockElements(t dtype.Type) int {
	return max(blockBytes/max(t.ItemSize(), 1), 1)
}

// New returns an Accumulator for elements of t. If t contains objects the error wraps npy.ErrObjects.
func New(t dtype.Type) (*Accumulator, error) {
	switch {
	case !t.IsValid():
		return nil, fmt.Errorf("stats: the zero Type is not a dtype")
	case t.HasObject():
		return nil, fmt.Errorf("stats: dtype %s: %w", t, npy.ErrObjects)
	}
	columns := columnsOf(t)
	return &Accumulator{t: t, columns: columns, total: make([]total, len(columns))}, nil
}

// Add adds the elements in data, the bytes of a file or an array. data may begin and end within an element and is not
// retained. Elements of no bytes must be added with AddEmpty.
func (acc *Accumulator) Add(data []byte) {
	size := acc.t.ItemSize()
	if size == 0 {
		return
	}
	block := BlockElements(acc.t) * size
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
	elems, err := acc.elements()
	if err != nil {
		return nil, err
	}
	all := make([]Stats, len(acc.columns))
	for i, total := range acc.totals() {
		c := acc.columns[i]
		if c.size == 0 {
			n, ok := mul(elems, c.items)
			if !ok {
				return nil, bounded.Over("", 0, 0, "stats: %d times %d elements of no bytes are more than can be counted", elems, c.items)
			}
			total.count, total.empty = n, n
		}
		all[i] = total.stats(c)
		if total.known {
			all[i].ArgMin, all[i].ArgMax = acc.index(c, total.minAt), acc.index(c, total.maxAt)
		}
	}
	return all, nil
}

// elements returns the number of elements, including the incomplete block.
func (acc *Accumulator) elements() (int64, error) {
	if len(acc.rest) == 0 {
		return acc.elems, nil
	}
	size := acc.t.ItemSize()
	if cut := len(acc.rest) % size; cut > 0 {
		return 0, fmt.Errorf("stats: the data ends after %d of the %d bytes of an element: %w", cut, size, io.ErrUnexpectedEOF)
	}
	return acc.elems + int64(len(acc.rest)/size), nil
}

// totals yields a copy of the total of each column, including the incomplete block.
func (acc *Accumulator) totals() iter.Seq2[int, total] {
	return func(yield func(int, total) bool) {
		var s scratch
		for i, c := range acc.columns {
			sum := acc.total[i].clone()
			if len(acc.rest) > 0 {
				part := s.tallyOf(c, acc.order, acc.t.ItemSize(), acc.rest, acc.next)
				sum.add(&part)
			}
			if !yield(i, sum) {
				return
			}
		}
	}
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
	_ = acc.eachOf(context.Background(), len(data)/block, block, func(_ *scratch, i int) ([]byte, error) { // it cannot fail
		return data[i*block : (i+1)*block], nil
	})
}

// eachOf adds n whole blocks on all processors. read returns the bytes of a block.
func (acc *Accumulator) eachOf(ctx context.Context, n, block int, read func(s *scratch, i int) ([]byte, error)) error {
	workers := max(min(par.Workers(), n), 1)
	for len(acc.scratch) < workers {
		acc.scratch = append(acc.scratch, new(scratch))
	}
	size := acc.t.ItemSize()
	first, each := acc.next, int64(block/size)
	acc.next += int64(n) * each
	acc.elems += int64(n) * each
	var mu sync.Mutex
	return par.Each(ctx, n, workers, func(w, i int) error {
		s := acc.scratch[w]
		data, err := read(s, i)
		if err != nil {
			return err
		}
		for k, c := range acc.columns {
			part := s.tallyOf(c, acc.order, size, data, first+int64(i)*each)
			mu.Lock()
			acc.total[k].add(&part)
			mu.Unlock()
		}
		return nil
	})
}
