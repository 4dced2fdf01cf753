// Package storage has the bytes of HDF5 files, by address. An [Input] reads structures through a cache of pages, and a
// [Cursor] takes a structure apart, within its bounds and with its checksum. An [Output] gives data its place and writes
// it. The meaning of the bytes is not known here.
package storage
