// Package format reads and writes the header of .npy files: what numpy.lib.format does in Python.
//
//	h, err := format.ReadHeader(r) // r stands at the data now
//	n := h.NBytes()                // of them
//
//	head, err := h.Append(nil)     // the very bytes NumPy writes
//
// A file is a magic string, a version, the length of the header, the header, and the elements without anything
// between them:
//
//	\x93NUMPY  1 0  v 0  {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }   …   \n  <96 bytes>
//
// The header is a Python literal. Reading takes every literal that NumPy takes, whoever wrote it; writing gives
// NumPy's bytes: keys in order, room for the first dimension to grow, data aligned to 64 bytes.
//
// Most programs want package npy. This one is for those that handle the data themselves: stream readers, indexers,
// storage engines.
package format
