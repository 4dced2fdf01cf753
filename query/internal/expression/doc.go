// Package expression compiles expressions for the rows of an array into nodes, which package values evaluates in blocks of rows.
//
// A checker (checker.go) makes nodes from a parsed expression. Read from the bottom up: the operators of relation.go, arith.go and
// compare.go; constants (constant.go, fold.go); times (timetext.go, timearith.go, times.go); operators (operate.go, relate.go) and
// functions (functions.go). check.go walks through the expression. A [Program] (program.go) is a compiled expression, and a
// [Condition] (condition.go) is one with a bool for each row.
package expression
