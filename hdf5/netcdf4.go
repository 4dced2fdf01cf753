package hdf5

import (
	"path"
	"slices"
	"strings"

	"github.com/npygo/npy/hdf5/internal/structure"
)

// NoVariable is how the name of a dimension scale begins that netCDF-4 has for a dimension without a variable. The length of the
// dimension follows.
const NoVariable = "This is a netCDF dimension but not a netCDF variable."

// netCDFObjects is the number of objects in which IsNetCDF looks for marks.
const netCDFObjects = 256

// IsNetCDF reports whether a file has marks of netCDF-4, of which every HDF5 file can be read as such: attributes that the library
// netCDF-C has for itself, or a dimension scale with the name that netCDF-C gives it, that of its dataset. Versions before 4.4.1
// leave no other mark.
func (r *Reader) IsNetCDF() bool {
	if r.f.Reader.Check() != nil {
		return false
	}
	root, err := r.f.Header(r.f.Super.Root)
	if err != nil {
		return false
	}
	if all, _ := r.f.attributes(root, isMark); len(all) > 0 {
		return true
	}
	found, count := false, 0
	r.f.walk(func(o object) bool {
		if o.err == nil && o.h.IsDataset() {
			found = r.f.isNetCDF(o.h, path.Base(o.path))
		}
		count++
		return !found && count < netCDFObjects
	})
	return found
}

func isMark(name string) bool {
	return slices.Contains([]string{"_NCProperties", "_nc3_strict", "_Netcdf4Dimid", "_Netcdf4Coordinates"}, name)
}

// isNetCDF reports whether the attributes of a dataset are such as netCDF-C gives it.
func (f *file) isNetCDF(h *structure.Header, name string) bool {
	class, scale := "", ""
	all, _ := f.attributes(h, func(name string) bool { return isMark(name) || name == classAttribute || name == nameAttribute })
	for _, a := range all {
		switch {
		case isMark(a.Name):
			return true
		case a.Err != nil:
		case a.Name == classAttribute:
			class, _ = oneText(a.Value)
		default:
			scale, _ = oneText(a.Value)
		}
	}
	return class == scaleClass && (scale == name || strings.HasPrefix(scale, NoVariable))
}
