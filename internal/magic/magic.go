// Package magic tells kinds of files by their first bytes, for the errors of readers that are given a file of another
// kind. A reader recognises its own kind itself.
package magic

import (
	"io"
	"strings"
)

// Size is the number of bytes that tell every kind.
const Size = 8

// The functions that open the files of this module.
const (
	NPY    = "npy.Open"
	NPZ    = "npz.Open"
	HDF5   = "hdf5.Open"
	NetCDF = "netcdf.Open"
	MATLAB = "matlab.Open"
	Pickle = "pickle.Decoder"
	Parts  = "parts.OpenFile"
	Images = "convert.Read"
)

// kinds are the kinds of files by how they begin; the first that fits counts.
var kinds = []struct{ begins, name, use string }{
	{"\x93NUMPY", "an .npy file", NPY},
	{"PK\x03\x04", "a zip archive, so probably .npz", NPZ},
	{"PK\x05\x06", "an empty zip archive, so probably .npz", NPZ},
	{"\x89HDF\r\n\x1a\n", "an HDF5 file", HDF5},
	{"MATLAB", "a MAT-file of MATLAB", MATLAB},
	{"CDF\x01", "a netCDF file", NetCDF},
	{"CDF\x02", "a netCDF file", NetCDF},
	{"CDF\x05", "a netCDF file", NetCDF},
	{"\x89PNG\r\n\x1a\n", "a PNG image", Images},
	{"\x80\x02", "a bare Python pickle", Pickle},
	{"\x80\x03", "a bare Python pickle", Pickle},
	{"\x80\x04", "a bare Python pickle", Pickle},
	{"\x80\x05", "a bare Python pickle", Pickle},
	{"\x1f\x8b", "gzip data, which must be decompressed first", ""},
	{"\x28\xb5\x2f\xfd", "Zstandard data, which must be decompressed first", ""},
	{"\xfd7zXZ\x00", "xz data, which must be decompressed first", ""},
	{"BZh", "bzip2 data, which must be decompressed first", ""},
	{"PAR1", "a Parquet file", ""},
	{"ARROW1", "an Arrow file", ""},
	{"GGUF", "a GGUF file", ""},
	{"SQLite f", "an SQLite database", ""},
	{"%PDF-", "a PDF document", ""},
	{"<!", "an HTML or XML page", ""},
	{"<h", "an HTML page", ""},
	{"<?xml", "an XML document", ""},
	{"version ", "a Git LFS pointer, so fetch the real file", ""},
}

// Explain names the format of a file that begins with head, and the function that opens it: "this is an .npy file: use
// npy.Open". It returns "" for a kind that is not known, and for files that the function own opens.
func Explain(head []byte, own string) string {
	for _, k := range kinds {
		if !strings.HasPrefix(string(head), k.begins) {
			continue
		}
		switch {
		case k.use == "":
			return "this is " + k.name
		case k.use == own:
			return ""
		}
		return "this is " + k.name + ": use " + k.use
	}
	return ""
}

// ExplainFile is [Explain] for a file of which nothing was read yet. It returns "" for a file that cannot be read.
func ExplainFile(r io.ReaderAt, own string) string {
	head := make([]byte, Size)
	n, _ := r.ReadAt(head, 0)
	return Explain(head[:n], own)
}

// Colon returns a text after a colon, or nothing if it is "".
func Colon(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}
