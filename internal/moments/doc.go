// Package moments adds up floats for sums, means and deviations: one implementation for whole arrays, for results along an axis
// and for groups of rows.
//
// A [Cell] has the moments of some numbers, with the digits of two float64. Cells of consecutive numbers are merged, and added
// exactly to [Sums], which do not depend on the order. All magnitudes are right, from the smallest subnormal number to the largest
// float64: where sums or squares of differences would overflow, or lose digits for being too small, they are kept apart, scaled by
// a power of two (see [Far]).
//
// Results are rounded once, from the digits of two float64. So numbers that are added one by one have results of the same bits in
// one pass as in pieces that are merged, unless terms cancel so that fewer than 94 bits of a sum are left. The deviations of
// blocks ([Cell.AddPlain]) have the digits of one float64, and depend on the blocks in the last digit.
package moments
