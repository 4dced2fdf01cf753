package results

import (
	"io"
	"math"

	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/diff"
)

// A DiffJSON is the JSON form of a comparison; its keys are a promise.
type DiffJSON struct {
	A       string       `json:"a"`
	B       string       `json:"b"`
	MemberA *string      `json:"member_a"`
	MemberB *string      `json:"member_b"`
	SliceA  *string      `json:"slice_a"`
	SliceB  *string      `json:"slice_b"`
	Equal   bool         `json:"equal"`
	OnlyIn  *string      `json:"only_in"` // "a" or "b", of members
	Changed []changeJSON `json:"changed"`
	Stored  []changeJSON `json:"stored"`
	OnlyA   []string     `json:"only_a"`
	OnlyB   []string     `json:"only_b"`
	Fields  []DiffField  `json:"fields"`
}

type changeJSON struct {
	What string `json:"what"`
	A    string `json:"a"`
	B    string `json:"b"`
}

// A DiffField is the comparison of a field, or of an array without fields.
type DiffField struct {
	Field        *string    `json:"field"`
	A            string     `json:"dtype_a"`
	B            string     `json:"dtype_b"`
	Incomparable *string    `json:"incomparable"`
	Count        int64      `json:"count"`
	Different    int64      `json:"different"`
	Close        int64      `json:"close"`
	NaNs         int64      `json:"nan"`
	First        []Mismatch `json:"first"`
	WorstAbs     *Mismatch  `json:"worst_abs"`
	WorstRel     *Mismatch  `json:"worst_rel"`
	WorstULPs    *Mismatch  `json:"worst_ulps"`
}

// A Mismatch is the JSON form of two elements that differ.
type Mismatch struct {
	Index []int         `json:"index"`
	A     string        `json:"a"`
	B     string        `json:"b"`
	Abs   diff.Distance `json:"abs"`
	Rel   any           `json:"rel"`
	ULPs  *int64        `json:"ulps"`
}

// PrintJSON prints the comparison as an object.
func (c Comparison) PrintJSON(w io.Writer) error {
	j := DiffJSON{
		A: c.A.Path, B: c.B.Path, MemberA: c.A.MemberName(), MemberB: c.B.MemberName(), SliceA: c.A.Slice(), SliceB: c.B.Slice(),
		Equal: c.Equal, Changed: changesJSON(c.Changed), Stored: changesJSON(c.Stored),
		OnlyA: append([]string{}, c.OnlyA...), OnlyB: append([]string{}, c.OnlyB...), Fields: []DiffField{},
	}
	for _, f := range c.Fields {
		j.Fields = append(j.Fields, fieldJSON(f, f.Name != ""))
	}
	return terminal.NewJSON(w).Encode(j)
}

// OnlyJSON returns the object for a member that only one archive has, "a" or "b".
func OnlyJSON(archive string, a, b input.Target, member string) DiffJSON {
	j := DiffJSON{A: a.Path, B: b.Path, OnlyIn: &archive}
	if archive == "a" {
		j.MemberA = &member
	} else {
		j.MemberB = &member
	}
	return j
}

// OnlyFileJSON returns the object for a file that only one folder has, "a" or "b". The path in the other is where it could be.
func OnlyFileJSON(folder, a, b string) DiffJSON { return DiffJSON{A: a, B: b, OnlyIn: &folder} }

func changesJSON(changes []diff.Change) []changeJSON {
	list := make([]changeJSON, len(changes))
	for i, c := range changes {
		list[i] = changeJSON(c)
	}
	return list
}

func fieldJSON(f diff.Field, named bool) DiffField {
	j := DiffField{
		A: f.A.Descr(), B: f.B.Descr(), Count: f.Count, Different: f.Different, Close: f.Close, NaNs: f.NaNs, First: []Mismatch{},
		WorstAbs: asJSON(f.WorstAbs), WorstRel: asJSON(f.WorstRel), WorstULPs: asJSON(f.WorstULPs),
	}
	if named {
		j.Field = &f.Name
	}
	if f.Incomparable != "" {
		j.Incomparable = &f.Incomparable
	}
	for i := range f.First {
		j.First = append(j.First, *asJSON(&f.First[i]))
	}
	return j
}

func asJSON(m *diff.Mismatch) *Mismatch {
	if m == nil {
		return nil
	}
	j := Mismatch{Index: m.Index, A: m.A, B: m.B, Abs: m.Abs}
	switch {
	case math.IsInf(m.Rel, 0):
		j.Rel = "Infinity"
	case m.Rel == m.Rel:
		j.Rel = m.Rel
	}
	if m.ULPs >= 0 {
		j.ULPs = &m.ULPs
	}
	return &j
}
