package query

import (
	"encoding/binary"
	"math/bits"

	"github.com/npygo/npy/internal/bulk"
)

// combineMasks sets out to x op y for op &, | and ^, eight bools at a time where the memory allows it.
func combineMasks(op string, out, x, y []uint8) {
	x, y = x[:len(out)], y[:len(out)]
	n := len(out) &^ 7
	o, ok1 := bulk.View[uint64](out[:n])
	p, ok2 := bulk.View[uint64](x[:n])
	q, ok3 := bulk.View[uint64](y[:n])
	if ok1 && ok2 && ok3 {
		combineWords(op, o, p, q)
		out, x, y = out[n:], x[n:], y[n:]
	}
	combineWords(op, out, x, y)
}

func combineWords[T uint8 | uint64](op string, out, x, y []T) {
	x, y = x[:len(out)], y[:len(out)]
	switch op {
	case "&":
		for i := range out {
			out[i] = x[i] & y[i]
		}
	case "|":
		for i := range out {
			out[i] = x[i] | y[i]
		}
	case "^":
		for i := range out {
			out[i] = x[i] ^ y[i]
		}
	}
}

// A bitSet is a set of rows: one bit for each.
type bitSet struct {
	words []uint64
	rows  int   // how many bits
	ranks []int // the number of rows in the set before each group of rankRows rows
	total int   // rows in the set
}

// rankRows is the number of rows whose count is kept.
const rankRows = 4096

// bitsOf packs bools, which are 0 or 1, into words. The bits after the last one are 0.
func bitsOf(words []uint64, mask []uint8) {
	for w := range words {
		part := mask[64*w : min(64*w+64, len(mask))]
		var word uint64
		for i := 0; i+8 <= len(part); i += 8 {
			word |= (binary.LittleEndian.Uint64(part[i:]) * 0x0102040810204080 >> 56) << i
		}
		for i := len(part) &^ 7; i < len(part); i++ {
			word |= uint64(part[i]) << i
		}
		words[w] = word
	}
}

// append adds n rows to the set.
func (s *bitSet) append(words []uint64, n int) {
	shift := s.rows % 64
	s.rows += n
	if shift == 0 {
		s.words = append(s.words, words...)
		return
	}
	for _, w := range words {
		s.words[len(s.words)-1] |= w << shift
		s.words = append(s.words, w>>(64-shift))
	}
	s.words = s.words[:(s.rows+63)/64]
}

// finish counts the rows of the set.
func (s *bitSet) finish() {
	for i, w := range s.words {
		if i%(rankRows/64) == 0 {
			s.ranks = append(s.ranks, s.total)
		}
		s.total += bits.OnesCount64(w)
	}
}

// at returns the row that has rank rows of the set before it. rank is less than total.
func (s *bitSet) at(rank int) int {
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
func (s *bitSet) rank(row int) int {
	if row >= s.rows {
		return s.total
	}
	n := s.ranks[row/rankRows]
	for i := row / rankRows * (rankRows / 64); i < row/64; i++ {
		n += bits.OnesCount64(s.words[i])
	}
	return n + bits.OnesCount64(s.words[row/64]&(1<<(row%64)-1))
}

// find returns the first row from low on whose bit differs from those of flip, or high.
func (s *bitSet) find(low, high int, flip uint64) int {
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

// copyRuns copies the rows of the set between low and high to dst and returns their number. data has the rows from low on, of
// size bytes each. Rows that follow each other are moved at once; single rows by a function for their size.
func (s *bitSet) copyRuns(dst, data []byte, low, high, size int) int {
	if size == 0 {
		return s.rank(high) - s.rank(low)
	}
	move := moverOf(size)
	at := 0
	for start := s.find(low, high, 0); start < high; start = s.find(start, high, 0) {
		if start%64 == 0 && s.words[start/64] == ^uint64(0) {
			end := s.find(start, high, ^uint64(0))
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

// A mover copies the rows whose bits are set in a word to dst, from position at on, and returns the position after them. The
// row of the first bit is at position from of data, which may be negative if that bit is not set.
type mover func(dst, data []byte, at, from, size int, word uint64) int

func moverOf(size int) mover {
	switch {
	case size == 1:
		return move1
	case size == 4:
		return move4
	case size == 8:
		return move8
	case size > 8 && size <= 16:
		return move16
	case size > 16 && size <= 32:
		return move32
	}
	return moveAny
}

func moveAny(dst, data []byte, at, from, size int, word uint64) int {
	for word != 0 {
		start := bits.TrailingZeros64(word)
		n := bits.TrailingZeros64(^(word >> start))
		from := from + start*size
		at += copy(dst[at:], data[from:from+n*size])
		if start+n == 64 {
			break
		}
		word &= ^uint64(0) << (start + n)
	}
	return at
}

func move1(dst, data []byte, at, from, _ int, word uint64) int {
	for ; word != 0; word &= word - 1 {
		dst[at] = data[from+bits.TrailingZeros64(word)]
		at++
	}
	return at
}

func move4(dst, data []byte, at, from, _ int, word uint64) int {
	for ; word != 0; word &= word - 1 {
		i := from + 4*bits.TrailingZeros64(word)
		binary.NativeEndian.PutUint32(dst[at:], binary.NativeEndian.Uint32(data[i:]))
		at += 4
	}
	return at
}

func move8(dst, data []byte, at, from, _ int, word uint64) int {
	for ; word != 0; word &= word - 1 {
		i := from + 8*bits.TrailingZeros64(word)
		binary.NativeEndian.PutUint64(dst[at:], binary.NativeEndian.Uint64(data[i:]))
		at += 8
	}
	return at
}

// move16 copies rows of 9 to 16 bytes as two words that overlap.
func move16(dst, data []byte, at, from, size int, word uint64) int {
	for ; word != 0; word &= word - 1 {
		i := from + size*bits.TrailingZeros64(word)
		src, out := data[i:i+size], dst[at:at+size]
		binary.NativeEndian.PutUint64(out, binary.NativeEndian.Uint64(src))
		binary.NativeEndian.PutUint64(out[size-8:], binary.NativeEndian.Uint64(src[size-8:]))
		at += size
	}
	return at
}

// move32 copies rows of 17 to 32 bytes as four words that overlap.
func move32(dst, data []byte, at, from, size int, word uint64) int {
	for ; word != 0; word &= word - 1 {
		i := from + size*bits.TrailingZeros64(word)
		src, out := data[i:i+size], dst[at:at+size]
		binary.NativeEndian.PutUint64(out, binary.NativeEndian.Uint64(src))
		binary.NativeEndian.PutUint64(out[8:], binary.NativeEndian.Uint64(src[8:]))
		binary.NativeEndian.PutUint64(out[size-16:], binary.NativeEndian.Uint64(src[size-16:]))
		binary.NativeEndian.PutUint64(out[size-8:], binary.NativeEndian.Uint64(src[size-8:]))
		at += size
	}
	return at
}
