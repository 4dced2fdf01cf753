package items

import (
	"math"
	"math/bits"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/fields"
)

// A Column is a plain field of an element.
type Column struct {
	fields.Field
	Size int   // of an item in bytes
	Each int64 // items of an element
}

// ColumnsOf returns the columns of t.
func ColumnsOf(t dtype.Type) []Column {
	all := fields.Of(t)
	columns := make([]Column, len(all))
	for i, f := range all {
		columns[i] = newColumn(f)
	}
	return columns
}

func newColumn(f fields.Field) Column {
	c := Column{Field: f, Size: f.DType.ItemSize(), Each: 1}
	for _, n := range f.Dims {
		each, ok := Mul(c.Each, int64(n))
		if !ok {
			each = math.MaxInt64 // only possible for items of no bytes, which cannot be counted
		}
		c.Each = each
	}
	if slices.Contains(f.Dims, 0) {
		c.Each = 0
	}
	return c
}

// Mul returns a*b for non-negative numbers, and whether the product fits.
func Mul(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return int64(lo), hi == 0 && lo <= math.MaxInt64
}
