package rank

import (
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/stats/internal/feed"
	"github.com/npygo/npy/stats/internal/state"
)

// An Accumulator computes quantiles in several passes over elements that arrive in pieces.
type Accumulator struct {
	t        dtype.Type
	qs       []float64
	fields   []*selection
	elements feed.Cutter
}

// sentNumbers is the largest number of different elements that a state holds one by one, for each field.
const sentNumbers = 1 << 15

// New returns an Accumulator for elements of t, before its first pass.
func New(t dtype.Type, qs ...float64) (Accumulator, error) {
	switch {
	case !t.IsValid():
		return Accumulator{}, diag.New("stats", "the zero Type is not a dtype")
	case t.HasObject():
		return Accumulator{}, diag.Errorf("stats", "dtype %s: %w", t, npy.ErrObjects)
	}
	if err := checkQuantiles(qs); err != nil {
		return Accumulator{}, err
	}
	acc := Accumulator{t: t, qs: slices.Clone(qs), fields: selectionsOf(quantileColumns(t), t.ItemSize(), qs, sentNumbers)}
	if len(acc.fields) == 0 {
		return Accumulator{}, noQuantiles(t)
	}
	return acc, nil
}

// Add counts the elements in data, which may begin and end within an element and is not retained.
func (acc *Accumulator) Add(data []byte) {
	if acc.fields == nil {
		return
	}
	acc.elements.Cut(data, acc.t.ItemSize(), func(data []byte) {
		for _, s := range acc.fields {
			s.add(data, 1)
		}
	})
}

// complete returns an error if the data ends within an element.
func (acc *Accumulator) complete() error {
	if acc.fields == nil {
		return diag.New("stats", "this QuantileAccumulator has no dtype: make it with NewQuantiles")
	}
	_, err := acc.elements.Elements(acc.t.ItemSize())
	return err
}

// Merge adds the elements that other has counted in the same pass. other keeps its counts. After an error acc is unchanged.
func (acc *Accumulator) Merge(other *Accumulator) error {
	for _, a := range []*Accumulator{acc, other} {
		if err := a.complete(); err != nil {
			return err
		}
	}
	if !acc.t.Equal(other.t) || !slices.Equal(acc.qs, other.qs) || !slices.EqualFunc(acc.fields, other.fields, (*selection).sameAs) {
		return diag.New("stats", "cannot merge counts for quantiles: their dtypes, quantiles or passes differ")
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

// Next ends a pass and reports whether another is needed.
func (acc *Accumulator) Next() (more bool, err error) {
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

// Passes returns the largest number of passes that can be needed from now on, with this one.
func (acc *Accumulator) Passes() (n int) {
	for _, s := range acc.fields {
		n = max(n, s.passes())
	}
	return n
}

// Result returns the quantiles. It is an error before the last pass has ended.
func (acc *Accumulator) Result() ([]Quantiles, error) {
	if err := acc.complete(); err != nil {
		return nil, err
	}
	all := make([]Quantiles, len(acc.fields))
	for i, s := range acc.fields {
		if !s.done() {
			return nil, diag.Errorf("stats", "quantiles need up to %d more passes over the elements: end each with Next", acc.Passes())
		}
		all[i] = s.quantiles()
	}
	return all, nil
}

// magic begins the bytes of a QuantileAccumulator. The last byte is the version.
const magic = "npyquan\x01"

// MarshalBinary returns the state of acc with the counts of this pass.
func (acc *Accumulator) MarshalBinary() ([]byte, error) {
	if err := acc.complete(); err != nil {
		return nil, err
	}
	out, err := state.Begin(magic, acc.t)
	if err != nil {
		return nil, err
	}
	out = state.AppendFloats(state.AppendCounts(out, int64(len(acc.qs))), acc.qs...)
	for _, s := range acc.fields {
		s.fold()
		out = s.appendTo(out)
	}
	return out, nil
}

// UnmarshalBinary replaces acc by the state that MarshalBinary returned. Other bytes are an error, after which acc is unchanged.
func (acc *Accumulator) UnmarshalBinary(data []byte) error {
	r, t, err := state.Open(data, magic, "a QuantileAccumulator")
	if err != nil {
		return err
	}
	qs := make([]float64, r.Count(int64(r.Len()/8)))
	for i := range qs {
		qs[i] = r.Float()
	}
	read, err := New(t, qs...)
	if err != nil {
		return err
	}
	for _, f := range read.fields {
		f.parse(r)
	}
	if err := r.End(); err != nil {
		return err
	}
	*acc = read
	return nil
}
