// Package chunkindex finds the chunks of HDF5 datasets. [Open] returns the index that a layout names: a B-tree of version 1
// or 2, a fixed or an extensible array, chunks one after the other, or a single chunk.
package chunkindex
