package stats

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/stats/internal/histogram"
)

// An Extent is the smallest and the largest number of an array, without NaN, NaT and infinities: the range that the bins
// of [HistogramOf] divide. Where the pieces of an array are in many places, a first pass merges their Extents, and a second the
// histograms that [Extent.Histogram] counts.
type Extent struct{ e histogram.Extent }

// ExtentOf returns the Extent of an array of real numbers, bools or times. Records and other dtypes are an error that wraps
// [errors.ErrUnsupported]. src is read once.
func ExtentOf(ctx context.Context, src npy.Source) (Extent, error) {
	e, err := histogram.ExtentOf(ctx, src)
	return Extent{e}, err
}

// Merge adds the numbers of another piece of the array. The order does not matter. The zero Extent becomes other. Another dtype is an error,
// after which e is unchanged.
func (e *Extent) Merge(other Extent) error { return e.e.Merge(other.e) }

// Low returns the smallest number, as a float, or the first time. It is the zero Value if there are none.
func (e Extent) Low() Value { return Value{e.e.Low()} }

// High returns the largest number, as a float, or the last time. It is the zero Value if there are none.
func (e Extent) High() Value { return Value{e.e.High()} }

// Histogram counts the elements of a piece of the array in the bins of the whole, as [HistogramOf] chooses them for an
// array whose Extent is e. Elements outside of e are left out. Histograms of all pieces add up, see [Histogram.Merge].
// Another dtype than e's is an error. src is read once.
func (e Extent) Histogram(ctx context.Context, src npy.Source, bins int) (Histogram, error) {
	h, err := e.e.Count(ctx, src, bins)
	return histogramOf(h), err
}

// MarshalBinary returns the dtype and the two numbers. The bytes begin with a version.
func (e Extent) MarshalBinary() ([]byte, error) { return e.e.MarshalBinary() }

// UnmarshalBinary replaces e by the Extent that MarshalBinary wrote. Other bytes are an error, after which e is
// unchanged. Bytes from an untrusted source cannot do more harm than to give wrong numbers.
func (e *Extent) UnmarshalBinary(data []byte) error { return e.e.UnmarshalBinary(data) }
