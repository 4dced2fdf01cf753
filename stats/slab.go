package stats

// Seen along one axis, an array is (outer, n, inner) elements, with one result for each of outer times inner positions.
// Slabs are consecutive pieces of the array in memory: several of outer if n times inner is small, else some rows of n,
// else a part of one row, which then has one element for each of its results.

// slabs cuts an array into slabs, the pieces that are processed at once.
type slabs struct {
	n, inner int
	size     int // of an element in bytes
	outer    int // per slab
	rows     int // per slab, if outer is 1
	width    int // elements of a row per slab, if outer and rows are 1
	total    int // elements
}

// A slab is one piece of the array.
type slab struct {
	outer, rows, width, size int
	cell                     int // index of its first result
}

func (s slab) bytes() int { return s.outer * s.rows * s.width * s.size }

// slabBytes is the size of a slab, and the only part of an array that is held. With rows of a megabyte a slab still has
// dozens of elements for each result.
const slabBytes = 64 << 20

func newSlabs(shape []int, axis, size, bytes int) slabs {
	s := slabs{n: shape[axis], inner: 1, size: size, total: 1}
	for i, n := range shape {
		if s.total *= n; i > axis {
			s.inner *= n
		}
	}
	most := max(1, bytes/size)
	s.width = max(1, min(s.inner, most))
	s.rows = max(1, min(s.n, most/s.width))
	s.outer = max(1, most/(s.rows*s.width))
	return s
}

// at returns the slab that begins at a byte of the array. Such a slab must exist.
func (s slabs) at(offset int64) slab {
	element := int(offset / int64(s.size))
	row := s.n * s.inner
	outer, row0, column := element/row, element%row/s.inner, element%s.inner
	out := slab{outer: 1, rows: 1, width: s.inner - column, size: s.size, cell: outer*s.inner + column}
	switch {
	case s.width < s.inner:
		out.width = min(s.width, out.width)
	case s.rows < s.n:
		out.rows = min(s.rows, s.n-row0)
	default:
		out.rows, out.outer = s.n, min(s.outer, s.total/row-outer)
	}
	return out
}
