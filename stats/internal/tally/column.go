package tally

import (
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/stats/internal/items"
)

// A Column is a plain field, and the kernel that adds its items.
type Column struct {
	items.Column
	kernel
}

// ColumnsOf returns the columns of t.
func ColumnsOf(t dtype.Type) []Column {
	all := items.ColumnsOf(t)
	columns := make([]Column, len(all))
	for i, c := range all {
		columns[i] = Column{c, kernelFor(c.DType)}
	}
	return columns
}

// WithoutPositions returns the column of items of t whose extremes have no positions.
func WithoutPositions(t dtype.Type) Column {
	return Column{items.Column{Size: t.ItemSize()}, kernel{add: kernelFor(t).add}}
}

// isRead reports whether the elements have items that are read.
func (c *Column) isRead() bool { return c.Size > 0 && c.Each > 0 }
