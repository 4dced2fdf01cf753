package hdf5

import (
	"fmt"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
)

// writeLosses returns what a file of HDF5 does not keep of an entry: Losses of the format.
func writeLosses(e container.Entry, attributes []container.Attribute) []string {
	var lost []string
	if !e.Group {
		if e.FortranOrder && len(e.Shape) > 1 {
			lost = append(lost, "Fortran order (the elements are written in C order)")
		}
		if hasTitle(e.DType) {
			lost = append(lost, "titles of fields")
		}
		if hasKind(e.DType, dtype.KindStr) {
			lost = append(lost, "the size of str (it becomes text of any length)")
		}
	}
	w := attributeWriter{names: map[string]bool{}}
	for _, a := range attributes {
		if _, err := w.check(a); err != nil {
			lost = append(lost, fmt.Sprintf("attribute %q: %v", a.Name, err))
		}
	}
	return lost
}

// hasTitle reports whether a field has a second name.
func hasTitle(t dtype.Type) bool {
	for t.IsSubarray() {
		t = t.Elem()
	}
	for _, f := range t.Fields() {
		if f.Title != "" || hasTitle(f.DType) {
			return true
		}
	}
	return false
}

// hasKind reports whether elements or fields have a kind.
func hasKind(t dtype.Type, k dtype.Kind) bool {
	for t.IsSubarray() {
		t = t.Elem()
	}
	for _, f := range t.Fields() {
		if hasKind(f.DType, k) {
			return true
		}
	}
	return t.Kind() == k
}
