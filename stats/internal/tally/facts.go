package tally

import "github.com/npygo/npy/internal/moments"

// Facts are the statistics that do not depend on the order in which they are merged.
type Facts struct {
	Count, NaNs, Infs, NaTs, Zeros int64

	// Strings.
	Empty          int64
	MinLen, MaxLen int

	Extremes
	MinAt, MaxAt int64 // positions of the first items that are the extremes, in C order; valid if the extremes are known

	// Integers, bools and times.
	Sum     [2]uint64 // two's complement, low word first
	Squares [3]uint64 // not of times
}

func (f *Facts) merge(o *Facts) {
	switch {
	case o.Count == 0:
		return
	case f.Count == 0:
		*f = *o
		return
	}
	f.positions(o)
	if o.Count > o.NaTs {
		f.ints(o.IMin, o.IMax, f.Count == f.NaTs)
	}
	if o.Count > o.NaNs {
		f.floats(o.FMin, o.FMax, f.Count == f.NaNs)
	}
	f.MinLen, f.MaxLen = min(f.MinLen, o.MinLen), max(f.MaxLen, o.MaxLen)
	f.Count += o.Count
	f.NaNs += o.NaNs
	f.Infs += o.Infs
	f.NaTs += o.NaTs
	f.Zeros += o.Zeros
	f.Empty += o.Empty
	moments.AddInt(&f.Sum, o.Sum[0], o.Sum[1])
	moments.AddSquares(&f.Squares, o.Squares)
}

// positions merges the positions of the extremes. Of equal extremes the first counts.
func (f *Facts) positions(o *Facts) {
	if !o.Known {
		return
	}
	if !f.Known || o.low().less(f.low()) || o.low() == f.low() && o.MinAt < f.MinAt {
		f.MinAt = o.MinAt
	}
	if !f.Known || f.high().less(o.high()) || o.high() == f.high() && o.MaxAt < f.MaxAt {
		f.MaxAt = o.MaxAt
	}
	f.Known = true
}

// repeat turns the facts of some items into the facts of n copies of them.
func (f *Facts) repeat(n int64) {
	for _, count := range []*int64{&f.Count, &f.NaNs, &f.Infs, &f.NaTs, &f.Zeros, &f.Empty} {
		*count *= n
	}
	moments.Multiply(f.Sum[:], uint64(n))
	moments.Multiply(f.Squares[:], uint64(n))
}
