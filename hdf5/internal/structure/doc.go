// Package structure has the structures of HDF5 files, both ways: superblock, object headers and their messages, datatypes,
// dataspaces, layouts, filters, fill values, links, B-trees and heaps. A [File] reads a structure at an address. What is
// written has one form, that of HDF5 1.6: a [HeaderBuilder] collects the messages of a header of version 1, a
// [TreeBuilder] writes a B-tree of version 1, a [Heap] takes strings.
//
// A file has a structure of the format, and what reads it comes before what writes it. Read message.go, header.go and one
// message, such as space.go, first.
package structure
