package convert

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// as returns a converted to dtype t.
func as(a *npy.Array, t dtype.Type) (*npy.Array, error) {
	if t.Equal(a.DType()) {
		return a, nil
	}
	return a.AsType(t)
}

// castTo returns src converted to dtype t. An impossible conversion is an error before anything is written. Python objects are
// read as a whole.
func castTo(ctx context.Context, src npy.Source, t dtype.Type) (npy.Source, error) {
	if src.DType().HasObject() {
		a, err := src.ReadAll(ctx)
		if err != nil {
			return nil, err
		}
		return as(a, t)
	}
	return npy.Cast(src, t, npy.SafeCasting)
}
