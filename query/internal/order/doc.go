// Package order sorts the rows of sources of any size.
//
// Read the package from the bottom up. Words of keys are sorted by their bits with the numbers of their rows (radix.go), or alone
// if items can be made from them (plain.go); a sorter goes on with the next word where words are equal (sorter.go). Rows that do
// not fit in memory (memory.go, external.go) are runs of a temporary file (spill.go) until a heap merges them (merge.go). Rows that
// are known to be equal are one row with its number (counted.go, countedsort.go). A [Sorted] gives the rows out (sorted.go,
// sortedfile.go), or reads them at their places (places.go).
// sort.go, along.go and top.go are for other packages.
package order
