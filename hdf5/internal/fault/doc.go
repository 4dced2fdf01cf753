// Package fault has the errors of HDF5 files: what is wrong, in which structure, and where. [Error] is the error that
// package hdf5 documents, which finds it by [Error.As].
package fault
