package order

import (
	"context"
	"math/bits"
	"slices"

	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/par"
)

// Keys are sorted by their bits, from the highest that differs: a range is cut by eight bits into up to 256 ranges, which
// are then sorted alone. Every step keeps the order of equal keys. Ranges move between two arrays, from one to the other
// at each step.

const (
	radixBits = 8
	radixSize = 1 << radixBits
	smallSort = 16      // keys from which a range is cut: fewer are sorted by insertion
	bigSort   = 1 << 17 // keys from which all goroutines cut one range together
)

// A keyTable holds a word of the sort keys of rows, and the numbers of the rows.
type keyTable struct {
	keys, tempKeys []uint64
	rows, tempRows []uint32 // nil if the keys alone are sorted
}

// tableRow is the memory for a row, in bytes.
const tableRow = 24

func newKeyTable(n int, rows bool) *keyTable {
	t := &keyTable{keys: bulk.MakeFill[uint64](n), tempKeys: bulk.MakeFill[uint64](n)}
	if rows {
		t.rows, t.tempRows = bulk.MakeFill[uint32](n), bulk.MakeFill[uint32](n)
	}
	return t
}

// first returns the table of the first n rows.
func (t *keyTable) first(n int) *keyTable {
	u := &keyTable{keys: t.keys[:n], tempKeys: t.tempKeys[:n]}
	if t.rows != nil {
		u.rows, u.tempRows = t.rows[:n], t.tempRows[:n]
	}
	return u
}

// A keyRange is a range of keys that follow each other, in the first or in the second array.
type keyRange struct {
	low, high int
	temp      bool
}

// sort sorts the keys from low up to, but not including, high.
func (t *keyTable) sort(ctx context.Context, low, high int) error {
	workers := par.Workers()
	big, small := []keyRange{{low: low, high: high}}, []keyRange(nil)
	for len(big) > 0 {
		r := big[len(big)-1]
		big = big[:len(big)-1]
		if workers == 1 || r.high-r.low < bigSort {
			small = append(small, r)
			continue
		}
		parts, err := t.cutTogether(ctx, r, workers)
		if err != nil {
			return err
		}
		big = append(big, parts...)
	}
	slices.SortFunc(small, func(a, b keyRange) int { return (b.high - b.low) - (a.high - a.low) })
	return par.Each(ctx, len(small), workers, func(_, i int) error {
		t.sortAlone(small[i])
		return ctx.Err()
	})
}

// sortAlone sorts a range on one goroutine.
func (t *keyTable) sortAlone(r keyRange) {
	keys, rows := t.side(r.temp)
	if r.high-r.low <= smallSort {
		insertionSort(keys[r.low:r.high], part32(rows, r.low, r.high))
		t.home(r)
		return
	}
	differ := differing(keys[r.low:r.high])
	if differ == 0 {
		t.home(r)
		return
	}
	width := min(max(bits.Len(uint(r.high-r.low))-2, 3), radixBits) // few keys do not pay for many ranges
	shift := shiftOf(differ, width)
	var next [radixSize]int
	for _, k := range keys[r.low:r.high] {
		next[k>>shift%radixSize]++
	}
	at := r.low
	base := int(keys[r.low] >> shift % radixSize >> width << width) // the bits above are equal
	digits := next[base : base+1<<width]
	for d, n := range digits {
		digits[d] = at
		at += n
	}
	t.scatter(r, r.low, r.high, shift, &next)
	at = r.low
	for _, end := range digits {
		if end > at {
			t.sortAlone(keyRange{at, end, !r.temp})
		}
		at = end
	}
}

// cutTogether cuts a range on several goroutines.
func (t *keyTable) cutTogether(ctx context.Context, r keyRange, workers int) ([]keyRange, error) {
	keys, _ := t.side(r.temp)
	n := r.high - r.low
	bound := func(w int) int { return r.low + int(int64(n)*int64(w)/int64(workers)) }
	differ := make([]uint64, workers)
	err := par.Each(ctx, workers, workers, func(_, w int) error {
		x, first := uint64(0), keys[r.low]
		for _, k := range keys[bound(w):bound(w+1)] {
			x |= k ^ first
		}
		differ[w] = x
		return nil
	})
	all := uint64(0)
	for _, x := range differ {
		all |= x
	}
	if err != nil || all == 0 {
		t.home(r)
		return nil, err
	}
	shift := shiftOf(all, radixBits)
	next := make([][radixSize]int, workers)
	err = par.Each(ctx, workers, workers, func(_, w int) error {
		count := &next[w]
		for _, k := range keys[bound(w):bound(w+1)] {
			count[k>>shift%radixSize]++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var parts []keyRange
	at := r.low
	for d := range radixSize {
		start := at
		for w := range workers {
			n := next[w][d]
			next[w][d] = at
			at += n
		}
		if at > start {
			parts = append(parts, keyRange{start, at, !r.temp})
		}
	}
	return parts, par.Each(ctx, workers, workers, func(_, w int) error {
		t.scatter(r, bound(w), bound(w+1), shift, &next[w])
		return nil
	})
}

// scatter moves part of a range to the other array. next has the place of the next key for each digit.
func (t *keyTable) scatter(r keyRange, low, high int, shift uint, next *[radixSize]int) {
	keys, rows := t.side(r.temp)
	toKeys, toRows := t.side(!r.temp)
	if rows == nil {
		for _, k := range keys[low:high] {
			d := k >> shift % radixSize
			toKeys[next[d]] = k
			next[d]++
		}
		return
	}
	rows = rows[low:high]
	for i, k := range keys[low:high] {
		d := k >> shift % radixSize
		at := next[d]
		toKeys[at], toRows[at] = k, rows[i]
		next[d] = at + 1
	}
}

// home moves a sorted range to the first array.
func (t *keyTable) home(r keyRange) {
	if r.temp {
		copy(t.keys[r.low:r.high], t.tempKeys[r.low:r.high])
		if t.rows != nil {
			copy(t.rows[r.low:r.high], t.tempRows[r.low:r.high])
		}
	}
}

func (t *keyTable) side(temp bool) ([]uint64, []uint32) {
	if temp {
		return t.tempKeys, t.tempRows
	}
	return t.keys, t.rows
}

// differing returns the bits in which keys differ.
func differing(keys []uint64) uint64 {
	differ, first := uint64(0), keys[0]
	for _, k := range keys {
		differ |= k ^ first
	}
	return differ
}

// shiftOf returns the shift of the highest width bits, given the bits in which keys differ.
func shiftOf(differ uint64, width int) uint { return uint(max(bits.Len64(differ)-width, 0)) }

func part32(rows []uint32, low, high int) []uint32 {
	if rows == nil {
		return nil
	}
	return rows[low:high]
}

// insertionSort sorts few keys.
func insertionSort(keys []uint64, rows []uint32) {
	for i := 1; i < len(keys); i++ {
		k := keys[i]
		j := i
		for ; j > 0 && keys[j-1] > k; j-- {
			keys[j] = keys[j-1]
		}
		if j == i {
			continue
		}
		keys[j] = k
		if rows != nil {
			row := rows[i]
			copy(rows[j+1:i+1], rows[j:i])
			rows[j] = row
		}
	}
}

// fillUnit is the number of rows whose keys are made, or that are copied, at a time.
const fillUnit = 1 << 14

// equals yields the ranges of two or more equal keys.
func (t *keyTable) equals(low, high int) func(yield func(keyRange) bool) {
	return func(yield func(keyRange) bool) {
		for low < high {
			key, end := t.keys[low], low+1
			for end < high && t.keys[end] == key {
				end++
			}
			if end-low > 1 && !yield(keyRange{low: low, high: end}) {
				return
			}
			low = end
		}
	}
}
