// Package hdf5 reads and writes HDF5 files without libhdf5.
//
//	r, err := hdf5.Open("model.h5")
//	for e := range r.Entries() { … }                      // e.Path, e.DType, e.Shape, e.Codec, …
//	src, err := r.Source("layers/dense/kernel")           // an npy.Source: reads nothing yet
//	part, err := src.Select(npy.Span(0, 10))              // decodes only the chunks with these rows
//	a, err := part.ReadAll(ctx)
//	attributes, err := r.Attributes("layers/dense")
//
// A [Reader] is a [container.Container]: everything that takes one, or an npy.Source, works on HDF5 files as on .npy and
// .npz files. [Format] is HDF5 among the formats of package container.
//
// # Supported files
//
// Superblocks 0 to 3 with user blocks, object headers 1 and 2, groups of every kind, contiguous, compact and chunked
// elements with every index of chunks (layouts 1 to 5), attributes of every kind, fill values, committed datatypes and
// shared messages; the filters gzip, shuffle, fletcher32, szip, nbit, scaleoffset, lzf, zstd, lz4, bitshuffle, blosc and
// bzip2. An entry that cannot be read says why, and all others can be read: other filters, virtual datasets, and
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
//	all else                        void, described in Entry.Notes
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
// Larger arrays come in blocks, by [Writer.Begin] or container.Put. Files have the forms that all versions of HDF5 since
// 1.8 and other readers understand: superblock 0, symbol tables, chunks in a B-tree of version 1, gzip and shuffle. Types
// are the same as h5py's:
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
// The largest shape, fill value, checksum, dimension scales and labels of an entry, null dataspaces and links are written,
// too, so that a copy of an HDF5 file keeps them. Close writes references to other objects.
//
// Structs with text have other offsets in the file. S0 becomes S1. Text with a NUL inside is written whole, but most
// readers end it there.
//
// With [Encoder.Unlimited], or a maximum shape, the first axis of arrays can grow. [OpenAppend] adds rows to such an array, also of a file that
// libhdf5 wrote: a process that is killed leaves the old rows or all of them.
package hdf5

// Reading the source. The files here are the API: settings, their documentation, and one call each of a package below
// internal. Everything but an element is a structure at an address. A storage.Cursor takes it apart, from bytes that a
// storage.Input has checked against the size of the file. Package structure knows each structure, reading and writing
// in one file. It finds the root (superblock.go), collects the messages of an object (header.go), also messages kept
// elsewhere (shared.go), and lists the links of a group from a symbol table (symbols.go), from messages (link.go), or
// from a fractal heap (fractal.go) that a B-tree (btree2.go) indexes.
//
// Package reading opens objects. A dataset (dataset.go) is a dataspace, a datatype and a layout. coding.go maps the
// datatype to a dtype; convert.go converts the elements where the bytes differ. Contiguous elements are an npy.File at
// an offset. Chunks are found by package chunkindex and decoded by internal/chunkfilter. internal/chunkgrid selects
// the chunks that a part touches, reads them on several goroutines, and makes regions of missing chunks.
//
// Package writing writes data first and the structures that point to it afterwards. form.go has the form of each dtype
// in the file. Contiguous arrays go straight to a storage.Output, others become chunks in a ChunkSink (sink.go), which
// are filtered in parallel and committed in order. The B-tree of the chunks and the object header follow the last chunk.
// Groups (group.go), depth first, and the superblock come at the end. References wait for the addresses of their targets
// (late.go): Close places them and the groups, since no length depends on an address, and then writes them.
//
// Package appending writes new chunks after the end of the file, then copies of the last nodes of the index with the
// new entries (index.go). It commits (commit.go) by the superblock, then by the header in one write within a page, or
// within a sector with Sync.
