// Package calc computes with whole arrays: operators with broadcasting, reductions along axes and products of matrices.
//
// A calculator (calc.go) replaces each reduction and each product in an expression by an array that holds its result, innermost first.
// What is left is computed element by element from arrays that are repeated to one shape (broadcast.go), with the expressions of
// package expression and [npy.Computed]. A reduction (reduce.go) reads its argument in slabs of fixed size, which
// goroutines add to the cells of its result (cells.go), each to its own (package axes): sums.go, deviation.go, extremes.go, median.go.
// product.go has matrices.
package calc
