package group

import (
	"encoding/binary"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/fields"
)

// An aggregate holds a result for each group.
type aggregate interface {
	// add adds the rows of a chunk.
	add(b batch)
	// merge adds the groups of a later chunk, whose numbers are ids. There are n groups now.
	merge(later aggregate, ids []uint32, n int)
	// put writes the result of a group.
	put(item []byte, group int) error
	// dtype returns the dtype of the results.
	dtype() dtype.Type
	// bytes returns the memory of a group, which may grow with the values.
	bytes() int
}

// A batch is the rows of a chunk, as an aggregate takes them.
type batch struct {
	ids    []uint32 // the group of each row
	groups int
	first  int    // the number of the first row in the source
	data   []byte // the rows of the source, or the values of a computed column
	size   int    // bytes of each
}

// item returns the item of a row.
func (b *batch) item(row int, at *fields.Place) []byte {
	start := row*b.size + at.Offset
	return b.data[start : start+at.DType.ItemSize()]
}

// extend makes a slice n long. New values are zero.
func extend[T any](s []T, n int) []T {
	if n <= len(s) {
		return s
	}
	return append(s, make([]T, n-len(s))...)
}

// counts counts rows, or the values of a field that are not missing.
type counts struct {
	at      fields.Place
	missing func(item []byte) bool // nil counts rows
	n       []int64
}

func (c *counts) add(b batch) {
	c.n = extend(c.n, b.groups)
	if c.missing == nil {
		for _, id := range b.ids {
			c.n[id]++
		}
		return
	}
	for i, id := range b.ids {
		if !c.missing(b.item(i, &c.at)) {
			c.n[id]++
		}
	}
}

func (c *counts) merge(later aggregate, ids []uint32, n int) {
	c.n = extend(c.n, n)
	for i, id := range ids {
		c.n[id] += later.(*counts).n[i]
	}
}

func (c *counts) put(item []byte, group int) error {
	binary.NativeEndian.PutUint64(item, uint64(c.n[group]))
	return nil
}

func (c *counts) dtype() dtype.Type { return dtype.Int64 }
func (c *counts) bytes() int        { return 8 }
