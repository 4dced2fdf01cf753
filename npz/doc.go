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
// [Reader.Array] reads one array of whatever dtype, [Load] one as a Go slice, [Reader.All] every one on all processors.
// [Reader.Info] reads only the header. [Reader.Slice] reads part of an array and [Reader.Map] lays an array over the
// file without reading it. A [Reader] is an [io/fs.FS] too.
//
// [Save] writes arrays at once, [Create] and [NewWriter] one after the other, and [Edit] changes some members of an
// archive and leaves the others as they are. [Encoder] has the settings: how to compress, or not to.
//
// Names are those that NumPy's NpzFile shows: "x" for the member x.npy. As there, a member is also found under its own
// name, and of several with one name the last counts.
//
// # Untrusted archives
//
// No input makes this package panic. Sizes in an archive are checked against its contents before memory is allocated,
// and the checksum of every member that is read as a whole is verified. Errors are of type [*Error], which names the
// member and the place, except errors of reading the file. A damaged member does not affect the others.
package npz
