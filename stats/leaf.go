package stats

import (
	"math"
	"math/bits"

	"github.com/npygo/npy/dtype"
)

// A leaf is a field without fields of its own. It records where the items of the field are within an element.
type leaf struct {
	name   string
	t      dtype.Type // of an item
	size   int        // of an item in bytes
	offset int        // of the first item
	dims   []dim      // of the enclosing subarrays, outermost first
	items  int64      // per element
	add    kernel
}

// A dim is one axis of a subarray.
type dim struct{ n, stride int }

// leavesOf appends the leaves of t, which is at an offset within the element, inside subarrays with dims.
func leavesOf(leaves []leaf, t dtype.Type, name string, offset int, dims []dim) []leaf {
	for t.IsSubarray() {
		shape, stride := t.SubShape(), t.ItemSize()
		for _, n := range shape {
			stride /= max(n, 1)
			dims = append(dims[:len(dims):len(dims)], dim{n, stride})
		}
		t = t.Elem()
	}
	if !t.IsStruct() {
		return append(leaves, newLeaf(t, name, offset, dims))
	}
	for _, f := range t.Fields() {
		full := f.Name
		if name != "" {
			full = name + "." + full
		}
		leaves = leavesOf(leaves, f.DType, full, offset+f.Offset, dims)
	}
	return leaves
}

func newLeaf(t dtype.Type, name string, offset int, dims []dim) leaf {
	l := leaf{name: name, t: t, size: t.ItemSize(), offset: offset, dims: dims, items: 1, add: kernelFor(t)}
	for _, d := range dims {
		n, ok := mul(l.items, int64(d.n))
		if !ok {
			n = math.MaxInt64 // only possible for items of no bytes; Result refuses to count them
		}
		l.items = n
	}
	for _, d := range dims {
		if d.n == 0 {
			l.items = 0
		}
	}
	return l
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
	data    []byte    // a block of a file
	items   []byte    // of a leaf, contiguous
	numbers any       // a slice of the type that the kernel works on
	floats  []float64 // the items as float64
	parts   []float64 // the items without NaN, or the real and then the imaginary parts
	finite  []float64 // parts without infinities
}

// blockRoom returns the buffer for a block of a file.
func (s *scratch) blockRoom(n int) []byte {
	if len(s.data) < n {
		s.data = make([]byte, n)
	}
	return s.data[:n]
}

// block adds a block of whole elements to the tallies of the leaves.
func (s *scratch) block(part []tally, leaves []leaf, elemSize int, data []byte) {
	for i, l := range leaves {
		switch {
		case l.size == 0 || l.items == 0:
		case l.size == elemSize:
			s.chunks(&part[i], l, data)
		default:
			s.gather(&part[i], l, elemSize, data)
		}
	}
}

// chunks adds contiguous items.
func (s *scratch) chunks(t *tally, l leaf, items []byte) {
	for len(items) > 0 {
		n := min(len(items), chunkItems*l.size)
		l.add(s, t, items[:n])
		items = items[n:]
	}
}

// gather adds items that are not contiguous. It copies them to a contiguous buffer first.
func (s *scratch) gather(t *tally, l leaf, elemSize int, data []byte) {
	s.items = s.items[:0]
	have := 0
	emit := func(item []byte) {
		if len(item) >= blockBytes {
			l.add(s, t, item)
			return
		}
		s.items = append(s.items, item...)
		if have++; have == chunkItems || len(s.items) >= blockBytes {
			l.add(s, t, s.items)
			s.items, have = s.items[:0], 0
		}
	}
	for at := l.offset; at < len(data); at += elemSize {
		l.walk(data, at, l.dims, emit)
	}
	if have > 0 {
		l.add(s, t, s.items)
	}
}

// walk calls emit for every item of the leaf within the subarrays that start at offset at of data.
func (l leaf) walk(data []byte, at int, dims []dim, emit func(item []byte)) {
	if len(dims) == 0 {
		emit(data[at : at+l.size])
		return
	}
	for i := range dims[0].n {
		l.walk(data, at+i*dims[0].stride, dims[1:], emit)
	}
}
