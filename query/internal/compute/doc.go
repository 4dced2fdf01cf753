// Package compute has arrays with computed columns, as Sources whose elements are computed when they are read.
//
// A plan (plan.go) compiles assignments in their order. Its columns are expressions, which package expression evaluates in blocks of
// rows, and sequences (sequence.go): functions such as cumsum that need other rows. A sequence is a Source of its own, made from the
// column of its argument: rows further up or down (shift.go), running sums (running.go) and ranks (rank.go). A reading (read.go)
// computes some columns from the rows of the array and from the Sources of sequences, with [npy.Computed]. compute.go is for
// other packages; table.go has the result.
package compute
