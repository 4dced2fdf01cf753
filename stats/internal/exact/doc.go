// Package exact has the exact sums of integers: as big numbers, as means and deviations that are rounded once, and whether they
// can be the sums of some numbers at all. Package internal/moments adds them up.
package exact
