//go:build purego

package bulk

import "reflect"

// Shares reports whether View and Bytes can succeed in this build.
const Shares = false

// View reports false: without unsafe nothing can be shared.
func View[T any]([]byte) ([]T, bool) { return nil, false }

// Bytes reports false, for all but bytes themselves.
func Bytes[T any](s []T) ([]byte, bool) {
	b, ok := any(s).([]byte)
	return b, ok
}

// Make returns n zero bytes.
func Make(n int) []byte { return make([]byte, n) }

// MakeDirty returns n bytes that the caller must write before they are read.
func MakeDirty(n int) []byte { return make([]byte, n) }

// AppendBoxed appends each of the values to list.
func AppendBoxed[T any](list []any, values []T) []any {
	for _, v := range values {
		list = append(list, v)
	}
	return list
}

// BoxAddress cannot tell.
func BoxAddress(any) uintptr { return 0 }

// String returns b as a string.
func String(b []byte) string { return string(b) }

// asBase is [AsBase], in copied memory.
func asBase[T any](s []T, base reflect.Type, write bool, do func(base any) error) error {
	return asBasePlain(s, base, write, do)
}
