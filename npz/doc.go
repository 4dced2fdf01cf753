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
