package tally

import "github.com/npygo/npy/internal/moments"

// A Total is the summary of the items of one column in any number of blocks. It depends on the blocks alone, not on the
// order or the groups in which they were added.
type Total struct {
	Facts
	re, im *moments.Sums // of floats; complex numbers have both; nil without numbers
}

// Add adds the summary of a block.
func (t *Total) Add(o *Tally) {
	t.Facts.merge(&o.Facts)
	t.re = addReals(t.re, &o.Re)
	t.im = addReals(t.im, &o.Im)
}

// AddTimes adds the summary of n blocks with the same elements, of which o is the first.
func (t *Total) AddTimes(o *Tally, n int64) {
	var all Total
	all.Add(o)
	all.Facts.repeat(n)
	for _, s := range []*moments.Sums{all.re, all.im} {
		if s != nil {
			s.Repeat(n)
		}
	}
	t.Merge(&all)
}

// Merge adds another total.
func (t *Total) Merge(o *Total) {
	t.Facts.merge(&o.Facts)
	t.re = mergeSums(t.re, o.re)
	t.im = mergeSums(t.im, o.im)
}

// Clone returns a total that shares nothing with t.
func (t *Total) Clone() Total {
	return Total{t.Facts, cloneSums(t.re), cloneSums(t.im)}
}

// addReals adds the moments of a block to s, which may be nil, and returns the result.
func addReals(s *moments.Sums, m *Reals) *moments.Sums {
	if m.N+m.PosInf+m.NegInf == 0 {
		return s
	}
	if s == nil {
		s = new(moments.Sums)
	}
	s.Add(&m.Cell, m.PosInf, m.NegInf)
	return s
}

// mergeSums adds o to s and returns the result. Both may be nil.
func mergeSums(s, o *moments.Sums) *moments.Sums {
	switch {
	case o == nil:
		return s
	case s == nil:
		return cloneSums(o)
	}
	s.Merge(o)
	return s
}

func cloneSums(s *moments.Sums) *moments.Sums {
	if s == nil {
		return nil
	}
	c := *s
	return &c
}
