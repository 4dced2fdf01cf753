package main

import "slices"

// A row is one piece of work that every contender does in its own way. To add one, add it to its family's function; a
// new family gets a file and a line in families.
type row struct {
	family string
	name   string
	does   string // in words, for the reader of the table

	bytes int64 // what one operation moves; 0 where calls are the cost and not bytes
	ops   int   // operations in one sample, so that there is something to time; 0 stands for 1
	fresh int64 // bytes of new memory that one operation takes; 0 if the process may reuse the memory of the previous one

	live int64 // other data that the process of npy holds meanwhile: Go's garbage collector runs the less often

	sized bool // what the contenders write is compared in size, too

	files  []string     // the files it reads, which the corpus makes
	setup  func() error // run once before anything is timed
	before func() error // run before each sample

	npy        work
	numpy      string          // an expression of Python that gives the same
	numpySetup string          // statements for it, run once
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
	{"Python objects", objectRows},
	{"Archives", archiveRows},
	{"Text", convertRows},
	{"In memory", memoryRows},
	{"Statistics", statsRows},
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

// once makes work of a function that reads a file.
func once[T any](f func(path string) (T, error), path string) work {
	return func() (any, error) { return f(path) }
}
