package input

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/query"
)

// Changes reports whether arrays get computed columns, or only some of their rows are taken.
func (o Opener) Changes() bool { return o.Where != "" || len(o.Set) > 0 }

// asFiles returns o for arrays as they are in their files.
func (o Opener) asFiles() Opener {
	o.Where, o.Set = "", nil
	return o
}

// change gives an array the columns of o.Set, and then replaces it by its rows that satisfy o.Where.
func (o Opener) change(ctx context.Context, a *Array, err error) (*Array, error) {
	if err != nil || !o.Changes() {
		return a, err
	}
	src, err := o.compute(ctx, a.Source)
	if err == nil && o.Where != "" {
		src, err = o.Choose(ctx, src)
	}
	if err != nil {
		a.Close()
		return nil, err
	}
	return &Array{Source: src, Header: format.Header{Version: a.Header.Version, DType: src.DType(), Shape: src.Shape()}, close: a.close}, nil
}

// ChangeOf gives an array the columns of o.Set, and then replaces it by its rows that satisfy o.Where.
func (o Opener) ChangeOf(ctx context.Context, a *Array) (*Array, error) { return o.change(ctx, a, nil) }

// compute returns src with the columns of o.Set.
func (o Opener) compute(ctx context.Context, src npy.Source) (npy.Source, error) {
	if len(o.Set) == 0 {
		return src, nil
	}
	out, err := query.Compute(ctx, src, query.Columns{Set: o.Set})
	return out, diagnose.Explain(err)
}

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
