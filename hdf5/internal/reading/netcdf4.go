package reading

import (
	"path"
	"slices"
	"strings"

	"github.com/npygo/npy/hdf5/internal/structure"
)

// netCDFObjects is the number of objects in which IsNetCDF looks for marks.
const netCDFObjects = 256

// IsNetCDF reports whether a file has marks of netCDF-4.
func (f *File) IsNetCDF() bool {
	if f.Reader.Check() != nil {
		return false
	}
	root, err := f.Header(f.Super.Root)
	if err != nil {
		return false
	}
	if all, _ := f.attributes(root, isMark); len(all) > 0 {
		return true
	}
	found, count := false, 0
	f.walk(func(o object) bool {
		if o.err == nil && o.h.IsDataset() {
			found = f.hasMarks(o.h, path.Base(o.path))
		}
		count++
		return !found && count < netCDFObjects
	})
	return found
}

func isMark(name string) bool {
	return slices.Contains([]string{"_NCProperties", "_nc3_strict", "_Netcdf4Dimid", "_Netcdf4Coordinates"}, name)
}

// hasMarks reports whether the attributes of a dataset are such as netCDF-C gives it.
func (f *File) hasMarks(h *structure.Header, name string) bool {
	class, scale := "", ""
	all, _ := f.attributes(h, func(name string) bool {
		return isMark(name) || name == structure.ClassAttribute || name == structure.NameAttribute
	})
	for _, a := range all {
		switch {
		case isMark(a.Name):
			return true
		case a.Err != nil:
		case a.Name == structure.ClassAttribute:
			class, _ = oneText(a.Value)
		default:
			scale, _ = oneText(a.Value)
		}
	}
	return class == structure.ScaleClass && (scale == name || strings.HasPrefix(scale, structure.NoVariable))
}
