package property_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/diff"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	p "github.com/npygo/npy/internal/property"
)

// Differences are counted, and the first and worst of them named, as in Python.
func TestDiffBesideNumPy(t *testing.T) {
	p.Run(t, p.Area{Name: "diff", Cases: 2500, Case: newDiff}, differences)
}

// A diffCase is an array, and another that Python makes from it: of another dtype, with some elements changed.
type diffCase struct {
	A      *p.Array `json:"a"`
	To     string   `json:"to"`
	Shape  []int    `json:"shape"`
	Others []byte   `json:"others"`
	At     []int    `json:"at"`
	RTol   float64  `json:"rtol"`
	ATol   float64  `json:"atol"`
	ULPs   int      `json:"ulps"`
	NaNs   bool     `json:"nans"`

	to      p.DType
	fortran bool
	command bool
}

func newDiff(g *p.G, e *p.Env) *p.Case {
	c := &diffCase{A: g.Array(p.Plain|p.Structs|p.Swapped, p.Pick(g, 10, 60, 300), p.Surrogate)}
	c.to = c.A.DType
	if !c.to.IsStruct() && g.Chance(40) {
		c.to = p.Parsed(p.Pick(g, "<", ">") + p.Pick(g, alike(c.A.DType)...))
	}
	c.To, c.Shape = c.to.Python, c.A.Shape()
	if g.Chance(4) {
		c.Shape = append(c.Shape, 1)
	}
	c.At = []int{}
	if g.Chance(80) {
		c.Others = g.Elements(c.to.Type, 5, p.Surrogate)
		for range g.Int(6) {
			c.At = append(c.At, g.Int(400))
		}
	}
	if g.Chance(40) && !c.A.DType.IsStruct() && c.A.DType.Step() == c.to.Step() {
		c.RTol, c.ATol = p.Pick(g, 0, 1e-3, 0.5), p.Pick(g, 0.0, 1e-4, 3)
	}
	if size := c.to.ItemSize(); g.Chance(20) && c.to.Equal(c.A.DType.Type) && c.to.Kind() == dtype.KindFloat && size <= 8 {
		c.ULPs = g.Between(1, 1000)
	}
	c.NaNs, c.fortran, c.command = g.Chance(20), g.Chance(30), g.Chance(8)
	return &p.Case{Ask: c, Facts: c, Check: c.check, Text: func() string {
		return fmt.Sprintf("%s and as %s %v with %x at %v, rtol %g, atol %g, ulps %d, NaNs differ %v", c.A, c.To, c.Shape, c.Others, c.At, c.RTol, c.ATol, c.ULPs, c.NaNs)
	}}
}

// alike are the codes of dtypes whose values can be compared with the values of another dtype.
func alike(t p.DType) []string {
	switch t.Kind() {
	case dtype.KindBool, dtype.KindInt, dtype.KindUint, dtype.KindFloat:
		return []string{"f8", "i8", "u8", "i4", "f4", "b1", "u2", "f2", "i1", "c16"}
	case dtype.KindComplex:
		return []string{"c16", "c8"}
	case dtype.KindStr:
		return []string{"U9", "U3"}
	case dtype.KindBytes:
		return []string{"S9", "S3"}
	case dtype.KindDatetime:
		return []string{t.Descr()[1:], "M8[s]", "M8[ms]", "M8[D]"}
	case dtype.KindTimedelta:
		return []string{t.Descr()[1:], "m8[s]", "m8[ms]", "m8[h]"}
	}
	return []string{t.Descr()[1:]}
}

// A fieldDiff is the difference of a field according to Python.
type fieldDiff struct {
	Name                          string
	Count, Different, Close, NaNs int64
	First, Worst                  []int
	Abs                           string
}

func (c *diffCase) check(r *p.Report, a oracle.Answer) {
	if a.Error != "" {
		return // a cast that NumPy lacks
	}
	want := p.Decode[struct {
		B      []byte
		Fields []fieldDiff
	}](a)
	b, err := npy.FromBytes(c.to.Type, want.B, c.Shape...)
	if err != nil {
		panic(err)
	}
	if c.fortran {
		b = b.Fortran()
	}
	o := diff.Options{RTol: c.RTol, ATol: c.ATol, ULPs: uint64(c.ULPs), NaNsDiffer: c.NaNs}
	got, err := diff.Compare(context.Background(), c.A.Array, b, o)
	if err != nil {
		r.Equal("diff.Arrays", err.Error(), "")
		return
	}
	different := !slices.Equal(c.A.Shape(), c.Shape) || !c.A.DType.WithByteOrder(dtype.LittleEndian).Equal(c.to.WithByteOrder(dtype.LittleEndian))
	for i, w := range want.Fields {
		if i < len(got.Fields) {
			c.field(r, got.Fields[i], w)
			different = different || w.Different > 0
		}
	}
	r.Equal("number of fields", strconv.Itoa(len(got.Fields)), strconv.Itoa(len(want.Fields)))
	r.Equal("Equal", fmt.Sprint(got.Equal()), fmt.Sprint(!different))
	c.files(r, b, o, got)
}

func (c *diffCase) field(r *p.Report, got diff.Field, want fieldDiff) {
	if !r.Equal("name", got.Name, want.Name) || !r.Equal("incomparable", got.Incomparable, "") {
		return
	}
	r.Equal("counts", fmt.Sprint(got.Count, got.Different, got.Close, got.NaNs), fmt.Sprint(want.Count, want.Different, want.Close, want.NaNs))
	first := []int(nil)
	if len(got.First) > 0 {
		first = got.First[0].Index
	}
	r.Equal("first", fmt.Sprint(first), fmt.Sprint(want.First))
	if m := got.WorstAbs; want.Worst != nil && m != nil {
		if r.Equal("worst", fmt.Sprint(m.Index), fmt.Sprint(want.Worst)) {
			r.True("distance", sameDistance(m.Abs, want.Abs), m.Abs.String(), want.Abs)
		}
	}
}

// sameDistance compares a distance with Python's digits or the hexadecimal text of a float.
func sameDistance(d diff.Distance, text string) bool {
	if d.String() == text || text == "inf" && math.IsInf(d.Float64(), 1) {
		return true
	}
	x, err := strconv.ParseFloat(text, 64)
	return err == nil && math.Abs(x-d.Float64()) <= 1e-15*x // the part left to the absolute value of a complex number
}

// files compares the results for files and of the command with the result in memory.
func (c *diffCase) files(r *p.Report, b *npy.Array, o diff.Options, want *diff.Result) {
	pathA, pathB := r.Path("a.npy"), r.Path("b.npy")
	if err := npy.WriteFile(pathA, c.A.Array); err != nil {
		panic(err)
	}
	if err := npy.WriteFile(pathB, b); err != nil {
		panic(err)
	}
	f, g := must(npy.Open(pathA)), must(npy.Open(pathB))
	defer f.Close()
	defer g.Close()
	got, err := diff.Compare(context.Background(), f, g, o)
	if err != nil {
		r.Equal("diff.Files", err.Error(), "")
		return
	}
	r.Equal("diff.Files", diffText(got), diffText(want))
	if !c.command {
		return
	}
	args := []string{"diff", "-q", fmt.Sprintf("--rtol=%g", c.RTol), fmt.Sprintf("--atol=%g", c.ATol), fmt.Sprintf("--ulp=%d", c.ULPs)}
	if c.NaNs {
		args = append(args, "--nan-differs")
	}
	x := p.Npy("", append(args, pathA, pathB)...)
	code := 1
	if want.Equal() {
		code = 0
	}
	r.Equal("npy diff", fmt.Sprint(x.Code, x.Stdout, x.Stderr), fmt.Sprint(code, "", ""))
}

// diffText returns the text of a result about the values.
func diffText(d *diff.Result) string {
	text := fmt.Sprint(d.Changed)
	for _, f := range d.Fields {
		text += fmt.Sprint(f.Name, f.Incomparable, f.Count, f.Different, f.Close, f.NaNs)
		for _, m := range []*diff.Mismatch{f.WorstAbs, f.WorstRel, f.WorstULPs} {
			if m != nil {
				text += fmt.Sprint(*m)
			}
		}
	}
	return text
}
