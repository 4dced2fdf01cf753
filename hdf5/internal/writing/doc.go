// Package writing writes HDF5 files: groups, arrays and attributes that come in any order. A [File] writes data first and
// the structures that point to it afterwards, in the forms that all versions of HDF5 since 1.8 can read.
//
// Read file.go, which takes entries, and group.go, where they are until the end. form.go and dtype.go have the form of
// each dtype in the file. array.go writes a dataset, through sink.go, copies.go and chunks.go if it is in chunks; late.go
// writes references to other objects.
package writing
