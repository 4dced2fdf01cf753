// Package moments adds up floats for sums, means and deviations: one implementation for whole arrays, for results along an axis
// and for groups of rows.
//
// A [Cell] has the moments of some numbers, with the digits of two float64. Cells of consecutive numbers are merged, and added
// exactly to [Sums], which do not depend on the order. All magnitudes are right, from the smallest subnormal number to the largest
// float64: where sums or squares of differences would overflow, or lose digits for being too small, they are kept apart, scaled by
// a power of two (see [Far]).
package moments
