package property_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	p "github.com/npygo/npy/internal/property"
)

// Text keeps the values: Python reads text written here, this module reads text written by Python, and both give the
// array again.
func TestTextBesideNumPy(t *testing.T) {
	p.Run(t, p.Area{Name: "text", Cases: 2500, Case: newText}, differences)
}

// A textCase is an array and a text of it, written by Go or by Python.
type textCase struct {
	A         *p.Array       `json:"a"`
	Op        string         `json:"op"`
	Format    convert.Format `json:"format"`
	Text      []byte         `json:"text"`
	Fmt       string         `json:"fmt"`
	Delimiter string         `json:"delimiter"`
	Header    string         `json:"header"`

	err     error // of writing
	command bool
}

func newText(g *p.G, e *p.Env) *p.Case {
	c := &textCase{Op: p.Pick(g, "wrote", "wrote", "wrote", "savetxt", "pandas", "json"), command: g.Chance(8), Text: []byte{}}
	switch c.Op {
	case "wrote":
		c.wrote(g)
	case "savetxt":
		c.savetxt(g)
	case "pandas":
		c.pandas(g)
	case "json":
		shape := g.Shape(60)
		c.A = p.NewArray(p.Parsed(p.Pick(g, "i8", "f8", "b1", "U5")), nil, []int{0})
		c.A = g.ArrayOf(c.A.DType, shape, p.NoNaN|p.NoInf)
	}
	return &p.Case{Ask: c, Facts: c, Check: c.check, Text: func() string {
		return fmt.Sprintf("%s %s %s of %s (fmt %q, delimiter %q, header %q)", c.Op, c.Format, cutBytes(c.Text), c.A, c.Fmt, c.Delimiter, c.Header)
	}}
}

func cutBytes(b []byte) string { return fmt.Sprintf("%.200q", b) }

// wrote chooses an array that a format can hold, and writes it.
func (c *textCase) wrote(g *p.G) {
	c.Format = p.Pick(g, convert.CSV, convert.TSV, convert.JSON, convert.NDJSON, convert.TXT)
	most := p.Pick(g, 10, 60, 300)
	shape := g.Shape(most)
	t := g.Plain(p.Plain | p.Empty)
	switch c.Format {
	case convert.JSON, convert.NDJSON:
		if g.Chance(30) {
			t = g.Struct(p.Plain|p.OddNames, 2)
		}
	case convert.TXT:
		t = g.Plain(p.Numbers | p.Long | p.Swapped)
		shape = shape[:min(len(shape), 2)]
	default:
		shape = shape[:min(len(shape), 2)]
		if g.Chance(40) {
			t, shape = g.Struct(p.Plain|p.OddNames, 2), []int{g.Int(12)}
		}
	}
	if c.Format == convert.TXT && len(shape) == 0 {
		shape = []int{1}
	}
	c.A = g.ArrayOf(t, shape, 0)
	var b bytes.Buffer
	c.err = convert.Write(context.Background(), &b, c.Format, c.A.Array, convert.WriteOptions{})
	c.Text = append(c.Text, b.Bytes()...)
}

func (c *textCase) savetxt(g *p.G) {
	c.Format = convert.TXT
	t := p.Parsed(p.Pick(g, "f8", "f4", "i8", "u1", "i4", "b1", "f2"))
	c.Fmt = p.Pick(g, "%.18e", "%g", "%.3f", "%r", "%10.5e")
	switch t.Kind() {
	case dtype.KindInt, dtype.KindUint, dtype.KindBool:
		c.Fmt = p.Pick(g, "%d", "%5d", "%.18e")
	}
	c.Delimiter = p.Pick(g, " ", ",", "\t", "  ")
	switch c.Delimiter {
	case ",":
		c.Format = convert.CSV
	case "\t":
		c.Format = convert.TSV
	default:
		c.Header = p.Pick(g, "", "", "a comment", "two\nlines")
	}
	c.A = g.ArrayOf(t, p.Pick(g, []int{g.Between(1, 20)}, []int{g.Between(1, 8), g.Between(1, 5)}), 0)
}

func (c *textCase) pandas(g *p.G) {
	c.Format = convert.CSV
	codes := []string{"f8", "i8", "U5", "b1", "M8[ns]"}
	fields := make([]string, g.Between(1, 4))
	for i := range fields {
		fields[i] = fmt.Sprintf("('c%d', '<%s')", i, p.Pick(g, codes...))
	}
	t := p.Parsed("[" + strings.Join(fields, ", ") + "]")
	c.A = p.NewArray(t, g.Elements(t.Type, 6, p.NoNaN|p.Modest), []int{6})
}

func (c *textCase) check(r *p.Report, a oracle.Answer) {
	switch c.Op {
	case "wrote":
		c.checkWrote(r, a)
	case "savetxt", "json":
		c.checkRead(r, a)
	default:
		c.checkPandas(r, a)
	}
}

func (c *textCase) checkWrote(r *p.Report, a oracle.Answer) {
	if c.err != nil {
		r.Equal("write", c.err.Error(), "a text")
		return
	}
	if a.Error != "" {
		r.Equal("Python reads", a.Error+": "+a.Message, "")
		return
	}
	r.Equal("Python reads", p.Decode[string](a), "")
	path := r.Path("a.npy")
	if err := npy.WriteFile(path, c.A.Array); err != nil {
		panic(err)
	}
	var b bytes.Buffer
	f := must(npy.Open(path))
	defer f.Close()
	if err := convert.Write(context.Background(), &b, c.Format, f, convert.WriteOptions{}); err != nil {
		b.WriteString(err.Error())
	}
	r.Equal("convert.Copy", b.String(), string(c.Text))
	c.back(r)
	if c.command {
		x := p.Npy("", "convert", "-q", "--to", string(c.Format), path, "-")
		r.Equal("npy convert", x.Stdout+x.Stderr, string(c.Text))
	}
}

// back reads the text with the original dtype.
func (c *textCase) back(r *p.Report) {
	if c.Format == convert.TXT && c.A.DType.ItemSize() >= 16 && c.A.DType.Name() != "complex128" { // np.savetxt has 19 digits
		return
	}
	if c.Format == convert.TXT && isLongInt(c.A.DType.Type) { // np.savetxt makes floats of them
		return
	}
	o := convert.ReadOptions{DType: c.A.DType.Type}
	if !c.A.DType.IsStruct() {
		o.Header = convert.HeaderNo
	}
	b, _, err := convert.Read(context.Background(), bytes.NewReader(c.Text), c.Format, o)
	if err != nil {
		r.Equal("read back", err.Error(), "the array")
		return
	}
	same := b.DType().Equal(c.A.DType.Type) && p.SameElements(c.A.DType.Type, b.Bytes(), c.A.Bytes())
	r.True("read back", same, fmt.Sprintf("%s %v %x", b.DType(), b.Shape(), b.Bytes()), fmt.Sprintf("%s %v %x", c.A.DType.Type, c.A.Shape(), c.A.Bytes()))
	if c.Format == convert.JSON && len(c.A.Shape()) > 0 && p.Size(c.A.Shape()) > 0 {
		r.Equal("shape", fmt.Sprint(b.Shape()), fmt.Sprint(c.A.Shape()))
	}
	var file bytes.Buffer
	out := r.Path("back.npy")
	if _, err := convert.CopyFileFrom(context.Background(), out, bytes.NewReader(c.Text), c.Format, o); err != nil {
		r.Equal("CopyFileFrom", err.Error(), "a file")
		return
	}
	if err := npy.Write(&file, b); err != nil {
		panic(err)
	}
	r.True("CopyFileFrom", bytes.Equal(must(os.ReadFile(out)), file.Bytes()), fmt.Sprintf("%q", must(os.ReadFile(out))), fmt.Sprintf("%q", file.Bytes()))
}

// checkRead compares our values of a text that Python wrote with NumPy's.
func (c *textCase) checkRead(r *p.Report, a oracle.Answer) {
	if a.Error != "" {
		return // Python has no text for it
	}
	format := c.Format
	if c.Op == "json" {
		format = convert.JSON
	}
	want := p.Decode[struct {
		Text []byte
		Read p.Told
	}](a)
	t := must(dtype.ParseDescr(want.Read.Descr))
	for _, o := range []convert.ReadOptions{{}, {DType: t}} {
		if c.Op == "savetxt" {
			o.Header = convert.HeaderNo
		}
		b, report, err := convert.Read(context.Background(), bytes.NewReader(want.Text), format, o)
		if err != nil {
			r.Equal("read "+string(format), fmt.Sprintf("%v in %.200q", err, want.Text), want.Read.String())
			continue
		}
		if b.DType().IsStruct() { // columns, some of them of integers
			b = columns(b, t)
		}
		if report.Inferred && b.DType().Kind() != dtype.KindStr { // NumPy reads all as float64
			if x, err := b.Cast(t, npy.UnsafeCasting); err == nil {
				b = x
			}
		}
		if x, err := b.Reshape(want.Read.Shape...); err == nil {
			b = x
		}
		same := p.SameElements(t, b.Bytes(), want.Read.Data)
		r.True("read "+string(format), same && fmt.Sprint(b.Shape()) == fmt.Sprint(want.Read.Shape), fmt.Sprintf("%s %v %x of %.200q", b.DType(), b.Shape(), b.Bytes(), want.Text), want.Read.String())
	}
}

// columns returns the fields of records as the columns of an array.
func columns(b *npy.Array, t dtype.Type) *npy.Array {
	n := b.DType().NumField()
	data := make([]byte, 0, b.Len()*n*t.ItemSize())
	fields := make([][]byte, n)
	for i, f := range b.DType().Fields() {
		fields[i] = must(must(b.Field(f.Name)).Cast(t, npy.UnsafeCasting)).Bytes()
	}
	for row := range b.Len() {
		for _, f := range fields {
			data = append(data, f[row*t.ItemSize():(row+1)*t.ItemSize()]...)
		}
	}
	return must(npy.FromBytes(t, data, b.Len(), n))
}

// checkPandas compares columns.
func (c *textCase) checkPandas(r *p.Report, a oracle.Answer) {
	if a.Error != "" || string(a.Value) == "null" {
		return
	}
	want := p.Decode[struct {
		Text    []byte
		Columns []p.Told
	}](a)
	b, _, err := convert.Read(context.Background(), bytes.NewReader(want.Text), convert.CSV, convert.ReadOptions{DType: c.A.DType.Type})
	if err != nil {
		r.Equal("read what pandas wrote", fmt.Sprintf("%v in %.200q", err, want.Text), "")
		return
	}
	for i, w := range want.Columns {
		x := must(b.Field(fmt.Sprintf("c%d", i)))
		t := x.DType()
		r.True("column that pandas wrote", p.SameElements(t, x.Bytes(), w.Data), fmt.Sprintf("%s %x of %.300q", t, x.Bytes(), want.Text), w.String())
	}
}
