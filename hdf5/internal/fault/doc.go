// Package fault has the errors of HDF5 files: the fault, the structure, and its place. [Error] is the error that
// package hdf5 documents, which finds it by [Error.As].
package fault
