package answer

import (
	"context"
	"strconv"

	"github.com/npygo/npy"
	"github.com/npygo/npy/query"
)

// The memory for finding and sorting rows.
const (
	positionsMax = 8 << 20  // rows that are found
	sortedMax    = 4 << 20  // rows that are sorted
	keysMax      = 64 << 20 // bytes of the values that they are sorted by
)

// positions returns the positions of the rows that satisfy a condition, in an order.
func positions(ctx context.Context, src npy.Source, where, order string) (rows []int, err error) {
	if where != "" {
		c, err := query.Compile(where, src.DType(), src.Shape()[1:]...)
		if err != nil {
			return nil, &Error{400, err}
		}
		if rows, err = c.Positions(ctx, src, positionsMax); err != nil {
			return nil, err
		}
	}
	if order == "" {
		return rows, nil
	}
	keys, err := query.ParseKeys(order)
	if err != nil {
		return nil, &Error{400, err}
	}
	n := src.Shape()[0]
	if where != "" {
		n = len(rows)
	}
	if n > sortedMax {
		return nil, wrong("%d rows are too many to sort here, the most are %d: narrow the condition, or use 'npy sort'", n, sortedMax)
	}
	for _, k := range keys {
		if _, ok := columnOf(src, k); !ok {
			return sortedBy(ctx, src, rows, keys)
		}
	}
	// Each sort keeps the order of the one before where values are equal, so the most important key comes last. Only the values
	// of one key are in memory.
	for i := len(keys) - 1; i >= 0; i-- {
		column, _ := columnOf(src, keys[i])
		if rows, err = sortedBy(ctx, column, rows, []query.Key{{Descending: keys[i].Descending}}); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// columnOf returns the values of a key as an array of one dimension. It reports false for a key with several values, for which
// package query needs the whole rows.
func columnOf(src npy.Source, k query.Key) (column npy.Source, ok bool) {
	var err error
	switch {
	case src.DType().IsStruct():
		column, err = fieldOf(src, k.Field)
	case len(src.Shape()) == 1 && (k.Field == "" || k.Field == "x"):
		column = src
	case len(src.Shape()) == 2:
		var x int
		if x, err = strconv.Atoi(k.Field); err == nil {
			column, err = src.Select(npy.All(), npy.At(x))
		}
	}
	return column, err == nil && column != nil && len(column.Shape()) == 1 && !column.DType().IsStruct()
}

// sortedBy returns the numbers of rows in the order of their keys, of all rows if rows is nil.
func sortedBy(ctx context.Context, src npy.Source, rows []int, keys []query.Key) ([]int, error) {
	n := src.Shape()[0]
	if rows != nil {
		n = len(rows)
	}
	size := src.DType().ItemSize()
	for _, d := range src.Shape()[1:] {
		if d > 0 && size > keysMax/d {
			return nil, wrong("the rows are too large to sort here: use 'npy sort'")
		}
		size *= d
	}
	if size > 0 && n > keysMax/size {
		return nil, wrong("%d rows of %d bytes are too much to sort here: narrow the condition, sort by plain fields, or use 'npy sort'", n, size)
	}
	if rows != nil {
		part, err := npy.Take(ctx, src, rows)
		if err != nil {
			return nil, err
		}
		src = part
	}
	sorted, err := query.Sort{By: keys}.Argsort(ctx, src)
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, &Error{400, err}
	}
	for i, k := range sorted {
		if rows != nil {
			sorted[i] = rows[k]
		}
	}
	return sorted, nil
}
