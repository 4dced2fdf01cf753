package diff

import (
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

// Arrays compares two arrays. Views that are not in C order are copied in pieces of a few megabytes. Python objects are
// compared as values: numbers, text, lists, dicts and nested arrays element by element, all else by what it is made of.
//
// An error says that the options are wrong, or that objects could not be followed: it then wraps [npy.ErrLimit].
func Arrays(a, b *npy.Array, o Options) (*Result, error) { return Sides(OfArray(a), OfArray(b), o) }

// Files compares two files, or the part a[index...] of one with b[index...] of the other, with buffers of a few
// megabytes, or tens of them where a file is in Fortran order. What goes wrong with reading is a [*ReadError]; arrays of
// objects are npy.ErrObjects, for only [Arrays] takes them.
func Files(a, b *npy.File, o Options, index ...npy.Index) (*Result, error) {
	x, err := OfFile(a, index...)
	if err != nil {
		return nil, err
	}
	y, err := OfFile(b, index...)
	if err != nil {
		return nil, err
	}
	return Sides(x, y, o)
}

// Sides compares two arrays wherever they are. A Side of a stream can be used once. What goes wrong with reading is a
// [*ReadError].
func Sides(a, b Side, o Options) (*Result, error) { return sides(a, b, o, newTwins(o)) }

// sides takes what is known of objects, within which there can be arrays.
func sides(a, b Side, o Options, t *twins) (*Result, error) {
	o, err := o.check()
	if err != nil {
		return nil, err
	}
	r := newResult(a, b)
	if !slices.Equal(a.shape, b.shape) {
		return r, nil
	}
	p := pairing{result: r}
	p.pair("", nil, place{t: a.dtype}, place{t: b.dtype})
	if a.dtype.HasObject() || b.dtype.HasObject() {
		return r, t.compare(r, p.leaves, a, b, o)
	}
	c, err := newComparer(a, b, p.leaves, o)
	if err != nil {
		return nil, err
	}
	if err := c.compare(a, b); err != nil {
		return nil, err
	}
	r.Fields = c.fields(a.shape)
	return r, nil
}

// A ReadError says that the elements of one side could not be read.
type ReadError struct {
	Side byte // 'a' for the first or 'b' for the second
	Err  error
}

// Error returns one line: which side it is, and what is wrong with it.
func (e *ReadError) Error() string { return fmt.Sprintf("diff: %c: %v", e.Side, e.Err) }

// Unwrap returns what is wrong.
func (e *ReadError) Unwrap() error { return e.Err }

// infinite reports whether x is an infinity.
func infinite(x float64) bool { return math.IsInf(x, 0) }
