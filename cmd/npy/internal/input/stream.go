package input

import (
	"context"
	"io"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// newStream returns the array whose header h has been read from r, as an [npy.Stream]. One in Fortran order is read in
// its stored order, or else as a whole.
func newStream(h format.Header, r io.Reader) (npy.Source, error) {
	if !h.FortranOrder {
		return npy.NewStream(h, r)
	}
	rows := h
	rows.FortranOrder, rows.Shape = false, slices.Clone(h.Shape)
	slices.Reverse(rows.Shape)
	stored, err := npy.NewStream(rows, r)
	if err != nil {
		return nil, err
	}
	return &columns{h, stored, wholeOf(h.DType, h.Shape, stored)}, nil
}

// A columns is a stream in Fortran order.
type columns struct {
	header format.Header
	stored *npy.Stream // with the axes reversed
	npy.Source
}

// wholeOf returns the transposed stream as a Source that is read as a whole.
func wholeOf(t dtype.Type, shape []int, stored *npy.Stream) npy.Source {
	return npy.WholeSource(t, shape, func(ctx context.Context) (*npy.Array, error) {
		a, err := stored.ReadAll(ctx)
		if err != nil {
			return nil, err
		}
		return a.T(), nil
	})
}

// Header returns the header of the array: see [npy.HeaderOf].
func (c *columns) Header() format.Header {
	h := c.header
	h.Shape = slices.Clone(h.Shape)
	return h
}

// StoredOrder implements the method that [npy.StoredOrder] asks for.
func (c *columns) StoredOrder() (npy.Source, bool) { return c.stored, true }

// OnePass reports true: see [npy.Rereadable].
func (c *columns) OnePass() bool { return true }
