package rank

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/stats/internal/items"
	"github.com/npygo/npy/stats/internal/keys"
)

// A selection finds the numbers of some ranks without sorting. A rank is the position of a number after sorting. Each
// number has a key of up to 64 bits that sorts as the number does. A pass over all numbers counts the numbers with each
// value of a few more leading bits of the wanted keys, until the numbers whose keys begin with the known bits are few.
// Then a pass counts them by all the bits that are left. Counts add up, so numbers can be counted in many places.
type selection struct {
	column items.Column
	keys.Keying
	size int       // of an element in bytes
	qs   []float64 // the quantiles, which are the wanted ranks
	most int64     // largest number of keys to hold
	few  bool      // there are at most so many numbers

	n      int64   // the number of numbers, or unknown in the first pass
	groups []group // with wanted ranks
	left   int     // key bits that are not known; 0 at the end, when all numbers of a group are equal

	total []counts // of the numbers of each group, in this pass
	mu    sync.Mutex
	find  *finder // nil before the first number
	parts [][]part
	idle  [][]part // parts that no goroutine uses
}

const (
	manyBits   = 8 // key bits per pass with more than manyGroups groups, to limit the memory of counters
	manyGroups = 32
	unknown    = -1 // number of numbers
)

var errPasses = diag.New("stats", "a pass over the elements found others than the pass before: add the same to each")

func newSelection(c items.Column, k keys.Keying, size int, qs []float64, most int64) *selection {
	return &selection{column: c, Keying: k, size: size, qs: qs, most: most, n: unknown, groups: []group{{}}, left: k.Bits, total: make([]counts, 1)}
}

// done reports whether the keys of all ranks are known.
func (s *selection) done() bool { return s.n >= 0 && s.left == 0 }

// digit returns the number of key bits that this pass resolves, and whether the numbers of all groups are few.
func (s *selection) digit() (bits int, few bool) {
	switch {
	case s.n < 0 && s.few, s.n >= 0 && numbersIn(s.groups) <= s.most:
		return s.left, true
	case len(s.groups) > manyGroups:
		return manyBits, false
	}
	return digitBits, false
}

// passes returns the largest number of passes that can follow, with this one.
func (s *selection) passes() int {
	bits, few := s.digit()
	switch {
	case s.done():
		return 0
	case few:
		return 1
	case s.n < 0 && 2*len(s.qs) > manyGroups: // as many groups are possible from the second pass on
		return 1 + (s.left-digitBits)/manyBits
	case len(s.groups) <= manyGroups && 2*len(s.qs) > manyGroups:
		return 1 + (s.left-bits)/manyBits
	}
	return s.left / bits
}

// next ends a pass.
func (s *selection) next() error {
	if s.done() {
		return nil
	}
	s.fold()
	bits, _ := s.digit()
	if s.n < 0 {
		s.n = s.total[0].sum()
		s.groups[0].n, s.groups[0].ranks = s.n, s.ranks()
	}
	var next []group
	for i, g := range s.groups {
		if s.total[i].sum() != g.n {
			return errPasses
		}
		next = append(next, g.split(s.total[i], bits)...)
	}
	if s.left -= bits; s.n == 0 {
		s.left = 0
	}
	s.groups, s.total, s.find = next, make([]counts, len(next)), nil
	return nil
}

// place returns the rank of the number at or below a quantile, and the share of the way to the next.
func (s *selection) place(q float64) (rank int64, share float64) {
	place := float64(s.n-1) * q
	return min(int64(place), s.n-1), place - math.Floor(place)
}

// ranks returns the wanted ranks in order.
func (s *selection) ranks() []int64 {
	if s.n == 0 {
		return nil
	}
	var ranks []int64
	for _, q := range s.qs {
		rank, _ := s.place(q)
		ranks = append(ranks, rank, min(rank+1, s.n-1))
	}
	slices.Sort(ranks)
	return slices.Compact(ranks)
}

// key returns the key of the number of a wanted rank.
func (s *selection) key(rank int64) uint64 {
	i, found := slices.BinarySearchFunc(s.groups, rank, func(g group, rank int64) int { return cmp.Compare(g.below, rank) })
	if !found {
		i-- // the last group that begins before the rank
	}
	return s.groups[i].prefix
}

// Quantiles are the values at some quantiles of one column: a *big.Int, a float64, the text of a time, or nil if there is none.
type Quantiles struct {
	Field  string
	Values []any
}

// quantiles returns the quantiles, when the selection is done.
func (s *selection) quantiles() Quantiles {
	out := Quantiles{s.column.Name, make([]any, len(s.qs))}
	for i, q := range s.qs {
		if s.n > 0 {
			rank, share := s.place(q)
			out.Values[i] = s.At(s.key(rank), s.key(min(rank+1, s.n-1)), share)
		} else if elem.KindOf(s.column.DType) == dtype.KindFloat {
			out.Values[i] = math.NaN()
		}
	}
	return out
}
