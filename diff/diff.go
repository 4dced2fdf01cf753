package diff

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/fields"
)

// Options defines equality. The zero Options requires equal values, with NaN equal to NaN.
type Options struct {
	RTol, ATol float64 // elements are close if |a-b| <= ATol + RTol*|b|; RTol does not apply to datetime64, whose zero has no meaning
	ULPs       uint64  // elements are also close if they are at most this many float steps apart; see Mismatch.ULPs
	NaNsDiffer bool    // NaN differs from NaN, and NaT from NaT

	// IgnoreDType takes a difference of the dtypes for one of [Result.Stored]: int32 1 equals float64 1. Different fields of
	// records are a difference all the same.
	IgnoreDType bool

	// Max limits the mismatches listed per field, the first in C order. 0 means 1, a negative number none.
	Max int

	// MaxShared limits the cost, in bytes, of comparing Python objects that were compared with other objects before.
	// Objects that contain each other can make many more pairs than there are objects. 0 means [DefaultMaxShared], a
	// negative number no limit.
	MaxShared int64

	// MaxDepth limits the nesting depth of Python objects. 0 means [DefaultMaxDepth], a negative number no limit.
	// Without a limit, deep nesting overflows the stack, which ends the program.
	MaxDepth int
}

// Default limits of [Options].
const (
	DefaultMaxShared = 64 << 20
	DefaultMaxDepth  = 10_000
)

func (o Options) check() (Options, error) {
	for _, tol := range []float64{o.RTol, o.ATol} {
		if !(tol >= 0) {
			return o, fmt.Errorf("diff: a tolerance of %v; it cannot be negative or NaN", tol)
		}
	}
	switch {
	case o.Max == 0:
		o.Max = 1
	case o.Max < 0:
		o.Max = 0
	}
	return o, nil
}

// isClose reports whether two different numbers are close. abs is their difference, b the absolute value of the second.
func (o Options) isClose(abs, b float64) bool {
	tol := o.ATol
	if o.RTol > 0 { // avoids infinity times zero, which is NaN
		tol += o.RTol * b
	}
	return tol > 0 && abs <= tol
}

// Compare compares two arrays. Each may be in memory, in a file or in a stream. All values are read once, in blocks. If
// both arrays are seekable files in C order, several goroutines read them. Python objects are read as a whole and
// compared as values: numbers, text, lists, dicts and nested arrays element by element, all other objects by their
// parts.
//
// A read error is a [*ReadError]. Other errors report invalid options, or an object comparison that exceeded a limit;
// the latter wraps [npy.ErrLimit].
func Compare(ctx context.Context, a, b npy.Source, o Options) (*Result, error) {
	return compare(ctx, sideOf(a), sideOf(b), o, newTwins(o))
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

// A ReadError reports that the elements of one array could not be read.
type ReadError struct {
	Side byte  // 'a' for the first or 'b' for the second
	Err  error // of the reading, with its place in the file if it has one
}

// Error returns one line: which array failed, and the cause.
func (e *ReadError) Error() string { return fmt.Sprintf("diff: %c: %v", e.Side, e.Err) }

// Unwrap returns the cause.
func (e *ReadError) Unwrap() error { return e.Err }

// infinite reports whether x is an infinity.
func infinite(x float64) bool { return math.IsInf(x, 0) }
