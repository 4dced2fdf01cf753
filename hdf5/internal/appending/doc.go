// Package appending adds rows to an array of an existing HDF5 file, so that a process that is killed leaves the old rows or
// all of them. A [File] (file.go) writes new chunks (append.go), then the nodes of the index that refer to them (index.go), and then
// the superblock and the header (commit.go), whose numbers places.go finds. job.go begins and undoes one append.
package appending
