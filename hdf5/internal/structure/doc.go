// Package structure has the structures of HDF5 files, both ways: superblock, object headers and their messages, datatypes,
// dataspaces, layouts, filters, fill values, links, B-trees and heaps. A [File] reads a structure at an address. Written
// structures have one form, HDF5 1.6's: a [HeaderBuilder] collects the messages of a header of version 1, a [TreeBuilder]
// writes a B-tree of version 1, a [Heap] takes strings.
//
// Each source file has one structure of the format: first the reader, then the writer. Read message.go, header.go and one
// message, such as space.go, first.
package structure
