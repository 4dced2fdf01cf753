// Package state writes and reads the bytes of unfinished computations, which are sent from one machine to another: numbers, a
// dtype, and sums of floats. The bytes begin with eight that name the computation and the version.
package state

// MaxItems limits the items of a column, so that neither their number nor a sum of them overflows.
const MaxItems = 1 << 62
