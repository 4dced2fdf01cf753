package stats

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/par"
)

// A selection finds the numbers of some ranks without sorting. A rank is the position of a number after sorting. Each
// number has a key of up to 64 bits that sorts as the number does. A pass over all numbers counts the numbers with each
// value of a few more leading bits of the wanted keys, until the numbers whose keys begin with the known bits are few.
// Then a pass counts them by all the bits that are left. Counts add up, so numbers can be counted in many places.
type selection struct {
	column column
	keying
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

// A group is the numbers whose keys begin with the same bits.
type group struct {
	prefix uint64  // the bits, right-aligned
	n      int64   // number of elements
	below  int64   // number of elements with smaller keys
	ranks  []int64 // wanted ranks
}

// counts are the numbers of a group with each value of the next key bits, in order of the bits, without zero counts.
type counts []count

type count struct {
	digit uint64
	n     int64
}

// A part has the findings of one goroutine in a group: counts by digit, or all digits one by one.
type part struct {
	dense  []int64
	digits []uint64
}

const (
	digitBits  = 16 // key bits resolved in one pass
	manyBits   = 8  // key bits per pass with more than manyGroups groups, to limit the memory of counters
	manyGroups = 32
	unknown    = -1 // number of numbers
)

var errPasses = errors.New("stats: a pass over the elements found others than the pass before: add the same to each")

func newSelection(c column, k keying, size int, qs []float64, most int64) *selection {
	return &selection{column: c, keying: k, size: size, qs: qs, most: most, n: unknown, groups: []group{{}}, left: k.bits, total: make([]counts, 1)}
}

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

// done reports whether the keys of all ranks are known.
func (s *selection) done() bool { return s.n >= 0 && s.left == 0 }

// digit returns the number of key bits that this pass resolves, and whether the numbers of all groups are few.
func (s *selection) digit() (bits int, few bool) {
	switch {
	case s.n < 0 && s.few, s.n >= 0 && size(s.groups) <= s.most:
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

func size(groups []group) (n int64) {
	for _, g := range groups {
		n += g.n
	}
	return n
}

// add counts the numbers of whole elements, each so many times.
func (s *selection) add(data []byte, times int64) {
	if s.done() {
		return
	}
	if s.find == nil {
		s.find = newFinder(s.groups, s.left, s.bits)
	}
	bits, few := s.digit()
	if times > 1 {
		s.addTimes(data, bits, times)
		return
	}
	shift, mask := s.left-bits, uint64(1)<<bits-1
	find := *s.find // locals are faster
	_ = par.Split(context.Background(), len(data)/s.size, chunkItems, len(data), func(low, high int) error {
		memory := scratches.Get().(*scratch)
		defer scratches.Put(memory)
		parts := s.take()
		for ; low < high; low += chunkItems {
			n := min(chunkItems, high-low)
			items := s.column.Items(&memory.items, data[low*s.size:(low+n)*s.size], n, s.size)
			keys := s.keys(memory, items)
			if few {
				for _, key := range keys {
					if i := find.group(key); i >= 0 {
						parts[i].digits = append(parts[i].digits, key&mask)
					}
				}
				continue
			}
			for _, key := range keys {
				if i := find.group(key); i >= 0 {
					p := &parts[i]
					if p.dense == nil {
						p.dense = make([]int64, 1<<bits)
					}
					p.dense[key>>shift&mask]++
				}
			}
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.idle = append(s.idle, parts)
		return nil
	})
}

// addTimes adds the numbers of whole elements to the totals, each so many times, by the next bits of their keys.
func (s *selection) addTimes(data []byte, bits int, times int64) {
	var memory scratch
	n := len(data) / s.size
	for _, key := range s.keys(&memory, s.column.Items(&memory.items, data, n, s.size)) {
		if i := s.find.group(key); i >= 0 {
			s.total[i] = s.total[i].plus(counts{{key >> (s.left - bits) & (1<<bits - 1), times}})
		}
	}
}

// take returns the parts of a goroutine, one for each group.
func (s *selection) take() []part {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.idle) == 0 {
		s.parts = append(s.parts, make([]part, len(s.groups)))
		return s.parts[len(s.parts)-1]
	}
	last := len(s.idle) - 1
	parts := s.idle[last]
	s.idle = s.idle[:last]
	return parts
}

// fold moves the parts of goroutines to the total.
func (s *selection) fold() {
	for i := range s.groups {
		var digits []uint64
		for _, p := range s.parts {
			s.total[i] = s.total[i].plus(countsOf(p[i].dense))
			digits = append(digits, p[i].digits...)
			p[i] = part{}
		}
		s.total[i] = s.total[i].plus(countsOfDigits(digits))
	}
	s.parts, s.idle = nil, nil
}

// countsOf returns counts without zeros.
func countsOf(dense []int64) (cs counts) {
	for digit, n := range dense {
		if n > 0 {
			cs = append(cs, count{uint64(digit), n})
		}
	}
	return cs
}

// countsOfDigits counts digits, which it sorts.
func countsOfDigits(digits []uint64) counts {
	slices.Sort(digits)
	different := 0
	for i, digit := range digits {
		if i == 0 || digit != digits[i-1] {
			different++
		}
	}
	cs := make(counts, 0, different)
	for i, digit := range digits {
		if i == 0 || digit != digits[i-1] {
			cs = append(cs, count{digit, 0})
		}
		cs[len(cs)-1].n++
	}
	return cs
}

// plus returns the sums of counts.
func (cs counts) plus(other counts) counts {
	if len(cs) == 0 || len(other) == 0 {
		return append(cs, other...)
	}
	sums := make(counts, 0, max(len(cs), len(other)))
	for len(cs) > 0 && len(other) > 0 {
		switch cmp.Compare(cs[0].digit, other[0].digit) {
		case -1:
			sums, cs = append(sums, cs[0]), cs[1:]
		case 1:
			sums, other = append(sums, other[0]), other[1:]
		default:
			sums = append(sums, count{cs[0].digit, cs[0].n + other[0].n})
			cs, other = cs[1:], other[1:]
		}
	}
	return append(append(sums, cs...), other...)
}

// sum returns the number of all. It is at most maxItems.
func (cs counts) sum() (n int64) {
	for _, c := range cs {
		n += c.n
	}
	return n
}

// sameAs reports whether other is in the same pass over the same numbers.
func (s *selection) sameAs(other *selection) bool {
	return s.n == other.n && s.left == other.left && slices.EqualFunc(s.groups, other.groups, func(a, b group) bool {
		return a.prefix == b.prefix && a.n == b.n && a.below == b.below
	})
}

// canMerge returns an error if there are too many numbers in both.
func (s *selection) canMerge(other *selection) error {
	s.fold()
	other.fold()
	for i := range s.groups {
		if a, b := s.total[i].sum(), other.total[i].sum(); a > maxItems-b {
			return bounded.Over("", 0, 0, "stats: %d and %d elements are more than can be counted", a, b)
		}
	}
	return nil
}

// merge adds the counts of other, which canMerge allows.
func (s *selection) merge(other *selection) {
	for i := range s.groups {
		s.total[i] = s.total[i].plus(other.total[i])
	}
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

// split splits the group by the next bits, given their counts, and returns the groups that contain ranks.
func (g group) split(cs counts, bits int) (out []group) {
	below, ranks := g.below, g.ranks
	for _, c := range cs {
		k := 0
		for k < len(ranks) && ranks[k] < below+c.n {
			k++
		}
		if k > 0 {
			out = append(out, group{g.prefix<<bits | c.digit, c.n, below, ranks[:k]})
		}
		below, ranks = below+c.n, ranks[k:]
	}
	return out
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

func newFinder(groups []group, left, bits int) *finder {
	f := &finder{left: left, bits: bits, index: map[uint64]int32{}}
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
