package query

import (
	"context"
	"maps"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/query/internal/calc"
)

// Calc returns the value of an expression of whole arrays, which has names for them: (a - b) / b.std(). Operators and functions work element by element, as in
// [Compute], on arrays that are broadcast to one shape as in NumPy, with its dtypes.
//
//	d, err := query.Calc(ctx, "(a - b) / b.std()", map[string]npy.Source{"a": x, "b": y})
//
// sum, prod, mean, min, max, std, var, median, any, all, count, argmin and argmax reduce an array of real numbers or bools, along all
// axes or those of axis=0 or axis=(0, 1). keepdims=True keeps them with length 1, and std and var have ddof=1. a.mean(axis=0) is mean(a,
// axis=0). Results have NumPy's dtypes. Sums of floats are compensated, so that they are at least as exact as NumPy's; sums and products
// of integers wrap around. The bits of a result depend neither on the number of goroutines nor on where the array is.
//
// a @ b is the product of matrices or vectors of floats. a[0, ::2] is part of an array, a.T is transposed, and a.name or a['name'] is a
// field.
//
// Reductions and products are computed now: they read their arrays in blocks, var and std twice, and hold their results in memory; a median
// holds 8 bytes for each value, and a product its matrices. The rest is computed when the result is read, in blocks. An array that is
// repeated to a larger shape is held in memory. More than 2**36 elements of such a shape are an error that wraps [npy.ErrLimit], and so is
// a result of more than 4 GiB that is held in memory. An expression that is not valid is an [*Error].
func Calc(ctx context.Context, expr string, arrays map[string]npy.Source) (npy.Source, error) {
	var named []calc.Array
	for _, name := range slices.Sorted(maps.Keys(arrays)) {
		named = append(named, calc.Array{Name: name, Source: arrays[name]})
	}
	src, err := calc.Of(ctx, expr, named)
	if err != nil {
		return nil, exported(err)
	}
	return src, nil
}

// ArrayNames returns the names of arrays in an expression of [Calc], in the order in which they first occur.
func ArrayNames(expr string) ([]string, error) {
	names, err := calc.Names(expr)
	return names, exported(err)
}
