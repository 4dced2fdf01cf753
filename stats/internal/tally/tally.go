package tally

import (
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/moments"
)

// A Tally is the summary of the items of one column in one block. It depends on their order, since sums of floats do.
type Tally struct {
	Facts
	Re, Im Reals // of floats; complex numbers have both
}

func (t *Tally) merge(o *Tally) {
	t.Facts.merge(&o.Facts)
	t.Re.merge(&o.Re)
	t.Im.merge(&o.Im)
}

// Repeated returns the tally of n copies of the items.
func (t Tally) Repeated(n int64) Tally {
	t.Facts.repeat(n)
	t.Re.repeat(n)
	t.Im.repeat(n)
	return t
}

// Reals are the moments of finite floats, and the number of infinities.
type Reals struct {
	moments.Cell
	PosInf, NegInf int64
}

func (r *Reals) merge(o *Reals) {
	r.Cell.Merge(&o.Cell)
	r.PosInf += o.PosInf
	r.NegInf += o.NegInf
}

// add adds numbers without NaN to empty moments.
func (r *Reals) add(xs []float64, buf *[]float64) {
	r.PosInf, r.NegInf = r.AddReal(xs, codec.Grow(buf, len(xs)))
}

func (r *Reals) repeat(n int64) {
	r.Repeat(n)
	r.PosInf *= n
	r.NegInf *= n
}
