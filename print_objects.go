package npy

import (
	"bufio"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/dtypetext"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/pylit"
)

// A reprAppender is an object that can say what Python's repr of it is. It appends about limit bytes at most.
type reprAppender interface {
	AppendRepr(dst []byte, limit int) []byte
}

// An ObjectPrinter is an origin (see [Array.WithOrigin]) that prints the objects of its array, and of parts of it, as Python does.
// Objects of other arrays print themselves by a method AppendRepr(dst []byte, limit int) []byte, or by fmt.Stringer.
type ObjectPrinter interface {
	// AppendObject appends Python's repr of an object, about limit bytes of it. Arrays within it are printed with the
	// options of p, see [Printer.AppendRepr].
	AppendObject(dst []byte, v any, p Printer, limit int) []byte
	// IsList reports whether an object is a list, which NumPy prints as list([…]) among the elements of an array.
	IsList(v any) bool
}

// A reprOrigin is an origin that knows what repr(a) says beside the elements.
type reprOrigin interface {
	// ReprParts returns the name of the array's class, array or matrix, and the text of its dtype, if it is another than that
	// of the type of its elements.
	ReprParts(p Printer) (class, dtype string)
}

// An objectFunc appends the repr of an object.
type objectFunc func(dst []byte, v any, limit int) []byte

// objectFunc returns the function for the objects of an array.
func (p Printer) objectFunc(a *Array) objectFunc {
	o, ok := a.origin.(ObjectPrinter)
	return func(dst []byte, v any, limit int) []byte {
		if literal, isLiteral := literalOf(v); isLiteral {
			return literal.AppendRepr(dst, limit)
		}
		if nested, isArray := v.(*Array); !ok && isArray {
			return p.AppendRepr(dst, nested, limit)
		}
		if ok {
			return o.AppendObject(dst, v, p, limit)
		}
		return appendRepr(dst, v, limit)
	}
}

// isList returns the function that tells lists from other objects of an array: by their text, which for no other begins so, if there is no
// other way.
func isList(a *Array) func(v any, text []byte) bool {
	o, ok := a.origin.(ObjectPrinter)
	return func(v any, text []byte) bool {
		if ok {
			return o.IsList(v)
		}
		return len(text) > 0 && text[0] == '['
	}
}

const (
	objectMax  = 1 << 12 // bytes of the text of one object that are printed, or more if there are few
	objectsMax = 1 << 20 // bytes of all, and of one that is printed in full
	nesting    = 8       // how much less there is for objects in an array that is one itself, so that it ends
)

// objectText returns the function that appends the repr of an object (_object_format).
func (f formats) objectText() textFunc {
	return func(dst, item []byte) []byte {
		start := len(dst)
		if f.printed != nil && f.printed.left <= 0 {
			f.printed.over = true
			return append(dst, "..."...)
		}
		v := f.objects.get(item)
		dst = f.object(dst, v, f.textMax)
		if f.printed != nil {
			f.printed.left -= int64(len(dst) - start)
		}
		if f.isList(v, dst[start:]) {
			dst = append(slices.Insert(dst, start, []byte("list(")...), ')')
		}
		return dst
	}
}

// appendRepr appends Python's repr of an object.
func appendRepr(dst []byte, v any, limit int) []byte {
	if literal, ok := literalOf(v); ok {
		return literal.AppendRepr(dst, limit)
	}
	switch v := v.(type) {
	case reprAppender:
		return v.AppendRepr(dst, limit)
	case fmt.Stringer:
		return cutText(append(dst, printable(v.String())...), len(dst), max(limit, len("...")))
	}
	return fmt.Appendf(dst, "<%T>", v)
}

// literalOf returns the Go types of plain Python values as such.
func literalOf(v any) (pylit.Value, bool) {
	switch v := v.(type) {
	case nil:
		return pylit.Value{Kind: pylit.None}, true
	case bool:
		return pylit.Value{Kind: pylit.Bool, Bool: v}, true
	case int64:
		return pylit.Value{Kind: pylit.Int, Int: v}, true
	case int:
		return pylit.Value{Kind: pylit.Int, Int: int64(v)}, true
	case *big.Int:
		return pylit.Value{Kind: pylit.Int, Big: v}, true
	case float64:
		return pylit.Value{Kind: pylit.Float, Float: v}, true
	case complex128:
		return pylit.Value{Kind: pylit.Complex, Float: real(v), Int: int64(math.Float64bits(imag(v)))}, true
	case string:
		return pylit.Value{Kind: pylit.String, Str: v}, true
	case []byte:
		return pylit.Value{Kind: pylit.Bytes, Str: string(v)}, true
	}
	return pylit.Value{}, false
}

// appendAlone appends the text of an object that stands alone: Python's str of text, the repr of all else.
func (p Printer) appendAlone(dst []byte, a *Array, limit int) []byte {
	v := a.Object()
	if s, ok := v.(string); ok {
		return cutText(append(dst, printable(s)...), len(dst), limit)
	}
	return p.objectFunc(a)(dst, v, limit)
}

// Repr returns Python's repr(a) in NumPy 2.5, such as array([1, 2], dtype=int32), of at most about limit bytes; 0 and less
// stand for no limit. Arrays of more than 1000 elements are summarised.
func (a *Array) Repr(limit int) string {
	if limit <= 0 {
		limit = math.MaxInt / 4
	}
	return string(a.AppendRepr(nil, limit))
}

// AppendRepr appends what [Array.Repr] returns.
func (a *Array) AppendRepr(dst []byte, limit int) []byte { return Printer{}.AppendRepr(dst, a, limit) }

// AppendRepr appends Python's repr(a), about limit bytes of it, as NumPy prints it with the options of p.
func (p Printer) AppendRepr(dst []byte, a *Array, limit int) []byte {
	class, name, implied := "array", p.dtypeName(a.dtype), p.isImplied(a.dtype) && a.Size() > 0
	if o, ok := a.origin.(reprOrigin); ok {
		var other string
		if class, other = o.ReprParts(p); other != "" {
			name, implied = other, slices.Contains(impliedNames, other) && a.Size() > 0
		}
	}
	prefix := class + "("
	if limit < 2*len(prefix) { // so ends what contains itself
		return append(dst, "..."...)
	}
	text := limitedText{left: limit}
	out := bufio.NewWriter(&text)
	p = p.withDefaults()
	p.whole, p.Mark, p.Axes = nil, nil, false
	out.WriteString(prefix)
	p.printParts(out, a, style{separator: ", ", prefix: len(prefix), suffix: 1, says: true, textMax: min(limit/nesting, objectsMax)})
	_ = out.Flush() // its error says that the limit is reached
	dst = append(dst, text.String()...)
	if text.left == 0 {
		return append(dst, "...)"...)
	}
	extras := p.reprExtras(a, class, name, implied)
	if extras == "" {
		return append(dst, ')')
	}
	dst = append(dst, ',')
	last := utf8.RuneCountInString(text.String()[strings.LastIndexByte(text.String(), '\n')+1:]) + 1
	if class == recArray || last+utf8.RuneCountInString(extras)+2 > p.LineWidth {
		dst = appendSpaces(append(dst, '\n'), len(prefix))
	} else {
		dst = append(dst, ' ')
	}
	return append(append(dst, extras...), ')')
}

// AppendText appends numpy.array2string(a, separator=', ', prefix=prefix, suffix=','), about limit bytes of it: the elements in brackets as
// they stand in a repr, structs as tuples, in lines of which the first has room for a prefix.
func (p Printer) AppendText(dst []byte, a *Array, prefix string, limit int) []byte {
	text := limitedText{left: limit}
	out := bufio.NewWriter(&text)
	p = p.withDefaults()
	p.whole, p.Mark, p.Axes = nil, nil, false
	p.printParts(out, a, style{separator: ", ", prefix: utf8.RuneCountInString(prefix), suffix: 1, textMax: max(min(limit/nesting, objectsMax), 1)})
	_ = out.Flush() // its error says that the limit is reached
	return append(dst, text.String()...)
}

// Str returns Python's str of a NumPy scalar, an array without dimensions: 1.5, 2020-01-02, 5 days. Structs print as tuples.
func (p Printer) Str(a *Array) string {
	p = p.withDefaults()
	if a.NDim() > 0 || a.dtype.IsStruct() {
		return string(p.AppendText(nil, a, "", objectsMax))
	}
	return string(p.appendScalar(nil, a))
}

// recArray is how the repr of a recarray begins. It has its dtype on a line of its own.
const recArray = "rec.array"

// reprExtras returns what a repr says after the elements if they do not say it: of an array that is summarised the shape, and the
// dtype.
func (p Printer) reprExtras(a *Array, class, name string, implied bool) string {
	var extras []string
	if class == recArray {
		return "dtype=" + name
	}
	if p.NumPy != 1 && (a.Size() > p.Threshold || a.Size() == 0 && len(a.shape) != 1) {
		extras = append(extras, "shape="+format.ShapeString(a.shape))
	}
	if !implied {
		extras = append(extras, "dtype="+name)
	}
	return strings.Join(extras, ", ")
}

// A limitedText is a writer that is full at some time.
type limitedText struct {
	strings.Builder
	left int
}

func (t *limitedText) Write(b []byte) (int, error) {
	n := min(len(b), t.left)
	for n > 0 && n < len(b) && !utf8.RuneStart(b[n]) {
		n--
	}
	t.Builder.Write(b[:n])
	if t.left -= n; n < len(b) {
		t.left = 0
		return n, ErrLimit
	}
	return n, nil
}

// impliedNames are the names of the dtypes that elements say.
var impliedNames = []string{"bool", "int64", "float64", "complex128"}

// isImplied reports whether the text of elements says their dtype (dtype_is_implied).
// NumPy 1 does not tell byte orders apart.
func (p Printer) isImplied(t dtype.Type) bool {
	return (t.IsNative() || p.NumPy == 1) && slices.Contains(impliedNames, t.WithByteOrder(dtype.NativeEndian).Name())
}

func isFlexible(t dtype.Type) bool {
	return t.Kind() == dtype.KindVoid && !elem.IsNamed(t) || t.Kind() == dtype.KindStr || t.Kind() == dtype.KindBytes
}

// dtypeName returns a dtype as repr has it (dtype_short_repr). NumPy 1 does not say the byte order of numbers and times.
func (p Printer) dtypeName(t dtype.Type) string {
	if p.NumPy == 1 && !t.IsStruct() && !isFlexible(t) {
		t = t.WithByteOrder(dtype.NativeEndian)
	}
	switch {
	case t.IsStruct():
		return dtypetext.Str(t, nil)
	case isFlexible(t), !t.IsNative() && !elem.IsNamed(t):
		return "'" + t.Descr() + "'"
	}
	if name := t.Name(); !strings.Contains(name, "[") {
		return name
	}
	return "'" + t.Name() + "'"
}
