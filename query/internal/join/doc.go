// Package join joins the rows of two sources of any size by their keys.
//
// A plan (plan.go) finds the keys, gives those that are compared one dtype (key.go), and lays out the rows of the result (column.go).
// The rows of the right source are sorted by their keys, and so are the keys of the left source with the numbers of their rows.
// A walk through both (match.go, nearest.go) finds for each left row the place of its first match among the sorted right rows, and the
// number of matches. These, sorted by the number of the left row, are all that a [Result] needs: it copies the rows when it is
// read (result.go). Each sort is one of package order, in memory or in a temporary file. join.go is for other packages.
package join
