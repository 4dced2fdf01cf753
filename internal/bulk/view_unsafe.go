//go:build !purego

package bulk

import (
	"reflect"
	"strings"
	"unsafe"
)

// Shares reports whether View and Bytes can succeed in this build.
const Shares = true

// View returns b as elements of T without copying. It reports false unless b starts at an address that is aligned
// for T and is a whole number of elements long.
func View[T any](b []byte) ([]T, bool) {
	var zero T
	size := int(unsafe.Sizeof(zero))
	if size == 0 || len(b)%size != 0 {
		return nil, false
	}
	if len(b) == 0 {
		return []T{}, true
	}
	p := unsafe.Pointer(unsafe.SliceData(b))
	if uintptr(p)%unsafe.Alignof(zero) != 0 {
		return nil, false
	}
	// The result covers exactly the bytes of b and keeps them alive, for it points to them. T has no pointers, so the
	// garbage collector does not care which type the memory was allocated as.
	return unsafe.Slice((*T)(p), len(b)/size), true
}

// Bytes returns the memory of s without copying.
func Bytes[T any](s []T) ([]byte, bool) {
	var zero T
	// Any memory without pointers can be read as bytes; the result covers exactly the elements of s.
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero))), true
}

// Make returns n zero bytes that are aligned for every element type.
func Make(n int) []byte {
	words := make([][2]uint64, (n+align-1)/align)
	// The Go allocator aligns memory to the size class; whole 16-byte elements keep it at 16 from there on.
	b, _ := Bytes(words)
	return b[:n:n]
}

// AppendBoxed appends each of the values to list, in interfaces that share its memory, which must not be modified
// afterwards. T must be a type whose values an interface stores by address, such as a number, a string or a slice.
func AppendBoxed[T any](list []any, values []T) []any {
	var zero T
	v := any(zero)
	// An interface is its type and a pointer to the value, which is never changed through it. The pointer may be into
	// the middle of an allocation, which it keeps alive.
	words := (*[2]unsafe.Pointer)(unsafe.Pointer(&v))
	for i := range values {
		words[1] = unsafe.Pointer(&values[i])
		list = append(list, v)
	}
	return list
}

// BoxAddress returns the address of the number, string or slice in an interface. Copies of the interface have the same
// address; two interfaces boxed separately have different addresses, even for equal values. It is 0 in a build without
// unsafe.
func BoxAddress(v any) uintptr {
	// Only the address is read, and it is only compared: it need not keep anything alive.
	return uintptr((*[2]unsafe.Pointer)(unsafe.Pointer(&v))[1])
}

// String returns b as a string that shares its memory, which must not be modified afterwards.
func String(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// asBase is [AsBase]. The slice of base has the memory of s, which it keeps alive. Both types have the same layout, and
// pointers at the same places, for one is the other under another name.
func asBase[T any](s []T, base reflect.Type, _ bool, do func(base any) error) error {
	return do(reflect.SliceAt(base, unsafe.Pointer(unsafe.SliceData(s)), len(s)).Interface())
}

// dirtyMin is the size from which memory is not cleared: such an allocation has pages of its own.
const dirtyMin = 1 << 20

// MakeDirty returns n bytes, aligned for every element type. Their contents are undefined: the caller must write every
// byte before it is read. Clearing memory that is then overwritten costs as much as reading a file into it.
func MakeDirty(n int) []byte {
	if n < dirtyMin {
		return Make(n)
	}
	// A strings.Builder is the only way in the standard library to allocate memory that is not cleared. The string it
	// returns points to the start of at least n bytes and keeps all of them alive. Memory of this size starts at a
	// page.
	var b strings.Builder
	b.Grow(n)
	b.WriteByte(0)
	return unsafe.Slice(unsafe.StringData(b.String()), n)
}

// address returns the address of b, for alignment checks only. It is never converted back into a pointer.
func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
