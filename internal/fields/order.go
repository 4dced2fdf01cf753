package fields

import (
	"fmt"
	"slices"
	"strings"

	"github.com/npygo/npy/dtype"
)

// CheckOrder returns an error if elements of one dtype are joined with elements of another whose fields have the same names in
// another order, at any depth. Conversions go by position, as in NumPy, so that values would get the names of others.
func CheckOrder(from, to dtype.Type) error {
	return compare(from, to, func(a, b []string) bool {
		for i, name := range a {
			if j := slices.Index(b, name); j >= 0 && j != i {
				return false
			}
		}
		return true
	})
}

// CheckNames is [CheckOrder] for elements that must have the same names.
func CheckNames(from, to dtype.Type) error { return compare(from, to, slices.Equal) }

// compare returns an error if the names of the fields do not agree.
func compare(from, to dtype.Type, agree func(a, b []string) bool) error {
	from, to = withoutSubarray(from), withoutSubarray(to)
	if !from.IsStruct() || !to.IsStruct() {
		return nil
	}
	a, b := names(from), names(to)
	if !agree(a, b) {
		return fmt.Errorf("the fields %s are not the fields %s; choose them by name", strings.Join(a, ", "), strings.Join(b, ", "))
	}
	for i, f := range from.Fields() {
		if i < len(b) {
			if err := compare(f.DType, to.Fields()[i].DType, agree); err != nil {
				return fmt.Errorf("field %q: %w", f.Name, err)
			}
		}
	}
	return nil
}

func withoutSubarray(t dtype.Type) dtype.Type {
	for t.IsSubarray() {
		t = t.Elem()
	}
	return t
}

// names returns the names of the fields of a struct.
func names(t dtype.Type) []string {
	var names []string
	for _, f := range t.Fields() {
		names = append(names, f.Name)
	}
	return names
}
