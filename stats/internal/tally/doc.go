// Package tally summarises the items of a column: a block at a time in a [Tally], and all blocks in a [Total], which depends on
// neither their order nor their groups.
//
// Read the package from the bottom up. Extremes (extremes.go) belong to the facts, which do not depend on an order (facts.go); a
// tally adds the moments of floats, which do (tally.go). A kernel adds items of one dtype to a tally (kernel.go, integers.go,
// floats.go), and finds the positions of the extremes in a block (column.go, block.go), also if it is not in C order (order.go).
// Totals (total.go) become results (summary.go), or bytes (bytes.go).
package tally
