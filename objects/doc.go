// Package objects reads and writes NumPy's arrays of Python objects: dtype |O, and structs with such fields. NumPy
// stores them as pickles, which Python can only read by running them. This package reads them as data: nothing is
// imported, called or executed, and a call that Python would make is kept as a name with its arguments.
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
// Python's own values become the values of package pickle: int64, string, *pickle.List, *pickle.Dict and so on. This
// package adds NumPy's values:
//
//	ndarray, matrix, recarray, memmap, chararray   *npy.Array; ClassOf tells which
//	numpy.float64(1.5) and other scalars           *Scalar
//	numpy.dtype                                    *DType
//	numpy.ma.MaskedArray                           *MaskedArray
//
// Nested arrays keep their stored byte order, where NumPy converts them to native byte order: the elements are equal.
// Arrays of NumPy's StringDType are arrays of dtype |O of strings here, with the dtype's na_object for missing values;
// [StringsOf] makes one.
//
// An object of any other class is a *pickle.Object. It is written again unchanged.
//
// # Fidelity
//
// A file of np.save is written again byte for byte: the decoder records in the array how it was stored, by NumPy 1 or
// 2. Arrays made in Go are written as NumPy 2 does, or as NumPy 1 with Encoder.NumPy.
package objects

// Reading the source. Package pickle knows nothing of NumPy. The Construct hook of this package (decoder.go) makes
// arrays (array.go), dtypes (dtype.go), scalars and masked arrays where a pickle would have Python call NumPy. Its
// Reduce hook (encoder.go, dtype_write.go) says how Python would make them. Structs with objects are lists of tuples
// in a pickle: items.go and leaf.go convert both ways, times.go the dates. repr*.go prints NumPy's classes, and
// pickle.Printer all others.
//
// Files are written again byte for byte because an array that was read keeps its origin: the call and the state of its
// pickle without the elements. The encoder tells strings and containers apart by their addresses, so an object that
// was shared in Python is written once.
