// Package objects reads and writes NumPy's arrays of Python objects: dtype |O, and structs with such fields. NumPy
// stores them as pickles, which Python can only read by running what they say. Here they are read as data: nothing is
// imported, called or executed, and what Python would call is kept as a name with its arguments.
//
//	dec := npy.Decoder{Objects: objects.Decoder{}}
//	a, err := dec.ReadFile("objects.npy")
//	values, err := a.Objects() // []any
//	names, err := npy.As[string](a) // if all of them are strings
//
//	enc := npy.Encoder{Objects: objects.Encoder{}}
//	err = enc.WriteFile("copy.npy", a) // the same bytes, if np.save wrote them
//
// # Values
//
// Python's own values become those of package pickle: int64, string, *pickle.List, *pickle.Dict and so on. To these this
// package adds NumPy's:
//
//	ndarray, matrix, recarray, memmap, chararray   *npy.Array; ClassOf tells which
//	numpy.float64(1.5) and other scalars           *Scalar
//	numpy.dtype                                    *DType
//	numpy.ma.MaskedArray                           *MaskedArray
//
// Nested arrays keep the byte order that they are stored in, where NumPy turns them to that of the machine: the elements
// are equal. Arrays of NumPy's StringDType are arrays of dtype |O of strings here, missing values being what the dtype
// has for them; [StringsOf] makes one.
//
// An object of any other class is a *pickle.Object. It is written again as it came.
//
// # Fidelity
//
// A file of np.save is written again byte for byte: the decoder leaves a note in the array on how it was stored, for
// NumPy 1 or 2. Arrays made in Go are written as NumPy 2 does, or as NumPy 1 with Encoder.NumPy.
package objects
