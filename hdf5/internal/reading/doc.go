// Package reading reads the objects of HDF5 files: groups and their links, datasets as sources, attributes. A [File] finds
// and walks them within its [Limits].
//
// Read file.go and group.go, which find an object, walk.go, which visits all, and entries.go, which describes them.
// coding.go maps datatypes to dtypes, convert.go converts their elements; attribute.go and dimensions.go use them.
// dataset.go reads the header of an array, chunks.go and source.go its elements.
package reading
