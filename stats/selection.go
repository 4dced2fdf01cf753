package stats

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/npygo/npy/internal/par"
)

// A selection finds the numbers of given ranks without sorting. A rank is the position of a number after sorting. Each
// number has a key of up to 64 bits that sorts as the number does. A pass over all numbers resolves a few more leading bits of the
// wanted keys, until all numbers whose keys begin with the known bits can be held in memory.
type selection struct {
	column column
	keying
	size int // of an element in bytes
	each passes
	most int64 // largest number of items to hold
}

// A group is the numbers whose keys begin with the same bits.
type group struct {
	prefix uint64  // the bits, right-aligned
	n      int64   // number of elements
	below  int64   // number of elements with smaller keys
	ranks  []int64 // wanted ranks
}

const (
	digitBits  = 16 // key bits resolved in one pass
	manyBits   = 8  // key bits per pass with more than manyGroups groups, to limit the memory of counters
	manyGroups = 32
)

// keyOf returns the key of a number that is not NaN.
func keyOf(x float64) uint64 {
	bits := math.Float64bits(x)
	if bits&topBit != 0 {
		return ^bits
	}
	return bits | topBit
}

func numberOf(key uint64) float64 {
	if key&topBit != 0 {
		return math.Float64frombits(key &^ topBit)
	}
	return math.Float64frombits(^key)
}

// find returns the keys at some ranks, which must be in order. first holds the counts of the first digit.
func (s *selection) find(first []int64, ranks []int64) (map[int64]uint64, error) {
	groups, left := group{ranks: ranks}.split(first), s.bits-digitBits
	for left > 0 && size(groups) > s.most {
		bits := digitBits
		if len(groups) > manyGroups {
			bits = manyBits
		}
		counts, err := s.count(groups, left, bits)
		if err != nil {
			return nil, err
		}
		var next []group
		for i, g := range groups {
			next = append(next, g.split(counts[i])...)
		}
		groups, left = next, left-bits
	}
	values := map[int64]uint64{}
	if left == 0 { // all numbers of a group are equal
		for _, g := range groups {
			for _, rank := range g.ranks {
				values[rank] = g.prefix
			}
		}
		return values, nil
	}
	held, err := s.hold(groups, left)
	if err != nil {
		return nil, err
	}
	for i, g := range groups {
		slices.Sort(held[i])
		for _, rank := range g.ranks {
			values[rank] = held[i][rank-g.below]
		}
	}
	return values, nil
}

func size(groups []group) (n int64) {
	for _, g := range groups {
		n += g.n
	}
	return n
}

// split splits the group by the next digit, given the counts of that digit, and returns the groups that contain ranks.
func (g group) split(counts []int64) (out []group) {
	below, ranks := g.below, g.ranks
	for digit, n := range counts {
		k := 0
		for k < len(ranks) && ranks[k] < below+n {
			k++
		}
		if k > 0 {
			prefix := g.prefix*uint64(len(counts)) + uint64(digit)
			out = append(out, group{prefix, n, below, ranks[:k]})
		}
		below, ranks = below+n, ranks[k:]
	}
	return out
}

// count counts the numbers of each group by their next digit. All but the last left key bits are known.
func (s *selection) count(groups []group, left, bits int) ([][]int64, error) {
	all, err := pass(s, groups, left, func(counts *[]int64, key uint64) {
		if *counts == nil {
			*counts = make([]int64, 1<<bits)
		}
		(*counts)[key>>(left-bits)&(1<<bits-1)]++
	})
	total := make([][]int64, len(groups))
	for i := range total {
		total[i] = make([]int64, 1<<bits)
		for _, part := range all {
			for digit, n := range part[i] {
				total[i][digit] += n
			}
		}
	}
	return total, err
}

// hold returns the keys of all numbers in each group.
func (s *selection) hold(groups []group, left int) ([][]uint64, error) {
	all, err := pass(s, groups, left, func(keys *[]uint64, key uint64) { *keys = append(*keys, key) })
	total := make([][]uint64, len(groups))
	for i := range total {
		for _, part := range all {
			total[i] = append(total[i], part[i]...)
		}
	}
	return total, err
}

// pass calls add for the key of each number in a group, with the collection of that group. Each of several goroutines
// has its own collections.
func pass[C any](s *selection, groups []group, left int, add func(c *C, key uint64)) (all [][]C, err error) {
	find := newFinder(groups, left, s.bits)
	var mu sync.Mutex
	var idle [][]C
	take := func() []C {
		mu.Lock()
		defer mu.Unlock()
		if len(idle) == 0 {
			c := make([]C, len(groups))
			all = append(all, c)
			return c
		}
		c := idle[len(idle)-1]
		idle = idle[:len(idle)-1]
		return c
	}
	err = s.each(func(data []byte) {
		_ = par.Split(context.Background(), len(data)/s.size, chunkItems, len(data), func(low, high int) error {
			var memory scratch
			c := take()
			for ; low < high; low += chunkItems {
				n := min(chunkItems, high-low)
				items := s.column.Items(&memory.items, data[low*s.size:(low+n)*s.size], n, s.size)
				for _, key := range s.keys(&memory, items) {
					if i := find.group(key); i >= 0 {
						add(&c[i], key)
					}
				}
			}
			mu.Lock()
			idle = append(idle, c)
			mu.Unlock()
			return nil
		})
	})
	return all, err
}

// A finder returns the group of a key. Most keys are in no group, which the first digit already tells.
type finder struct {
	left  int
	bits  int     // of a key
	first []int32 // for each first digit its only group, or none, or several
	index map[uint64]int32
}

const (
	noGroup       = -1
	severalGroups = -2
)

func newFinder(groups []group, left, bits int) finder {
	f := finder{left: left, bits: bits, index: map[uint64]int32{}}
	if left == bits {
		return f
	}
	f.first = slices.Repeat([]int32{noGroup}, 1<<digitBits)
	for i, g := range groups {
		f.index[g.prefix] = int32(i)
		digit := &f.first[g.prefix>>(bits-digitBits-left)]
		if *digit == noGroup && left == bits-digitBits {
			*digit = int32(i)
		} else {
			*digit = severalGroups
		}
	}
	return f
}

func (f finder) group(key uint64) int32 {
	if f.first == nil {
		return 0
	}
	i := f.first[key>>(f.bits-digitBits)]
	if i != severalGroups {
		return i
	}
	if i, ok := f.index[key>>f.left]; ok {
		return i
	}
	return noGroup
}
