package diff

import (
	"context"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/fields"
)

// Compare compares two arrays. Each may be in memory, in a file or in a stream. All values are read once, in blocks. If
// both arrays are seekable files in C order, several goroutines read them. Python objects are read as a whole and
// compared as values: numbers, text, lists, dicts and nested arrays element by element, all other objects by their
// parts.
//
// A read error is a [*ReadError]. Other errors report invalid options, or an object comparison that exceeded a limit;
// the latter wraps [npy.ErrLimit].
func Compare(ctx context.Context, a, b npy.Source, o Options) (*Result, error) {
	return compare(ctx, sideOf(a), sideOf(b), o, newTwins(ctx, o))
}

// compare compares two arrays. t holds the pairs of objects compared so far, since objects may contain arrays.
func compare(ctx context.Context, a, b side, o Options, t *twins) (*Result, error) {
	o, err := o.check()
	if err != nil {
		return nil, err
	}
	r := newResult(a.header, b.header)
	if !slices.Equal(a.header.Shape, b.header.Shape) {
		return r, nil
	}
	p := pairing{result: r}
	p.add("", nil, fields.Place{DType: a.DType()}, fields.Place{DType: b.DType()})
	if o.IgnoreDType && r.OnlyA == nil && r.OnlyB == nil {
		r.Stored, r.Changed = append(r.Stored, r.Changed...), nil // the shapes are equal, so that only the dtype can differ
	}
	if a.DType().HasObject() || b.DType().HasObject() {
		x, err := a.ReadAll(ctx)
		if err != nil {
			return nil, &ReadError{Side: 'a', Err: err}
		}
		y, err := b.ReadAll(ctx)
		if err != nil {
			return nil, &ReadError{Side: 'b', Err: err}
		}
		return r, t.compare(r, p.pairs, x, y, o)
	}
	c, err := newComparer(a.header, b.header, p.pairs, o)
	if err != nil {
		return nil, err
	}
	if err := c.compare(ctx, a, b); err != nil {
		return nil, err
	}
	r.Fields = c.fields(a.header.Shape)
	return r, nil
}
