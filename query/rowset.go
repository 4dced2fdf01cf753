package query

import "sort"

// A rowSet is a set of rows, in sections of rows with a bit for each, and of rows that are all in the set or all not.
type rowSet struct {
	sections    []rowSection
	rows, total int // total is the number of rows in the set
}

// A rowSection is rows of a rowSet that follow each other.
type rowSection struct {
	first, end int // rows
	rank       int // rows of the set before the section
	all        bool
	bits       *bitSet // nil if all rows are in the set, or none is
}

// append adds n rows to the set.
func (s *rowSet) append(words []uint64, n int) {
	if k := len(s.sections); k == 0 || s.sections[k-1].bits == nil {
		s.sections = append(s.sections, rowSection{first: s.rows, bits: &bitSet{}})
	}
	last := &s.sections[len(s.sections)-1]
	last.bits.append(words, n)
	s.rows += n
	last.end = s.rows
}

// appendEqual adds n rows that are all in the set, or all not.
func (s *rowSet) appendEqual(n int, in bool) {
	s.rows += n
	if k := len(s.sections); k > 0 && s.sections[k-1].bits == nil && s.sections[k-1].all == in {
		s.sections[k-1].end = s.rows
		return
	}
	s.sections = append(s.sections, rowSection{first: s.rows - n, end: s.rows, all: in})
}

// finish counts the rows of the set.
func (s *rowSet) finish() {
	for i := range s.sections {
		x := &s.sections[i]
		switch x.rank = s.total; {
		case x.bits != nil:
			x.bits.finish()
			s.total += x.bits.total
		case x.all:
			s.total += x.end - x.first
		}
	}
}

// at returns the row that has rank rows of the set before it. rank is less than total.
func (s *rowSet) at(rank int) int {
	i := sort.Search(len(s.sections), func(i int) bool { return s.sections[i].rank > rank }) - 1
	x := &s.sections[i] // the last section that begins with at most rank rows before, and so has a row of the set
	if rank -= x.rank; x.bits != nil {
		return x.first + x.bits.at(rank)
	}
	return x.first + rank
}

// rank returns the number of rows of the set before a row.
func (s *rowSet) rank(row int) int {
	if row >= s.rows {
		return s.total
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
func (s *rowSet) sectionOf(row int) int {
	return sort.Search(len(s.sections), func(i int) bool { return s.sections[i].end > row })
}

// next returns the first run of adjacent rows of the set in the range from low to high, or high twice.
func (s *rowSet) next(low, high int) (start, end int) {
	start = s.find(low, high, 0)
	return start, s.find(start, high, ^uint64(0))
}

// find returns the first row from low on whose bit differs from the bits of flip, or high.
func (s *rowSet) find(low, high int, flip uint64) int {
	for i := s.sectionOf(low); i < len(s.sections) && low < high; i++ {
		x := &s.sections[i]
		end := min(high, x.end)
		if x.bits == nil && x.all == (flip == 0) {
			return low
		}
		if x.bits != nil {
			if at := x.first + x.bits.find(low-x.first, end-x.first, flip); at < end {
				return at
			}
		}
		low = end
	}
	return high
}

// copyRuns copies the rows of the set between low and high to dst and returns their number. data has the rows from low on, of
// size bytes each.
func (s *rowSet) copyRuns(dst, data []byte, low, high, size int) int {
	n := 0
	for i := s.sectionOf(low); i < len(s.sections) && low < high; i++ {
		x := &s.sections[i]
		end := min(high, x.end)
		switch {
		case x.bits != nil:
			n += x.bits.copyRuns(dst[n*size:], data, low-x.first, end-x.first, size)
		case x.all:
			copy(dst[n*size:], data[:(end-low)*size])
			n += end - low
		}
		data, low = data[(end-low)*size:], end
	}
	return n
}
