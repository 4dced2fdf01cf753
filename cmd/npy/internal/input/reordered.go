package input

import (
	"context"
	"iter"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/format"
)

// A reordered is a long array in Fortran order that can only be read from its start, or a part of one. In the order in which it
// is stored, it is read directly. In any other order, it is read from a copy in a temporary file, which the first such read makes.
type reordered struct {
	npy.Source
	kept  *keptCopy
	index [][]npy.Index // the selections that make the part of the copy
}

// A keptCopy is the copy of an array, once it is needed.
type keptCopy struct {
	opener Opener
	whole  npy.Source

	mu     sync.Mutex
	direct int    // small parts that were read without the copy
	copy   *Array // nil if there is none yet
}

// maxDirect is the number of small parts that are read directly, each from the start of the array.
const maxDirect = 4

// reorder replaces the Source of a if it is a long array in Fortran order. a is compressed, or a stream.
func (o Opener) reorder(a *Array) *Array {
	h := npy.HeaderOf(a.Source)
	if h.FortranOrder && h.NBytes() > wholeMax && !h.DType.HasObject() {
		kept := &keptCopy{opener: o, whole: a.Source}
		a.Source = &reordered{Source: a.Source, kept: kept}
		a.alsoClose(kept.close)
	}
	return a
}

// Header returns the header of the array.
func (r *reordered) Header() format.Header { return npy.HeaderOf(r.Source) }

// StoredOrder returns the array with its axes reversed, which is read without a temporary file.
func (r *reordered) StoredOrder() (npy.Source, bool) {
	if len(r.index) > 0 {
		return r, false
	}
	return npy.StoredOrder(r.Source)
}

// OnePass reports whether the elements can be read only once.
func (r *reordered) OnePass() bool { return npy.IsOnePass(r.Source) }

// Select implements [npy.Source].
func (r *reordered) Select(index ...npy.Index) (npy.Source, error) {
	part, err := r.Source.Select(index...)
	if err != nil {
		return nil, err
	}
	return &reordered{part, r.kept, append(r.index[:len(r.index):len(r.index)], index)}, nil
}

// ReadAll implements [npy.Source].
func (r *reordered) ReadAll(ctx context.Context) (*npy.Array, error) {
	if len(r.index) == 0 {
		return r.Source.ReadAll(ctx)
	}
	src, err := r.fromCopy(ctx)
	if err != nil {
		return nil, err
	}
	return src.ReadAll(ctx)
}

// Blocks implements [npy.Source].
func (r *reordered) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) {
		src, err := r.fromCopy(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		src.Blocks(ctx, memory)(yield)
	}
}

// fromCopy returns the array, or the part, in the copy. The first small parts come from the array itself.
func (r *reordered) fromCopy(ctx context.Context) (npy.Source, error) {
	h := npy.HeaderOf(r.Source)
	src, err := r.kept.source(ctx, h.NBytes() <= wholeMax && !r.OnePass())
	if err != nil {
		return nil, diagnose.Explain(err)
	}
	if src == nil {
		return r.Source, nil
	}
	for _, index := range r.index {
		if src, err = src.Select(index...); err != nil {
			return nil, err
		}
	}
	return src, nil
}

// source returns the copy, or nil if a small part is to be read directly.
func (k *keptCopy) source(ctx context.Context, small bool) (npy.Source, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.copy == nil {
		if small && k.direct < maxDirect {
			k.direct++
			return nil, nil
		}
		kept, err := k.opener.keep(ctx, k.whole)
		if err != nil {
			return nil, err
		}
		k.copy = kept
	}
	return k.copy.Source, nil
}

// close removes the copy.
func (k *keptCopy) close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.copy != nil {
		k.copy.Close()
		k.copy = nil
	}
}
