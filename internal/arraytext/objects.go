package arraytext

import (
	"fmt"
	"slices"

	"github.com/npygo/npy/internal/pylit"
)

// A reprAppender is an object that knows its repr in Python. It appends about limit bytes at most.
type reprAppender interface {
	AppendRepr(dst []byte, limit int) []byte
}

const (
	objectMax  = 1 << 12 // bytes of one object, or more if there are few
	objectsMax = 1 << 20 // bytes of all objects, and of one that is printed in full
	nesting    = 8       // the limit of an object in an array that is itself an object is divided by this, so that nesting ends
)

// objectText returns the function that appends the repr of an object (_object_format).
func (f formats) objectText() textFunc {
	return func(dst, item []byte) []byte {
		start := len(dst)
		if f.printed != nil && f.printed.left <= 0 {
			f.printed.over = true
			return append(dst, "..."...)
		}
		v := f.objects.Get(item)
		dst = f.objects.AppendRepr(dst, v, f.textMax)
		if f.printed != nil {
			f.printed.left -= int64(len(dst) - start)
		}
		if f.objects.IsList(v, dst[start:]) {
			dst = append(slices.Insert(dst, start, []byte("list(")...), ')')
		}
		return dst
	}
}

// AppendObject appends Python's repr of an object, as far as its Go type gives it: plain values, and types with a
// method AppendRepr(dst []byte, limit int) []byte or String.
func AppendObject(dst []byte, v any, limit int) []byte {
	if literal, ok := pylit.Of(v); ok {
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

// appendAlone appends the object of an array without dimensions: str of a text, repr of all else.
func appendAlone(dst []byte, a Array, limit int) []byte {
	v := a.Objects.Get(a.ItemAt(a.Offset))
	if s, ok := v.(string); ok {
		return cutText(append(dst, printable(s)...), len(dst), limit)
	}
	return a.Objects.AppendRepr(dst, v, limit)
}
