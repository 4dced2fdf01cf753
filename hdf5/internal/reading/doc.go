// Package reading reads the objects of HDF5 files: groups and their links, datasets as sources, attributes. A [File] finds
// and walks them within its [Limits].
//
// Read file.go and group.go, which find an object, walk.go, which visits all, and entries.go, which describes them. coding.go says
// what a datatype is in NumPy, convert.go makes its elements; attribute.go and dimensions.go use them. dataset.go has what a
// header says of an array, and chunks.go and source.go how its elements are read.
package reading
