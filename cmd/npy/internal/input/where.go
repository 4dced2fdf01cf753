package input

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/query"
)

// where replaces an array by its rows that satisfy o.Where, if there is a condition.
func (o Opener) where(ctx context.Context, a *Array, err error) (*Array, error) {
	if err != nil || o.Where == "" {
		return a, err
	}
	src, err := o.Choose(ctx, a.Source)
	if err != nil {
		a.Close()
		return nil, err
	}
	return &Array{Source: src, Header: format.Header{Version: a.Header.Version, DType: src.DType(), Shape: src.Shape()}, close: a.close}, nil
}

// ChooseOf replaces an array by its rows that satisfy o.Where, if there is a condition.
func (o Opener) ChooseOf(ctx context.Context, a *Array) (*Array, error) { return o.where(ctx, a, nil) }

// Choose returns the rows of src that satisfy o.Where.
func (o Opener) Choose(ctx context.Context, src npy.Source) (npy.Source, error) {
	chosen, err := query.Filter(ctx, src, o.Where)
	if err != nil {
		return nil, diagnose.Explain(err)
	}
	if o.Found != nil {
		o.Found(chosen.Shape()[0], src.Shape()[0])
	}
	return chosen, nil
}
