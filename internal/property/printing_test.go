package property_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
	p "github.com/npygo/npy/internal/property"
)

// Arrays print as NumPy prints them, with any options.
func TestPrintingBesideNumPy(t *testing.T) {
	p.Run(t, p.Area{Name: "printing", Cases: 2000, Case: newPrinting}, differences)
}

// A printingCase is an array and the options to print it with.
type printingCase struct {
	A       *p.Array     `json:"a"`
	Index   string       `json:"index"`
	Options printOptions `json:"options"`

	printer npy.Printer
	flags   []string // of npy show
	plain   bool     // without options
	command bool
}

// printOptions has the options of numpy.printoptions.
type printOptions struct {
	Precision *int    `json:"precision"`
	Threshold *int64  `json:"threshold"`
	EdgeItems *int    `json:"edgeitems"`
	LineWidth *int    `json:"linewidth"`
	FloatMode *string `json:"floatmode"`
}

func newPrinting(g *p.G, e *p.Env) *p.Case {
	k := p.Plain | p.Empty // types of ml_dtypes print by rules of their own, records as a table
	shape := g.Shape(p.Pick(g, 40, 40, 40, 1500))
	if g.Chance(10) {
		shape = p.Pick(g, []int{1000 + g.Int(5)}, []int{g.Between(1, 60), g.Between(1, 60)}, []int{g.Between(1, 4), g.Between(1, 12), g.Between(1, 40)})
	}
	t := g.Plain(k)
	if len(shape) >= 2 && g.Chance(15) {
		t = g.Struct(k, 2)
	}
	c := &printingCase{A: g.ArrayOf(t, shape, p.Surrogate)}
	if g.Chance(10) {
		c.Index = "[" + g.Index(c.A.Shape()) + "]"
	}
	if strings.HasPrefix(e.NumPy, "1.") {
		c.printer.NumPy = 1
		c.flags = append(c.flags, "--numpy=1")
	}
	if c.plain = g.Chance(40); !c.plain {
		c.choose(g)
	}
	c.command = g.Chance(6)
	return &p.Case{Ask: c, Facts: c, Check: c.check, Text: func() string {
		return fmt.Sprintf("%+v of %s%s", c.printer, c.A, c.Index)
	}}
}

// choose makes the options for Go and for NumPy.
func (c *printingCase) choose(g *p.G) {
	set := func(to *int, option **int, flag string, from ...int) {
		*to = p.Pick(g, from...)
		x := *to
		*option = &x
		c.flags = append(c.flags, flag+"="+strconv.Itoa(x))
	}
	if g.Chance(40) {
		set(&c.printer.Precision, &c.Options.Precision, "--precision", 1, 2, 3, 5, 8, 12, 14, 20, -1)
		if c.printer.Precision < 0 {
			eight, unique := 8, "unique"
			c.Options.Precision, c.Options.FloatMode = &eight, &unique
		}
	}
	if g.Chance(40) {
		n := p.Pick(g, 1000, 1, 5, 20, 100, -1)
		c.printer.Threshold = n
		most := int64(n)
		if n < 0 {
			most = math.MaxInt64
			c.flags = append(c.flags, "--full")
		} else if n != 1000 {
			c.flags = append(c.flags, "none") // the command has no such flag
		}
		c.Options.Threshold = &most
	}
	if g.Chance(30) {
		set(&c.printer.EdgeItems, &c.Options.EdgeItems, "--edge", 3, 1, 2, 4, 10)
	}
	if g.Chance(40) {
		set(&c.printer.LineWidth, &c.Options.LineWidth, "--width", 75, 1, 10, 20, 40, 76, 100, 1000)
	}
}

func (c *printingCase) check(r *p.Report, a oracle.Answer) {
	index, err := npy.ParseIndex(c.Index)
	if c.Index == "" {
		index, err = nil, nil
	}
	part := c.A.Array
	if err == nil && c.Index != "" {
		part, err = part.Slice(index...)
	}
	if a.Error != "" || err != nil {
		r.True("error", a.Error != "" && err != nil, fmt.Sprint(err), a.Error+" "+a.Message)
		return
	}
	want := p.Decode[struct{ Str, Repr string }](a)
	path := r.Path("a.npy")
	if err := npy.WriteFile(path, c.A.Array); err != nil {
		panic(err)
	}
	var b bytes.Buffer
	if err := c.printer.Print(&b, part); err != nil {
		b.WriteString("error: " + err.Error())
	}
	if table := part.DType().IsStruct() && part.NDim() < 2; !table {
		r.Equal("Print", b.String(), want.Str+"\n")
	}
	var file bytes.Buffer
	f := must(npy.Open(path))
	defer f.Close()
	if err := c.printer.Print(&file, must(f.Select(index...))); err != nil {
		file.WriteString("error: " + err.Error())
	}
	r.Equal("PrintFile", file.String(), b.String())
	if c.plain && c.printer.NumPy == 0 { // String and Repr follow the newest
		r.Equal("String", part.String(), b.String()[:b.Len()-1])
		r.Equal("Repr", part.Repr(0), want.Repr)
	}
	r.Equal("AppendRepr", string(c.printer.AppendRepr(nil, part, 1<<26)), want.Repr)
	if c.command {
		c.checkCommand(r, path, b.String())
	}
}

// checkCommand compares with the output of npy show, for a file and for standard input.
func (c *printingCase) checkCommand(r *p.Report, path, want string) {
	args := []string{"show"}
	for _, flag := range c.flags {
		if flag == "none" {
			return
		}
		args = append(args, flag)
	}
	x := p.Npy("", append(args, path+c.Index)...)
	r.Equal("npy show", x.Stdout+x.Stderr, want)
	if c.Index == "" {
		x = p.NpyFrom("", string(must(os.ReadFile(path))), append(args, "-")...)
		r.Equal("npy show -", x.Stdout+x.Stderr, want)
	}
}
