// Package writing writes HDF5 files: groups, arrays and attributes that come in any order. A [File] writes data first and
// the structures that point to it afterwards, in the forms that all versions of HDF5 since 1.8 can read.
//
// Read group.go, which has the members of a file, and contents.go, where they are written. form.go and dtype.go have the form of
// each dtype in the file. array.go writes a dataset, through sink.go, copies.go and chunks.go if it is in chunks; scales.go and
// latearray.go write references to other objects. file.go takes entries, and late.go ends the file.
package writing
