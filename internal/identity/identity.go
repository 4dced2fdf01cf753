// Package identity identifies objects of Python by their address, so that work on a shared value is not repeated for
// every place that shares it.
package identity

import "reflect"

// Long is the number of bytes from which on text counts as shared. Work on shorter text may be repeated: it is in
// proportion to the number of places.
const Long = 1 << 10

// A text is a string or a slice of bytes.
type text struct{ address, length uintptr }

// Of returns the identity of a value, a key for a map: a pointer, or the address of long text. It returns nil for
// values that cannot be shared.
func Of(v any) any {
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Pointer:
		return v
	case reflect.String, reflect.Slice:
		if r.Len() > Long {
			return text{r.Pointer(), uintptr(r.Len())}
		}
	}
	return nil
}
