// Package values evaluates trees of typed expressions in blocks of rows. A [Node] has a [Type] and a function that computes
// the values of a block, a [Vec]. An [Env] has the rows of the block and the buffers of one goroutine, and a [Column] is the
// place of items within a row.
//
// Read types.go, column.go, env.go, load.go, by which columns become values, and node.go.
package values
