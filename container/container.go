package container

import (
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// A Container is an open file that holds arrays. It may be used by several goroutines. Its Sources are valid until the
// file is closed.
type Container interface {
	// Format describes the format of the file for people, with its version: "HDF5, superblock 0".
	Format() string

	// Entries yields the groups and arrays, in the order of the file, and a group before its members. The root is
	// not among them. An entry that cannot be read has an Err, and the next one follows. A group that several paths
	// lead to is listed once with its members, so the entries of every file end.
	Entries() iter.Seq[Entry]

	// Entry returns the entry of a path. The error is an [fs.ErrNotExist] if there is none. Why an existing entry
	// cannot be read is in its Err, and the error is nil.
	Entry(path string) (Entry, error)

	// Source returns the array of a path and reads none of its elements. Blocks and ReadAll verify the checksums that
	// the file has.
	Source(path string) (npy.Source, error)

	// Attributes returns the attributes of an array or a group, in the order of the file. The path "" is the root. An
	// attribute that cannot be read has an Err.
	Attributes(path string) ([]Attribute, error)
}

// Names returns the paths of the arrays of a file, and of unreadable entries, in the order of the file. Of an archive they
// are the names of all members, and no member is read.
func Names(c Container) []string {
	switch c := c.(type) {
	case archive:
		return c.Names()
	case *File:
		return Names(c.c)
	}
	var names []string
	for e := range c.Entries() {
		if !e.Group || e.Err != nil {
			names = append(names, e.Path)
		}
	}
	return names
}

// An Entry describes an array, or a group of entries, without its elements. The fields after Dims describe an array
// besides its elements, in formats that have such facts; [Feature] has a name for each.
type Entry struct {
	Path  string // the names from the root on, with slashes between them and none at the start: "run1/temperature"
	Group bool   // of the fields down to Link a group has Dims, Shape and MaxShape only: the dimensions that it defines

	DType        dtype.Type // not valid for a group
	Shape        []int      // not to be changed
	FortranOrder bool       // how the elements are stored
	Stored       int64      // bytes of the elements in the file, compressed
	Codec        string     // the compression, for people: "shuffle, gzip"; "" for none
	Chunks       []int      // the shape of the pieces that are compressed one by one; nil if there is one piece
	Dims         []string   // the names of the dimensions, "" for one without; nil if none has a name

	// At is the offset in the file of elements that lie there in one piece, in C order and without compression; 0 for all others.
	// Arrays of one dtype and shape at the same offset are the same elements, even if the file has many of them.
	At int64

	// Checksum is the checksum of the elements that the file has, which is verified when all of them are read: "CRC-32". It
	// is "" if there is none, or not for all elements: then damaged elements may be read without an error.
	Checksum string

	// MaxShape is the largest shape that the array can grow to, [Unlimited] for an axis without a limit: Dataset.maxshape of
	// h5py, and the unlimited dimensions of netCDF. nil stands for an array that cannot grow.
	MaxShape []int

	// Fill is the value of elements that were never written, an array without dimensions. nil stands for zero.
	Fill *npy.Array

	// Fletcher32 tells that all chunks have checksums of HDF5's filter of this name: h5py's Dataset.fletcher32.
	Fletcher32 bool

	Null    bool     // HDF5's null dataspace: there is no shape, and Shape is (0,)
	Meaning *Meaning // the meaning of the elements beyond their dtype; nil if there is none

	// Scales are the paths of the arrays that are dimension scales of each axis, coordinates for example. nil if no axis has one.
	Scales [][]string

	// Labels are HDF5's labels of the axes, which are the names in Dims as far as they are not empty.
	Labels []string

	IsScale   bool   // the array is a dimension scale
	ScaleName string // which HDF5 gives to the scale: a coordinate variable of netCDF has its own name

	// TextDim is the name of the dimension along which netCDF has the characters of the texts of the array; "" for none.
	TextDim string

	// Link is the path of the array or group that the entry is a link to, "/other/data", and "" for all others. The
	// elements are in the file once.
	Link       string
	LinkKind   LinkKind // how Link is stored; "" for an entry that is no link
	LinkTarget string   // as a soft or external link has it: a path without a slash at its start is one in the group of the link
	LinkFile   string   // the other file, of an external link

	// Notes say what dtype and shape do not: "enum: RED=0, GREEN=1".
	Notes []string

	// Err is why the entry cannot be read, or nil.
	Err error
}

// Unlimited is an axis in [Entry.MaxShape] that has no limit.
const Unlimited = -1

// An Attribute is a small array with a name that belongs to an array or a group: its unit, for example.
type Attribute struct {
	Name    string     // without the path of its array or group
	Value   *npy.Array // text has dtype |O or str; a single value has no dimensions
	Meaning *Meaning   // of the elements of Value, beyond their dtype
	Null    bool       // HDF5's null dataspace, h5py.Empty: there is no value, and Value is an empty array or text
	Err     error      // why the value cannot be read, or nil

	// Stored is the value as a file of HDF5 has it, where Value is simpler: netCDF has no values without dimensions, and text of
	// a fixed size. nil stands for Value.
	Stored *npy.Array
}
