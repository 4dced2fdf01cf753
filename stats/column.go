package stats

import (
	"math"
	"math/bits"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/fields"
)

// A column is a plain field, and the kernel that adds its items.
type column struct {
	fields.Field
	size  int   // of an item in bytes
	items int64 // per element
	add   kernel
}

// columnsOf returns the columns of t.
func columnsOf(t dtype.Type) []column {
	var columns []column
	for _, f := range fields.Of(t) {
		columns = append(columns, newColumn(f))
	}
	return columns
}

func newColumn(f fields.Field) column {
	c := column{Field: f, size: f.DType.ItemSize(), items: 1, add: kernelFor(f.DType)}
	for _, n := range f.Dims {
		items, ok := mul(c.items, int64(n))
		if !ok {
			items = math.MaxInt64 // only possible for items of no bytes; Result refuses to count them
		}
		c.items = items
	}
	if slices.Contains(f.Dims, 0) {
		c.items = 0
	}
	return c
}

// mul returns a*b for non-negative numbers, and whether the product fits.
func mul(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return int64(lo), hi == 0 && lo <= math.MaxInt64
}

// chunkItems is the number of items passed to a kernel at once, small enough that the intermediate results stay in the
// cache.
const chunkItems = 2048

// A scratch is the memory of one goroutine.
type scratch struct {
	data    []byte // a block of a file
	items   []byte // of a field, contiguous
	numbers codec.Buffer
	parts   []float64 // the items without NaN, or the real and then the imaginary parts
	finite  []float64 // parts without infinities
}

// blockBuffer returns the buffer for a block of a file.
func (s *scratch) blockBuffer(n int) []byte {
	if len(s.data) < n {
		s.data = make([]byte, n)
	}
	return s.data[:n]
}

// block adds a block of whole elements to the tallies of the columns.
func (s *scratch) block(part []tally, columns []column, elemSize int, data []byte) {
	for i, c := range columns {
		if c.size > 0 && c.items > 0 {
			s.chunks(&part[i], c, c.Items(&s.items, data, len(data)/elemSize, elemSize))
		}
	}
}

// chunks adds contiguous items.
func (s *scratch) chunks(t *tally, c column, items []byte) {
	for len(items) > 0 {
		n := min(len(items), chunkItems*c.size)
		c.add(s, t, items[:n])
		items = items[n:]
	}
}
