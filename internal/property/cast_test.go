package property_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	p "github.com/npygo/npy/internal/property"
)

// Casts give the result of astype, and are refused where NumPy refuses them.
func TestCastBesideNumPy(t *testing.T) {
	p.Run(t, p.Area{Name: "cast", Cases: 2000, Case: newCast}, differences)
}

// A castCase is an array and another dtype.
type castCase struct {
	A       *p.Array `json:"a"`
	To      string   `json:"to"`
	Casting string   `json:"casting"`

	to      p.DType
	wraps   bool // NumPy gives other numbers for some
	command bool
}

func newCast(g *p.G, e *p.Env) *p.Case {
	k := p.Pick(g, p.Numbers, p.Numbers|p.Long, p.Plain, p.Plain|p.Small|p.Structs) | p.Swapped
	from, to := g.DType(e.Have(k)), g.DType(e.Have(k))
	if g.Chance(15) && !from.IsStruct() { // the same in another byte order or size
		to = wider(g, from)
	}
	if from.IsStruct() && g.Chance(70) {
		to = from
	}
	c := &castCase{A: g.ArrayOf(from, g.Shape(p.Pick(g, 10, 60, 300)), 0), To: to.Python, Casting: p.Pick(g, "unsafe", "same_kind", "safe"), to: to}
	c.command = g.Chance(6)
	return &p.Case{Ask: c, Facts: c, Check: c.check, Text: func() string { return fmt.Sprintf("%s as %s, %s", c.A, c.To, c.Casting) }}
}

var castings = map[string]npy.Casting{"unsafe": npy.UnsafeCasting, "same_kind": npy.SameKindCasting, "safe": npy.SafeCasting}

func (c *castCase) check(r *p.Report, a oracle.Answer) {
	var want struct {
		Can, Wraps, Fortran bool
		Out                 p.Told
	}
	if a.Error == "" {
		want = p.Decode[struct {
			Can, Wraps, Fortran bool
			Out                 p.Told
		}](a)
	} else {
		want.Can = true
	}
	c.wraps = want.Wraps
	refused := ""
	switch {
	case a.Error != "":
		refused = a.Error + ": " + a.Message
	case !want.Can:
		refused = "Cannot cast according to the rule " + c.Casting
	}
	path := r.Path("a.npy")
	if err := npy.WriteFile(path, c.A.Array); err != nil {
		panic(err)
	}
	ways := map[string]func() (*npy.Array, error){
		"Cast": func() (*npy.Array, error) { return c.A.Cast(c.to.Type, castings[c.Casting]) },
		"Copier": func() (*npy.Array, error) {
			out := r.Path("out.npy")
			if err := copied(npy.Copier{DType: c.to.Type, Casting: castings[c.Casting]}, out, path); err != nil {
				return nil, err
			}
			return npy.ReadFile(out)
		},
	}
	if c.Casting == "safe" {
		ways["AsType"] = func() (*npy.Array, error) { return c.A.AsType(c.to.Type) }
	}
	if c.command {
		ways["npy cast"] = func() (*npy.Array, error) {
			out := r.Path("out.npy")
			if err := p.Npy("", "cast", "--casting", c.Casting, c.to.Descr(), path, out).Err(); err != nil {
				return nil, err
			}
			return npy.ReadFile(out)
		}
	}
	for _, what := range []string{"Cast", "Copier", "AsType", "npy cast"} {
		way := ways[what]
		if way == nil || what != "Cast" && what != "AsType" && c.isSmall() { // a file does not hold the name of its dtype
			continue
		}
		b, err := way()
		switch {
		case err != nil && refused != "":
			r.True(what, !strings.Contains(err.Error(), "PANIC"), err.Error(), refused)
		case err != nil:
			r.Equal(what, "refused: "+err.Error(), "not refused")
		case refused != "":
			r.Equal(what, "not refused", refused)
		default:
			c.compare(r, what, b, want.Out, want.Fortran)
		}
	}
}

// isSmall reports whether one of the dtypes is of ml_dtypes, or a struct with one.
func (c *castCase) isSmall() bool { return c.A.IsSmall() || strings.Contains(c.To, "ml(") }

func (c *castCase) compare(r *p.Report, what string, b *npy.Array, want p.Told, fortran bool) {
	r.Equal(what+": dtype", string(b.DType().AppendDescr(nil)), want.Descr)
	r.Equal(what+": order", fmt.Sprint(b.IsFortran() && !b.IsC()), fmt.Sprint(fortran))
	if want.SHA256 != "" {
		got, wanted := p.TellLike(b, want)
		r.Equal(what, got, wanted)
		return
	}
	x := p.Told{Shape: b.Shape(), Descr: want.Descr, Data: b.Bytes()}
	r.True(what, p.SameElements(c.to.Type, x.Data, want.Data), x.String(), want.String())
}

// hasKind reports whether a dtype or one of its fields is of a kind.
func hasKind(t dtype.Type, is func(t dtype.Type) bool) bool {
	t = t.Elem()
	for _, f := range t.Fields() {
		if hasKind(f.DType, is) {
			return true
		}
	}
	return !t.IsStruct() && is(t)
}
