package property_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/oracle"
	p "github.com/npygo/npy/internal/property"
	"github.com/npygo/npy/mmap"
	"github.com/npygo/npy/npz"
)

// Files have the bytes that NumPy writes: arrays saved, copied, converted, concatenated and sliced.
func TestBytesBesideNumPy(t *testing.T) {
	p.Run(t, p.Area{Name: "bytes", Cases: 800, Case: newBytes}, differences)
}

// A bytesCase is an array and the operation on it.
type bytesCase struct {
	A      *p.Array          `json:"a"`
	Op     string            `json:"op"`
	More   []*p.Array        `json:"more"`
	Index  string            `json:"index"`
	Axes   []int             `json:"axes"`
	Shape  []int             `json:"shape"`
	Order  string            `json:"order"`
	Axis   int               `json:"axis"`
	To     string            `json:"to"`
	Keep   []string          `json:"keep"`
	Rename map[string]string `json:"rename"`
	Cut    any               `json:"cut"`

	to      dtype.Type
	rows    int // of each part
	command bool
}

func newBytes(g *p.G, e *p.Env) *p.Case {
	c := &bytesCase{Op: p.Pick(g, "save", "copy", "concat", "append", "fields", "field", "split", "raw", "create")}
	k := e.Have(p.All)
	most := p.Pick(g, 20, 20, 200, 2000)
	if c.Op == "fields" || c.Op == "field" {
		c.A = g.ArrayOf(g.Struct(k, 2), g.Shape(most), p.Invalid|p.NaNBits|p.FarTimes|p.Surrogate)
	} else {
		c.A = g.Array(k, most, p.Invalid|p.NaNBits|p.FarTimes|p.Surrogate)
	}
	c.command = g.Chance(12)
	switch c.Op {
	case "copy":
		c.copy(g)
	case "concat", "append":
		c.more(g)
	case "fields":
		c.fields(g)
	case "field":
		for c.Index = g.Subscripts(c.A.DType.Type, nil); !strings.Contains(c.Index, "'"); {
			c.Index = fmt.Sprintf("[%s]", p.PythonString(c.A.DType.Field(0).Name))
		}
	case "split":
		c.split(g)
	case "create":
		c.Order = p.Pick(g, "C", "F")
	}
	return &p.Case{Ask: c, Facts: c, Text: c.String, Check: c.check}
}

func (c *bytesCase) String() string {
	q, _ := json.Marshal(struct {
		Op, Index, Order, To string
		Axes, Shape          []int
		Axis                 int
		Keep                 []string
		Rename               map[string]string
		Cut                  any
		More                 int
	}{c.Op, c.Index, c.Order, c.To, c.Axes, c.Shape, c.Axis, c.Keep, c.Rename, c.Cut, len(c.More)})
	text := fmt.Sprintf("%s of %s", q, c.A)
	for _, m := range c.More {
		text += "; " + m.String()
	}
	return text
}

// copy chooses a part, an order of the axes, a shape, a dtype and an order.
func (c *bytesCase) copy(g *p.G) {
	shape := c.A.Shape()
	if g.Chance(40) {
		c.Index = "[" + g.Index(shape) + "]"
		index, err := npy.ParseIndex(c.Index)
		if err != nil {
			return
		}
		part, err := c.A.Slice(index...)
		if err != nil {
			return
		}
		shape = part.Shape()
	}
	if g.Chance(30) {
		c.Axes = g.Shuffle(len(shape))
		was := slices.Clone(shape)
		for i, axis := range c.Axes {
			shape[i] = was[axis]
		}
	}
	if g.Chance(30) {
		c.Shape = reshaped(g, shape)
	}
	if g.Chance(30) {
		c.Order = p.Pick(g, "C", "F")
	}
	if g.Chance(20) && !c.A.DType.IsStruct() && !c.A.IsSmall() {
		wider := wider(g, c.A.DType)
		c.To, c.to = wider.Python, wider.Type
	}
}

// reshaped returns another shape for the same number of elements; a few do not fit.
func reshaped(g *p.G, shape []int) []int {
	n := p.Size(shape)
	if n == 0 || g.Chance(3) {
		return p.Pick(g, []int{0}, []int{-1}, []int{3, 0}, []int{7}, []int{})
	}
	var out []int
	for left := n; ; {
		factor := 0
		for f := 2; f <= left; f++ {
			if left%f == 0 && (g.Chance(50) || f*f > left) {
				factor = f
				break
			}
		}
		if factor == 0 {
			break
		}
		out = append(out, factor)
		left /= factor
	}
	if g.Chance(20) {
		out = slices.Insert(out, g.Int(len(out)+1), 1)
	}
	if len(out) > 0 && g.Chance(30) {
		out[g.Int(len(out))] = -1
	}
	return out
}

// wider returns a dtype that holds every value of another.
func wider(g *p.G, t p.DType) p.DType {
	order := p.Pick(g, "<", ">")
	codes := map[string][]string{
		"b1": {"b1", "i1", "f8", "c8"}, "i1": {"i2", "i8", "f4", "c16"}, "u1": {"u2", "i2", "f4", "u8"}, "i2": {"i4", "f8"}, "u2": {"i4", "u8", "f4"},
		"i4": {"i8", "f8"}, "u4": {"i8", "u8", "c16"}, "i8": {"i8"}, "u8": {"u8"}, "f2": {"f4", "f8", "c16"}, "f4": {"f8", "c8"}, "f8": {"f8", "c16"},
		"f16": {"f16"}, "c8": {"c16"}, "c16": {"c16"}, "c32": {"c32"},
	}
	descr := t.Descr()
	some, ok := codes[strings.TrimLeft(descr, "<>|")]
	switch {
	case ok && t.Name() != "bool":
		return p.Parsed(order + p.Pick(g, some...))
	case t.Kind() == dtype.KindStr:
		return p.Parsed(fmt.Sprintf("%sU%d", order, t.Chars()+g.Int(3)))
	case t.Kind() == dtype.KindBytes:
		return p.Parsed(fmt.Sprintf("S%d", t.Chars()+g.Int(3)))
	case t.Kind() == dtype.KindDatetime || t.Kind() == dtype.KindTimedelta:
		return p.Parsed(order + descr[1:])
	}
	return t
}

// more makes arrays to concatenate with the first. Now and then one does not fit.
func (c *bytesCase) more(g *p.G) {
	shape := c.A.Shape()
	c.Axis = 0
	if n := len(shape); n > 0 && c.Op == "concat" {
		c.Axis = g.Between(-n, n-1)
	}
	along := c.Axis
	if along < 0 {
		along += len(shape)
	}
	if c.Op == "append" && c.A.IsFortran() && !c.A.IsC() {
		along = len(shape) - 1
	}
	for range g.Between(1, 3) {
		other := slices.Clone(shape)
		switch {
		case len(other) == 0:
		case c.Op == "append" && g.Chance(20):
			other = slices.Delete(other, along, along+1) // one row
		case g.Chance(2):
			other[g.Int(len(other))]++
		default:
			other[along] = g.Int(5)
		}
		b := p.NewArray(c.A.DType, g.Elements(c.A.DType.Type, p.Size(other), p.NaNBits), other)
		if g.Chance(30) {
			b.InFortran()
		}
		c.More = append(c.More, b)
	}
}

func (c *bytesCase) fields(g *p.G) {
	t := c.A.DType
	for _, i := range g.Shuffle(t.NumField()) {
		if len(c.Keep) == 0 || g.Chance(60) {
			c.Keep = append(c.Keep, t.Field(i).Name)
		}
	}
	if g.Chance(40) {
		c.Rename = map[string]string{c.Keep[0]: p.Pick(g, "new", "é", "with space")}
	}
}

func (c *bytesCase) split(g *p.G) {
	n := len(c.A.Shape())
	if n > 0 {
		c.Axis = g.Between(-n, n-1)
	}
	switch g.Int(3) {
	case 0:
		c.Cut = g.Between(1, 6)
		return
	case 1:
		c.rows = g.Between(1, 4)
		at := []int{}
		if n > 0 {
			axis := (c.Axis + n) % n
			for i := c.rows; i < c.A.Shape()[axis]; i += c.rows {
				at = append(at, i)
			}
		}
		c.Cut = at
		return
	}
	at := make([]int, g.Between(1, 4))
	for i := range at {
		at[i] = g.Between(-3, 8)
	}
	c.Cut = at
}

// A way is one of several operations that must give the same file.
type way struct {
	name  string
	make  func(out string) error
	gives int // which of NumPy's files
}

func (c *bytesCase) check(r *p.Report, a oracle.Answer) {
	var want struct {
		A   []byte
		Out [][]byte
	}
	if a.Error == "" {
		if err := json.Unmarshal(a.Value, &want); err != nil {
			panic(err)
		}
	}
	in := r.Path("a.npy")
	if err := npy.WriteFile(in, c.A.Array); err != nil {
		r.Equal("save", "error: "+err.Error(), "a file")
		return
	}
	if a.Error == "" && !c.sameFile(r, "save", must(os.ReadFile(in)), want.A) {
		return
	}
	if a.Error == "" && len(want.Out) == 0 {
		return
	}
	if c.Op == "split" {
		c.checkSplit(r, in, want.Out, a)
		return
	}
	for _, w := range c.ways(r, in) {
		out := r.Path("out.npy")
		err := w.make(out)
		switch {
		case a.Error != "" && err != nil:
			r.True(w.name, !strings.Contains(err.Error(), "PANIC"), err.Error(), "an error")
		case a.Error != "":
			r.Equal(w.name, "no error", a.Error+": "+a.Message)
		case err != nil:
			r.Equal(w.name, "error: "+err.Error(), fileText(want.Out[w.gives], 0))
		case w.name == "Array" && c.Shape != nil: // Array.Reshape has an order of its own
			c.sameFile(r, w.name, inCOrder(must(os.ReadFile(out))), inCOrder(want.Out[w.gives]))
		default:
			c.sameFile(r, w.name, must(os.ReadFile(out)), want.Out[w.gives])
		}
	}
}

// inCOrder returns the file of an array with the elements in C order.
func inCOrder(file []byte) []byte {
	var b bytes.Buffer
	if err := npy.Write(&b, must(npy.Read(bytes.NewReader(file))).Contiguous()); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// sameFile compares the bytes of two files. Where NumPy has moved elements by value, padding between them is ignored.
func (c *bytesCase) sameFile(r *p.Report, what string, got, want []byte) bool {
	if !bytes.Equal(got, want) && !(c.Op == "save" && len(c.A.Views) == 0) {
		got, want = c.withoutGaps(got), c.withoutGaps(want)
	}
	if bytes.Equal(got, want) {
		return r.True(what, true, "", "")
	}
	if c.to.IsValid() && c.sameNumbers(got, want) {
		return r.True(what, true, "", "")
	}
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	return r.Equal(what, fileText(got, i), fileText(want, i))
}

// sameNumbers compares two files of converted numbers: the bits of a converted NaN depend on the processor.
func (c *bytesCase) sameNumbers(got, want []byte) bool {
	h, err := format.ReadHeader(bytes.NewReader(want))
	at := int(h.DataOffset)
	return err == nil && len(got) >= at && bytes.Equal(got[:at], want[:at]) && p.SameElements(h.DType, got[at:], want[at:])
}

func (c *bytesCase) withoutGaps(file []byte) []byte {
	h, err := format.ReadHeader(bytes.NewReader(file))
	if err != nil { // raw
		return p.WithoutGaps(c.A.DType.Type, file)
	}
	return append(slices.Clone(file[:h.DataOffset]), p.WithoutGaps(h.DType, file[h.DataOffset:])...)
}

// fileText describes a file: its header, or the elements from shortly before byte i.
func fileText(b []byte, i int) string {
	end := bytes.IndexByte(b, '\n') + 1
	if i < end {
		return fmt.Sprintf("%q of %d bytes", bytes.TrimRight(b[:end], " \n"), len(b))
	}
	from := max(i-4, end)
	return fmt.Sprintf("…%x… from byte %d of %d", b[min(from, len(b)):min(from+40, len(b))], from, len(b))
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// ways are all operations that make the file of a case from the file of its array.
func (c *bytesCase) ways(r *p.Report, in string) []way {
	switch c.Op {
	case "save":
		return c.saving(r, in)
	case "copy":
		return c.copying(r, in)
	case "concat", "append":
		return c.joining(r, in)
	case "fields":
		return c.picking(r, in)
	case "field":
		return c.ofField(r, in)
	case "raw":
		return c.rawWays(r, in)
	}
	return c.creating(r, in)
}

// npyWay is a call of the command that makes out.
func npyWay(args func(out string) []string) way {
	return way{name: "command", make: func(out string) error { return p.Npy("", args(out)...).Err() }}
}

// of returns the name of NumPy's file to compare with.
func (w way) of(i int) way {
	w.gives = i
	return w
}

func (c *bytesCase) saving(r *p.Report, in string) []way {
	ways := []way{
		{name: "ReadFile, WriteFile", make: func(out string) error { return npy.WriteFile(out, must(npy.ReadFile(in))) }},
		{name: "Read, Write", make: func(out string) error {
			var b bytes.Buffer
			if err := npy.Write(&b, must(npy.Read(bytes.NewReader(must(os.ReadFile(in)))))); err != nil {
				return err
			}
			return os.WriteFile(out, b.Bytes(), 0o666)
		}},
		{name: "Copier", make: func(out string) error { return copied(npy.Copier{}, out, in) }},
		{name: "npz stored", make: func(out string) error {
			return throughArchive(r, npz.Encoder{Store: true}, out, must(npy.ReadFile(in)))
		}},
		{name: "npz deflated", make: func(out string) error { return throughArchive(r, npz.Encoder{}, out, c.A.Array) }, gives: 1},
	}
	if c.command {
		ways = append(ways, npyWay(func(out string) []string { return []string{"convert", in, out} }))
	}
	return ways
}

// copied copies a file, or the part of it that an index names.
func copied(c npy.Copier, out, in string, index ...npy.Index) error {
	f, err := npy.Open(in)
	if err != nil {
		return err
	}
	defer f.Close()
	src, err := f.Select(index...)
	if err != nil {
		return err
	}
	return c.WriteFile(context.Background(), out, src)
}

// throughArchive puts an array into an archive and extracts the member.
func throughArchive(r *p.Report, e npz.Encoder, out string, a *npy.Array) error {
	path := r.Path("a.npz")
	if err := e.Save(path, npz.Member{Name: "x", Array: a}); err != nil {
		return err
	}
	z, err := npz.Open(path)
	if err != nil {
		return err
	}
	defer z.Close()
	data, err := z.Bytes("x")
	if err != nil {
		return err
	}
	return os.WriteFile(out, data, 0o666)
}

var orders = map[string]npy.Order{"": npy.KeepOrder, "C": npy.COrder, "F": npy.FortranOrder}

func (c *bytesCase) copying(r *p.Report, in string) []way {
	copier := npy.Copier{Axes: c.Axes, Shape: c.Shape, DType: c.to, Order: orders[c.Order]}
	index, indexError := []npy.Index(nil), error(nil)
	if c.Index != "" {
		index, indexError = npy.ParseIndex(c.Index)
	}
	ways := []way{
		{name: "Copier.WriteFile", make: func(out string) error {
			if indexError != nil {
				return indexError
			}
			return copied(copier, out, in, index...)
		}},
		{name: "Copier.Write", make: func(out string) error {
			if indexError != nil {
				return indexError
			}
			f := must(npy.Open(in))
			defer f.Close()
			var b bytes.Buffer
			src, err := f.Select(index...)
			if err != nil {
				return err
			}
			if err := copier.Write(context.Background(), &b, src); err != nil {
				return err
			}
			return os.WriteFile(out, b.Bytes(), 0o666)
		}},
		{name: "Array", make: func(out string) error {
			if indexError != nil {
				return indexError
			}
			return c.inMemory(must(npy.ReadFile(in)), index, out)
		}},
	}
	if c.command {
		if args, ok := c.commandCopy(in); ok {
			ways = append(ways, npyWay(func(out string) []string { return append(args, out) }))
		}
	}
	return ways
}

// inMemory does the work of a Copier with the methods of an Array.
func (c *bytesCase) inMemory(a *npy.Array, index []npy.Index, out string) (err error) {
	if c.Index != "" {
		if a, err = a.Slice(index...); err != nil {
			return err
		}
	}
	if c.Axes != nil {
		if a, err = a.Transpose(c.Axes...); err != nil {
			return err
		}
	}
	if c.Shape != nil && c.Order == "F" { // NumPy's reshape(order='F'), by way of C order
		reversed := slices.Clone(c.Shape)
		slices.Reverse(reversed)
		if a, err = a.T().Reshape(reversed...); err != nil {
			return err
		}
		a = a.T()
	} else if c.Shape != nil {
		if a, err = a.Reshape(c.Shape...); err != nil {
			return err
		}
	}
	if c.to.IsValid() {
		if a, err = a.AsType(c.to); err != nil {
			return err
		}
	}
	switch c.Order {
	case "C":
		a = a.Contiguous()
	case "F":
		a = a.Fortran()
	}
	return npy.WriteFile(out, a)
}

// commandCopy returns the same call of the command, if there is one.
func (c *bytesCase) commandCopy(in string) ([]string, bool) {
	file := in + c.Index
	order := []string{}
	if c.Order != "" {
		order = []string{"--order", c.Order}
	}
	switch {
	case c.Axes == nil && c.Shape == nil:
		args := append([]string{"convert"}, order...)
		if c.To != "" {
			args = append(args, "-d", c.to.Descr())
		}
		return append(args, file), true
	case c.Axes == nil && c.To == "":
		return append(append([]string{"reshape"}, order...), "--", numbers(c.Shape), file), true
	case c.Shape == nil && c.To == "" && c.Order == "":
		return []string{"transpose", "--", numbers(c.Axes), file}, true
	}
	return nil, false
}

// numbers writes a list of numbers in the syntax of the command.
func numbers(list []int) string {
	if len(list) == 0 {
		return "()"
	}
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ",")
}

func (c *bytesCase) joining(r *p.Report, in string) []way {
	paths := []string{in}
	for _, m := range c.More {
		path := r.Path("more.npy")
		if err := npy.WriteFile(path, m.Array); err != nil {
			panic(err)
		}
		paths = append(paths, path)
	}
	if c.Op == "append" {
		return c.appending(paths)
	}
	ways := []way{{name: "Copier.Concat", make: func(out string) error {
		var files []npy.Source
		for _, path := range paths {
			f := must(npy.Open(path))
			defer f.Close()
			files = append(files, f)
		}
		return npy.Copier{}.Concat(context.Background(), out, c.Axis, files...)
	}}}
	if c.command {
		ways = append(ways, npyWay(func(out string) []string {
			return append(append([]string{"concat", "--axis", strconv.Itoa(c.Axis)}, paths...), out)
		}))
	}
	return ways
}

func (c *bytesCase) appending(paths []string) []way {
	begin := func(out string) error { return os.WriteFile(out, must(os.ReadFile(paths[0])), 0o666) }
	ways := []way{{name: "Appender", make: func(out string) error {
		if err := begin(out); err != nil {
			return err
		}
		a, err := npy.OpenAppend(out)
		if err != nil {
			return err
		}
		defer a.Close()
		for _, m := range c.More {
			b := m.Array
			if shape := b.Shape(); len(shape) < len(c.A.Shape()) { // one row
				if b, err = b.Reshape(oneRow(c.A.Array, shape)...); err != nil {
					return err
				}
			}
			if err := a.Append(b); err != nil {
				return err
			}
		}
		return a.Close()
	}}}
	if c.command {
		ways = append(ways, way{name: "command", make: func(out string) error {
			if err := begin(out); err != nil {
				return err
			}
			return p.Npy("", append([]string{"append", out}, paths[1:]...)...).Err()
		}})
	}
	return ways
}

// oneRow is the shape of a row of a as an array of its own.
func oneRow(a *npy.Array, row []int) []int {
	if a.IsFortran() && !a.IsC() {
		return append(slices.Clone(row), 1)
	}
	return append([]int{1}, row...)
}

func (c *bytesCase) picking(_ *p.Report, in string) []way {
	ways := []way{{name: "Copier.Fields", make: func(out string) error {
		return copied(npy.Copier{Fields: c.Keep, Rename: c.Rename}, out, in)
	}}}
	if c.command && !slices.ContainsFunc(c.Keep, func(name string) bool { return strings.ContainsAny(name, ",=\n\\\"' ") }) {
		ways = append(ways, npyWay(func(out string) []string {
			args := []string{"fields", "--keep", strings.Join(c.Keep, ",")}
			for old, name := range c.Rename {
				args = append(args, "--rename", old+"="+name)
			}
			return append(args, in, out)
		}))
	}
	return ways
}

func (c *bytesCase) ofField(_ *p.Report, in string) []way {
	index, err := npy.ParseIndex(c.Index)
	if err != nil {
		panic(err)
	}
	ways := []way{
		{name: "Array.Slice", make: func(out string) error {
			a, err := must(npy.ReadFile(in)).Slice(index...)
			if err != nil {
				return err
			}
			return npy.WriteFile(out, a)
		}},
		{name: "Copier", make: func(out string) error { return copied(npy.Copier{}, out, in, index...) }},
	}
	if c.command {
		ways = append(ways, npyWay(func(out string) []string { return []string{"convert", in + c.Index, out} }))
	}
	return ways
}

// rawWays are two ways that write elements alone, then two that read them.
func (c *bytesCase) rawWays(r *p.Report, in string) []way {
	raw := r.Path("a.raw")
	if err := os.WriteFile(raw, c.A.Bytes(), 0o666); err != nil {
		panic(err)
	}
	ways := []way{
		{name: "CopyRaw", make: func(out string) error {
			f := must(npy.Open(in))
			defer f.Close()
			var b bytes.Buffer
			if err := convert.WriteRaw(context.Background(), &b, f, npy.Copier{}); err != nil {
				return err
			}
			return os.WriteFile(out, b.Bytes(), 0o666)
		}},
		{name: "CopyRawFile", make: func(out string) error {
			f := must(npy.Open(in))
			defer f.Close()
			return convert.WriteRawFile(context.Background(), out, f, npy.Copier{})
		}},
		{name: "OpenRaw", make: func(out string) error {
			b := must(os.ReadFile(raw))
			file := must(npy.Open(in)) // its dtype is the one that NumPy loads: void for types of ml_dtypes
			defer file.Close()
			f, err := convert.OpenRaw(bytes.NewReader(b), int64(len(b)), convert.RawOptions{DType: file.DType(), Shape: c.A.Shape()})
			if err != nil {
				return err
			}
			return npy.Copier{}.WriteFile(context.Background(), out, f)
		}, gives: 1},
	}
	if c.command && !c.A.IsSmall() {
		ways = append(ways, npyWay(func(out string) []string {
			return []string{"convert", "--dtype", c.A.DType.Descr(), "--shape", numbers(c.A.Shape()), raw, out}
		}).of(1))
	}
	return ways
}

func (c *bytesCase) creating(*p.Report, string) []way {
	ways := []way{{name: "New", make: func(out string) error {
		a, err := npy.New(c.A.DType.Type, c.A.Shape()...)
		if err != nil {
			return err
		}
		if c.Order == "F" {
			a = a.Fortran()
		}
		return npy.WriteFile(out, a)
	}}, {name: "mmap.Create", make: func(out string) error {
		f, err := mmap.Options{Fortran: c.Order == "F"}.Create(out, c.A.DType.Type, c.A.Shape()...)
		if err != nil {
			return err
		}
		return f.Close()
	}, gives: 1}}
	if c.command && !c.A.IsSmall() {
		ways = append(ways, npyWay(func(out string) []string {
			return []string{"create", "--dtype", c.A.DType.Descr(), "--shape", numbers(c.A.Shape()), "--order", c.Order, out}
		}).of(1))
	}
	return ways
}

// checkSplit compares the parts that npy split writes.
func (c *bytesCase) checkSplit(r *p.Report, in string, want [][]byte, a oracle.Answer) {
	dir := r.Path("parts")
	if err := os.Mkdir(dir, 0o777); err != nil {
		panic(err)
	}
	flag := "--parts=" + fmt.Sprint(c.Cut)
	if at, ok := c.Cut.([]int); ok {
		flag = "--at=" + numbers(at)
	}
	if c.rows > 0 {
		flag = fmt.Sprintf("--rows=%d", c.rows)
	}
	err := p.Npy(dir, "split", "-q", flag, "--axis="+strconv.Itoa(c.Axis), in, "part-%d.npy").Err()
	if a.Error != "" {
		r.True("split", err != nil, "no error", a.Error+": "+a.Message)
		return
	}
	if err != nil {
		r.Equal("split", err.Error(), fmt.Sprintf("%d parts", len(want)))
		return
	}
	if n := len(must(os.ReadDir(dir))); !r.Equal("split: number of parts", strconv.Itoa(n), strconv.Itoa(len(want))) {
		return
	}
	for i, w := range want {
		c.sameFile(r, "split", must(os.ReadFile(fmt.Sprintf("%s/part-%d.npy", dir, i))), w)
	}
}
