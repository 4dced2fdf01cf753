package netcdf

import (
	"github.com/npygo/npy"
	"github.com/npygo/npy/hdf5"
)

// A Decoder opens netCDF files. [Open] and [NewReader] use the zero Decoder, which is safe for untrusted files.
type Decoder struct {
	// Array has the limit and the options for reading elements of netCDF-3: MaxBytes and ReadOptions.
	Array npy.Decoder

	// HDF5 has the limits for netCDF-4.
	HDF5 hdf5.Decoder
}
