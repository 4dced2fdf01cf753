package bulk

import (
	"fmt"
	"reflect"
)

// AsBase calls do with the elements of s as a slice of base, whose memory has the same layout: T is base itself or a
// named type of it, and a type of numbers, bool, string or []byte. With write, the bytes that do stores are then in s;
// without it, do must change nothing.
func AsBase[T any](s []T, base reflect.Type, write bool, do func(base any) error) error {
	if t := reflect.TypeFor[T](); !SameLayout(t, base) {
		panic(fmt.Sprintf("bulk: %v is not the base type of %v", base, t))
	}
	return asBase(s, base, write, do)
}

// SameLayout reports whether the memory of t is memory of base: they are one type, or types of one definition.
func SameLayout(t, base reflect.Type) bool {
	return t == base || reflect.PointerTo(t).ConvertibleTo(reflect.PointerTo(base))
}

// NumberKind returns the kind of the number that t is, or that is the only field of the struct t. It is Invalid for other
// types: their memory may hold pointers, or not allow every bit pattern.
func NumberKind(t reflect.Type) reflect.Kind {
	if t.Kind() == reflect.Struct && t.NumField() == 1 {
		t = t.Field(0).Type
	}
	if k := t.Kind(); k >= reflect.Int && k <= reflect.Complex128 && k != reflect.Uintptr {
		return k
	}
	return reflect.Invalid
}

// asBasePlain is AsBase without unsafe, and its oracle.
func asBasePlain[T any](s []T, base reflect.Type, write bool, do func(base any) error) error {
	copied := reflect.MakeSlice(reflect.SliceOf(base), len(s), len(s))
	for i := range s {
		copied.Index(i).Set(valueAt(s, i, base))
	}
	err := do(copied.Interface())
	if write {
		for i := range s {
			valueAt(s, i, base).Set(copied.Index(i))
		}
	}
	return err
}
