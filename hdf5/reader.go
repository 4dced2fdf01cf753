package hdf5

import (
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5/internal/reading"
	"github.com/npygo/npy/hdf5/internal/structure"
)

// NoVariable is how the name of a dimension scale begins that netCDF-4 has for a dimension without a variable: "This is a
// netCDF dimension but not a netCDF variable." The length of the dimension follows.
const NoVariable = structure.NoVariable

// A Reader is an open HDF5 file: a [container.Container]. It may be used by several goroutines.
type Reader struct{ f *reading.File }

// Close closes the file that [Open] opened, but not the r of [NewReader]. Closing twice does nothing. After Close every
// use of the Reader and of its Sources fails with an error that wraps [io/fs.ErrClosed].
func (r *Reader) Close() error { return r.f.Reader.Close() }

// Format describes the version of the file: "HDF5, superblock 0".
func (r *Reader) Format() string { return r.f.Format() }

// Entries yields the groups and datasets below the root. Links are in the order of their creation if the file keeps it,
// and by name otherwise. A dataset is listed under each of its paths, with a Link for all but one; the contents of a
// group are listed under its first path only. Committed datatypes are no entries: they hold no array.
//
// A file that is damaged or that reaches a limit has entries with an Err; the entries before and after are readable.
func (r *Reader) Entries() iter.Seq[container.Entry] { return r.f.Entries() }

// Entry returns the entry of a path: "group/data", or "/group/data" as references have it. Soft links are followed; an
// entry whose link leads nowhere has an Err. Of links, only soft and external ones have a Link here. The error wraps
// [io/fs.ErrNotExist] if there is no entry.
func (r *Reader) Entry(path string) (container.Entry, error) { return r.f.Entry(path) }

// Source returns the dataset at a path, and reads none of its elements. Until the Reader is closed, the Source reads the
// elements of a selection: contiguous elements as an [npy.File] does, chunked elements from the chunks that the selection
// touches, which are decoded in parallel. Elements that the file lacks have the fill value. Blocks of chunks are whole
// rows of chunks where the memory allows it, so that each chunk is decoded once; without a limit of the caller that is 256
// MiB.
//
// Text of variable length, sequences and references are of dtype |O, and their elements are strings, [*npy.Array] and
// the paths of objects.
func (r *Reader) Source(path string) (npy.Source, error) { return r.f.Source(path) }

// Attributes returns the attributes of a dataset or a group, of the root for "". Attributes in the header keep its order,
// others are in the order of their creation or by name. The attributes of dimension scales, CLASS, NAME, REFERENCE_LIST,
// DIMENSION_LIST and DIMENSION_LABELS, are in the fields of the entry and not here, unless they say something else.
func (r *Reader) Attributes(path string) ([]container.Attribute, error) {
	return r.f.AttributesAt(path)
}

// Omitted implements [container.Omitter]: committed datatypes are no entries.
func (r *Reader) Omitted() []container.Loss { return r.f.Omitted() }

// IsNetCDF reports whether a file has marks of netCDF-4: attributes that the library netCDF-C has for itself, or a
// dimension scale with the name that netCDF-C gives it, the name of its dataset. Every HDF5 file can be read as netCDF-4.
// Versions before 4.4.1 leave no other mark.
func (r *Reader) IsNetCDF() bool { return r.f.IsNetCDF() }
