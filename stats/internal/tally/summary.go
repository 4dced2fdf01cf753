package tally

import (
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/moments"
	"github.com/npygo/npy/scalar"
	"github.com/npygo/npy/stats/internal/exact"
	"github.com/npygo/npy/stats/internal/items"
)

// A Summary is the results for a column, with the fields of stats.Stats. A value is a *big.Int, a float64, a complex128, the text
// of a time, or nil if there is none.
type Summary struct {
	Field string
	DType dtype.Type
	Count int64

	NaNs, Infs, NaTs, Zeros, Trues int64

	Missing, Empty int64
	MinLen, MaxLen int

	Min, Max, Sum, Mean, Std any
	ArgMin, ArgMax           []int
}

// Summary returns the results for a column, without ArgMin and ArgMax.
func (t *Total) Summary(c *Column) Summary {
	s := Summary{Field: c.Name, DType: c.DType, Count: t.Count, NaNs: t.NaNs, Infs: t.Infs, NaTs: t.NaTs, Zeros: t.Zeros}
	switch elem.KindOf(c.DType) {
	case dtype.KindBool:
		s.Trues = t.Count - t.Zeros
		s.integers(t)
		s.Min, s.Max = nil, nil
	case dtype.KindInt, dtype.KindUint:
		s.integers(t)
	case dtype.KindFloat:
		s.floats(t)
	case dtype.KindComplex:
		s.complexes(t)
	case dtype.KindDatetime, dtype.KindTimedelta:
		if elem.KindOf(c.DType) == dtype.KindDatetime {
			s.Zeros = 0 // the zero of datetime64 is 1970, which has no special meaning
		}
		s.times(t)
	case dtype.KindBytes, dtype.KindStr:
		s.Empty, s.MinLen, s.MaxLen = t.Empty, t.MinLen, t.MaxLen
	}
	return s
}

func (s *Summary) integers(t *Total) {
	sum := exact.Big(t.Sum[:], true)
	s.Sum = sum
	if t.Count == 0 {
		return
	}
	s.Min, s.Max = exact.Extreme(s.DType, t.IMin), exact.Extreme(s.DType, t.IMax)
	s.Mean, s.Std = exact.MeanStd(sum, exact.Big(t.Squares[:], false), t.Count)
}

func (s *Summary) floats(t *Total) {
	s.Sum = sumOf(t.re)
	if t.Count == t.NaNs {
		return
	}
	s.Min, s.Max = t.FMin, t.FMax
	s.Mean, s.Std = t.re.Mean(), moments.Std(t.re)
}

func (s *Summary) complexes(t *Total) {
	s.Sum = complex(sumOf(t.re), sumOf(t.im))
	if t.Count == t.NaNs {
		return
	}
	s.Mean, s.Std = complex(t.re.Mean(), t.im.Mean()), moments.Std(t.re, t.im)
}

// sumOf returns the sum, of no numbers if s is nil.
func sumOf(s *moments.Sums) float64 {
	if s == nil {
		return 0
	}
	return s.Total()
}

func (s *Summary) times(t *Total) {
	n := t.Count - t.NaTs
	if n == 0 {
		return
	}
	s.Min, s.Max = items.TimeText(s.DType, t.IMin), items.TimeText(s.DType, t.IMax)
	s.Mean = items.TimeText(s.DType, exact.MeanTicks(s.DType, t.Sum, n))
	if sum := exact.Big(t.Sum[:], true); s.DType.Kind() == dtype.KindTimedelta && sum.IsInt64() && sum.Int64() != scalar.NaT {
		s.Sum = items.TimeText(s.DType, sum.Int64())
	}
}
