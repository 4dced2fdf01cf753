package main

import "slices"

// A row is one piece of work that every contender does in its own way. A new row must be added to its family's
// function; a new family needs a file and a line in families.
type row struct {
	family string
	name   string
	does   string // in words, for the table

	bytes int64 // moved by one operation; 0 if the cost is in calls, not bytes
	ops   int   // operations in one sample, to make it long enough to time; 0 stands for 1
	fresh int64 // bytes of new memory per operation; 0 if the process may reuse the memory of the previous operation

	live int64 // other data that npy's process holds: the more, the less often Go's garbage collector runs

	sized bool // also compare the sizes that contenders write

	files  []string     // files to read, made by the corpus
	setup  func() error // run once before the timing
	before func() error // run before each sample

	npy        work
	numpy      string          // a Python expression with the same result
	numpySetup string          // Python statements to run once before
	others     map[string]work // by the contenders' names
	limit      *limit
}

// Work is one operation. Its result is passed to digest.
type work func() (any, error)

// families are the rows by subject, in the order of the table.
var families = []struct {
	name string
	rows func(*corpus) []*row
}{
	{"Loading", loadRows},
	{"Saving", saveRows},
	{"Parts of files", partRows},
	{"Files as memory", mappedRows},
	{"Records", recordRows},
	{"Rows by condition", filterRows},
	{"Python objects", objectRows},
	{"Archives", archiveRows},
	{"HDF5", hdf5Rows},
	{"Files far away", remoteRows},
	{"Text", convertRows},
	{"In memory", memoryRows},
	{"Statistics", statsRows},
	{"Rows in order", orderRows},
	{"Computed arrays, and joins", computedRows},
	{"The command", commandRows},
}

func allRows(c *corpus) []*row {
	var all []*row
	for _, f := range families {
		rows := f.rows(c)
		for _, r := range rows {
			r.family, r.ops = f.name, max(r.ops, 1)
		}
		all = slices.Concat(all, rows)
	}
	return all
}

// once returns the work of a function that reads a file.
func once[T any](f func(path string) (T, error), path string) work {
	return func() (any, error) { return f(path) }
}
