// Package stats summarises arrays in one pass: counts, extremes, mean and standard deviation.
//
//	all, err := stats.Of(ctx, src)   // one Stats for an array of numbers, one per field for records
//	acc, err := stats.New(h.DType)   // or from a stream of any length, in bounded memory
//	acc.Add(block)
//	all, err = acc.Result()
//
// Integers are exact: minimum, maximum and sum have all their digits, and mean and standard deviation are those of
// the exact sums, rounded once. Floats are added with the rounding errors kept aside (Knuth's two-sum), and deviations
// are taken from the mean of blocks that fit the cache and merged (Chan, Golub and LeVeque), so that neither large
// means nor cancelling terms cost digits. All floats are added as float64, those of less than 64 bits exactly.
// A long double is rounded to the nearest float64 first, and is an infinity if it is beyond the largest.
//
// NaN is left out of everything but its count, as numpy.nanmin and numpy.nanmean do, and so is NaT. Infinities are
// not: the mean of an array that has one is infinite or NaN, its standard deviation NaN. The standard deviation is
// that of the whole population, numpy.std with ddof=0.
//
// Arrays are cut into blocks of fixed places, which all processors work on, and the results are merged in the order of
// the blocks: the answer is the same for any number of processors, and for any pieces in which the data comes.
package stats
