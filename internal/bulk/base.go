package bulk

import (
	"fmt"
	"reflect"
)

// AsBase calls do with the elements of s as a slice of base, whose memory has the same layout: T is base itself or a
// named type of it, and a type of numbers, bool, string or []byte. With write, what do stores is then in s; without it, do
// must change nothing.
func AsBase[T any](s []T, base reflect.Type, write bool, do func(base any) error) error {
	if t := reflect.TypeFor[T](); t != base && !reflect.PointerTo(t).ConvertibleTo(reflect.PointerTo(base)) {
		panic(fmt.Sprintf("bulk: %v is not the base type of %v", base, t))
	}
	return asBase(s, base, write, do)
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
