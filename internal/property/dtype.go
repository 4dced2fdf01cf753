package property

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/npygo/npy/dtype"
)

// A DType is a dtype in Go and the Python expression that makes it.
type DType struct {
	dtype.Type
	Python string // the expression, with the names of python/common.py

	alignment int // dtype.alignment
}

// Kinds is a set of kinds of dtypes.
type Kinds uint

const (
	Bools     Kinds = 1 << iota
	Ints            // signed and unsigned, of 1 to 8 bytes
	Floats          // of 2, 4 and 8 bytes
	Complexes       // of 8 and 16 bytes
	Long            // long doubles and their complex numbers
	Texts           // S and U
	Times           // M8 and m8, of every unit and step
	Voids           // raw bytes
	Empty           // S0, U0 and V0
	Small           // the types of ml_dtypes
	Structs         // nested, aligned, with padding and titles
	OddNames        // names of fields that are not identifiers
	Swapped         // both byte orders, for types that have one

	Reals   = Bools | Ints | Floats
	Numbers = Reals | Complexes
	Plain   = Numbers | Long | Texts | Times | Voids | Swapped
	All     = Plain | Empty | Small | Structs | OddNames
)

// Steps of times, the plain ones first.
var steps = []string{"s", "D", "ns", "us", "ms", "h", "m", "Y", "M", "W", "ps", "fs", "as", "25s", "7D", "10ms", "2h", "100ns", "3M", "1000us", ""}

// SmallNames are the types of ml_dtypes that both Go and Python know by name.
var SmallNames = []string{"bfloat16", "float8_e5m2", "float8_e4m3fn", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fnuz",
	"float8_e5m2fnuz", "float8_e8m0fnu", "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn", "int4", "uint4", "int2", "uint2"}

// code returns a descr of one of the plain kinds without a byte order.
func (g *G) code(k Kinds) string {
	var codes []string
	add := func(kind Kinds, some ...string) {
		if k&kind != 0 {
			codes = append(codes, some[g.Int(len(some))])
		}
	}
	add(Ints, "i4", "u1", "i8", "i1", "u2", "u4", "i2", "u8")
	add(Floats, "f8", "f4", "f2")
	add(Bools, "b1")
	add(Complexes, "c16", "c8")
	add(Long, "f16", "c32")
	add(Texts, "U3", "S3", "U1", "S1", "U7", "S12", "U12", "S5")
	if k&Times != 0 {
		step := Pick(g, steps...)
		if step != "" {
			step = "[" + step + "]"
		}
		codes = append(codes, Pick(g, "M8", "m8")+step)
	}
	add(Voids, "V3", "V1", "V16", "V8", "V2")
	if k&Empty != 0 && g.Chance(10) {
		add(Empty, "S0", "U0", "V0")
	}
	return Pick(g, codes...)
}

// Plain returns a dtype without fields of one of the kinds.
func (g *G) Plain(k Kinds) DType {
	if k&Small != 0 && g.Chance(8) {
		return Named(Pick(g, SmallNames...))
	}
	order := "<"
	if k&Swapped != 0 && g.Chance(30) {
		order = ">"
	}
	return Parsed(order + g.code(k))
}

// Parsed returns the dtype of a descr.
func Parsed(descr string) DType {
	t, err := dtype.Parse(descr)
	if err != nil {
		panic(fmt.Sprintf("descr %q: %v", descr, err))
	}
	return DType{t, "np.dtype(" + PythonString(descr) + ")", alignmentOf(t)}
}

// Named returns a dtype of ml_dtypes.
func Named(name string) DType {
	d := Parsed(name)
	d.Python = "ml(" + PythonString(name) + ")"
	return d
}

// DType returns any dtype of the kinds.
func (g *G) DType(k Kinds) DType {
	if k&Structs != 0 && g.Chance(30) {
		return g.Struct(k, 2)
	}
	return g.Plain(k)
}

var (
	names    = []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	oddNames = []string{"x y", "é", "it's", "整", "\"q\"", "n\n", "\\", "😀", "a,b", "1", "a]", " ", "f.g", "\u2028"}
)

// Struct returns a struct whose fields may be structs in turn, up to a depth.
func (g *G) Struct(k Kinds, depth int) DType {
	n := g.Between(1, 5)
	align := g.Chance(25)
	gaps := !align && g.Chance(30)
	fields := make([]dtype.Field, n)
	var formats, offsets, keys, titles []string
	at, alignment := 0, 1
	for i := range fields {
		name := names[i]
		if k&OddNames != 0 && g.Chance(15) {
			name = oddNames[(g.Int(len(oddNames))+i)%len(oddNames)] + strconv.Itoa(i)
		}
		t := g.member(k, depth)
		switch {
		case align:
			alignment = max(alignment, t.alignment)
			at = (at + t.alignment - 1) / t.alignment * t.alignment
		case gaps:
			at += g.Int(4)
		}
		fields[i] = dtype.Field{Name: name, DType: t.Type, Offset: at}
		title := "None"
		if k&OddNames != 0 && g.Chance(10) {
			fields[i].Title = "T " + name
			title = PythonString(fields[i].Title)
		}
		keys, formats = append(keys, PythonString(name)), append(formats, t.Python)
		offsets, titles = append(offsets, strconv.Itoa(at)), append(titles, title)
		at += t.ItemSize()
	}
	at = (at + alignment - 1) / alignment * alignment
	if gaps {
		at += g.Int(4)
	}
	t, err := dtype.Struct(at, fields...)
	if err != nil {
		panic(err)
	}
	list := func(items []string) string { return "[" + strings.Join(items, ", ") + "]" }
	text := fmt.Sprintf("np.dtype({'names': %s, 'formats': %s, 'offsets': %s, 'titles': %s, 'itemsize': %d})", list(keys), list(formats), list(offsets), list(titles), at)
	if align { // and NumPy finds the same offsets
		pairs := make([]string, n)
		for i := range pairs {
			if titles[i] != "None" {
				keys[i] = "(" + titles[i] + ", " + keys[i] + ")"
			}
			pairs[i] = "(" + keys[i] + ", " + formats[i] + ")"
		}
		text = fmt.Sprintf("np.dtype(%s, align=True)", list(pairs))
	}
	return DType{t, text, alignment}
}

// member returns the dtype of a field.
func (g *G) member(k Kinds, depth int) DType {
	t := g.Plain(k)
	if depth > 0 && g.Chance(20) {
		t = g.Struct(k, depth-1)
	}
	if t.ItemSize() == 0 || !g.Chance(20) { // NumPy does not read subarrays without elements
		return t
	}
	shape := Pick(g, []int{2}, []int{1}, []int{3}, []int{2, 2}, []int{1, 3}, []int{2, 1, 2})
	sub, err := dtype.Subarray(t.Type, shape...)
	if err != nil {
		panic(err)
	}
	return DType{sub, "(" + t.Python + ", " + PythonShape(shape) + ")", t.alignment}
}

// alignmentOf is dtype.alignment of a type without fields.
func alignmentOf(t dtype.Type) int {
	switch t.Kind() {
	case dtype.KindComplex:
		return t.ItemSize() / 2
	case dtype.KindStr:
		return 4
	case dtype.KindBytes, dtype.KindVoid:
		if t.Name() != "bfloat16" {
			return 1
		}
	}
	return max(t.ItemSize(), 1)
}

// PythonShape writes a shape as Python does.
func PythonShape(shape []int) string {
	text := "("
	for i, n := range shape {
		if i > 0 {
			text += ", "
		}
		text += strconv.Itoa(n)
	}
	if len(shape) == 1 {
		text += ","
	}
	return text + ")"
}

// PythonString writes a str as a literal of ASCII.
func PythonString(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range s {
		switch {
		case r == '\'' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r >= ' ' && r < 0x7f:
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('\'')
	return b.String()
}
