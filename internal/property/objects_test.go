package property_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/internal/oracle"
	p "github.com/npygo/npy/internal/property"
	"github.com/npygo/npy/objects"
)

// Arrays of Python objects keep their bytes, are sliced as by NumPy, print as in Python, and have Python's values.
func TestObjectsBesideNumPy(t *testing.T) {
	p.Run(t, p.Area{Name: "objects", Cases: 2000, Case: newObjects}, differences)
}

// An objectsCase is an array of objects and the operation on it.
type objectsCase struct {
	A        *p.ObjectArray `json:"a"`
	Op       string         `json:"op"`
	Index    string         `json:"index"`
	Protocol int            `json:"protocol"`
	Options  printOptions   `json:"options"`

	printer npy.Printer
	flags   []string
	command bool
}

func newObjects(g *p.G, e *p.Env) *p.Case {
	c := &objectsCase{Op: p.Pick(g, "identity", "identity", "slice", "protocol", "show", "json")}
	k := p.Builtins | p.Sets | p.Library | p.NumPy | p.Rare | p.Records
	if c.Op == "json" {
		k = p.Builtins | p.Records
	}
	if e.NumPy2() {
		k |= p.StringDT
	}
	shape := p.Pick(g, []int{2}, []int{}, []int{0}, []int{3}, []int{2, 2}, []int{2, 3}, []int{1, 0}, []int{5})
	c.A = g.Objects(k, shape)
	switch c.Op {
	case "slice":
		c.Index = "[" + g.Index(shape) + "]"
	case "protocol":
		c.Protocol = g.Int(6)
	case "show":
		if g.Chance(40) {
			pc := &printingCase{}
			pc.choose(g)
			c.Options, c.printer, c.flags = pc.Options, pc.printer, pc.flags
		}
		if !e.NumPy2() {
			c.printer.NumPy = 1
			c.flags = append(c.flags, "--numpy=1")
		}
	}
	c.command = g.Chance(15)
	return &p.Case{Ask: c, Facts: c, Check: c.check, Text: func() string {
		return fmt.Sprintf("%s %s protocol %d %v of %s", c.Op, c.Index, c.Protocol, c.flags, c.A)
	}}
}

func (c *objectsCase) check(r *p.Report, a oracle.Answer) {
	if a.Error != "" {
		if c.Op == "slice" && a.Error == "IndexError" || c.Op == "slice" && a.Error == "ValueError" {
			return // the driver of slices covers these
		}
		if c.Op == "json" && a.Error == "TypeError" {
			return
		}
		if c.Op == "show" {
			return // NumPy takes a type or matrix for a row of a subarray, and has no text for a time without a unit
		}
		r.Equal("Python", "", a.Error+": "+a.Message)
		return
	}
	want := p.Decode[struct {
		File, Out       []byte
		Str, Repr, JSON string
	}](a)
	array, err := npy.Decoder{Objects: objects.Decoder{}}.Read(bytes.NewReader(want.File))
	if err != nil {
		r.Equal("read", err.Error(), fmt.Sprintf("%q", want.File))
		return
	}
	path := r.Path("a.npy")
	if err := os.WriteFile(path, want.File, 0o666); err != nil {
		panic(err)
	}
	switch c.Op {
	case "identity", "protocol":
		c.checkIdentity(r, array, path, want.Out)
	case "slice":
		c.checkSlice(r, array, path, want.Out)
	case "show":
		c.checkShow(r, array, path, want.Str, want.Repr)
	case "json":
		c.checkJSON(r, array, path, want.JSON)
	}
}

// same compares two files of objects.
func (c *objectsCase) same(r *p.Report, what string, got, want []byte, err error) {
	if err != nil {
		r.Equal(what, "error: "+err.Error(), fmt.Sprintf("%q", want))
		return
	}
	if bytes.Equal(got, want) {
		r.True(what, true, "", "")
		return
	}
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	from := max(i-20, 0)
	r.Equal(what, fmt.Sprintf("%q from %d of %d", got[from:min(from+100, len(got))], from, len(got)), fmt.Sprintf("%q from %d of %d", want[from:min(from+100, len(want))], from, len(want)))
}

func (c *objectsCase) checkIdentity(r *p.Report, a *npy.Array, path string, want []byte) {
	var b bytes.Buffer
	err := npy.Encoder{Objects: objects.Encoder{}}.Write(&b, a)
	c.same(r, c.Op, b.Bytes(), want, err)
	if c.command {
		out := r.Path("out.npy")
		if err := p.Npy("", "convert", path, out).Err(); err != nil {
			r.Equal("npy convert", err.Error(), "")
			return
		}
		c.same(r, "npy convert", must(os.ReadFile(out)), want, nil)
	}
}

func (c *objectsCase) checkSlice(r *p.Report, a *npy.Array, path string, want []byte) {
	index, err := npy.ParseIndex(c.Index)
	if err != nil {
		r.Equal("ParseIndex", err.Error(), "")
		return
	}
	part, err := a.Slice(index...)
	if err != nil {
		r.Equal("slice", err.Error(), "")
		return
	}
	var b bytes.Buffer
	err = npy.Encoder{Objects: objects.Encoder{}}.Write(&b, part)
	c.same(r, "slice", b.Bytes(), want, err)
	if c.command {
		out := r.Path("out.npy")
		if err := p.Npy("", "convert", path+c.Index, out).Err(); err != nil {
			r.Equal("npy convert", err.Error(), "")
			return
		}
		c.same(r, "npy convert", must(os.ReadFile(out)), want, nil)
	}
}

func (c *objectsCase) checkShow(r *p.Report, a *npy.Array, path, str, repr string) {
	var b bytes.Buffer
	if err := c.printer.Print(&b, a); err != nil {
		b.WriteString("error: " + err.Error())
	}
	table := a.DType().IsStruct() && a.NDim() < 2
	if !table {
		r.Equal("Print", strings.TrimSuffix(b.String(), "\n"), str)
	}
	r.Equal("Repr", string(c.printer.AppendRepr(nil, a, 1<<20)), repr)
	if c.command && !strings.Contains(fmt.Sprint(c.flags), "none") {
		x := p.Npy("", append(append([]string{"show"}, c.flags...), path)...)
		r.Equal("npy show", x.Stdout+x.Stderr, b.String())
	}
}

func (c *objectsCase) checkJSON(r *p.Report, a *npy.Array, path, want string) {
	var b bytes.Buffer
	if err := convert.Write(context.Background(), &b, convert.JSON, a, convert.WriteOptions{}); err != nil {
		r.Equal("JSON", err.Error(), want)
		return
	}
	r.True("JSON", reflect.DeepEqual(decoded(b.String()), decoded(want)), b.String(), want)
	if c.command {
		x := p.Npy("", "convert", "-q", "--to", "json", path, "-")
		r.Equal("npy convert", x.Stdout+x.Stderr, b.String())
	}
}

// decoded reads JSON with numbers as big as they are.
func decoded(text string) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return err.Error()
	}
	return numbersOf(v)
}

// numbersOf converts the numbers that are written as floats to floats.
func numbersOf(v any) any {
	switch v := v.(type) {
	case json.Number:
		if strings.ContainsAny(string(v), ".eE") {
			x, _ := v.Float64()
			return x
		}
		return string(v)
	case []any:
		for i := range v {
			v[i] = numbersOf(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = numbersOf(v[k])
		}
	}
	return v
}
