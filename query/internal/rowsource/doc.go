// Package rowsource reads the rows of a source in sequence. A row is one index of the first axis. rows.go says how many bytes it has;
// a [Feed] gives the bytes of as many rows as are wanted, and runs.go runs of rows of which some are equal.
package rowsource
