package stats

import (
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/moments"
)

// A total is the summary of the items of one column in any number of blocks. It depends on the blocks alone, not on the
// order or the groups in which they were added.
type total struct {
	facts
	re, im *moments.Sums // of floats; complex numbers have both; nil without numbers
}

// add adds the summary of a block.
func (t *total) add(o *tally) {
	t.facts.merge(&o.facts)
	t.re = addReals(t.re, &o.re)
	t.im = addReals(t.im, &o.im)
}

func (t *total) merge(o *total) {
	t.facts.merge(&o.facts)
	t.re = mergeSums(t.re, o.re)
	t.im = mergeSums(t.im, o.im)
}

// clone returns a total that shares nothing with t.
func (t *total) clone() total {
	return total{t.facts, cloneSums(t.re), cloneSums(t.im)}
}

// addReals adds the moments of a block to s, which may be nil, and returns the result.
func addReals(s *moments.Sums, m *reals) *moments.Sums {
	if m.N+m.posInf+m.negInf == 0 {
		return s
	}
	if s == nil {
		s = new(moments.Sums)
	}
	s.Add(&m.Cell, m.posInf, m.negInf)
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

// sumOf returns the sum, of no numbers if s is nil.
func sumOf(s *moments.Sums) float64 {
	if s == nil {
		return 0
	}
	return s.Total()
}

// stats returns the summary of the items of a column.
func (t *total) stats(c column) Stats {
	s := Stats{Field: c.Name, DType: c.DType, Count: t.count, NaNs: t.nans, Infs: t.infs, NaTs: t.nats, Zeros: t.zeros}
	switch elem.KindOf(c.DType) {
	case dtype.KindBool:
		s.Trues = t.count - t.zeros
		t.integers(&s, c.DType)
		s.Min, s.Max = Value{}, Value{}
	case dtype.KindInt, dtype.KindUint:
		t.integers(&s, c.DType)
	case dtype.KindFloat:
		t.floats(&s)
	case dtype.KindComplex:
		t.complexes(&s)
	case dtype.KindDatetime, dtype.KindTimedelta:
		if elem.KindOf(c.DType) == dtype.KindDatetime {
			s.Zeros = 0 // the zero of datetime64 is 1970, which has no special meaning
		}
		t.times(&s)
	case dtype.KindBytes, dtype.KindStr:
		s.Empty, s.MinLen, s.MaxLen = t.empty, t.minLen, t.maxLen
	}
	return s
}

func (t *total) floats(s *Stats) {
	s.Sum = Float(sumOf(t.re))
	if t.count == t.nans {
		return
	}
	s.Min, s.Max = Float(t.fmin), Float(t.fmax)
	s.Mean, s.Std = Float(t.re.Mean()), Float(moments.Std(t.re))
}

func (t *total) complexes(s *Stats) {
	s.Sum = complexValue(complex(sumOf(t.re), sumOf(t.im)))
	if t.count == t.nans {
		return
	}
	s.Mean = complexValue(complex(t.re.Mean(), t.im.Mean()))
	s.Std = Float(moments.Std(t.re, t.im))
}
