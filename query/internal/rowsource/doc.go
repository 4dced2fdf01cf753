// Package rowsource reads the rows of a source in sequence, as runs of rows of which some are equal. A row is one index of the
// first axis.
package rowsource
