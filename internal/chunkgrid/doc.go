// Package chunkgrid reads arrays that are stored in chunks of one shape. A selection of an [Array] finds the chunks that it
// touches and where their elements lie, in the chunk and in the result; chunks at the edges end within the array. A format
// gives it an [Index], which finds a stored chunk by its position in the grid, and a [Store], which has the bytes and
// decodes them. Elements without a chunk are the fill value. Chunks are read on several goroutines, and a [Cache] keeps
// large ones that are read in parts.
//
// Read chunk.go, selection.go, cache.go, array.go, and then source.go, which makes an npy.Source of all this, and band.go, by which a pass
// in blocks decodes each chunk once.
package chunkgrid
