// Package all opens every file of arrays that this module reads: .npy and .npz, HDF5, netCDF and MATLAB. It knows what the file
// is by its content, so one import and one call are enough:
//
//	f, err := all.Open("measurements.h5")
//	defer f.Close()
//	for e := range f.Entries() {
//		fmt.Println(e.Path, e.DType, e.Shape)
//	}
//	src, err := f.Source("run1/temperature")
//	a, err := src.ReadAll(ctx)
//
// A program that needs some of the formats imports their packages instead, and links less.
package all

import (
	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/matlab"
	"github.com/npygo/npy/netcdf"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/objects"
)

// A Decoder has the limits and settings for reading each format. The zero Decoder is safe for untrusted files and refuses
// Python objects; [Open] and [Formats] read them with [objects.Decoder].
type Decoder struct {
	NPY    npy.Decoder    // of .npy files alone: arrays in archives are read with NPZ.Array
	NPZ    npz.Decoder    // of .npz archives and of the arrays in them
	HDF5   hdf5.Decoder   // of HDF5 files that are neither netCDF-4 nor MATLAB 7.3
	NetCDF netcdf.Decoder // of netCDF files of every version
	MATLAB matlab.Decoder // of MAT-files of every version
}

// An Encoder has the settings for writing each format. What [container.WriteOptions] has as well comes from there.
type Encoder struct {
	NPY    npy.Encoder    // of .npy files alone: arrays in archives are written with NPZ.Array
	NPZ    npz.Encoder    // of .npz archives and of the arrays in them
	HDF5   hdf5.Encoder   // of HDF5 files
	NetCDF netcdf.Encoder // of netCDF files
	MATLAB matlab.Encoder // of MAT-files, which are HDF5 files if its field HDF5 is set
}

// Open opens a file of arrays, whatever its format is. Arrays of Python objects are read as data: nothing of them is run. The error
// wraps [container.ErrFormat] if the file is of no format that is known.
func Open(path string) (*container.File, error) { return Formats().Open(path) }

// Formats returns all formats, with objects.
func Formats() container.Formats {
	var d Decoder
	var e Encoder
	d.NPY.Objects, e.NPY.Objects = objects.Decoder{}, objects.Encoder{}
	d.NPZ.Array, e.NPZ.Array = d.NPY, e.NPY
	return d.Formats(e)
}

// Formats returns all formats with the settings of d and e.
func (d Decoder) Formats(e Encoder) container.Formats {
	return append(container.Formats{container.NPY(d.NPY, e.NPY)}, d.Several(e)...)
}

// Several returns the formats of files with several arrays: all but .npy. netCDF-4 and MATLAB 7.3 are HDF5 files with marks of
// their own, so they come before HDF5.
func (d Decoder) Several(e Encoder) container.Formats {
	return container.Formats{
		container.NPZ(d.NPZ, e.NPZ),
		netcdf.Format(d.NetCDF, e.NetCDF),
		matlab.Format(d.MATLAB, e.MATLAB),
		hdf5.Format(d.HDF5, e.HDF5),
	}
}
