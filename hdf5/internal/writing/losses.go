package writing

import (
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5/internal/structure"
)

// Features are the features of HDF5.
const Features = container.Attributes | container.DimNames | container.DimScales | container.MaxShapes | container.FillValues | container.Checksums |
	container.NullSpaces | container.EnumNames | container.ObjectRefs | container.Charsets | container.Links | container.EmptyGroups

// lossesOf returns the properties of an entry that HDF5 cannot hold, without its attributes.
func lossesOf(e container.Entry) []container.Loss {
	has := Features
	if e.LinkKind != "" { // the entry is written as another array or group
		has &^= container.Links
	}
	lost := container.LossesOf(e, nil, has)
	if e.Group {
		return lost
	}
	lose := func(isThere bool, what, detail string) {
		if isThere {
			lost = append(lost, container.Loss{Path: e.Path, What: what, Detail: detail})
		}
	}
	lose(len(e.ScaleName) > structure.MaxMessage/2, "the dimension scales", "the name of the scale is too long")
	lose(hasTitle(e.DType), "titles of fields", "")
	lose(HasKind(e.DType, dtype.KindStr), "the size of str", "it becomes text of any length")
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

// HasKind reports whether elements or fields have a kind.
func HasKind(t dtype.Type, k dtype.Kind) bool {
	for t.IsSubarray() {
		t = t.Elem()
	}
	for _, f := range t.Fields() {
		if HasKind(f.DType, k) {
			return true
		}
	}
	return t.Kind() == k
}
