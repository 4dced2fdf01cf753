package along

import (
	"math"
	"slices"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/stats/internal/state"
)

// Merge adds the summary of another piece of an array, cut along the axes that are summarised. After an error acc is unchanged.
func (acc *Accumulator) Merge(other *Accumulator) error {
	if acc.cells == nil || other.cells == nil || !acc.h.DType.Equal(other.h.DType) || acc.h.FortranOrder != other.h.FortranOrder || !slices.Equal(acc.shape, other.shape) || acc.want != other.want {
		return diag.New("stats", "cannot merge summaries along axes: their dtypes, orders, results or wants differ")
	}
	for _, a := range []*Accumulator{acc, other} {
		if err := a.complete(); err != nil {
			return err
		}
	}
	if acc.each > state.MaxItems-other.each {
		return diag.Wrap("stats", bounded.Over("", 0, 0, "%d and %d elements of a result are more than can be counted", acc.each, other.each))
	}
	acc.cells.merge(other.cells, acc.each, other.each)
	acc.each += other.each
	return nil
}

// Append adds the results of other pieces of an array, which follow acc's along their first axis. After an error acc is unchanged.
func (acc *Accumulator) Append(others ...*Accumulator) error {
	all := append([]*Accumulator{acc}, others...)
	rows := 0
	for _, a := range all {
		if a.cells == nil || !a.h.DType.Equal(acc.h.DType) || a.h.FortranOrder != acc.h.FortranOrder || a.want != acc.want || a.each != acc.each || len(a.shape) == 0 || len(a.shape) != len(acc.shape) || !slices.Equal(a.shape[1:], acc.shape[1:]) {
			return diag.New("stats", "cannot append summaries along axes: their dtypes, orders, shapes or wants differ")
		}
		if err := a.complete(); err != nil {
			return err
		}
		if rows > math.MaxInt32-a.shape[0] {
			return diag.Wrap("stats", bounded.Over("", 0, 0, "over %d results along an axis", math.MaxInt32))
		}
		rows += a.shape[0]
	}
	out, err := acc.appendHead(append([]int{rows}, acc.shape[1:]...))
	if err != nil {
		return err
	}
	for _, a := range all {
		out = a.cells.appendTo(out, a.each)
	}
	return acc.UnmarshalBinary(out)
}
