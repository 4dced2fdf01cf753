// Package parts reads many files as one array.
//
// Large arrays are often kept as many files that follow each other along an axis. An [Array] is an [npy.Source] over such
// files, which are opened when they are first needed:
//
//	a, err := parts.OpenFile("data.npy.json")                       // a manifest that lists the files
//	a, err := parts.OpenStack("stack")                              // what dask.array.to_npy_stack wrote
//	m, err := parts.Scan(ctx, 0, paths, parts.Dir(".", npy.Decoder{})) // the headers of files
//	a, err := m.Open(parts.Dir(".", npy.Decoder{}))
//
// A [Manifest] says where the parts are: dtype, shape, axis, and for each part its path and its number of rows. It is JSON:
//
//	{
//	  "format": "npy parts",
//	  "version": 1,
//	  "dtype": "<f8",
//	  "shape": [1000, 3],
//	  "axis": 0,
//	  "parts": [
//	    {"path": "part-1.npy", "rows": 600},
//	    {"path": "part-2.npy", "rows": 400, "etag": "\"a1b2\"", "crc32": "00c0ffee"}
//	  ]
//	}
//
// The dtype is a descr as [dtype.Type.Descr] writes it. Paths are relative to the folder of the manifest, with slashes, and never
// lead out of it, so that a manifest from a stranger reads no other files. A part with another dtype or shape than the
// manifest says is an error that names the part.
//
// [References] writes the references of kerchunk, with which Zarr readers in Python open the same files without a copy.
package parts
