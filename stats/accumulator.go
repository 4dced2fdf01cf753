package stats

import (
	"context"
	"io"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/stats/internal/accumulate"
)

// An Accumulator summarises elements that arrive in pieces. It holds at most one block: 256 KB, or one element if that
// is larger. Accumulators of pieces of an array can be sent to other machines and merged, with the result of one for the
// whole array; see [Accumulator.Merge]. It must not be used by several goroutines at once. Add itself uses all processors, until it returns.
type Accumulator struct{ acc accumulate.Accumulator }

// BlockElements returns the number of elements of t in a block of an [Accumulator]: as many as fit in 256 KB, at least
// one. Pieces of an array that begin at multiples of it have the same blocks as the whole array, see
// [Accumulator.Merge].
func BlockElements(t dtype.Type) int { return accumulate.BlockElements(t) }

// New returns an Accumulator for elements of t. If t contains objects the error wraps npy.ErrObjects.
func New(t dtype.Type) (*Accumulator, error) {
	acc, err := accumulate.New(t)
	if err != nil {
		return nil, err
	}
	return &Accumulator{acc}, nil
}

// Add adds the elements in data, the bytes of a file or an array. data may begin and end within an element and is not
// retained. Elements of no bytes must be added with AddEmpty.
func (acc *Accumulator) Add(data []byte) { acc.acc.Add(data) }

// AddEmpty adds n elements of a dtype whose items have no bytes, such as "|S0". It does nothing for other dtypes.
func (acc *Accumulator) AddEmpty(n int64) { acc.acc.AddEmpty(n) }

// AddAt adds n bytes of r, starting at offset, as Add does. r must allow concurrent calls, as io.ReaderAt demands. If r
// ends early the error wraps io.ErrUnexpectedEOF. After an error the Accumulator must not be used.
func (acc *Accumulator) AddAt(ctx context.Context, r io.ReaderAt, offset, n int64) error {
	return acc.acc.AddAt(ctx, r, offset, n)
}

// StartAt makes element the position of the element added next, counted from the beginning of the whole array, in the
// order in which its elements are stored: ArgMin and ArgMax count from there. It also ends the block, so an Accumulator
// can take several pieces of an array, one StartAt and its data after the other.
//
// Pieces may begin anywhere. The sums of floats equal the sums of the whole array to the last bit if each piece
// begins at a multiple of [BlockElements].
func (acc *Accumulator) StartAt(element int64) error { return acc.acc.StartAt(element) }

// Merge adds the elements that other has summarised, as if they had been added to acc. other is unchanged, and elements
// added to acc later follow the elements added before.
//
// The result does not depend on the order and the groups in which Accumulators are merged, down to the last bit of each
// float. It equals the result of one Accumulator for the whole array if all pieces begin at multiples of
// [BlockElements], and if [Accumulator.StartAt] gave their positions, which the extremes need too. The cost is one
// block's.
//
// Different dtypes are an error, and so is data of other that ends within an element, which wraps [io.ErrUnexpectedEOF].
// More elements than can be counted, about 2**62, are an error that wraps [npy.ErrLimit]. After an error acc is unchanged.
func (acc *Accumulator) Merge(other *Accumulator) error { return acc.acc.Merge(&other.acc) }

// Result returns the summary of the elements added so far: one Stats, or one per field for records. More elements may be
// added afterwards. If the data ends within an element the error wraps io.ErrUnexpectedEOF.
func (acc *Accumulator) Result() ([]Stats, error) {
	all, err := acc.acc.Result()
	return statsOf(all), err
}

// MarshalBinary returns the state of acc: some hundred bytes for each field, however many elements were added. It does
// not hold the elements of an incomplete block but their summary, so that elements added later begin a block. Data that
// ends within an element is an error that wraps [io.ErrUnexpectedEOF].
//
// The bytes begin with a version. Later versions of this package read the states of earlier ones.
func (acc *Accumulator) MarshalBinary() ([]byte, error) { return acc.acc.MarshalBinary() }

// UnmarshalBinary replaces acc by the state that MarshalBinary returned, including the dtype: acc may be the zero
// Accumulator. Other bytes are an error, after which acc is unchanged. Bytes from an untrusted source cannot do more
// harm than to give wrong statistics: they allocate memory in proportion to their number, and no later call panics.
func (acc *Accumulator) UnmarshalBinary(data []byte) error { return acc.acc.UnmarshalBinary(data) }
