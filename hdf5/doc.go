// Package hdf5 reads and writes HDF5 files without libhdf5.
//
//	r, err := hdf5.Open("model.h5")
//	for e := range r.Entries() { … }                      // e.Path, e.DType, e.Shape, e.Codec, …
//	src, err := r.Source("layers/dense/kernel")           // an npy.Source: reads nothing yet
//	part, err := src.Select(npy.Span(0, 10))              // of chunks, only those with these rows are decoded
//	a, err := part.ReadAll(ctx)
//	attributes, err := r.Attributes("layers/dense")
//
// A [Reader] is a [container.Container]: everything that takes one, or an npy.Source, works on HDF5 files as on .npy and
// .npz files. [Format] is HDF5 among the formats of package container.
//
// # What is read
//
// Superblocks 0 to 3 with user blocks, object headers 1 and 2, groups of every kind, contiguous, compact and chunked
// elements with every index of chunks (layouts 1 to 5), attributes of every kind, fill values, committed datatypes and
// shared messages; the filters gzip, shuffle, fletcher32, lzf, zstd, lz4, bitshuffle, blosc and bzip2. An entry that
// cannot be read says why, and all others can be read: szip, nbit, scaleoffset and unknown filters, virtual datasets, and
// everything in other files, which are never opened.
//
// # Datatypes
//
//	integers, floats, bit fields    NumPy's; integers of odd sizes are widened
//	enum                            bool for FALSE and TRUE, else the integers, with the names in Entry.Meaning
//	compound                        structs; complex for {r, i} and {real, imag}
//	array                           more dimensions; subarrays in structs
//	string of fixed length          |S, without the padding
//	string of variable length       |O of strings
//	sequence of variable length     |O of *npy.Array
//	object and region reference     |O of paths, nil for null references
//	opaque                          void, or the dtype that h5py's tag names: datetime64
//	all else                        void, with what it is in Entry.Notes
//
// # Untrusted files
//
// Every address, size and count is compared with the file; nothing is allocated before the data has arrived, or a limit
// of [Decoder] allows it. Errors are an [*Error] with the path, the structure and its offset.
//
// # Writing
//
// A [Writer] takes groups, arrays and attributes in any order:
//
//	w, err := hdf5.Create("data.h5")
//	defer w.Abort()
//	err = w.Add("run1/speed", speed, container.Attribute{Name: "unit", Value: unit})
//	err = w.Close() // data.h5 is there now
//
// Larger arrays come in blocks, by [Writer.Begin] or container.Put. What is written is what all versions of HDF5 since
// 1.8 and other readers have in common: superblock 0, symbol tables, chunks in a B-tree of version 1, gzip and shuffle.
// Types are those of h5py:
//
//	bool                       enum of FALSE and TRUE
//	complex                    compound of r and i
//	S                          string of fixed size, padded with NULs
//	U, and str of dtype |O     string of variable size in UTF-8
//	datetime64, timedelta64    opaque with a tag: NUMPY:<M8[s]
//	structs, subarrays         compounds, arrays
//	void                       opaque
//	bfloat16, float8_e5m2, …   float; opaque with a tag, ml_dtypes:float8_e4m3fn, if HDF5 cannot describe it
//
//	integers with a Meaning    enum
//	paths with a Meaning       references to objects
//
// The largest shape, fill value, checksum, dimension scales and labels of an entry, null dataspaces and links are written, too: what
// HDF5 has, a copy keeps. What refers to other objects is written by Close.
//
// Structs with text have other offsets in the file. S0 becomes S1. Text with a NUL inside is written whole, but most
// readers end it there.
//
// With [Encoder.Unlimited], or a maximum shape, the first axis of arrays can grow. [OpenAppend] adds rows to such an array, also of a file that
// libhdf5 wrote: a process that is killed leaves the old rows or all of them.
package hdf5
