// Package diff compares two arrays element by element in one pass, and says where and by how much they differ.
//
//	r, err := diff.Compare(context.Background(), a, b, diff.Options{})            // exact, NaN equal to NaN
//	r, err = diff.Compare(context.Background(), f, g, diff.Options{RTol: 1e-5})    // files of any size, in bounded memory
//	if !r.Equal() {
//		fmt.Println(r.Fields[0].Different, r.Fields[0].First)
//	}
//
// Values count, not bytes: byte order, Fortran order and the version of the header are told in [Result.Stored] and make
// no difference. Another dtype is one, but where the values can be compared all the same they are, and exactly: int64
// with uint64 and float64, float32 with float64, '<U5' with '<U9', datetime64[s] with datetime64[ms], fields by their
// names. Arrays of different shapes are not compared; nothing is broadcast.
//
// Differences of integers, bools and times are exact, of 128 bits. Times are in ticks of their common step, that of
// numpy.promote_types: an hour for m8[2h] with m8[3h], 2 hours for m8[2h] with m8[10D]. Differences of floats are those of
// float64, those of long doubles are rounded to float64. Elements are close, as in numpy.isclose, if
// |a-b| <= ATol + RTol*|b|. NaN equals NaN and NaT equals NaT unless [Options.NaNsDiffer] is set.
// A complex number is NaN if either part is.
//
// Elements are taken in C order, in blocks of fixed places that all processors work on, and results are merged in the
// order of the blocks: the answer is the same for any number of processors. Blocks of equal bytes cost no more than
// reading them.
package diff
