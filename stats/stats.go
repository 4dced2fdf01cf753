package stats

import (
	"context"
	"unicode/utf8"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/source"
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
// for records, where nested fields count separately. Arrays of NumPy's StringDType ([objects.StringTypeOf]) are
// strings. Other Python objects are an error that wraps [npy.ErrObjects].
//
// Elements are added in stored order, C or Fortran ([npy.StoredOrder]). Times have the mean that numpy.mean gives for
// timedelta64, rounded to a tick towards zero; means of datetime64 are rounded down. From files, each goroutine reads
// its own blocks of some 256 KB. The result is the same to the last bit for memory, files and streams. Elements that
// src knows to be equal ([npy.RegionsOf]) are counted and not read.
func Of(ctx context.Context, src npy.Source) ([]Stats, error) {
	if src.DType().HasObject() {
		return ofObjects(ctx, src)
	}
	acc, err := New(src.DType())
	if err != nil {
		return nil, err
	}
	acc.AddEmpty(int64(format.Header{DType: src.DType(), Shape: src.Shape()}.Size()))
	acc.shape, acc.known = src.Shape(), true
	src, reversed := npy.StoredOrder(src)
	if reversed {
		acc.order = &order{acc.shape}
	}
	if err := acc.addAll(ctx, src); err != nil {
		return nil, err
	}
	return acc.Result()
}

// addAll adds the elements of src.
func (acc *Accumulator) addAll(ctx context.Context, src npy.Source) error {
	runs, err := source.Runs(ctx, src, source.RunOptions{Unit: BlockElements(acc.t), Memory: blockMemory})
	if err != nil {
		return err
	}
	data, ok := npy.DataOf(src)
	switch {
	case runs != nil:
		return addRuns(runs, acc.Add, acc.addCopies)
	case ok:
		return acc.AddAt(ctx, data, 0, data.Size())
	case src.DType().ItemSize() > 0:
		return eachBlock(ctx, src, blockMemory, acc.Add)
	}
	return nil
}

// ofObjects summarises an array of StringDType and rejects other objects.
func ofObjects(ctx context.Context, src npy.Source) ([]Stats, error) {
	a, err := src.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	if objects.StringTypeOf(a) == nil {
		_, err := New(a.DType())
		return nil, err
	}
	s, err := ofStrings(a)
	return []Stats{s}, err
}

// ofStrings summarises an array of StringDType. Its elements are str or the missing value of the dtype.
func ofStrings(a *npy.Array) (Stats, error) {
	s := Stats{DType: a.DType(), Count: int64(a.Size())}
	values, err := a.Objects()
	if err != nil {
		return s, err
	}
	some := false
	for _, v := range values {
		text, ok := v.(string)
		if !ok {
			s.Missing++
			continue
		}
		n := utf8.RuneCountInString(text)
		if n == 0 {
			s.Empty++
		}
		if !some || n < s.MinLen {
			s.MinLen = n
		}
		s.MaxLen, some = max(s.MaxLen, n), true
	}
	return s, nil
}

// pieceBytes is the size of one read where blocks do not fit.
const pieceBytes = 8 << 20
