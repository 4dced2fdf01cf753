package stats

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"sync"
	"sync/atomic"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
)

// An Accumulator summarises elements that come in pieces. It holds a block of them at most, of 256 KB or one element.
// It is not for several goroutines at once; Add uses all processors by itself, and only until it returns.
type Accumulator struct {
	t       dtype.Type
	leaves  []leaf
	total   []tally // one for each leaf
	rest    []byte  // the start of a block
	elems   int64
	scratch scratch
}

// blockBytes is the size of the blocks that goroutines take and whose results are merged in order.
const blockBytes = 256 << 10

// waveBlocks bounds the results that wait to be merged: so many for each goroutine.
const waveBlocks = 16

// New returns an Accumulator for elements of t. The error wraps npy.ErrObjects if there are objects in t.
func New(t dtype.Type) (*Accumulator, error) {
	switch {
	case !t.IsValid():
		return nil, fmt.Errorf("stats: the zero Type is no dtype")
	case t.HasObject():
		return nil, fmt.Errorf("stats: dtype %s: %w", t, npy.ErrObjects)
	}
	leaves := leavesOf(nil, t, "", 0, nil)
	return &Accumulator{t: t, leaves: leaves, total: make([]tally, len(leaves))}, nil
}

// Add adds the elements in data, which is bytes of a file or of an array. It may begin and end within an element.
// It keeps nothing of data. Elements of no bytes are added with AddEmpty.
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

// Result returns the summary of what was added: one Stats, or one for each field of records. More can be added then.
// If the data ended within an element the error wraps io.ErrUnexpectedEOF.
func (acc *Accumulator) Result() ([]Stats, error) {
	size := acc.t.ItemSize()
	elems, total := acc.elems, append([]tally(nil), acc.total...)
	if size > 0 {
		if cut := len(acc.rest) % size; cut > 0 {
			return nil, fmt.Errorf("stats: %d bytes of an element of %d: %w", cut, size, io.ErrUnexpectedEOF)
		}
		elems += int64(len(acc.rest) / size)
		part := make([]tally, len(total))
		acc.scratch.block(part, acc.leaves, size, acc.rest)
		mergeAll(total, part)
	}
	all := make([]Stats, len(total))
	for i, l := range acc.leaves {
		if l.size == 0 {
			n, ok := mul(elems, l.items)
			if !ok {
				return nil, fmt.Errorf("stats: %d times %d elements of no bytes are more than can be counted: %w", elems, l.items, npy.ErrLimit)
			}
			total[i].count, total[i].empty = n, n
		}
		all[i] = total[i].stats(l)
	}
	return all, nil
}

// addBlocks adds whole blocks. The results of each are merged in order, whoever came to them.
func (acc *Accumulator) addBlocks(data []byte, block int) {
	acc.elems += int64(len(data) / acc.t.ItemSize())
	workers := bulk.Workers()
	wave := workers * waveBlocks * block
	if wave/block != workers*waveBlocks {
		wave = block
	}
	for len(data) > 0 {
		n := min(wave, len(data))
		acc.addWave(data[:n], block, min(workers, n/block))
		data = data[n:]
	}
}

func (acc *Accumulator) addWave(data []byte, block, workers int) {
	_ = acc.inOrder(len(data)/block, workers, func(s *scratch, part []tally, i int) error {
		s.block(part, acc.leaves, acc.t.ItemSize(), data[i*block:(i+1)*block])
		return nil
	})
}

// inOrder has workers tally n blocks, and merges the results in order. Of an error nothing is merged.
func (acc *Accumulator) inOrder(n, workers int, one func(s *scratch, part []tally, i int) error) error {
	parts, errs := make([][]tally, n), make([]error, n)
	var next atomic.Int64
	work := func(s *scratch) {
		for {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			parts[i] = make([]tally, len(acc.leaves))
			if errs[i] = one(s, parts[i], i); errs[i] != nil {
				return
			}
		}
	}
	var wg sync.WaitGroup
	for range workers - 1 {
		wg.Go(func() { work(new(scratch)) })
	}
	work(&acc.scratch)
	wg.Wait()
	if err := cmp.Or(errs...); err != nil {
		return err
	}
	for _, part := range parts {
		mergeAll(acc.total, part)
	}
	return nil
}

func mergeAll(total, part []tally) {
	for i := range total {
		total[i].merge(&part[i])
	}
}
