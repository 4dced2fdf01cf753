// Package diff compares two arrays element by element in one pass, and reports where and by how much they differ.
//
//	r, err := diff.Compare(context.Background(), a, b, diff.Options{})            // exact, NaN equal to NaN
//	r, err = diff.Compare(context.Background(), f, g, diff.Options{RTol: 1e-5})    // files of any size, in bounded memory
//	if !r.Equal() {
//		fmt.Println(r.Fields[0].Different, r.Fields[0].First)
//	}
//
// The comparison is by value. Byte order, Fortran order and the version of the header are reported in [Result.Stored]
// and do not make arrays unequal. Different dtypes do, but values that can be compared are still compared, exactly:
// int64 with uint64 and float64, float32 with float64, '<U5' with '<U9', datetime64[s] with datetime64[ms], fields by
// their names. Arrays of different shapes are not compared; there is no broadcasting.
//
// Differences of integers, bools and times are exact, in 128 bits. Times are compared in ticks of their common step,
// which numpy.promote_types gives: an hour for m8[2h] with m8[3h], 2 hours for m8[2h] with m8[10D]. Differences of
// floats are computed in float64. Differences of long doubles are rounded to float64. Elements are close, as in
// numpy.isclose, if |a-b| <= ATol + RTol*|b|. NaN equals NaN and NaT equals NaT unless [Options.NaNsDiffer] is set. A
// complex number is NaN if either part is.
//
// Elements are compared in C order, in blocks at fixed positions. All processors work on blocks, and the results are
// merged in the order of the blocks, so the answer does not depend on the number of processors. Blocks of equal bytes
// cost no more than reading them.
package diff

// Reading the source. pairing (pair.go) finds the fields of both arrays by their names. kernelFor (kernel.go) finds the
// kernel for two types of items: integers in 128 bits, floats as float64, text. Items that float64 cannot hold are
// compared one at a time with big.Float (exact.go). A comparer (comparer.go) cuts blocks into parts for all processors:
// compare.go brings the blocks in sequence, at.go from two files. A judge (tally.go) hears of items that differ, decides
// whether they are close, and keeps the first and the worst.
// Arrays of objects are walked through together (objects.go); a pair that was seen is not visited again, so cycles and
// sharing cost nothing.
