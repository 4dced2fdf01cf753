package main

import (
	"io"
	"math"

	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/diff"
)

// A diffJSON is the JSON form of a comparison; its keys are a promise.
type diffJSON struct {
	A       string          `json:"a"`
	B       string          `json:"b"`
	MemberA *string         `json:"member_a"`
	MemberB *string         `json:"member_b"`
	SliceA  *string         `json:"slice_a"`
	SliceB  *string         `json:"slice_b"`
	Equal   bool            `json:"equal"`
	OnlyIn  *string         `json:"only_in"` // "a" or "b", of members
	Changed []changeJSON    `json:"changed"`
	Stored  []changeJSON    `json:"stored"`
	OnlyA   []string        `json:"only_a"`
	OnlyB   []string        `json:"only_b"`
	Fields  []diffFieldJSON `json:"fields"`
}

type changeJSON struct {
	What string `json:"what"`
	A    string `json:"a"`
	B    string `json:"b"`
}

type diffFieldJSON struct {
	Field        *string        `json:"field"`
	A            string         `json:"dtype_a"`
	B            string         `json:"dtype_b"`
	Incomparable *string        `json:"incomparable"`
	Count        int64          `json:"count"`
	Different    int64          `json:"different"`
	Close        int64          `json:"close"`
	NaNs         int64          `json:"nan"`
	First        []mismatchJSON `json:"first"`
	WorstAbs     *mismatchJSON  `json:"worst_abs"`
	WorstRel     *mismatchJSON  `json:"worst_rel"`
	WorstULPs    *mismatchJSON  `json:"worst_ulps"`
}

type mismatchJSON struct {
	Index []int         `json:"index"`
	A     string        `json:"a"`
	B     string        `json:"b"`
	Abs   diff.Distance `json:"abs"`
	Rel   any           `json:"rel"`
	ULPs  *int64        `json:"ulps"`
}

func (c comparison) printJSON(w io.Writer) error {
	j := diffJSON{
		A: c.a.path, B: c.b.path, MemberA: c.a.memberName(), MemberB: c.b.memberName(), SliceA: c.a.slice(), SliceB: c.b.slice(),
		Equal: c.equal, Changed: changesJSON(c.Changed), Stored: changesJSON(c.Stored),
		OnlyA: append([]string{}, c.OnlyA...), OnlyB: append([]string{}, c.OnlyB...), Fields: []diffFieldJSON{},
	}
	for _, f := range c.Fields {
		j.Fields = append(j.Fields, fieldJSON(f, f.Name != ""))
	}
	return terminal.NewJSON(w).Encode(j)
}

// onlyJSON is the object for a member that only one archive has.
func onlyJSON(side string, a, b target, member string) diffJSON {
	j := diffJSON{A: a.path, B: b.path, OnlyIn: &side}
	if side == "a" {
		j.MemberA = &member
	} else {
		j.MemberB = &member
	}
	return j
}

func changesJSON(changes []diff.Change) []changeJSON {
	list := make([]changeJSON, len(changes))
	for i, c := range changes {
		list[i] = changeJSON(c)
	}
	return list
}

func fieldJSON(f diff.Field, named bool) diffFieldJSON {
	j := diffFieldJSON{
		A: f.A.Descr(), B: f.B.Descr(), Count: f.Count, Different: f.Different, Close: f.Close, NaNs: f.NaNs, First: []mismatchJSON{},
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

func asJSON(m *diff.Mismatch) *mismatchJSON {
	if m == nil {
		return nil
	}
	j := mismatchJSON{Index: m.Index, A: m.A, B: m.B, Abs: m.Abs}
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
