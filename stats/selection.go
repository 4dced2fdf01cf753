package stats

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/npygo/npy/internal/par"
)

// A selection finds the numbers of given ranks, the places that they would have if all were sorted, without sorting. Each
// number has a key of 64 bits by which it compares. A pass over all of them teaches a few more leading bits of the keys
// that are looked for, until all numbers that begin with these bits can be held.
type selection struct {
	size  int // of an element in bytes
	reals reals
	each  passes
	most  int64 // numbers to hold
}

// A group is the numbers whose keys begin with the same bits.
type group struct {
	prefix uint64  // the bits, at the right
	n      int64   // numbers
	below  int64   // numbers with smaller keys
	ranks  []int64 // of those that are looked for
}

const (
	digitBits  = 16 // that a pass teaches,
	manyBits   = 8  // or with so many groups, for counters take memory:
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

// find returns the numbers of some ranks, given in order. The first digit of all has been counted.
func (s *selection) find(first []int64, ranks []int64) (map[int64]float64, error) {
	groups, left := group{ranks: ranks}.split(first), 64-digitBits
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
	values := map[int64]float64{}
	if left == 0 { // all of a group are the same number
		for _, g := range groups {
			for _, rank := range g.ranks {
				values[rank] = numberOf(g.prefix)
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
			values[rank] = numberOf(held[i][rank-g.below])
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

// split returns the groups by the next digit, given how often each digit is there, as far as they have ranks.
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

// count counts, in each group, the numbers by their next digit. All bits but so many are known before.
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

// pass calls add for the key of each number in a group, with what is collected of the group. There is such a collection
// for each of several goroutines.
func pass[C any](s *selection, groups []group, left int, add func(c *C, key uint64)) (all [][]C, err error) {
	find := newFinder(groups, left)
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
				items := data[low*s.size : min(low+chunkItems, high)*s.size]
				for _, x := range s.reals(&memory, items) {
					if x != x {
						continue
					}
					key := keyOf(x)
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

// A finder tells which group a key is in. Most are in none, which the first digit says.
type finder struct {
	left  int
	first []int32 // of each first digit the only group, or none, or several
	index map[uint64]int32
}

const (
	noGroup       = -1
	severalGroups = -2
)

func newFinder(groups []group, left int) finder {
	f := finder{left: left, index: map[uint64]int32{}}
	if left == 64 {
		return f
	}
	f.first = slices.Repeat([]int32{noGroup}, 1<<digitBits)
	for i, g := range groups {
		f.index[g.prefix] = int32(i)
		digit := &f.first[g.prefix>>(64-digitBits-left)]
		if *digit == noGroup && left == 64-digitBits {
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
	i := f.first[key>>(64-digitBits)]
	if i != severalGroups {
		return i
	}
	if i, ok := f.index[key>>f.left]; ok {
		return i
	}
	return noGroup
}
