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
	"github.com/npygo/npy/internal/pylit"
)

// A reprAppender is an object that can say what Python's repr of it is. It appends about limit bytes at most.
type reprAppender interface {
	AppendRepr(dst []byte, limit int) []byte
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
		dst = appendRepr(dst, f.objects.get(item), f.textMax)
		if f.printed != nil {
			f.printed.left -= int64(len(dst) - start)
		}
		if len(dst) > start && dst[start] == '[' { // so begin lists alone, which NumPy tells from arrays
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

// appendObject appends the text of an object that stands alone: Python's str of text, the repr of all else.
func appendObject(dst []byte, v any, limit int) []byte {
	if s, ok := v.(string); ok {
		return cutText(append(dst, printable(s)...), len(dst), limit)
	}
	return appendRepr(dst, v, limit)
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
func (a *Array) AppendRepr(dst []byte, limit int) []byte {
	const prefix = "array("
	if limit < 2*len(prefix) { // so ends what contains itself
		return append(dst, "..."...)
	}
	text := limitedText{left: limit}
	out := bufio.NewWriter(&text)
	p := Printer{}.withDefaults()
	implied := isImplied(a.dtype) && a.Size() > 0
	p.LineWidth-- // for what stands after the elements, ")" or ","
	out.WriteString(prefix)
	p.printParts(out, a, style{separator: ", ", prefix: len(prefix), textMax: min(limit/nesting, objectsMax)})
	_ = out.Flush() // its error says that the limit is reached
	dst = append(dst, text.String()...)
	if text.left == 0 {
		return append(dst, "...)"...)
	}
	var extras string // what the elements do not tell
	if a.Size() > p.Threshold {
		extras = "shape=" + format.ShapeString(a.shape)
	}
	if !implied {
		if extras != "" {
			extras += ", "
		}
		extras += "dtype=" + string(dtypeName(a.dtype))
	}
	if extras == "" {
		return append(dst, ')')
	}
	dst = append(dst, ',')
	last := utf8.RuneCountInString(text.String()[strings.LastIndexByte(text.String(), 0x0a)+1:]) + 1
	if last+len(extras)+len(")")+1 > 75 {
		dst = appendSpaces(append(dst, '\n'), len(prefix))
	} else {
		dst = append(dst, ' ')
	}
	return append(append(dst, extras...), ')')
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

// isImplied reports whether the text of elements says their dtype (dtype_is_implied).
func isImplied(t dtype.Type) bool {
	switch t.WithByteOrder(dtype.NativeEndian) {
	case dtype.Bool, dtype.Int64, dtype.Float64, dtype.Complex128:
		return t.IsNative()
	}
	return false
}

func isFlexible(t dtype.Type) bool {
	return t.Kind() == dtype.KindVoid && !isNamed(t) || t.Kind() == dtype.KindStr || t.Kind() == dtype.KindBytes
}

// dtypeName returns a dtype as repr has it (dtype_short_repr).
func dtypeName(t dtype.Type) string {
	switch {
	case t.IsStruct():
		return strings.ReplaceAll(printable(t.Descr()), "'|O'", "'O'") // as str(dtype) has it
	case isFlexible(t), !t.IsNative() && !isNamed(t):
		return "'" + t.Descr() + "'"
	}
	if name := t.Name(); !strings.Contains(name, "[") {
		return name
	}
	return "'" + t.Name() + "'"
}
