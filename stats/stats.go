package stats

import (
	"unicode/utf8"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/objects"
)

// Stats is the summary of an array, or of one field of an array of records. What does not apply to the dtype is zero
// or an invalid Value: strings have no mean, and an array without elements has no minimum.
type Stats struct {
	Field string     // the name of the field, dotted if nested: "outer.inner"; "" for an array without fields
	DType dtype.Type // of one element; subarrays are taken element by element
	Count int64      // elements, all of those below included

	NaNs  int64 // of floats and complex numbers; a complex number is NaN if either part is
	Infs  int64 // likewise, of those that are not NaN
	NaTs  int64 // of times
	Zeros int64 // of numbers, bools and timedeltas
	Trues int64 // of bools

	Missing        int64 // values of NumPy's StringDType that are not there
	Empty          int64 // strings of length 0
	MinLen, MaxLen int   // of strings, without the NULs that pad them: characters of str, bytes of bytes

	Min, Max Value // of real numbers and times
	Sum      Value // of numbers, and the number of trues of bools
	Mean     Value // of numbers and bools
	Std      Value // of numbers and bools: the square root of the mean of |x-mean|²
}

// Of summarises an array: one Stats, or one for each field of records, nested ones by themselves. Objects are refused
// with an error that wraps [npy.ErrObjects], but for arrays of NumPy's StringDType ([objects.StringTypeOf]), which are strings.
//
// Elements in C or Fortran order are taken as they lie in memory. Other views are copied in pieces of a few megabytes.
func Of(a *npy.Array) ([]Stats, error) {
	if objects.StringTypeOf(a) != nil {
		s, err := ofStrings(a)
		return []Stats{s}, err
	}
	acc, err := New(a.DType())
	if err != nil {
		return nil, err
	}
	if a.DType().ItemSize() == 0 {
		acc.AddEmpty(int64(a.Size()))
	} else if err := acc.addArray(a); err != nil {
		return nil, err
	}
	return acc.Result()
}

// ofStrings summarises an array of StringDType, whose elements are str or what the dtype has for missing values.
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

// pieceBytes is how much of a view is copied at once.
const pieceBytes = 8 << 20

// addArray adds the elements of a, which have bytes.
func (acc *Accumulator) addArray(a *npy.Array) error {
	if a.Size() == 0 {
		return nil
	}
	if a.IsFortran() {
		a = a.T() // floats are added in the order of memory, as they are from a file
	}
	data, ok := a.ViewBytes()
	switch {
	case ok:
	case a.NDim() == 0 || a.NBytes() <= pieceBytes:
		data = a.Bytes()
	default:
		return acc.addRows(a)
	}
	acc.Add(data)
	return nil
}

// addRows adds a view a few entries along the first axis at a time, or each of them by itself where they are large.
func (acc *Accumulator) addRows(a *npy.Array) error {
	rows := a.Len()
	step := max(1, pieceBytes/(a.NBytes()/rows))
	for i := 0; i < rows; i += step {
		index := npy.Span(i, min(i+step, rows))
		if step == 1 {
			index = npy.At(i)
		}
		part, err := a.Slice(index)
		if err != nil {
			return err
		}
		if err := acc.addArray(part); err != nil {
			return err
		}
	}
	return nil
}
