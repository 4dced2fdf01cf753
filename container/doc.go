// Package container is one interface for files with several arrays: .npz archives, HDF5, netCDF and MATLAB files.
// A [Container] lists its entries, each with a path, a dtype, a shape and attributes. It gives a [npy.Source] for each
// array, which reads only the parts that are selected. A [Writer] takes entries, and the elements of each in blocks.
//
//	formats := container.Formats{container.NPZ(npz.Decoder{}, npz.Encoder{}), hdf5.Format(hdf5.Decoder{}, hdf5.Encoder{})}
//	f, err := formats.Open("data.h5")
//	defer f.Close()
//	for e := range f.Entries() {
//		fmt.Println(e.Path, e.DType, e.Shape, e.Err)
//	}
//	src, err := f.Source("group/data")
//
// The package knows .npz and .npy. Other formats are values of type [Format] that their packages return; nothing is
// registered by an import. Package container/all lists them all. One entry that cannot be read never fails the whole file: it has an error of
// its own.
//
// # Paths
//
// The path of an entry has its groups before its name, separated by slashes and without a slash at the start:
// "layer1/w". The member "layer1/w" of an archive has the same path. The path "" is the root, and the path of the only
// array of an .npy file is "data".
//
// # Errors
//
// An error names its package and, if it is about one array, the path. Programs that print both the file and the path ask the
// outermost error for the rest of the message, by a method that a new format should give its errors:
//
//	Fault(name string) string // the message without the package, and without the path if name ends with ":" and it
package container

// Reading the source. Entry and Attribute carry what a file says besides elements: shapes, fill values, checksums,
// scales, links, and a Meaning (meaning.go) with names of enums and targets of references. A reader fills the fields
// that its format has. A Writer takes them or reports a Loss (loss.go). LossesOf lists the losses of a format by its
// set of Feature bits, and a Writer adds the losses that only it knows.
