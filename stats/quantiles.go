package stats

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/stats/internal/rank"
)

// Quantiles holds the quantiles of an array, or of one field of an array of records.
type Quantiles struct {
	Field  string  // as in [Stats]
	Values []Value // one for each q, in the order of the call
}

// QuantilesOf returns the quantiles of an array of real numbers, bools or times, each q between 0 and 1. It returns one
// Quantiles, or one per field of records that has them. The result equals numpy.nanquantile with method='linear': NaN
// and NaT are left out, and between two elements the result is interpolated. A quantile of floats is a float, of times a
// time. A quantile of integers is an integer where it is an element, and else a float, rounded once. Without elements it is
// NaN for floats and an invalid Value for all else. A dtype without quantiles is an error that wraps
// [errors.ErrUnsupported].
//
// The result is exact. QuantilesOf takes some 100 MB of memory and reads src twice, or up to four times if many numbers
// are nearly equal, for each field; fields of few numbers are read together. A Source that can be read only once is held in memory.
func QuantilesOf(ctx context.Context, src npy.Source, qs ...float64) ([]Quantiles, error) {
	all, err := rank.Of(ctx, src, qs...)
	return quantilesOf(all), err
}

// A QuantileAccumulator computes the quantiles of elements that are in many places, in several passes. Each pass counts
// the elements by some bits of their values; [QuantileAccumulator.Next] ends it.
//
//	acc, err := stats.NewQuantiles(t, 0.5)
//	for more := true; more && err == nil; more, err = acc.Next() {
//		acc.Add(data) // all elements again
//	}
//	qs, err := acc.Result()
//
// In place of Add, others can count pieces of the array: send them the state of acc
// ([QuantileAccumulator.MarshalBinary]), and merge their answers with [QuantileAccumulator.Merge]. The results equal
// [QuantilesOf], exactly, whatever the division.
//
// In the first pass the memory of each field is 512 KB for each goroutine that counts, and up to 1 MB for the sums. In later
// passes it is as much for up to 32 different elements that are wanted, and 2 KB for each of more. A
// QuantileAccumulator must not be used by several goroutines at once. Add itself uses several processors, until it returns.
type QuantileAccumulator struct{ acc rank.Accumulator }

// NewQuantiles returns a QuantileAccumulator for elements of t, before its first pass. Each q is between 0 and 1. A dtype without quantiles is
// an error that wraps [errors.ErrUnsupported], and one with objects wraps [npy.ErrObjects].
func NewQuantiles(t dtype.Type, qs ...float64) (*QuantileAccumulator, error) {
	acc, err := rank.New(t, qs...)
	if err != nil {
		return nil, err
	}
	return &QuantileAccumulator{acc}, nil
}

// Add counts the elements in data, in any order. data may begin and end within an element and is not retained. After the last pass it does
// nothing.
func (acc *QuantileAccumulator) Add(data []byte) { acc.acc.Add(data) }

// Merge adds the elements that other has counted in the same pass. The order does not matter. other keeps its counts.
//
// Another dtype, other quantiles and another pass are an error, and so is data that ends within an element, which wraps
// [io.ErrUnexpectedEOF]. More elements than can be counted, about 2**62, are an error that wraps [npy.ErrLimit]. After an
// error acc is unchanged.
func (acc *QuantileAccumulator) Merge(other *QuantileAccumulator) error {
	return acc.acc.Merge(&other.acc)
}

// Next ends a pass and reports whether another is needed. Then the same elements must be counted again: others than before
// are an error if their number differs, after which acc must not be used.
func (acc *QuantileAccumulator) Next() (more bool, err error) { return acc.acc.Next() }

// Passes returns the largest number of passes that can be needed from now on, with this one: at first up to 4, and up
// to 7 for more than 16 quantiles. It is 0 after the last.
func (acc *QuantileAccumulator) Passes() (n int) { return acc.acc.Passes() }

// Result returns the quantiles: one Quantiles, or one for each field of records that has them. It is an error before the
// last pass has ended.
func (acc *QuantileAccumulator) Result() ([]Quantiles, error) {
	all, err := acc.acc.Result()
	return quantilesOf(all), err
}

// MarshalBinary returns the state of acc with the counts of this pass: up to some 300 KB for each field in the first
// pass, and for each different element that is wanted in later ones; some hundred bytes between passes. Data
// that ends within an element is an error that wraps [io.ErrUnexpectedEOF]. The bytes begin with a version, and do not depend on the order
// of the elements.
func (acc *QuantileAccumulator) MarshalBinary() ([]byte, error) { return acc.acc.MarshalBinary() }

// UnmarshalBinary replaces acc by the state that MarshalBinary returned; acc may be the zero QuantileAccumulator. Other bytes
// are an error, after which acc is unchanged. Bytes from an untrusted source cannot do more harm than to give wrong
// quantiles: they allocate memory in proportion to their number, and no later call panics.
func (acc *QuantileAccumulator) UnmarshalBinary(data []byte) error {
	return acc.acc.UnmarshalBinary(data)
}

// quantilesOf returns the results of the package below. nil stays nil.
func quantilesOf(all []rank.Quantiles) []Quantiles {
	if all == nil {
		return nil
	}
	out := make([]Quantiles, len(all))
	for i, q := range all {
		out[i] = Quantiles{q.Field, valuesOf(q.Values)}
	}
	return out
}
