package tally

// An extreme is the smallest or the largest item: f of floats, i of integers and times. The other is 0. The top bit of a
// uint64 is flipped.
type extreme struct {
	f float64
	i int64
}

func (x extreme) less(y extreme) bool { return x.f < y.f || x.i < y.i }

// Extremes are the smallest and the largest item. They are valid only if there are items other than NaN and NaT.
type Extremes struct {
	FMin, FMax float64 // of floats
	IMin, IMax int64   // of integers and times; the top bit of uint64 is flipped, so that they compare as int64 do
	Known      bool    // they are valid, and so are their positions
}

func (e *Extremes) low() extreme  { return extreme{e.FMin, e.IMin} }
func (e *Extremes) high() extreme { return extreme{e.FMax, e.IMax} }

// ints merges the extremes of integers and times.
func (e *Extremes) ints(lo, hi int64, first bool) {
	if first || lo < e.IMin {
		e.IMin = lo
	}
	if first || hi > e.IMax {
		e.IMax = hi
	}
}

// floats merges the extremes of floats. Of the two zeros, -0.0 is the smaller, so that the order does not matter.
func (e *Extremes) floats(lo, hi float64, first bool) {
	if first {
		e.FMin, e.FMax = lo, hi
		return
	}
	e.FMin, e.FMax = min(e.FMin, lo), max(e.FMax, hi)
}
