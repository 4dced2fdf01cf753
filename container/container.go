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

	// Entries yields the groups and arrays, in the order of the file, and a group before what it holds. The root is
	// not among them. An entry that cannot be read has an Err, and the next one follows. A group that several paths
	// lead to is listed once with what it holds, so the entries of every file end.
	Entries() iter.Seq[Entry]

	// Entry returns the entry of a path. The error is an [fs.ErrNotExist] if there is none. Why an existing entry
	// cannot be read is in its Err, and the error is nil.
	Entry(path string) (Entry, error)

	// Source returns the array of a path and reads none of its elements. Blocks and ReadAll verify the checksums that
	// the file has.
	Source(path string) (npy.Source, error)

	// Attributes returns the attributes of an array or a group, in the order of the file; those of the root for "". An
	// attribute that cannot be read has an Err.
	Attributes(path string) ([]Attribute, error)
}

// Names returns the paths of the arrays of a file, and of what cannot be read, in the order of the file. Of an archive they
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

// An Entry describes an array, or a group of entries, without its elements.
type Entry struct {
	Path  string
	Group bool // the fields down to Dims are those of an array

	DType        dtype.Type
	Shape        []int    // not to be changed
	FortranOrder bool     // how the elements are stored
	Stored       int64    // bytes of the elements in the file, compressed
	Codec        string   // the compression, for people: "shuffle, gzip"; "" for none
	Chunks       []int    // the shape of the pieces that are compressed one by one; nil if there is one piece
	Dims         []string // the names of the dimensions, "" for one without; nil if none has a name

	// Checksum is the checksum of the elements that the file has, which is verified when all of them are read: "CRC-32". It
	// is "" if there is none, or not for all elements: then damaged elements may be read without an error.
	Checksum string

	// Link is the path of the array or group that the entry is a link to, "/other/data", and "" for all others. The
	// elements are in the file once.
	Link string

	// Notes say what dtype and shape do not: "enum: RED=0, GREEN=1".
	Notes []string

	// Err is why the entry cannot be read, or nil.
	Err error
}

// An Attribute is a small array with a name that belongs to an array or a group: its unit, for example.
type Attribute struct {
	Name  string
	Value *npy.Array // text has dtype |O or str; a single value has no dimensions
	Err   error      // why the value cannot be read, or nil
}
