package stats

import "github.com/npygo/npy/dtype"

// A Report is the JSON of the statistics of an array, or of one field of an array of records, as 'npy stats --json' prints it.
// Its keys are a promise. Results that do not apply to the dtype are null; so are all counts of what the dtype cannot have.
type Report struct {
	Field *string `json:"field"` // as in [Stats]; null for an array without fields
	DType string  `json:"dtype"` // NumPy's name of it, "StringDType" for objects
	Shape []int   `json:"shape"` // of the array; null if it is not known

	Count     int64  `json:"count"`             // elements
	NaN       *int64 `json:"nan"`               // elements, as the counts that follow
	Inf       *int64 `json:"inf"`               // of both signs
	NaT       *int64 `json:"nat"`               // of times alone
	Zeros     *int64 `json:"zeros"`             // of both signs
	True      *int64 `json:"true"`              // of bools alone
	Missing   *int64 `json:"missing,omitempty"` // of StringDType alone
	Empty     *int64 `json:"empty"`             // strings of length 0
	MinLength *int   `json:"min_length"`        // characters of str, bytes of bytes
	MaxLength *int   `json:"max_length"`        // as MinLength

	Min    Value `json:"min"`    // in the unit of the elements, as all results that follow; times are texts
	Max    Value `json:"max"`    // as Min
	Mean   Value `json:"mean"`   // arithmetic
	Std    Value `json:"std"`    // of the population
	Sum    Value `json:"sum"`    // of bools the number of trues
	ArgMin []int `json:"argmin"` // the index of the first element that is Min
	ArgMax []int `json:"argmax"` // the index of the first element that is Max

	Quantiles []QuantileReport `json:"quantiles,omitempty"` // if they were asked for, as Histogram
	Histogram *Histogram       `json:"histogram,omitempty"` // nil if it was not asked for
}

// A QuantileReport is one quantile of a [Report].
type QuantileReport struct {
	Q     float64 `json:"q"`     // from 0 to 1
	Value Value   `json:"value"` // in the unit of the elements
}

// Report returns the JSON of s, without quantiles and histogram. s is of an array of a dtype and shape, or of a field of it.
func (s Stats) Report(t dtype.Type, shape []int) Report {
	r := Report{
		DType: s.DType.Name(), Shape: shape, Count: s.Count,
		Min: s.Min, Max: s.Max, Mean: s.Mean, Std: s.Std, Sum: s.Sum, ArgMin: s.ArgMin, ArgMax: s.ArgMax,
	}
	if t.IsStruct() {
		r.Field = &s.Field
	}
	switch s.DType.Kind() {
	case dtype.KindBool:
		r.True = &s.Trues
	case dtype.KindObject:
		r.DType, r.Missing = "StringDType", &s.Missing
		fallthrough
	case dtype.KindBytes, dtype.KindStr:
		r.Empty, r.MinLength, r.MaxLength = &s.Empty, &s.MinLen, &s.MaxLen
	case dtype.KindDatetime:
		r.NaT = &s.NaTs
	case dtype.KindTimedelta:
		r.NaT, r.Zeros = &s.NaTs, &s.Zeros
	default:
		if !s.Sum.IsValid() {
			break
		}
		r.Zeros = &s.Zeros
		if _, isInt := s.Sum.Int(); !isInt {
			r.NaN, r.Inf = &s.NaNs, &s.Infs
		}
	}
	return r
}
