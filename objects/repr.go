package objects

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/dtypetext"
	"github.com/npygo/npy/pickle"
)

// reprMax limits the text of one value, in bytes.
const reprMax = 1 << 20

// String returns Python's repr of the dtype, such as dtype('float64').
func (d *DType) String() string { return string(d.AppendRepr(nil, reprMax)) }

// AppendRepr appends the result of [DType.String], about limit bytes of it.
func (d *DType) AppendRepr(dst []byte, limit int) []byte { return appendCut(dst, d.text(), limit) }

// String returns Python's repr of the scalar in NumPy 2, np.float64(1.5).
func (s *Scalar) String() string { return string(s.AppendRepr(nil, reprMax)) }

// AppendRepr appends the result of [Scalar.String], about limit bytes of it.
func (s *Scalar) AppendRepr(dst []byte, limit int) []byte {
	return appendCut(dst, (&printer{}).scalar(s, limit), limit)
}

// String returns Python's repr of the masked array, masked_array(data=[1, --], …).
func (m *MaskedArray) String() string { return string(m.AppendRepr(nil, reprMax)) }

// AppendRepr appends the result of [MaskedArray.String], about limit bytes of it.
func (m *MaskedArray) AppendRepr(dst []byte, limit int) []byte {
	return appendCut(dst, (&printer{}).masked(m, limit), limit)
}

// AppendObject implements [npy.ObjectPrinter].
func (o *origin) AppendObject(dst []byte, v any, p npy.Printer, limit int) []byte {
	return (&printer{p}).append(dst, v, limit)
}

// IsList implements [npy.ObjectPrinter].
func (o *origin) IsList(v any) bool {
	_, ok := v.(*pickle.List)
	return ok
}

// A printer prints objects with the options of the arrays in them.
type printer struct{ npy.Printer }

// isNumPy1 reports whether to print as NumPy 1 does.
func (p *printer) isNumPy1() bool { return p.NumPy == 1 }

// append appends the repr of any object.
func (p *printer) append(dst []byte, v any, limit int) []byte {
	q := pickle.Printer{MaxBytes: max(limit, 1), Other: p.other}
	if p.isNumPy1() {
		q.Python = 11
	}
	return q.Append(dst, v)
}

// other prints NumPy's objects.
func (p *printer) other(dst []byte, v any, limit int) ([]byte, bool) {
	switch v := v.(type) {
	case *npy.Array:
		return p.AppendRepr(dst, nested{v}.array(), limit), true
	case *Scalar:
		return appendCut(dst, p.scalar(v, limit), limit), true
	case *MaskedArray:
		return appendCut(dst, p.masked(v, limit), limit), true
	case maskedMark:
		return append(dst, "--"...), true
	case *pickle.Global:
		return p.global(dst, v)
	case *pickle.Object:
		return p.object(dst, v, limit)
	}
	return dst, false
}

// nested prints an array within an object. NumPy converts it to native byte order when it loads it, except in protocol
// 5.
type nested struct{ *npy.Array }

func (n nested) array() *npy.Array {
	a := n.Array
	if o := originOf(a); o != nil && o.class != nil && o.class.Name == "chararray" {
		a = stripped(a)
	}
	if o, ok := a.Origin().(*origin); ok && o.made != nil && o.made.HasState && !a.DType().IsStruct() && !a.DType().IsNative() {
		c := *o
		c.nested = true
		return a.WithOrigin(&c)
	}
	return a
}

// stripped returns a chararray with its elements as it shows them: without white space at their ends.
func stripped(a *npy.Array) *npy.Array {
	size := 1
	if a.DType().Kind() == dtype.KindStr {
		size = 4
	}
	c := a.Clone().WithOrigin(a.Origin())
	isBig := a.DType().ByteOrder() == dtype.BigEndian
	for index := range indices(c.Shape()) {
		item := c.Item(index...)
		for len(item) > 0 {
			last := item[len(item)-size:]
			if r := rune(bulk.Uint(last, isBig && size > 1)); r != 0 && !unicode.IsSpace(r) {
				break
			}
			clear(last)
			item = item[:len(item)-size]
		}
	}
	return c
}

// ReprParts returns the parts of repr(a) besides the elements.
func (o *origin) ReprParts(npy.Printer) (class, text string) {
	class = "array"
	if o.class != nil && o.class.Name != "ndarray" {
		class = o.class.Name
	}
	if class == "recarray" {
		class = "rec.array"
	}
	d := o.dtype
	switch {
	case d == nil:
	case d.StringType != nil:
		text = d.text()
	case d.Type.IsStruct():
		note := d.note()
		if class == "rec.array" {
			note.Class = ""
		}
		text = dtypetext.Str(d.Type, note)
	case o.nested:
		t := d.Type.WithByteOrder(dtype.NativeEndian)
		switch text = t.Name(); {
		case isFlexible(t):
			text = "'" + t.Descr() + "'"
		case strings.Contains(text, "["):
			text = "'" + text + "'"
		}
	}
	return class, text
}

func isFlexible(t dtype.Type) bool {
	return t.Kind() == dtype.KindStr || t.Kind() == dtype.KindBytes || t.Kind() == dtype.KindVoid
}

// note returns the properties of a dtype that was read that its type lacks.
func (d *DType) note() *dtypetext.Note {
	n := &dtypetext.Note{}
	if d.base != nil {
		n.Base = d.base.note()
	}
	for _, f := range d.fields {
		var note *dtypetext.Note
		if f != nil {
			note = f.note()
		}
		n.Fields = append(n.Fields, note)
	}
	if d.made == nil {
		return n
	}
	const alignedStruct = 0x80
	if items, ok := tupleOf(d.made.State, stateFlags+1, stateMetadata+1); ok {
		flags, _ := items[stateFlags].(int64)
		n.Aligned = d.Type.IsStruct() && flags&alignedStruct != 0
	}
	if g, ok := d.made.Args.Items[0].(*pickle.Global); ok && d.Type.IsStruct() && g.Name != "void" {
		n.Class = g.Module + "." + g.Name
	}
	return n
}

// text returns the repr of a dtype.
func (d *DType) text() string {
	if d.StringType == nil {
		return dtypetext.Repr(d.Type, d.note())
	}
	var args []string
	if d.StringType.HasNA {
		args = append(args, "na_object="+string((&printer{}).append(nil, d.StringType.NA, reprMax)))
	}
	if d.StringType.NoCoerce {
		args = append(args, "coerce=False")
	}
	return "StringDType(" + strings.Join(args, ", ") + ")"
}

// scalarNames are the names of NumPy 2 for scalars with a differently named dtype.
var scalarNames = map[string]string{
	"float96": "longdouble", "float128": "longdouble", "complex192": "clongdouble", "complex256": "clongdouble",
}

// scalar returns the repr of a scalar: its value for NumPy 1, and a call for NumPy 2.
func (p *printer) scalar(s *Scalar, limit int) string {
	t := s.DType()
	switch kind := t.Kind(); {
	case t.IsStruct():
		return p.record(s, limit)
	case kind == dtype.KindDatetime, kind == dtype.KindTimedelta:
		return p.time(s)
	case kind == dtype.KindVoid && strings.HasPrefix(t.Name(), "void"):
		return p.prefix("", "np.") + "void(" + p.str(s.first(limit)) + ")"
	case kind == dtype.KindVoid: // of ml_dtypes, which has its own
		return p.str(s)
	case kind == dtype.KindStr, kind == dtype.KindBytes:
		text := ""
		if v, err := s.Value(); err == nil {
			text = string(p.append(nil, v, limit))
		}
		name := map[dtype.Kind]string{dtype.KindStr: "np.str_(", dtype.KindBytes: "np.bytes_("}[kind]
		return p.call(name, text)
	case kind == dtype.KindBool && !p.isNumPy1():
		return "np." + p.str(s) + "_"
	}
	text := p.str(s)
	if name := scalarNames[t.Name()]; name != "" {
		if !p.isNumPy1() {
			text = strings.Trim(text, "()")
		}
		return p.call("np."+name+"('", text, "'")
	}
	if t.Kind() == dtype.KindComplex && !p.isNumPy1() {
		text = strings.Trim(text, "()")
	}
	return p.call("np."+t.Name()+"(", text)
}

// first returns the first bytes of a void scalar, or the scalar if it is shorter.
func (s *Scalar) first(n int) *Scalar {
	b := s.array.Bytes()
	if len(b) <= n {
		return s
	}
	a, err := npy.FromBytes(dtype.Void(max(n, 0)), b[:max(n, 0)])
	if err != nil {
		return s
	}
	return &Scalar{array: a}
}

// prefix returns one of two texts.
func (p *printer) prefix(one, two string) string {
	if p.isNumPy1() {
		return one
	}
	return two
}

// call returns a text, as the argument of a call if NumPy 2 prints one.
func (p *printer) call(open, text string, end ...string) string {
	if p.isNumPy1() {
		return text
	}
	return open + text + strings.Join(end, "") + ")"
}

// str returns str(s) of a scalar that is not a struct.
func (p *printer) str(s *Scalar) string {
	q := npy.Printer{NumPy: p.NumPy}
	return q.Str(s.array)
}

// time returns the repr of a datetime64 or timedelta64: numpy.datetime64('2020-01-02'), with the unit if the text does
// not show it.
func (p *printer) time(s *Scalar) string {
	step := s.DType().Step()
	unit := step.String()
	text := p.str(s)
	head := p.prefix("numpy.", "np.")
	isNaT := text == "NaT"
	if s.DType().Kind() == dtype.KindTimedelta {
		value := "'NaT'"
		if !isNaT {
			value = p.Str(mustInt64(s.array))
		}
		if step.Unit == dtype.Generic {
			return head + "timedelta64(" + value + ")"
		}
		return head + "timedelta64(" + value + ",'" + unit + "')"
	}
	if step.Unit == dtype.Generic {
		unit = "generic"
	}
	shown := step.Num <= 1 && step.Unit != dtype.Hour && step.Unit != dtype.Week && step.Unit != dtype.Generic
	if isNaT {
		shown = p.isNumPy1()
	}
	if shown {
		return head + "datetime64('" + text + "')"
	}
	return head + "datetime64('" + text + "','" + unit + "')"
}

// mustInt64 returns the ticks of a time as an array without dimensions.
func mustInt64(a *npy.Array) *npy.Array {
	t := dtype.Int64.WithByteOrder(a.DType().ByteOrder())
	b, err := npy.FromBytes(t, a.Bytes())
	if err != nil {
		return a
	}
	return b
}

// record returns the repr of a record: (1, 2.) for NumPy 1, np.void((1, 2.0), dtype=[…]) for NumPy 2.
func (p *printer) record(s *Scalar, limit int) string {
	text := p.element(s.array, limit)
	if p.isNumPy1() {
		return text
	}
	d := s.dtype
	if d == nil {
		d = NewDType(s.DType())
	}
	note := d.note()
	name := "np.void("
	if note.Class != "" {
		name = strings.Replace(note.Class, "numpy", "np", 1) + "("
	}
	note.Class = ""
	return name + text + ", dtype=" + dtypetext.Str(d.Type, note) + ")"
}

// element returns the text of an array without dimensions within a record: floats as str prints them in NumPy 2, all
// else as in an array.
func (p *printer) element(a *npy.Array, limit int) string {
	if limit <= 0 {
		return "..."
	}
	t := a.DType()
	switch {
	case p.isNumPy1(), !t.IsStruct() && t.Kind() != dtype.KindFloat:
		return string(p.AppendText(nil, a, "", limit))
	case t.Kind() == dtype.KindFloat:
		return npy.Printer{}.Str(a)
	}
	parts := make([]string, t.NumField())
	for i := range parts {
		f, err := a.Field(t.Field(i).Name)
		if err != nil {
			return "..."
		}
		parts[i] = p.elements(f, limit/len(parts))
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// elements is element for a field, which is a subarray if it has dimensions.
func (p *printer) elements(a *npy.Array, limit int) string {
	if a.NDim() == 0 {
		return p.element(a, limit)
	}
	parts := make([]string, 0, min(a.Len(), 1000))
	for i := range a.Len() {
		part, err := a.Slice(npy.At(i))
		if err != nil || limit <= 0 {
			parts = append(parts, "...")
			break
		}
		parts = append(parts, p.elements(part, limit))
		limit -= len(parts[len(parts)-1])
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// global prints a class or function of NumPy under its name in the version.
func (p *printer) global(dst []byte, g *pickle.Global) ([]byte, bool) {
	if g.Module != "numpy" && !strings.HasPrefix(g.Module, "numpy.") {
		return dst, false
	}
	gen := generations[len(generations)-1]
	if p.isNumPy1() {
		gen = generations[0]
	}
	g = gen.in(g)
	switch {
	case numpyClasses[g.Name] && isPublic(g.Module):
		return append(dst, "<class '"+g.Module+"."+g.Name+"'>"...), true
	case ufuncs[g.Name] && (g.Module == "numpy" || strings.HasSuffix(g.Module, "._multiarray_umath")):
		return append(dst, "<ufunc '"+g.Name+"'>"...), true
	case numpyFunctions[g.Name] && g.Module == "numpy":
		return append(dst, "<built-in function "+g.Name+">"...), true
	}
	return dst, false
}

func isPublic(module string) bool {
	return module == "numpy" || module == "numpy.rec" || module == "numpy.char"
}

// appendCut appends a text, cut to limit bytes.
func appendCut(dst []byte, text string, limit int) []byte {
	if limit < 0 || limit == math.MaxInt {
		limit = max(limit, 0)
	}
	if len(text) <= limit {
		return append(dst, text...)
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return append(append(dst, text[:limit]...), "…"...)
}
