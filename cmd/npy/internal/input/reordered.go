package input

import (
	"context"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/format"
)

// A reordered is a long array in Fortran order that is compressed, or a stream. Its blocks in C order come from a temporary file.
type reordered struct {
	npy.Source
	opener Opener
}

// reorder makes the blocks of a take little memory if a is a long array in Fortran order. a is compressed, or a stream.
func (o Opener) reorder(a *Array) *Array {
	h := npy.HeaderOf(a.Source)
	if h.FortranOrder && h.NBytes() > wholeMax && !h.DType.HasObject() {
		a.Source = &reordered{a.Source, o}
	}
	return a
}

// Header returns the header of the array.
func (r *reordered) Header() format.Header { return npy.HeaderOf(r.Source) }

// StoredOrder returns the array with its axes reversed, which is read without a temporary file.
func (r *reordered) StoredOrder() (npy.Source, bool) { return npy.StoredOrder(r.Source) }

// OnePass reports whether the elements can be read only once.
func (r *reordered) OnePass() bool { return npy.IsOnePass(r.Source) }

// Blocks implements [npy.Source].
func (r *reordered) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) {
		kept, err := r.opener.keep(ctx, r.Source)
		if err != nil {
			yield(nil, diagnose.Explain(err))
			return
		}
		defer kept.Close()
		kept.Blocks(ctx, memory)(yield)
	}
}
