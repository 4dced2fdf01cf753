package netcdf

import (
	"bytes"
	"io"
	"iter"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/internal/escape"
)

// An enhanced is a netCDF-4 file: HDF5 whose dimensions are dimension scales, datasets that others refer to.
type enhanced struct {
	*hdf5.Reader
	once sync.Once
	byID map[int64]string // the names of dimensions by _Netcdf4Dimid
}

// hidden are the attributes that netCDF-4 keeps for itself, as in nc4internal.c of netCDF-C 4.9.
var hidden = []string{"_NCProperties", "_Netcdf4Coordinates", "_Netcdf4Dimid", "_nc3_strict", "CLASS", "DIMENSION_LABELS", "DIMENSION_LIST", "NAME", "REFERENCE_LIST"}

// noVariable is how the NAME of a dimension scale begins that is only a dimension.
const noVariable = "This is a netCDF dimension but not a netCDF variable"

// isEnhanced reports whether a file is HDF5 and has marks of netCDF-4: the attribute of the root, or, in files of
// netCDF-C before 4.4.1, those of one of its first datasets.
func isEnhanced(d Decoder, r io.ReaderAt, size int64) bool {
	if !hdf5.Format(d.HDF5).Is(r, size) {
		return false
	}
	f, err := d.HDF5.NewReader(r, size)
	if err != nil {
		return false
	}
	has := func(path string, names ...string) bool {
		all, err := f.Attributes(path)
		return err == nil && slices.ContainsFunc(all, func(a container.Attribute) bool { return slices.Contains(names, a.Name) })
	}
	if has("", "_NCProperties", "_nc3_strict") {
		return true
	}
	const first = 8
	n := 0
	for e := range f.Entries() {
		if n++; n > first {
			break
		}
		if !e.Group && e.Err == nil && has(e.Path, "_Netcdf4Dimid", "_Netcdf4Coordinates") {
			return true
		}
	}
	return false
}

// Format implements [container.Container].
func (f *enhanced) Format() string { return "netCDF-4, " + f.Reader.Format() }

// Entries implements [container.Container]. Dimensions that are no variables are left out.
func (f *enhanced) Entries() iter.Seq[container.Entry] {
	return func(yield func(container.Entry) bool) {
		for e := range f.Reader.Entries() {
			e, ok := f.named(e)
			inTexts(&e)
			if ok && !yield(e) {
				return
			}
		}
	}
}

// Source implements [container.Container].
func (f *enhanced) Source(path string) (npy.Source, error) {
	src, err := f.Reader.Source(path)
	if err != nil {
		return nil, err
	}
	e, err := f.Reader.Entry(path)
	if err == nil && inTexts(&e) {
		return joined{src, e.DType}, nil
	}
	return src, err
}

// Entry implements [container.Container].
func (f *enhanced) Entry(path string) (container.Entry, error) {
	e, err := f.Reader.Entry(path)
	if err != nil {
		return e, err
	}
	e, _ = f.named(e)
	inTexts(&e)
	return e, nil
}

// named adds the names of the dimensions to an entry. It reports false for a dimension that is no variable.
func (f *enhanced) named(e container.Entry) (container.Entry, bool) {
	if e.Group || e.Err != nil {
		return e, true
	}
	all, err := f.Reader.Attributes(e.Path)
	if err != nil {
		return e, true
	}
	if strings.HasPrefix(textIn(all, "NAME"), noVariable) {
		return e, false
	}
	if e.Dims = referred(all, len(e.Shape)); e.Dims == nil && textIn(all, "CLASS") == "DIMENSION_SCALE" {
		e.Dims = f.own(e, all)
	}
	return e, true
}

// find returns the value of an attribute, or nil.
func find(all []container.Attribute, name string) *npy.Array {
	for _, a := range all {
		if a.Name == name && a.Err == nil {
			return a.Value
		}
	}
	return nil
}

// textIn returns the text of an attribute, "" if there is none.
func textIn(all []container.Attribute, name string) string {
	a := find(all, name)
	if a == nil {
		return ""
	}
	if k := a.DType().Kind(); k != dtype.KindBytes && k != dtype.KindStr && k != dtype.KindObject {
		return ""
	}
	if a.DType().Kind() == dtype.KindBytes && a.Size() == 1 {
		return string(bytes.TrimRight(a.Bytes(), "\x00"))
	}
	text, _ := textOf(a)
	return text
}

// referred returns the names of the dimensions that DIMENSION_LIST refers to: for each axis a sequence of references,
// of which the first counts. It returns nil if there are none.
func referred(all []container.Attribute, ndim int) []string {
	list := find(all, "DIMENSION_LIST")
	if list == nil || !list.DType().HasObject() || list.Size() != ndim || ndim == 0 {
		return nil
	}
	objects, err := list.Objects()
	if err != nil {
		return nil
	}
	names := make([]string, ndim)
	for i, x := range objects {
		axis, ok := x.(*npy.Array)
		if !ok || axis.Size() == 0 || !axis.DType().HasObject() {
			continue
		}
		scales, err := axis.Objects()
		if err != nil {
			continue
		}
		if to, ok := scales[0].(string); ok {
			names[i] = path.Base(to)
		}
	}
	return names
}

// own returns the names of the dimensions of a coordinate variable, which is a dimension scale itself: its own name, or
// with more dimensions those that _Netcdf4Coordinates has the numbers of.
func (f *enhanced) own(e container.Entry, all []container.Attribute) []string {
	if len(e.Shape) == 1 {
		return []string{path.Base(e.Path)}
	}
	a := find(all, "_Netcdf4Coordinates")
	numbers, ok := integers(a)
	if !ok || len(numbers) != len(e.Shape) {
		return nil
	}
	f.once.Do(f.number)
	names := make([]string, len(numbers))
	for i, n := range numbers {
		names[i] = f.byID[n]
	}
	return names
}

// number finds the numbers of all dimensions.
func (f *enhanced) number() {
	f.byID = map[int64]string{}
	for e := range f.Reader.Entries() {
		if e.Group || e.Err != nil {
			continue
		}
		if all, err := f.Reader.Attributes(e.Path); err == nil {
			if id, ok := integers(find(all, "_Netcdf4Dimid")); ok && len(id) == 1 {
				f.byID[id[0]] = path.Base(e.Path)
			}
		}
	}
}

// integers returns the integers of an attribute.
func integers(a *npy.Array) ([]int64, bool) {
	if a == nil || a.DType().Kind() != dtype.KindInt && a.DType().Kind() != dtype.KindUint {
		return nil, false
	}
	wide, err := a.Cast(dtype.Int64, npy.SameKindCasting)
	if err != nil {
		return nil, false
	}
	v, err := npy.As[int64](wide)
	if err != nil {
		return nil, false
	}
	return v.ToSlice(), true
}

// Attributes implements [container.Container]. Those that make HDF5 netCDF-4 are left out. Single values have no
// dimensions, and text is of dtype |O, as in netCDF-3.
func (f *enhanced) Attributes(path string) ([]container.Attribute, error) {
	from, err := f.Reader.Attributes(path)
	if err != nil {
		return nil, err
	}
	var all []container.Attribute
	for _, a := range from {
		if slices.Contains(hidden, a.Name) {
			continue
		}
		if a.Err == nil {
			a.Value = plain(a.Value)
		}
		all = append(all, a)
	}
	return all, nil
}

// plain returns the value of an attribute as netCDF-3 has it.
func plain(a *npy.Array) *npy.Array {
	if a.Size() != 1 || a.NDim() > 1 {
		return a
	}
	if a.DType().Kind() == dtype.KindBytes {
		text := string(escape.AppendBytes(nil, bytes.TrimRight(a.Bytes(), "\x00")))
		if b, err := npy.FromObjects([]any{text}, []int{}...); err == nil {
			return b
		}
		return a
	}
	if b, err := a.Reshape([]int{}...); err == nil {
		return b
	}
	return a
}
