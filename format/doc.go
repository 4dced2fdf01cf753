// Package format reads and writes the header of .npy files. It is numpy.lib.format in Go.
//
//	h, err := format.ReadHeader(r) // r is now at the start of the data
//	n := h.NBytes()                // the size of the data in bytes
//
//	head, err := h.Append(nil)     // byte for byte as NumPy writes it
//
// A file is a magic string, a version, the length of the header, the header, and the elements without gaps:
//
//	\x93NUMPY  1 0  v 0  {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }   …   \n  <96 bytes>
//
// The header is a Python literal. The package reads every literal that NumPy reads. It writes NumPy's bytes: sorted
// keys, spaces that let the first dimension grow in place, data aligned to 64 bytes.
//
// Most programs need package npy instead. Package format is for programs that handle the data themselves: stream
// readers, indexers, storage engines.
package format

// Reading the source. Decoder.HeaderSize compares the length in the first bytes with MaxHeader. ParseHeader reads the
// one form that NumPy gives plain dtypes by itself (plain.go). For all other headers internal/pylit parses the dict
// and dtype.ParseDescr the descr. Header.Validate is the one gate: after it no number of the file can overflow.
// write.go says which spaces go where.
