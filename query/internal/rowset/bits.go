package rowset

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// Bits is a set of rows: one bit for each.
type Bits struct {
	words []uint64
	rows  int   // how many bits
	ranks []int // the number of rows in the set before each group of rankRows rows
	total int   // rows in the set
}

// rankRows is the number of rows whose count is kept.
const rankRows = 4096

// Pack makes s the set of rows whose bools in mask are 1; others are 0. It reuses the memory of s.
func (s *Bits) Pack(mask []uint8) {
	n := (len(mask) + 63) / 64
	*s = Bits{words: slices.Grow(s.words[:0], n)[:n], rows: len(mask)}
	for w := range s.words { // the bits after the last row are 0
		part := mask[64*w : min(64*w+64, len(mask))]
		var word uint64
		for i := 0; i+8 <= len(part); i += 8 {
			word |= (binary.LittleEndian.Uint64(part[i:]) * 0x0102040810204080 >> 56) << i
		}
		for i := len(part) &^ 7; i < len(part); i++ {
			word |= uint64(part[i]) << i
		}
		s.words[w] = word
	}
}

// append adds the rows of another set after its own.
func (s *Bits) append(t Bits) {
	shift := s.rows % 64
	s.rows += t.rows
	if shift == 0 {
		s.words = append(s.words, t.words...)
		return
	}
	for _, w := range t.words {
		s.words[len(s.words)-1] |= w << shift
		s.words = append(s.words, w>>(64-shift))
	}
	s.words = s.words[:(s.rows+63)/64]
}

// finish counts the rows of the set.
func (s *Bits) finish() {
	for i, w := range s.words {
		if i%(rankRows/64) == 0 {
			s.ranks = append(s.ranks, s.total)
		}
		s.total += bits.OnesCount64(w)
	}
}

// Count returns the number of rows in a set that need not be finished.
func (s *Bits) Count() int {
	n := 0
	for _, w := range s.words {
		n += bits.OnesCount64(w)
	}
	return n
}

// at returns the row that has rank rows of the set before it. rank is less than total.
func (s *Bits) at(rank int) int {
	low, high := 0, len(s.ranks)
	for high-low > 1 {
		if mid := (low + high) / 2; s.ranks[mid] <= rank {
			low = mid
		} else {
			high = mid
		}
	}
	rank -= s.ranks[low]
	for i := low * (rankRows / 64); ; i++ {
		w := s.words[i]
		if n := bits.OnesCount64(w); rank >= n {
			rank -= n
			continue
		}
		for ; rank > 0; rank-- {
			w &= w - 1
		}
		return i*64 + bits.TrailingZeros64(w)
	}
}

// rank returns the number of rows of the set before a row.
func (s *Bits) rank(row int) int {
	if row >= s.rows {
		return s.total
	}
	n := s.ranks[row/rankRows]
	for i := row / rankRows * (rankRows / 64); i < row/64; i++ {
		n += bits.OnesCount64(s.words[i])
	}
	return n + bits.OnesCount64(s.words[row/64]&(1<<(row%64)-1))
}

// Find returns the first row from low on whose bit differs from the bits of flip, or high.
func (s *Bits) Find(low, high int, flip uint64) int {
	for i := low / 64; i*64 < high; i++ {
		w := s.words[i] ^ flip
		if i == low/64 {
			w &^= 1<<(low%64) - 1
		}
		if w != 0 {
			return min(i*64+bits.TrailingZeros64(w), high)
		}
	}
	return high
}

// Last returns the last row of a set that is not empty.
func (s *Bits) Last() int {
	for i := len(s.words) - 1; ; i-- {
		if w := s.words[i]; w != 0 {
			return 64*i + 63 - bits.LeadingZeros64(w)
		}
	}
}

// CopyRuns copies the rows of the set between low and high to dst and returns their number. data has the rows from low on, of
// size bytes each. Rows that follow each other are moved at once; single rows by a function for their size.
func (s *Bits) CopyRuns(dst, data []byte, low, high, size int) int {
	if size == 0 {
		return s.rank(high) - s.rank(low)
	}
	move := moverOf(size)
	at := 0
	for start := s.Find(low, high, 0); start < high; start = s.Find(start, high, 0) {
		if start%64 == 0 && s.words[start/64] == ^uint64(0) {
			end := s.Find(start, high, ^uint64(0))
			at += copy(dst[at:], data[(start-low)*size:(end-low)*size])
			start = end
			continue
		}
		word, first := s.words[start/64]&^(1<<(start%64)-1), start&^63
		if rest := high - first; rest < 64 {
			word &= 1<<rest - 1
		}
		at = move(dst, data, at, (first-low)*size, size, word)
		start = first + 64
		if start >= high {
			break
		}
	}
	return at / size
}
