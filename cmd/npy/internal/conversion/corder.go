package conversion

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/source"
)

// A cOrder is a Source without its order in the file, so that it is written in C order.
type cOrder struct{ npy.Source }

// Regions implements the optional method of [npy.Source].
func (s cOrder) Regions(ctx context.Context) (*npy.Regions, error) {
	return npy.RegionsOf(ctx, s.Source)
}

// CheckBytes implements the optional method of [npy.Source].
func (s cOrder) CheckBytes(n int64) error { return source.CheckBytes(s.Source, n) }
