package arraytext

import (
	"bufio"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/dtypetext"
	"github.com/npygo/npy/internal/elem"
)

// AppendRepr appends Python's repr(a), about limit bytes of it. class is the name of the array's class, such as
// array. name is the text of its dtype, "" for the dtype of its elements.
func (p Printer) AppendRepr(dst []byte, a Array, class, name string, limit int) []byte {
	implied := slices.Contains(impliedNames, name)
	if name == "" {
		name, implied = p.dtypeName(a.DType), p.isImplied(a.DType)
	}
	implied = implied && a.Size() > 0
	prefix := class + "("
	if limit < 2*len(prefix) { // an array that contains itself ends here
		return append(dst, "..."...)
	}
	text := limitedText{left: limit}
	out := bufio.NewWriter(&text)
	p = p.withDefaults()
	p.Whole, p.Mark, p.Axes = nil, nil, false
	out.WriteString(prefix)
	p.printParts(out, a, style{separator: ", ", prefix: len(prefix), suffix: 1, repr: true, textMax: min(limit/nesting, objectsMax)})
	_ = out.Flush() // the error means that the limit is reached
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

// AppendText appends numpy.array2string(a, separator=', ', prefix=prefix, suffix=','), about limit bytes of it.
func (p Printer) AppendText(dst []byte, a Array, prefix string, limit int) []byte {
	text := limitedText{left: limit}
	out := bufio.NewWriter(&text)
	p = p.withDefaults()
	p.Whole, p.Mark, p.Axes = nil, nil, false
	p.printParts(out, a, style{separator: ", ", prefix: utf8.RuneCountInString(prefix), suffix: 1, textMax: max(min(limit/nesting, objectsMax), 1)})
	_ = out.Flush() // the error means that the limit is reached
	return append(dst, text.String()...)
}

// Str returns Python's str of a NumPy scalar, an array without dimensions.
func (p Printer) Str(a Array) string {
	p = p.withDefaults()
	if len(a.Shape) > 0 || a.DType.IsStruct() {
		return string(p.AppendText(nil, a, "", objectsMax))
	}
	return string(p.appendScalar(nil, a))
}

// recArray is the class of a recarray in its repr, which has the dtype on a line of its own.
const recArray = "rec.array"

// reprExtras returns the part of a repr after the elements: the shape if the elements do not show it, and the dtype
// if they do not imply it.
func (p Printer) reprExtras(a Array, class, name string, implied bool) string {
	var extras []string
	if class == recArray {
		return "dtype=" + name
	}
	if p.NumPy != 1 && (a.Size() > p.Threshold || a.Size() == 0 && len(a.Shape) != 1) {
		extras = append(extras, "shape="+format.ShapeString(a.Shape))
	}
	if !implied {
		extras = append(extras, "dtype="+name)
	}
	return strings.Join(extras, ", ")
}

// A limitedText is a text of limited size. A write beyond it fails.
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
		return n, bounded.ErrLimit
	}
	return n, nil
}

// impliedNames are the names of the dtypes that the text of elements implies.
var impliedNames = []string{"bool", "int64", "float64", "complex128"}

// isImplied reports whether the text of elements implies their dtype (dtype_is_implied). NumPy 1 ignores the byte order.
func (p Printer) isImplied(t dtype.Type) bool {
	return (t.IsNative() || p.NumPy == 1) && slices.Contains(impliedNames, t.WithByteOrder(dtype.NativeEndian).Name())
}

func isFlexible(t dtype.Type) bool {
	return t.Kind() == dtype.KindVoid && !elem.IsNamed(t) || t.Kind() == dtype.KindStr || t.Kind() == dtype.KindBytes
}

// dtypeName returns a dtype as a repr has it (dtype_short_repr). NumPy 1 does not print the byte order of numbers and times.
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
