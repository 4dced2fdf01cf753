package stats

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// A QuantileAccumulator computes the quantiles of elements that are in many places, in several passes. Each pass counts
// the elements by some bits of their values; [QuantileAccumulator.Next] ends it.
//
//	acc, err := stats.NewQuantiles(t, 0.5)
//	for more := true; more && err == nil; more, err = acc.Next() {
//		acc.Add(data) // all elements again
//	}
//	qs, err := acc.Result()
//
// In place of Add, others can count pieces of the array: send them the state of acc
// ([QuantileAccumulator.MarshalBinary]), and merge their answers with [QuantileAccumulator.Merge]. The results equal
// [QuantilesOf], exactly, whatever the division.
//
// In the first pass the memory of each field is 512 KB for each goroutine that counts, and up to 1 MB for the sums. In later
// passes it is as much for up to 32 different elements that are wanted, and 2 KB for each of more. A
// QuantileAccumulator must not be used by several goroutines at once. Add itself uses several processors, until it returns.
type QuantileAccumulator struct {
	t      dtype.Type
	qs     []float64
	fields []*selection
	rest   []byte // an incomplete element
}

// sentNumbers is the largest number of different elements that a state holds one by one, for each field.
const sentNumbers = 1 << 15

// NewQuantiles returns a QuantileAccumulator for elements of t, before its first pass. Each q is between 0 and 1. A dtype without quantiles is
// an error that wraps [errors.ErrUnsupported], and one with objects wraps [npy.ErrObjects].
func NewQuantiles(t dtype.Type, qs ...float64) (*QuantileAccumulator, error) {
	switch {
	case !t.IsValid():
		return nil, errors.New("stats: the zero Type is not a dtype")
	case t.HasObject():
		return nil, fmt.Errorf("stats: dtype %s: %w", t, npy.ErrObjects)
	}
	if err := checkQuantiles(qs); err != nil {
		return nil, err
	}
	acc := &QuantileAccumulator{t: t, qs: slices.Clone(qs), fields: selectionsOf(quantileColumns(t), t.ItemSize(), qs, sentNumbers)}
	if len(acc.fields) == 0 {
		return nil, noQuantiles(t)
	}
	return acc, nil
}

// Add counts the elements in data, in any order. data may begin and end within an element and is not retained. After the last pass it does
// nothing.
func (acc *QuantileAccumulator) Add(data []byte) {
	size := acc.t.ItemSize()
	if len(acc.rest) > 0 {
		n := min(size-len(acc.rest), len(data))
		acc.rest = append(acc.rest, data[:n]...)
		if data = data[n:]; len(acc.rest) < size {
			return
		}
		acc.add(acc.rest)
		acc.rest = acc.rest[:0]
	}
	if size == 0 { // the zero QuantileAccumulator
		return
	}
	whole := len(data) / size * size
	acc.add(data[:whole])
	acc.rest = append(acc.rest, data[whole:]...)
}

func (acc *QuantileAccumulator) add(data []byte) {
	for _, s := range acc.fields {
		s.add(data, 1)
	}
}

// complete returns an error if the data ends within an element.
func (acc *QuantileAccumulator) complete() error {
	if acc.fields == nil {
		return errors.New("stats: this QuantileAccumulator has no dtype: make it with NewQuantiles")
	}
	if cut := len(acc.rest); cut > 0 {
		return fmt.Errorf("stats: the data ends after %d of the %d bytes of an element: %w", cut, acc.t.ItemSize(), io.ErrUnexpectedEOF)
	}
	return nil
}

// Merge adds the elements that other has counted in the same pass. The order does not matter. other keeps its counts.
//
// Another dtype, other quantiles and another pass are an error, and so is data that ends within an element, which wraps
// [io.ErrUnexpectedEOF]. More elements than can be counted, about 2**62, are an error that wraps [npy.ErrLimit]. After an
// error acc is unchanged.
func (acc *QuantileAccumulator) Merge(other *QuantileAccumulator) error {
	for _, a := range []*QuantileAccumulator{acc, other} {
		if err := a.complete(); err != nil {
			return err
		}
	}
	if !acc.t.Equal(other.t) || !slices.Equal(acc.qs, other.qs) || !slices.EqualFunc(acc.fields, other.fields, (*selection).sameAs) {
		return errors.New("stats: cannot merge counts for quantiles: their dtypes, quantiles or passes differ")
	}
	for i, s := range acc.fields {
		if err := s.canMerge(other.fields[i]); err != nil {
			return err
		}
	}
	for i, s := range acc.fields {
		s.merge(other.fields[i])
	}
	return nil
}

// Next ends a pass and reports whether another is needed. Then the same elements must be counted again: others than before
// are an error if their number differs, after which acc must not be used.
func (acc *QuantileAccumulator) Next() (more bool, err error) {
	if err := acc.complete(); err != nil {
		return false, err
	}
	for _, s := range acc.fields {
		if err := s.next(); err != nil {
			return false, err
		}
		more = more || !s.done()
	}
	return more, nil
}

// Passes returns the largest number of passes that can be needed from now on, with this one: at first up to 4, and up
// to 7 for more than 16 quantiles. It is 0 after the last.
func (acc *QuantileAccumulator) Passes() (n int) {
	for _, s := range acc.fields {
		n = max(n, s.passes())
	}
	return n
}

// Result returns the quantiles: one Quantiles, or one for each field of records that has them. It is an error before the
// last pass has ended.
func (acc *QuantileAccumulator) Result() ([]Quantiles, error) {
	if err := acc.complete(); err != nil {
		return nil, err
	}
	all := make([]Quantiles, len(acc.fields))
	for i, s := range acc.fields {
		if !s.done() {
			return nil, fmt.Errorf("stats: quantiles need up to %d more passes over the elements: end each with Next", acc.Passes())
		}
		all[i] = s.quantiles()
	}
	return all, nil
}

// quantileMagic begins the bytes of a QuantileAccumulator. The last byte is the version.
const quantileMagic = "npyquan\x01"

// MarshalBinary returns the state of acc with the counts of this pass: up to some 300 KB for each field in the first
// pass, and for each different element that is wanted in later ones; some hundred bytes between passes. Data
// that ends within an element is an error that wraps [io.ErrUnexpectedEOF]. The bytes begin with a version, and do not depend on the order
// of the elements.
func (acc *QuantileAccumulator) MarshalBinary() ([]byte, error) {
	if err := acc.complete(); err != nil {
		return nil, err
	}
	out, err := appendType([]byte(quantileMagic), acc.t)
	if err != nil {
		return nil, err
	}
	out = binary.AppendUvarint(out, uint64(len(acc.qs)))
	for _, q := range acc.qs {
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(q))
	}
	for _, s := range acc.fields {
		s.fold()
		out = s.appendTo(out)
	}
	return out, nil
}

// UnmarshalBinary replaces acc by the state that MarshalBinary returned; acc may be the zero QuantileAccumulator. Other bytes
// are an error, after which acc is unchanged. Bytes from an untrusted source cannot do more harm than to give wrong
// quantiles: they allocate memory in proportion to their number, and no later call panics.
func (acc *QuantileAccumulator) UnmarshalBinary(data []byte) error {
	s := state{data: data}
	if head := s.bytes(len(quantileMagic)); string(head) != quantileMagic {
		return errors.New("stats: these are not the bytes of a QuantileAccumulator, or a later version of this package wrote them")
	}
	t, err := s.dtype()
	if err != nil {
		return err
	}
	qs := make([]float64, s.count(int64(len(s.data)/8)))
	for i := range qs {
		qs[i] = s.float()
	}
	read, err := NewQuantiles(t, qs...)
	if err != nil {
		return err
	}
	for _, f := range read.fields {
		f.parse(&s)
	}
	if s.bad || len(s.data) > 0 {
		return errState
	}
	*acc = *read
	return nil
}

// MarshalJSON returns an error: a QuantileAccumulator is an unfinished computation.
func (acc *QuantileAccumulator) MarshalJSON() ([]byte, error) {
	return nil, noJSON("a QuantileAccumulator", "marshal its Result")
}

// appendTo appends the known bits, and the counts of this pass.
func (s *selection) appendTo(dst []byte) []byte {
	numbers := func(ns ...uint64) {
		for _, n := range ns {
			dst = binary.AppendUvarint(dst, n)
		}
	}
	numbers(uint64(s.n + 1))
	if s.n > 0 {
		numbers(uint64(s.left), uint64(len(s.groups)))
		for _, g := range s.groups {
			numbers(g.prefix, uint64(g.n), uint64(g.below))
		}
	}
	if s.done() {
		return dst
	}
	for _, cs := range s.total {
		numbers(uint64(len(cs)))
		last := uint64(0)
		for _, c := range cs {
			numbers(c.digit-last, uint64(c.n))
			last = c.digit
		}
	}
	return dst
}

// parse reads the bytes of appendTo into a new selection.
func (s *selection) parse(from *state) {
	s.n = from.count(maxItems+1) - 1
	if s.n == 0 {
		s.groups, s.total, s.left = nil, nil, 0
	}
	if s.n > 0 {
		s.parseGroups(from)
	}
	if s.done() || from.bad {
		return
	}
	bits, _ := s.digit()
	for i := range s.total {
		s.total[i] = from.counts(bits)
	}
}

// parseGroups reads the groups, which must be in order and have all ranks.
func (s *selection) parseGroups(from *state) {
	s.left = int(from.count(int64(s.bits - digitBits)))
	from.check(s.left%manyBits == 0)
	ranks := s.ranks()
	s.groups = make([]group, from.count(int64(len(ranks))))
	s.total = make([]counts, len(s.groups))
	for i := range s.groups {
		g := group{prefix: from.uint(), n: from.count(s.n), below: from.count(s.n)}
		from.check(g.prefix>>(s.bits-s.left) == 0 && g.below <= s.n-g.n)
		if i > 0 {
			last := s.groups[i-1]
			from.check(g.prefix > last.prefix && g.below >= last.below+last.n)
		}
		k := 0
		for k < len(ranks) && g.below <= ranks[k] && ranks[k] < g.below+g.n {
			k++
		}
		from.check(k > 0)
		g.ranks, ranks = ranks[:k], ranks[k:]
		s.groups[i] = g
	}
	from.check(len(ranks) == 0)
}

// counts reads counts of digits of some bits.
func (s *state) counts(bits int) counts {
	cs := make(counts, s.count(int64(len(s.data)/2))) // each has two bytes or more
	last, sum := uint64(0), int64(0)
	for i := range cs {
		gap := s.uint()
		cs[i] = count{last + gap, s.count(maxItems - sum)}
		s.check(cs[i].n > 0 && (i == 0 || gap > 0) && cs[i].digit >= last && cs[i].digit>>bits == 0)
		if s.bad {
			return nil
		}
		last, sum = cs[i].digit, sum+cs[i].n
	}
	return cs
}
