// Package netcdf reads netCDF files of all versions and writes netCDF-3: the classic format (CDF-1), with 64-bit offsets
// (CDF-2) and with 64-bit data (CDF-5).
//
//	f, err := netcdf.Open("climate.nc")
//	defer f.Close()
//	for e := range f.Entries() {
//		fmt.Println(e.Path, e.DType, e.Shape, e.Dims)
//	}
//	src, err := f.Source("temperature")
//	part, err := src.Select(npy.At(-1)) // reads only the last record
//
// A [Reader] is a [container.Container]: its variables are arrays, and Dims has the names of their dimensions. Attributes
// of the root are the global ones. Characters, NC_CHAR, are strings along the last dimension, dtype S, unless that is the
// dimension of the records.
//
// NetCDF-3 has big-endian dtypes. A record variable is an array like every other; a selection reads the records that it
// needs, and of each record only the bytes of the variable.
//
// NetCDF-4 is HDF5, read by package hdf5: what a dimension scale is, and to which array it belongs, shows as Dims.
// Dimensions that are no variables, and the attributes that netCDF-4 keeps for itself, are left out. The entry of a group, "" for the
// root, has the dimensions that the group defines.
//
// A [Writer] takes the largest shape of an entry: the first unlimited dimension becomes the record dimension. What
// netCDF-3 does not have is reported to [Encoder].Lost.
//
// Elements are returned as stored: [Scaled] applies scale_factor, add_offset and fill values.
//
// Everything in a file is checked against its length before memory is allocated. The source of the format is "The
// NetCDF Classic Format Specification" and the specification of CDF-5.
package netcdf
