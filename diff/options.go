package diff

import "github.com/npygo/npy/internal/diag"

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
			return o, diag.Errorf("diff", "a tolerance of %v; it cannot be negative or NaN", tol)
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
