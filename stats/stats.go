package stats

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/stats/internal/accumulate"
	"github.com/npygo/npy/stats/internal/tally"
)

// Stats is the summary of an array, or of one field of an array of records. A statistic that does not apply to the dtype
// is zero or an invalid Value: strings have no mean, and an array without elements has no minimum.
type Stats struct {
	Field string     // the name of the field, dotted if nested: "outer.inner"; "" for an array without fields
	DType dtype.Type // of one element; subarrays are taken element by element
	Count int64      // elements, including all that are counted below

	NaNs  int64 // of floats and complex numbers; a complex number is NaN if either part is
	Infs  int64 // of floats and complex numbers that are not NaN
	NaTs  int64 // of times
	Zeros int64 // of numbers, bools and timedeltas
	Trues int64 // of bools

	Missing        int64 // missing values of NumPy's StringDType
	Empty          int64 // strings of length 0
	MinLen, MaxLen int   // of strings, without the padding NULs: characters of str, bytes of bytes

	Min, Max Value // of real numbers and times
	Sum      Value // of numbers and, if it fits, of timedeltas; for bools the number of trues
	Mean     Value // of numbers, bools and times
	Std      Value // of numbers and bools: the square root of the mean of |x-mean|²

	// ArgMin and ArgMax are the indices of the first element, in C order, that is Min and Max, as numpy.nanargmin,
	// which does not leave out NaT; nil where Min and Max do not apply. The index of a field that is a subarray goes on
	// within the subarray. An [Accumulator] does not know the shape: its index is in the flattened array.
	ArgMin, ArgMax []int
}

// Of summarises an array of any size in little memory, wherever it is stored. It returns one Stats, or one per field
// for records, where nested fields count separately. Arrays of NumPy's StringDType ([github.com/npygo/npy/objects.StringTypeOf]) are
// strings. Other Python objects are an error that wraps [npy.ErrObjects].
//
// Elements are added in stored order, C or Fortran ([npy.StoredOrder]). Times have the mean that numpy.mean gives for
// timedelta64, rounded to a tick towards zero; means of datetime64 are rounded down. From files, each goroutine reads
// its own blocks of some 256 KB. The result is the same to the last bit for memory, files and streams. Elements that
// src knows to be equal ([npy.RegionsOf]) are counted and not read.
func Of(ctx context.Context, src npy.Source) ([]Stats, error) {
	all, err := accumulate.Of(ctx, src)
	return statsOf(all), err
}

// statsOf returns the results of the packages below. nil stays nil.
func statsOf(all []tally.Summary) []Stats {
	if all == nil {
		return nil
	}
	out := make([]Stats, len(all))
	for i, s := range all {
		out[i] = Stats{
			Field: s.Field, DType: s.DType, Count: s.Count,
			NaNs: s.NaNs, Infs: s.Infs, NaTs: s.NaTs, Zeros: s.Zeros, Trues: s.Trues,
			Missing: s.Missing, Empty: s.Empty, MinLen: s.MinLen, MaxLen: s.MaxLen,
			Min: Value{s.Min}, Max: Value{s.Max}, Sum: Value{s.Sum}, Mean: Value{s.Mean}, Std: Value{s.Std},
			ArgMin: s.ArgMin, ArgMax: s.ArgMax,
		}
	}
	return out
}
