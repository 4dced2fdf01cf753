// Package stats summarises arrays in one pass: counts, extremes, mean and standard deviation.
//
//	all, err := stats.Of(ctx, src)   // one Stats for an array of numbers, one per field for records
//	acc, err := stats.New(h.DType)   // or from a stream of any length, in bounded memory
//	acc.Add(block)
//	all, err = acc.Result()
//
// Integers are exact: minimum, maximum and sum have all their digits. Mean and standard deviation are computed from the
// exact sums and rounded once. Floats are added with their rounding errors kept separately (Knuth's two-sum). Deviations
// are taken from the mean of pieces that fit the cache, and merged (Chan, Golub and LeVeque), so that neither large
// means nor cancelling terms cost digits. The sums of blocks of 256 KB are added exactly, as fixed-point numbers of some
// 4,300 bits. Mean and standard deviation are right for every magnitude, also where NumPy's sum or squares overflow or are
// too small for float64. All floats are added as float64, which is exact for narrower floats. A long double is rounded to the nearest float64 first, and becomes an infinity beyond the largest float64.
//
// NaN is left out of everything but its count, as in numpy.nanmin and numpy.nanmean, and so is NaT. Infinities are
// included: the mean of an array with an infinity is infinite or NaN, its standard deviation is NaN. The standard
// deviation is the population's, numpy.std with ddof=0.
//
// Arrays are cut into blocks at fixed positions, and the order in which blocks are merged does not matter. So the answer
// depends neither on the number of processors nor on the pieces in which the data arrives, to the last bit, and it may be
// computed in pieces on many machines:
//
//	acc.StartAt(first)               // a multiple of stats.BlockElements(t), on each machine
//	acc.Add(piece)
//	state, err := acc.MarshalBinary() // some hundred bytes
//	…
//	err = all.Merge(acc)             // where the states arrive, in any order
//
// Histograms of pieces add up if they have the same edges: [HistogramIn], [Histogram.Merge], and [Extent] for edges that a
// first pass finds. Exact quantiles take a few passes, of which each merges counts: [QuantileAccumulator].
package stats

// Reading the source. An Accumulator (accumulator.go) cuts the elements into blocks of 256 KB, which goroutines tally
// (kernel.go). Totals (total.go) add the tallies in any order: integers are exact, and sums of floats are fixed-point
// numbers with all bits of a float64 (internal/moments). So pieces can be sent (state.go) and merged (merge.go).
//
// Along axes (axis.go) each result has a cell (cells.go, intcells.go), to which its elements are added in order.
// Neighbouring axes that are all summarised or all kept count as one (groups.go). Quantiles are elements of known rank
// (quantile.go): each pass of selection.go counts by more bits of a key (keys.go). A histogram takes one pass for the
// range (extent.go) and one for the counts.
