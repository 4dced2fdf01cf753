package stats

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/stats/internal/along"
)

// An Axis is the summary of an array along one or more axes: arrays in C order with the shape of the array without them.
// Results that were not wanted are nil.
type Axis struct {
	Mean *npy.Array // float64; of times their dtype, rounded as in [Of]
	Std  *npy.Array // float64; nil for times
	Min  *npy.Array // the dtype of the elements for integers, bools and times; float64 for floats
	Max  *npy.Array // as Min
	Sum  *npy.Array // int64 or uint64 for integers and bools, or Python integers where sums fit neither; float64 for floats; nil for times
}

// Along says along which axes an array is summarised, and which results are wanted. Its zero value wants everything of
// all elements.
type Along struct {
	Axes                     []int // NumPy's axis=(0, 1), where a negative axis counts from the last; nil for all axes, one result
	Mean, Std, Min, Max, Sum bool  // the results wanted; none for all of them
}

// AxisOf summarises an array along one axis. It is [Along.Of] of that axis, where everything is wanted.
func AxisOf(ctx context.Context, src npy.Source, axis int) (Axis, error) {
	return Along{Axes: []int{axis}}.Of(ctx, src)
}

// Of summarises an array of real numbers, bools or times. The results equal numpy.nanmean, nanstd, nanmin, nanmax and
// nansum with axis=Axes. Results of integers are exact: the extremes and the sums have all their digits, the mean is
// rounded once. Floats have sums with the digits of two float64, of numbers of every magnitude, as in [Of]. If
// all elements of a result are NaN or NaT, the result is, too, and the sum is 0.
//
// Memory holds up to 16 MB of src. Each result takes 16 bytes for mean and sum together, 8 for each extreme, 24 for the
// standard deviation, 8 more if there are NaN or NaT, 48 more if numbers or their distances are above 1e132 or below 1e-120, and
// the result itself.
//
// A shape with many results and no elements, such as (10**18, 0), is an error that wraps [npy.ErrLimit]. A dtype that is
// not numeric is an error that wraps [errors.ErrUnsupported].
func (a Along) Of(ctx context.Context, src npy.Source) (Axis, error) {
	x, err := along.Along(a).Of(ctx, src)
	return Axis(x), err
}

// An AxisAccumulator summarises data that arrives in pieces along axes. It holds the memory of [Along.Of], and up to 16 MB
// of data. It must not be used by several goroutines at once. Add itself uses several processors, until it returns.
type AxisAccumulator struct{ acc along.Accumulator }

// NewAxis returns an AxisAccumulator along one axis of the array that h describes. It is [Along.New] of that axis, where
// everything is wanted.
func NewAxis(h format.Header, axis int) (*AxisAccumulator, error) {
	return Along{Axes: []int{axis}}.New(h)
}

// New returns an AxisAccumulator for the array that h describes. It returns the errors of [Along.Of].
func (a Along) New(h format.Header) (*AxisAccumulator, error) {
	acc, err := along.Along(a).New(h)
	if err != nil {
		return nil, err
	}
	return &AxisAccumulator{acc}, nil
}

// Add adds bytes of the elements in file order, as [format.Header.FortranOrder] says. Pieces may begin and end
// anywhere. data is not retained. Bytes beyond the size that the header states are ignored.
func (acc *AxisAccumulator) Add(data []byte) { acc.acc.Add(data) }

// Result returns the summary of the data added. Missing bytes are an error that wraps [io.ErrUnexpectedEOF].
func (acc *AxisAccumulator) Result() (Axis, error) {
	x, err := acc.acc.Result()
	return Axis(x), err
}

// Merge adds the summary of another piece of an array, cut along the axes that are summarised: both have the same dtype,
// the same results and wants, and all of their data. other is unchanged.
//
// The result does not depend on the order and the groups of merging, down to the last bit. Sums of floats are added
// exactly, once each piece has summed its own with the digits of two float64. The memory of merged floats is some 40 bytes
// for each sum, and 60 for each standard deviation.
//
// Pieces that do not fit are an error, and so are missing bytes, which wrap [io.ErrUnexpectedEOF]. After an error acc is
// unchanged.
func (acc *AxisAccumulator) Merge(other *AxisAccumulator) error { return acc.acc.Merge(&other.acc) }

// Append adds the results of other pieces of an array, which follow acc's along their first axis. The array is cut
// along the first axis that is not summarised, in the order of the file. The pieces have the same dtype, the same wants and all
// of their data, and results of the same shape but for the first axis. The others are unchanged.
//
// Pieces that do not fit are an error, and so are missing bytes, which wrap [io.ErrUnexpectedEOF]. After an error acc is
// unchanged.
func (acc *AxisAccumulator) Append(others ...*AxisAccumulator) error {
	all := make([]*along.Accumulator, len(others))
	for i, other := range others {
		all[i] = &other.acc
	}
	return acc.acc.Append(all...)
}

// MarshalBinary returns the summary of all data of a piece, some 20 bytes for each result that is wanted. Missing bytes
// are an error that wraps [io.ErrUnexpectedEOF]. The bytes begin with a version.
func (acc *AxisAccumulator) MarshalBinary() ([]byte, error) { return acc.acc.MarshalBinary() }

// UnmarshalBinary replaces acc by the state that MarshalBinary returned; acc may be the zero AxisAccumulator. Other bytes
// are an error, after which acc is unchanged. Bytes from an untrusted source cannot do more harm than to give wrong
// statistics: they allocate memory in proportion to their number, and no later call panics.
func (acc *AxisAccumulator) UnmarshalBinary(data []byte) error { return acc.acc.UnmarshalBinary(data) }
