package stats

// An array is, along one of its axes, (outer, n, inner) elements, and there is a result for each of outer times inner.
// Slabs are pieces of it that follow each other in memory: many of outer where that is small, else some rows of n, else
// a part of one row, which then has one element for each of its results.

// slabs cuts an array into pieces that are worked on at once.
type slabs struct {
	n, inner int
	size     int // of an element in bytes
	outer    int // in a slab
	rows     int // likewise, if outer is 1
	width    int // likewise, if rows is 1 too
	total    int // elements
}

// A slab is one of them.
type slab struct {
	outer, rows, width, size int
	cell                     int // the first of its results
}

func (s slab) bytes() int { return s.outer * s.rows * s.width * s.size }

// slabBytes is how large they are, and all that is held of an array: with rows of a megabyte there are still dozens behind each result.
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

// at returns the slab that begins at a byte of the array. There is one.
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
