package nd

import "slices"

// Rows are positions along the first axis that are read in groups: rows that lie close together in one read.
type Rows struct {
	Size int // of a row in bytes

	rows   []int // ascending
	places []int // of each row in the result
	starts []int // group i is rows[starts[i]:starts[i+1]]
}

// NewRows returns the rows of an axis of length n, without groups. Negative positions count from the end. A position
// out of range is an [*IndexError].
func NewRows(rows []int, n int) (*Rows, error) {
	g := &Rows{rows: make([]int, len(rows)), places: make([]int, len(rows))}
	ascending, last := true, 0
	for i, row := range rows {
		if row < 0 {
			row += n
		}
		if row < 0 || row >= n {
			return nil, &IndexError{Index: rows[i], Size: n}
		}
		g.rows[i], g.places[i] = row, i
		ascending, last = ascending && row >= last, row
	}
	if !ascending {
		given := slices.Clone(g.rows)
		slices.SortFunc(g.places, func(i, j int) int { return given[i] - given[j] })
		for i, place := range g.places {
			g.rows[i] = given[place]
		}
	}
	return g, nil
}

// Cut makes groups of rows, each of size bytes, with at most gap bytes between a row and the next. There must be a row.
func (g *Rows) Cut(size int, gap int64) {
	g.Size, g.starts = size, g.starts[:0]
	limit := max(ReadMin, readGaps*gap)
	first := 0
	for i, row := range g.rows {
		if i > 0 {
			between := int64(row-g.rows[i-1]-1) * int64(size)
			if between < 0 || between <= gap && int64(row-first+1)*int64(size) <= limit {
				continue
			}
		}
		g.starts = append(g.starts, i)
		first = row
	}
	g.starts = append(g.starts, len(g.rows))
}

// Groups returns the number of groups.
func (g *Rows) Groups() int { return len(g.starts) - 1 }

// Read reads the rows of group i to their places in dst. The function read fills its dst with the rows from low up to,
// but not including, high. It reads into buf unless the rows and their places follow each other.
func (g *Rows) Read(dst []byte, i int, buf *[]byte, read func(dst []byte, low, high int) error) error {
	rows, places := g.rows[g.starts[i]:g.starts[i+1]], g.places[g.starts[i]:g.starts[i+1]]
	low, high := rows[0], rows[len(rows)-1]+1
	if follow(rows) && follow(places) {
		at := places[0] * g.Size
		return read(dst[at:at+len(rows)*g.Size], low, high)
	}
	span := (high - low) * g.Size
	if cap(*buf) < span {
		*buf = make([]byte, span)
	}
	src := (*buf)[:span]
	if err := read(src, low, high); err != nil {
		return err
	}
	for k, row := range rows {
		copy(dst[places[k]*g.Size:][:g.Size], src[(row-low)*g.Size:])
	}
	return nil
}

// follow reports whether each number is the number before it plus 1.
func follow(numbers []int) bool {
	for i, x := range numbers {
		if x != numbers[0]+i {
			return false
		}
	}
	return true
}
