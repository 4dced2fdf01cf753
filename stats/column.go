package stats

import (
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/fields"
)

// A column is a plain field, and the kernel that adds its items.
type column struct {
	fields.Field
	size  int   // of an item in bytes
	items int64 // per element
	kernel
}

// columnsOf returns the columns of t.
func columnsOf(t dtype.Type) []column {
	all := fields.Of(t)
	columns := make([]column, len(all))
	for i, f := range all {
		columns[i] = newColumn(f)
	}
	return columns
}

func newColumn(f fields.Field) column {
	c := column{Field: f, size: f.DType.ItemSize(), items: 1, kernel: kernelFor(f.DType)}
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
	keys    []uint64
	ints    []int64
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

// scratches are idle. The many fields of a record share them.
var scratches = sync.Pool{New: func() any { return new(scratch) }}

// tallyOf returns the tally of a column in a block of whole elements. first is the position of the first element, in the
// order in which elements are stored.
func (s *scratch) tallyOf(c column, order *order, elemSize int, data []byte, first int64) (t tally) {
	if c.size == 0 || c.items == 0 {
		return t
	}
	items := c.Items(&s.items, data, len(data)/elemSize, elemSize)
	if order != nil && c.find != nil {
		s.reordered(&t, c, order, items, first*c.items)
	} else {
		s.chunks(&t, c, items, first*c.items)
	}
	return t
}

// chunks adds contiguous items, the first of them at a position among all items.
func (s *scratch) chunks(t *tally, c column, items []byte, first int64) {
	low, high := -1, -1 // where the chunks begin that have the extremes
	step := chunkItems * c.size
	for at := 0; at < len(items); at += step {
		before := t.bounds
		c.add(s, t, items[at:min(at+step, len(items))])
		if c.find == nil {
			continue
		}
		t.known = t.count > t.nans+t.nats
		if t.known && (!before.known || t.low() != before.low()) {
			low = at
		}
		if t.known && (!before.known || t.high() != before.high()) {
			high = at
		}
	}
	if low >= 0 {
		t.minAt = first + int64(low/c.size+c.find(s, items[low:min(low+step, len(items))], t.low()))
	}
	if high >= 0 {
		t.maxAt = first + int64(high/c.size+c.find(s, items[high:min(high+step, len(items))], t.high()))
	}
}

// reordered is chunks for items that are not stored in C order.
func (s *scratch) reordered(t *tally, c column, order *order, items []byte, first int64) {
	step := chunkItems * c.size
	for at := 0; at < len(items); at += step {
		chunk := items[at:min(at+step, len(items))]
		var part tally
		c.add(s, &part, chunk)
		place := first + int64(at/c.size)
		if part.known = part.count > part.nans+part.nats; part.known {
			if !t.known || !t.low().less(part.low()) {
				part.minAt = order.first(s, c, chunk, place, part.low(), t.bestFor(part.low(), t.low(), t.minAt))
			}
			if !t.known || !part.high().less(t.high()) {
				part.maxAt = order.first(s, c, chunk, place, part.high(), t.bestFor(part.high(), t.high(), t.maxAt))
			}
		}
		t.merge(&part)
	}
}

// bestFor returns the position of an extreme that is known, if it is x, or else -1.
func (t *tally) bestFor(x, known extreme, at int64) int64 {
	if t.known && x == known {
		return at
	}
	return -1
}
