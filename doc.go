// Package npy reads and writes NumPy's array files (.npy): every dtype, byte for byte as NumPy does.
//
//	data, shape, err := npy.Load[float64]("a.npy") // C order, native byte order, whatever the file has
//	err = npy.Save("b.npy", data, shape...)
//
// # Which function
//
// [Load] and [Save] are for files whose element type the program knows. The element type T must hold every value of
// the file exactly: a float32 file loads as float32, float64 or a complex type, and asking for less is a
// [*TypeError]. [Read] and [Write] are for streams.
//
// [ReadFile] gives an [Array] of whatever dtype the file has, for programs that look first. An Array knows its dtype,
// shape and strides; [Array.Slice], [Array.T], [Array.Field] and [Array.Reshape] give views of the same memory, and
// [As] gives the elements as Go values. [WriteFile] writes any Array, views included, as np.save would.
//
// [Open] is for files of any size: a [File] reads the parts that it is asked for, [File.Slice], and all of it piece by
// piece, [File.Blocks]. [OpenReaderAt] does so over a network. A [Copier] changes dtype and order of files larger than memory.
//
// [Decoder] and [Encoder] hold the knobs. Their zero values are what the functions above use, and are safe for files
// from strangers.
//
// [LoadTimes] and [LoadDurations] read datetime64 and timedelta64 as time.Time and time.Duration, and tell which are NaT.
//
// Headers alone are read with package format, dtypes are described by package dtype, and Go types for the elements
// that Go lacks (float16, long double, datetime64) are in package scalar.
//
// # Files from strangers
//
// No input makes this package panic. Memory stays within a small multiple of the bytes that are really there,
// whatever a header claims, and errors say what is wrong and where: [*format.Error] for a file that breaks the
// format, [*TypeError] for a Go type that does not fit. Guards wrap [ErrLimit]. Object arrays, which NumPy stores as
// pickles, are refused with [ErrObjects]; nothing in a file is ever executed.
//
// # Memory and concurrency
//
// An Array is a description of memory, like a Go slice: copying it and taking views shares the elements. Reading from
// several goroutines is safe, writing is not. Built with the tag purego the module does without unsafe, and what is
// documented as sharing memory "where it can" makes copies.
package npy
