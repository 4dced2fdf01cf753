package formats

import (
	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/matlab"
	"github.com/npygo/npy/netcdf"
	"github.com/npygo/npy/npz"
)

// Options are the settings of [Standard]. The zero value has the defaults of each format. The limits are the fields of that name of
// [hdf5.Decoder] and [matlab.Decoder], where 0 stands for the default.
type Options struct {
	Archive npz.Decoder     // of archives; its Array decodes their arrays
	Write   npz.Encoder     // of archives
	Read    npy.ReadOptions // of arrays in netCDF files

	MaxEntries int   // arrays and groups
	MaxDepth   int   // structs and cells in each other
	MaxRatio   int   // bytes of elements to bytes of the file
	MaxChunk   int64 // bytes of a chunk that is compressed to much less
	Total      bool  // MaxRatio holds for all reads of a file together
}

// Standard returns all formats of files with several arrays: archives, netCDF, MATLAB and HDF5. A format that is made of files of
// another comes before that one.
func Standard(o Options) container.Formats {
	h := hdf5.Decoder{MaxEntries: o.MaxEntries, MaxRatio: o.MaxRatio, MaxChunk: o.MaxChunk, Total: o.Total}
	return container.Formats{
		container.NPZ(o.Archive, o.Write),
		netcdf.Format(netcdf.Decoder{Array: npy.Decoder{ReadOptions: o.Read}, HDF5: h}, netcdf.Encoder{}),
		matlab.Format(matlab.Decoder{MaxEntries: o.MaxEntries, MaxDepth: o.MaxDepth, HDF5: h}),
		hdf5.Format(h),
	}
}
