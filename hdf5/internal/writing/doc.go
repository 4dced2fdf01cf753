// Package writing writes HDF5 files: groups, arrays and attributes that come in any order. A [File] writes data first and
// what points to it afterwards, in the forms that all versions of HDF5 since 1.8 can read.
//
// Read file.go, which takes entries, and group.go, where they are until the end. form.go and dtype.go say how the elements of a
// dtype lie in the file. array.go writes a dataset, through sink.go, copies.go and chunks.go if it is in chunks; late.go
// writes what refers to other objects.
package writing
