// Package reading reads the objects of HDF5 files: groups and their links, datasets as sources, attributes. A [File] finds
// and walks them within its [Limits].
//
// Read file.go, group.go and path.go, which find an object, walk.go, which visits all, and entries.go, which describes them.
// convert.go converts elements, coding.go maps datatypes to dtypes; attribute.go and dimensions.go use them.
// dataset.go reads the header of an array, chunks.go and source.go its elements.
package reading
