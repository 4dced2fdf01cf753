// Package expression compiles expressions for the rows of an array, and evaluates them in blocks of rows.
//
// Read the package from the bottom up. Values of a block have a type (types.go) and lie in buffers (env.go), which columns fill
// (column.go, load.go). A node computes a block of them (node.go), with the operators of relation.go, arith.go and compare.go. The
// checker makes nodes from parsed expressions: from constants (constant.go, fold.go), times (timetext.go, timearith.go, times.go),
// operators (operate.go, relate.go) and functions (functions.go). check.go walks through the expression, and condition.go is for
// other packages.
package expression
