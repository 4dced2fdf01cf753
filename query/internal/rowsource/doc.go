// Package rowsource reads the rows of a source in sequence. A row is one index of the first axis. rows.go says how many bytes it has;
// a [Feed] gives the bytes of any number of rows, runs.go runs of rows, some of them equal, and records.go the rows of any array as
// records, and their numbers.
package rowsource
