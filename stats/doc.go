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

// Reading the source. The files here are the API: results, their documentation and their JSON, and one call each of a package below
// internal. The doc.go of each package says how it is read.
//
// items reads the items of a field as numbers, a chunk at a time, and feed brings the elements of an array: in blocks, in runs of
// equal elements that are not read, in several passes. state writes and reads what is sent to other machines. exact has the exact
// sums of integers, as internal/moments those of floats.
//
// Statistics: accumulate cuts the elements into blocks of 256 KB, which goroutines tally. Totals (package tally) add the tallies in
// any order: integers are exact, and sums of floats are fixed-point numbers with all bits of a float64. So pieces can be sent and
// merged.
//
// Along axes, package along has a cell for each result, to which its elements are added in order. Neighbouring axes that are all
// summarised or all kept count as one.
//
// Quantiles are elements of known rank: each pass of package rank counts by more bits of a key (package keys). A histogram (package
// histogram) takes one pass for the range and one for the counts.
