// Package identity tells objects of Python apart by where they are in memory, for code that must not do the same work for
// each of the places that share a value.
package identity

import "reflect"

// Long is the number of bytes from which on text counts as shared. Work on what is shorter is in proportion to the number
// of places.
const Long = 1 << 10

// A text is a string or a slice of bytes.
type text struct{ address, length uintptr }

// Of returns what is the same for one value in several places, a key for a map: a pointer, or the place of long text. It
// returns nil for values that cannot be shared.
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
