// Package source is for those who write a [npy.Source], or read many parts of one: a format of one's own, an array that is computed,
// a reader that must not visit 2**50 equal elements one by one. Programs that read and write arrays do not need it.
//
// A Source has five methods. Most are made of others:
//
//   - [npy.Computed] computes elements from those of other Sources, [npy.Cast] converts them, [npy.Concat] joins arrays.
//   - [Whole] needs a function that reads the whole array, [FromParts] one that reads any part of it, and [Lazy] one that opens another
//     Source.
//   - A Source with a Select of its own begins it with [SelectCopy], and finds its rows with [CutIndex].
//
// Consumers that would visit each element ask for regions of one value: [EachRegion] in any order, [Runs] in C order.
package source

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/plumbing"
)

// The functions of package npy.
var (
	whole        = plumbing.Whole.(func(dtype.Type, []int, func(context.Context) (*npy.Array, error)) npy.Source)
	fromParts    = plumbing.FromParts.(func(format.Header, func(context.Context, npy.Selection) (*npy.Array, error)) (npy.Source, error))
	selectCopy   = plumbing.SelectCopy.(func(npy.Source, []npy.Index) (npy.Source, bool, error))
	checkBytes   = plumbing.CheckBytes.(func(npy.Source, int64) error)
	isSequential = plumbing.IsSequential.(func(npy.Source) bool)
	pays         = plumbing.Pays.(func(*npy.Regions, npy.Source) bool)
)

// Whole returns a Source for an array of dtype t that can only be read as a whole, by read: Python objects, for
// example. Each read of a part or a piece reads the whole array into memory and does not keep it. Several goroutines
// may call read at the same time.
func Whole(t dtype.Type, shape []int, read func(ctx context.Context) (*npy.Array, error)) npy.Source {
	return whole(t, shape, read)
}

// FromParts returns a Source for the array that h describes. read must read any part of it, as [npy.Selection.Read] and
// [npy.Selection.Array] do: from an archive or over a network. Several goroutines may call read at the same time. The errors
// are the errors of [npy.SelectionOf].
func FromParts(h format.Header, read func(ctx context.Context, p npy.Selection) (*npy.Array, error)) (npy.Source, error) {
	return fromParts(h, read)
}

// SelectCopy selects from src by an index that no view can have: one with a [npy.List], or with [npy.NamedFields] that are not
// in the order of the struct. The result is read as a whole. ok is false for every other index. It is for a [npy.Source]
// of one's own, whose Select begins with it.
func SelectCopy(src npy.Source, index []npy.Index) (s npy.Source, ok bool, err error) {
	return selectCopy(src, index)
}

// CheckBytes returns an error, a [*npy.LimitError], if reads of n bytes of elements of src are together more than src allows: it
// describes far more elements than its file stores. For consumers that read src in many small parts. [npy.Source.ReadAll] and
// [npy.Source.Blocks] check for themselves.
func CheckBytes(src npy.Source, n int64) error { return checkBytes(src, n) }

// IsSequential reports whether every read of src, in its order, begins at the start of the whole: the elements are compressed as one
// stream. Consumers that need many parts read such a Source in its stored order or once. A Source reports it by a method
// InSequence() bool.
func IsSequential(src npy.Source) bool { return isSequential(src) }

// EachRegion calls visit for each region of src, in the C order of their origins. stored is a Source of the elements of the
// region, and nil if the region has a Value. All of src is one region, also where it is empty, unless most of it is constant or
// it has more bytes than src allows to be read. The first error ends the visits and is returned.
func EachRegion(ctx context.Context, src npy.Source, visit func(r npy.Region, stored npy.Source) error) error {
	r, err := npy.RegionsOf(ctx, src)
	if err != nil {
		return err
	}
	if !pays(r, src) {
		return visit(npy.Region{Origin: make([]int, len(src.Shape())), Shape: src.Shape()}, src)
	}
	for x := range r.All {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var stored npy.Source
		if x.Value == nil {
			if stored, err = src.Select(x.Index()...); err != nil {
				return err
			}
		}
		if err := visit(x, stored); err != nil {
			return err
		}
	}
	return nil
}
