// Package filter finds the rows of a source that satisfy an expression, and reads them.
//
// reader.go reads rows for the expression: rows at any place, columns by themselves, or blocks in sequence. scan.go finds
// the set of rows of a source. chosen.go is a source of the rows of such a set; stream.go copies rows while they are in the cache.
package filter
