package input

import "math/bits"

// A finder finds the ends of cells, 64 bytes at a time. Looking at each byte takes twice the time, most of it for mispredicted branches:
// cells are short and of different lengths.
type finder struct {
	found uint64 // bit i is set if byte next-64+i may be the end of a cell, and Row has not reached it
	next  int    // where the bytes begin that have not been looked at
	cells []int  // their ends in the last row
}

// Row skips a row of cells without quotes, and returns where its cells end: one byte before the next cell begins. The ends are valid
// until the next call. It reports false, and skips nothing, for all other rows: Next reads them. Text has the row.
func (s *Scanner) Row() (ends []int, ok bool) {
	if !s.quick {
		return nil, false
	}
	s.goTo(s.Pos)
	ends, text, delim, found, next := s.cells[:0], s.text, s.delim, s.found, s.next
	for {
		for found == 0 {
			if next >= len(text) {
				return nil, false
			}
			found = s.endsIn(text, next)
			next += 64
		}
		end := next - 64 + bits.TrailingZeros64(found)
		found &= found - 1
		ends = append(ends, end)
		switch c := text[end]; {
		case c == delim:
			continue
		case c == '\r' && end+1 < len(text) && text[end+1] == '\n':
			s.Pos = end + 2
		case c == '\n':
			s.Pos = end + 1
		default:
			s.cells = ends
			return nil, false
		}
		s.Line, s.Quoted = s.End, false
		s.End++
		s.cells, s.found, s.next = ends, found, next
		return ends, true
	}
}

// Text returns the text of the block, in which Pos and the ends of Row are positions.
func (s *Scanner) Text() string { return s.text }

// goTo drops the ends before pos, where the next row begins.
func (f *finder) goTo(pos int) {
	if pos >= f.next {
		f.found, f.next = 0, pos
		return
	}
	if n := pos - (f.next - 64); n > 0 {
		f.found &= ^uint64(0) << n
	}
}

const (
	everyByte = 0x0101010101010101
	lowBits   = 0x7f * everyByte
	highBits  = 0x80 * everyByte
	gather    = 0x0102040810204080 // multiplied by bits 0, 8, 16 … of a number, it gives them as its upper byte
)

// endsIn returns which of the 64 bytes of a text from position at on are ends.
func (r *Rules) endsIn(text string, at int) (found uint64) {
	if len(text)-at < 64 {
		for i := range len(text) - at {
			if r.ends[text[at+i]] {
				found |= 1 << i
			}
		}
		return found
	}
	delim, quote := everyByte*uint64(r.delim), everyByte*uint64(r.delim)
	if r.quotes {
		quote = everyByte * '"'
	}
	b := text[at : at+64]
	return endsOf(b[:8], delim, quote) | endsOf(b[8:16], delim, quote)<<8 | endsOf(b[16:24], delim, quote)<<16 | endsOf(b[24:32], delim, quote)<<24 |
		endsOf(b[32:40], delim, quote)<<32 | endsOf(b[40:48], delim, quote)<<40 | endsOf(b[48:56], delim, quote)<<48 | endsOf(b[56:], delim, quote)<<56
}

// endsOf returns which of eight bytes are ends. All ends are ASCII. The sum of seven bits and lowBits has a high bit for all but zero.
func endsOf(b string, delim, quote uint64) uint64 {
	w := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
	low := w & lowBits
	others := ((low ^ delim) + lowBits) & ((low ^ quote) + lowBits) & ((low ^ everyByte*'\n') + lowBits) & ((low ^ everyByte*'\r') + lowBits)
	return (highBits &^ (others | w)) >> 7 * gather >> 56
}
