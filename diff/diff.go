package diff

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/npygo/npy"
)

// Options say what is equal. The zero Options want the same values, NaN equal to NaN.
type Options struct {
	RTol, ATol float64 // elements are close if |a-b| <= ATol + RTol*|b|; RTol is not for datetime64, whose zero means nothing
	ULPs       uint64  // or if at most so many steps from one float to the next lie between them; see Mismatch.ULPs
	NaNsDiffer bool    // NaN differs from NaN, and NaT from NaT

	// Max is how many mismatches of each field are listed, the first in C order. 0 stands for 1, a negative number for none.
	Max int

	// MaxShared limits what it costs, in bytes, to compare Python objects that were compared with others before: objects
	// that contain each other can make many more pairs than there are objects. 0 stands for [DefaultMaxShared], a negative
	// number for no limit.
	MaxShared int64

	// MaxDepth limits how many Python objects may be inside each other. 0 stands for [DefaultMaxDepth], a negative number
	// for no limit; it then is the stack that ends the program.
	MaxDepth int
}

// What [Options] allow if they do not say otherwise.
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

// isClose reports whether two numbers that differ by abs are close, b being the absolute value of the second.
func (o Options) isClose(abs, b float64) bool {
	tol := o.ATol
	if o.RTol > 0 { // infinity times zero would be NaN
		tol += o.RTol * b
	}
	return tol > 0 && abs <= tol
}

// Compare compares two arrays, wherever they are: in memory, in files, in streams, each in another place if need be. The values of
// both are read once, in blocks, by several goroutines where both are files in C order; a stream is enough. Python objects are
// read as a whole and compared as values: numbers, text, lists, dicts and nested arrays element by element, all others by
// their parts.
//
// An error of reading is a [*ReadError]. Other errors say that the options are wrong, or that objects could not be
// followed, which wraps [npy.ErrLimit].
func Compare(ctx context.Context, a, b npy.Source, o Options) (*Result, error) {
	return compare(ctx, sideOf(a), sideOf(b), o, newTwins(o))
}

// compare takes what is known of objects. There can be arrays within them.
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
	p.pair("", nil, place{t: a.DType()}, place{t: b.DType()})
	if a.DType().HasObject() || b.DType().HasObject() {
		x, err := a.ReadAll(ctx)
		if err != nil {
			return nil, &ReadError{Side: 'a', Err: err}
		}
		y, err := b.ReadAll(ctx)
		if err != nil {
			return nil, &ReadError{Side: 'b', Err: err}
		}
		return r, t.compare(r, p.leaves, x, y, o)
	}
	c, err := newComparer(a.header, b.header, p.leaves, o)
	if err != nil {
		return nil, err
	}
	if err := c.compare(ctx, a, b); err != nil {
		return nil, err
	}
	r.Fields = c.fields(a.header.Shape)
	return r, nil
}

// A ReadError says that the elements of one array could not be read.
type ReadError struct {
	Side byte // 'a' for the first or 'b' for the second
	Err  error
}

// Error returns one line: which array it is, and what is wrong with it.
func (e *ReadError) Error() string { return fmt.Sprintf("diff: %c: %v", e.Side, e.Err) }

// Unwrap returns what is wrong.
func (e *ReadError) Unwrap() error { return e.Err }

// infinite reports whether x is an infinity.
func infinite(x float64) bool { return math.IsInf(x, 0) }
