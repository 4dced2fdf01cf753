// Package npz reads NumPy's archives of arrays (.npz): ZIP files with an .npy file for each array.
//
//	z, err := npz.Open("model.npz")
//	defer z.Close()
//	for _, name := range z.Names() {
//		a, err := z.Array(name)
//	}
//	weights, shape, err := npz.Load[float32](z, "layer1/weights")
//
//	err = npz.Save("copy.npz", npz.Member{Name: "w", Array: w}, npz.Member{Name: "b", Array: b})
//
// # Which function
//
// [Reader.Array] reads one array of any dtype, [Load] reads one as a Go slice, and [Reader.All] reads every array on
// all processors. [Reader.Info] reads only the header. [Reader.Slice] reads part of an array, and [Reader.Map] maps
// an array into memory without reading it. A [Reader] is an [io/fs.FS] too.
//
// [Save] writes all arrays in one call, [Create] and [NewWriter] write one after another, and [Edit] changes some
// members of an archive and copies the others unchanged. [Encoder] has the settings, such as the compression.
//
// Names are as in NumPy's NpzFile: "x" for the member x.npy. A member is also found by its own name, and of several
// members with the same name the last counts, as in NumPy.
//
// # Untrusted archives
//
// No input makes this package panic. Sizes in an archive are checked against its contents before memory is allocated,
// and the checksum of every member that is read as a whole is verified. Errors are of type [*Error], which names the
// member and the place, except errors of reading the file. A damaged member does not affect the others.
package npz

// Reading the source. internal/zipfile finds the directory as Python's zipfile does. All names are parts of one
// string, and each entry knows where the next begins. A member is found by name (reader.go) and read whole (member.go)
// in one of four ways: small members out of the window, which reads ahead; stored members in parts whose CRCs are
// combined; deflate at once, or its pieces on all processors if the directory has their index (doc/npz-index.md);
// other methods as a stream into growing buffers (stream.go).
//
// slice.go reads the bytes that an index touches. seek.go remembers places within streams that have no pieces,
// indexfile.go keeps them for the next process. In a member that can only be decompressed in sequence, a cursor
// (cursor.go) stays at the end of the last part, so that consecutive parts take one pass. RepairFile (repair.go) finds
// the members of a truncated archive by their local headers.
//
// A Writer (writer.go) cuts arrays into pieces of a megabyte, which a pipeline (pipeline.go) compresses on several
// goroutines and emits in order. Edit (editor.go) collects changes, then writes a new archive in which unchanged
// members are copied with their headers. Rewrite (rewrite.go) compresses every member again.
