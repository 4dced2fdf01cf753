// Package bulk moves and converts the elements of arrays: memory seen as another type, byte order, widening, strided
// copies. It is the only package that imports unsafe.
//
// Every build guarantees:
//
//   - View and Bytes share memory or report false; with the build tag purego they always report false, and all other functions give the same results. Callers must have a fallback.
//   - The types given to View and Bytes hold no pointers, and View only sees types for which every bit pattern is a
//     value: never bool.
//   - Lengths are checked before any access. A wrong length is a bug in the caller and panics like a slice index.
//
// Memory from [Make] is aligned for every element type; []byte memory from elsewhere need not be, and View reports
// false then.
package bulk

import (
	"bytes"
	"encoding/binary"
	"iter"
	"reflect"
)

// hostIsBig reports whether this machine is big-endian.
var hostIsBig = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// align is the alignment in bytes of the memory that Make returns: enough for every element type.
const align = 16

// A Number is an element type whose bytes are one number in native byte order.
type Number interface {
	Real | complex64 | complex128
}

// A Real is a Number that is not complex.
type Real interface {
	int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// MakeHuge returns n zero values in memory that is cheap to fill: in huge pages, if enough are needed.
func MakeHuge[T any](n int) []T {
	s := make([]T, n)
	if raw, ok := Bytes(s); ok { // only the address is used, so T may hold pointers
		AdviseHuge(raw)
	}
	return s
}

// MakeFill is MakeHuge for a caller that writes every value before it is read. If T has no pointers the values are
// undefined, and may be invalid for T. Clearing large memory costs as much as filling it.
func MakeFill[T any](n int) []T {
	t := reflect.TypeFor[T]()
	if size := int(t.Size()); size > 0 && !hasPointers(t) {
		raw := MakeDirty(n * size)
		AdviseHuge(raw)
		if s, ok := View[T](raw); ok {
			return s
		}
	}
	return MakeHuge[T](n)
}

// Reuse returns n values with undefined contents, in the memory of dst if its capacity suffices, and from [MakeFill] if
// not.
func Reuse[T any](dst []T, n int) []T {
	if n <= cap(dst) {
		return dst[:n]
	}
	return MakeFill[T](n)
}

// hasPointers reports whether the garbage collector looks into values of t.
func hasPointers(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Array:
		return t.Len() > 0 && hasPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	default:
		return k > reflect.Complex128 || k == reflect.Uintptr
	}
}

// Recast returns the elements of s as elements of D, in the same memory. Neither type has pointers, and every bit
// pattern is a value of D. It reports false in a build without unsafe, and for memory that is not aligned for D.
func Recast[D, S any](s []S) ([]D, bool) {
	raw, ok := Bytes(s)
	if !ok {
		return nil, false
	}
	return View[D](raw)
}

// Repeat fills dst with copies of value, of which dst has a whole number. value has a byte or more, and does not overlap dst.
func Repeat(dst, value []byte) {
	const block = 32 << 10 // stays in the cache
	n := copy(dst, value)
	for n < len(dst) {
		n += copy(dst[n:], dst[:max(min(n, block/len(value)*len(value)), len(value))])
	}
}

// Copies yields n copies of value in pieces of whole copies. A piece has at most limit bytes, or one copy. The pieces share their
// memory, and are valid until the loop ends.
func Copies(value []byte, n, limit int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if len(value) == 0 || n <= 0 {
			return
		}
		each := min(max(limit/len(value), 1), n)
		data := make([]byte, each*len(value))
		Repeat(data, value)
		for ; n > 0; n -= each {
			if !yield(data[:min(each, n)*len(value)]) {
				return
			}
		}
	}
}

// IsZero reports whether all bytes are zero.
func IsZero(b []byte) bool { return len(bytes.TrimLeft(b, "\x00")) == 0 }
