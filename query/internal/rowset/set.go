package rowset

import "sort"

// A Set is a set of rows, in sections of rows with a bit for each, and of rows that are all in the set or all not.
type Set struct {
	sections []section
	Rows     int // that were appended, in the set or not
	Total    int // rows in the set, when it is finished
}

// A section is rows of a Set that follow each other.
type section struct {
	first, end int // rows
	rank       int // rows of the set before the section
	all        bool
	bits       *Bits // nil if all rows are in the set, or none is
}

// Append adds rows to the set.
func (s *Set) Append(rows Bits) {
	if k := len(s.sections); k == 0 || s.sections[k-1].bits == nil {
		s.sections = append(s.sections, section{first: s.Rows, bits: &Bits{}})
	}
	last := &s.sections[len(s.sections)-1]
	last.bits.append(rows)
	s.Rows += rows.rows
	last.end = s.Rows
}

// AppendEqual adds n rows that are all in the set, or all not.
func (s *Set) AppendEqual(n int, in bool) {
	s.Rows += n
	if k := len(s.sections); k > 0 && s.sections[k-1].bits == nil && s.sections[k-1].all == in {
		s.sections[k-1].end = s.Rows
		return
	}
	s.sections = append(s.sections, section{first: s.Rows - n, end: s.Rows, all: in})
}

// Finish counts the rows of the set.
func (s *Set) Finish() {
	for i := range s.sections {
		x := &s.sections[i]
		switch x.rank = s.Total; {
		case x.bits != nil:
			x.bits.finish()
			s.Total += x.bits.total
		case x.all:
			s.Total += x.end - x.first
		}
	}
}

// At returns the row that has rank rows of the set before it. rank is less than total.
func (s *Set) At(rank int) int {
	i := sort.Search(len(s.sections), func(i int) bool { return s.sections[i].rank > rank }) - 1
	x := &s.sections[i] // the last section that begins with at most rank rows before, and so has a row of the set
	if rank -= x.rank; x.bits != nil {
		return x.first + x.bits.at(rank)
	}
	return x.first + rank
}

// Rank returns the number of rows of the set before a row.
func (s *Set) Rank(row int) int {
	if row >= s.Rows {
		return s.Total
	}
	x := &s.sections[s.sectionOf(row)]
	switch {
	case x.bits != nil:
		return x.rank + x.bits.rank(row-x.first)
	case x.all:
		return x.rank + row - x.first
	}
	return x.rank
}

// sectionOf returns the section of a row.
func (s *Set) sectionOf(row int) int {
	return sort.Search(len(s.sections), func(i int) bool { return s.sections[i].end > row })
}

// next returns the first run of adjacent rows of the set in the range from low to high, or high twice.
func (s *Set) next(low, high int) (start, end int) {
	start = s.Find(low, high, 0)
	return start, s.Find(start, high, ^uint64(0))
}

// Find returns the first row from low on whose bit differs from the bits of flip, or high.
func (s *Set) Find(low, high int, flip uint64) int {
	for i := s.sectionOf(low); i < len(s.sections) && low < high; i++ {
		x := &s.sections[i]
		end := min(high, x.end)
		if x.bits == nil && x.all == (flip == 0) {
			return low
		}
		if x.bits != nil {
			if at := x.first + x.bits.Find(low-x.first, end-x.first, flip); at < end {
				return at
			}
		}
		low = end
	}
	return high
}

// CopyRuns copies the rows of the set between low and high to dst and returns their number. data has the rows from low on, of
// size bytes each.
func (s *Set) CopyRuns(dst, data []byte, low, high, size int) int {
	n := 0
	for i := s.sectionOf(low); i < len(s.sections) && low < high; i++ {
		x := &s.sections[i]
		end := min(high, x.end)
		switch {
		case x.bits != nil:
			n += x.bits.CopyRuns(dst[n*size:], data, low-x.first, end-x.first, size)
		case x.all:
			copy(dst[n*size:], data[:(end-low)*size])
			n += end - low
		}
		data, low = data[(end-low)*size:], end
	}
	return n
}

// Positions returns count rows of the set, step ranks apart, beginning with the row of a rank.
func (s *Set) Positions(rank, step, count int) []int {
	rows := make([]int, 0, count)
	if step != 1 {
		for i := range count {
			rows = append(rows, s.At(rank+i*step))
		}
		return rows
	}
	for low := 0; len(rows) < count; {
		if low == 0 {
			low = s.At(rank)
		}
		start, end := s.next(low, s.Rows)
		for row := start; row < end && len(rows) < count; row++ {
			rows = append(rows, row)
		}
		low = end
	}
	return rows
}
