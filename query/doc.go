// Package query chooses and orders the rows of arrays of any size: rows that satisfy a condition, sorted rows, samples,
// distinct rows and groups. A row is one index of the first axis, a record for example.
//
// All functions take an [github.com/npygo/npy.Source], which they read in blocks, on several goroutines.
package query
