package accumulate

import (
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/stats/internal/state"
)

// magic begins the bytes of an Accumulator. The last byte is the version.
const magic = "npystat\x01"

// MarshalBinary returns the state of acc, with the summary of an incomplete block.
func (acc *Accumulator) MarshalBinary() ([]byte, error) {
	if !acc.t.IsValid() {
		return nil, diag.New("stats", "this Accumulator has no dtype: make it with New")
	}
	elems, err := acc.elements()
	if err != nil {
		return nil, err
	}
	out, err := state.Begin(magic, acc.t)
	if err != nil {
		return nil, err
	}
	out = state.AppendCounts(out, elems, acc.next+elems-acc.elems)
	for i, total := range acc.totals() {
		out = total.AppendTo(out, &acc.columns[i])
	}
	return out, nil
}

// UnmarshalBinary replaces acc by the state that MarshalBinary returned. Other bytes are an error, after which acc is unchanged.
func (acc *Accumulator) UnmarshalBinary(data []byte) error {
	r, t, err := state.Open(data, magic, "an Accumulator")
	if err != nil {
		return err
	}
	read, err := New(t)
	if err != nil {
		return err
	}
	most := read.mostElements()
	read.elems, read.next = r.Count(most), r.Count(most)
	for i := range read.columns {
		read.total[i].Parse(r, &read.columns[i], read.elems)
	}
	if err := r.End(); err != nil {
		return err
	}
	*acc = read
	return nil
}
