package npyio

import (
	"context"
	"encoding"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/npygo/npy"
)

func init() { register.Emitter1[[]byte]() }

// pieceBytes is the size of what is read at a time to be summarised.
const pieceBytes = 4 << 20

// pieces calls do with the elements of src, cast, piece by piece in C order.
func (a *opened) pieces(ctx context.Context, src npy.Source, do func(piece *npy.Array) error) error {
	for piece, err := range src.Blocks(ctx, pieceBytes) {
		if err == nil {
			piece, err = a.cast(piece)
		}
		if err == nil {
			err = do(piece)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mergeStates merges two states that travel as bytes.
func mergeStates[T any, P interface {
	*T
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}](a, b []byte, merge func(x, y P) error) ([]byte, error) {
	x, y := P(new(T)), P(new(T))
	err := x.UnmarshalBinary(a)
	if err == nil {
		err = y.UnmarshalBinary(b)
	}
	if err == nil {
		err = merge(x, y)
	}
	if err != nil {
		return nil, err
	}
	return x.MarshalBinary()
}

// either returns the state that is not empty, if one is. Beam begins with an empty state.
func either(a, b []byte) ([]byte, bool) {
	return append(a[:len(a):len(a)], b...), len(a) == 0 || len(b) == 0
}

// one is a PCollection of one element as a side input.
func one(col beam.PCollection) beam.SideInput { return beam.SideInput{Input: col} }
