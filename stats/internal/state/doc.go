// Package state writes and reads the bytes of unfinished computations, which are sent from one machine to another: numbers, a
// dtype, and sums of floats. The bytes begin with eight that name the computation and the version.
package state
