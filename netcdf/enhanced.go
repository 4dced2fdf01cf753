package netcdf

import (
	"bytes"
	"cmp"
	"io"
	"iter"
	"math"
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
	byID map[int64]string          // the names of dimensions by _Netcdf4Dimid
	dims map[string][]netDimension // by the paths of the groups that define them
}

// A netDimension is a dimension of netCDF-4.
type netDimension struct {
	name      string
	id        int64 // _Netcdf4Dimid, or its place in the file
	length    int
	unlimited bool
}

// hidden are the attributes that netCDF-4 keeps for itself, as in nc4internal.c of netCDF-C 4.9.
var hidden = []string{"_NCProperties", "_Netcdf4Coordinates", "_Netcdf4Dimid", "_nc3_strict", "CLASS", "DIMENSION_LABELS", "DIMENSION_LIST", "NAME", "REFERENCE_LIST"}

func isHDF5(d Decoder, r io.ReaderAt, size int64) bool {
	return hdf5.Format(d.HDF5, hdf5.Encoder{}).Is(r, size)
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

// named adds the names of the dimensions to an entry, and to a group the dimensions that it defines. It reports false for a
// dimension that is no variable.
func (f *enhanced) named(e container.Entry) (container.Entry, bool) {
	switch {
	case e.Err != nil:
		return e, true
	case e.Group:
		if e.LinkKind == "" {
			f.define(&e)
		}
		return e, true
	case e.IsScale && strings.HasPrefix(e.ScaleName, hdf5.NoVariable):
		return e, false
	}
	for i, scales := range e.Scales {
		if len(scales) > 0 {
			e.Dims[i] = path.Base(scales[0])
		}
	}
	if e.IsScale && e.Scales == nil && len(e.Shape) > 1 {
		if names := f.numbered(e); names != nil {
			e.Dims = names
		}
	}
	return e, true
}

// define adds the dimensions that a group defines to its entry.
func (f *enhanced) define(e *container.Entry) {
	f.once.Do(f.survey)
	grows := false
	for _, d := range f.dims[e.Path] {
		most := d.length
		if d.unlimited {
			most, grows = container.Unlimited, true
		}
		e.Dims, e.Shape, e.MaxShape = append(e.Dims, d.name), append(e.Shape, d.length), append(e.MaxShape, most)
	}
	if !grows {
		e.MaxShape = nil
	}
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

// numbered returns the names of the dimensions of a coordinate variable with several, a dimension scale itself, which
// _Netcdf4Coordinates has the numbers of.
func (f *enhanced) numbered(e container.Entry) []string {
	all, err := f.Reader.Attributes(e.Path)
	if err != nil {
		return nil
	}
	numbers, ok := integers(find(all, "_Netcdf4Coordinates"))
	if !ok || len(numbers) != len(e.Shape) {
		return nil
	}
	f.once.Do(f.survey)
	names := make([]string, len(numbers))
	for i, n := range numbers {
		names[i] = f.byID[n]
	}
	return names
}

// survey finds all dimensions. An unlimited dimension is as long as the longest variable.
func (f *enhanced) survey() {
	f.byID, f.dims = map[int64]string{}, map[string][]netDimension{}
	longest := map[string]int{}
	for e := range f.Reader.Entries() {
		if e.Group || e.Err != nil || e.LinkKind != "" {
			continue
		}
		for i, scales := range e.Scales {
			if len(scales) > 0 {
				longest[scales[0]] = max(longest[scales[0]], e.Shape[i])
			}
		}
		if !e.IsScale || len(e.Shape) == 0 {
			continue
		}
		group, name := path.Split(e.Path)
		group = strings.TrimSuffix(group, "/")
		d := netDimension{name: name, id: math.MaxInt64, length: e.Shape[0], unlimited: e.MaxShape != nil && e.MaxShape[0] == container.Unlimited}
		if all, err := f.Reader.Attributes(e.Path); err == nil {
			if id, ok := integers(find(all, "_Netcdf4Dimid")); ok && len(id) == 1 {
				d.id, f.byID[id[0]] = id[0], name
			}
		}
		f.dims[group] = append(f.dims[group], d)
	}
	for group, dims := range f.dims {
		for i, d := range dims {
			if d.unlimited {
				dims[i].length = max(d.length, longest[strings.TrimPrefix(group+"/"+d.name, "/")])
			}
		}
		slices.SortStableFunc(dims, func(a, b netDimension) int { return cmp.Compare(a.id, b.id) })
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

// Attributes implements [container.Container]. Attributes that make HDF5 netCDF-4 are left out. Single values have no
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
			a.Value, a.Stored = plain(a.Value, a.Null), a.Value
		}
		all = append(all, a)
	}
	return all, nil
}

// plain returns the value of an attribute as netCDF-3 has it. null says that there is no value: an empty text has none in the file.
func plain(a *npy.Array, null bool) *npy.Array {
	if null && a.DType().Kind() == dtype.KindBytes {
		if b, err := npy.FromObjects([]any{""}, []int{}...); err == nil {
			return b
		}
	}
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
