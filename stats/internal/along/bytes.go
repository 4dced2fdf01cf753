package along

import (
	"math"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/stats/internal/state"
)

// magic begins the bytes of an AxisAccumulator. The last byte is the version.
const magic = "npyaxis\x01"

// MarshalBinary returns the summary of all data of a piece.
func (acc *Accumulator) MarshalBinary() ([]byte, error) {
	if acc.cells == nil {
		return nil, diag.New("stats", "this AxisAccumulator has no dtype: make it with NewAxis")
	}
	if err := acc.complete(); err != nil {
		return nil, err
	}
	out, err := acc.appendHead(acc.shape)
	if err != nil {
		return nil, err
	}
	return acc.cells.appendTo(out, acc.each), nil
}

// appendHead returns the bytes before the cells of results of a shape.
func (acc *Accumulator) appendHead(shape []int) ([]byte, error) {
	out, err := state.Begin(magic, acc.h.DType)
	if err != nil {
		return nil, err
	}
	out = state.AppendCounts(out, acc.want, state.OfBool(acc.h.FortranOrder), acc.each, int64(len(shape)))
	for _, n := range shape {
		out = state.AppendCounts(out, int64(n))
	}
	return out, nil
}

// UnmarshalBinary replaces acc by the state that MarshalBinary returned. Other bytes are an error, after which acc is unchanged.
func (acc *Accumulator) UnmarshalBinary(data []byte) error {
	r, t, err := state.Open(data, magic, "an AxisAccumulator")
	if err != nil {
		return err
	}
	read := Accumulator{want: r.Count(31)}
	read.h.DType, read.h.FortranOrder = t, r.Count(1) == 1
	read.each = r.Count(state.MaxItems)
	read.shape = make([]int, r.Count(int64(min(r.Len(), 64))))
	read.results = 1
	for i := range read.shape {
		read.shape[i] = int(r.Count(math.MaxInt32))
		results, ok := bounded.Mul(read.results, read.shape[i])
		r.Check(ok)
		read.results = results
	}
	read.cells = cellsFor(t, alongOf(read.want))
	if read.cells == nil || read.results > r.Len() || read.want == 0 { // each cell has a byte at least
		return state.ErrDamaged
	}
	read.cells.grow(read.results, read.results)
	read.cells.parse(r, read.each)
	if err := r.End(); err != nil {
		return err
	}
	*acc = read
	return nil
}
