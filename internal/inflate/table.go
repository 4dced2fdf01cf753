package inflate

import (
	"fmt"
	"math/bits"
)

const (
	maxLit   = 288
	maxDist  = 32
	maxCode  = 15 // bits of the longest code
	litBits  = 11 // index bits of the first table for literals and lengths
	distBits = 8
	preBits  = 7
	litSize  = 4096 // entries: at most 2342 are used, rounded up to a power of two to avoid bounds checks
	distSize = 512  // at most 402
	preSize  = 1 << preBits
)

// An entry of a table is a symbol, or a link to a second table. Its bits:
//
//	0-7    bits to drop: the code with its extra bits; of a link the index bits of the second table
//	8-11   bits of the code alone
//	12-15  flags of entries that need more than one lookup
//	16-30  the literal, the base of a length or distance, or the start of the second table
//	31     a literal
const (
	isLiteral = 1 << 31
	isSpecial = 1 << 15 // any of the following three
	isSub     = 1 << 14
	isEnd     = 1 << 13
	isBad     = 1 << 12
)

type litTable struct{ entries [litSize]uint32 }

func (t *litTable) lookup(b uint64) uint32 {
	e := t.entries[b&(1<<litBits-1)]
	if e&isSub != 0 {
		e = t.entries[(uint64(e>>16&0x1fff)+b>>litBits&(1<<(e&0xf)-1))&(litSize-1)]
	}
	return e
}

type distTable struct{ entries [distSize]uint32 }

func (t *distTable) lookup(b uint64) uint32 {
	e := t.entries[b&(1<<distBits-1)]
	if e&isSub != 0 {
		e = t.entries[(uint64(e>>16&0x1fff)+b>>distBits&(1<<(e&0xf)-1))&(distSize-1)]
	}
	return e
}

// Symbols without their codes: value, flags and number of extra bits.
var (
	litSymbols  [maxLit]uint32
	distSymbols [maxDist]uint32
	preSymbols  [19]uint32
)

func init() {
	for i := range 256 {
		litSymbols[i] = isLiteral | uint32(i)<<16
	}
	litSymbols[256] = isSpecial | isEnd
	base := 3
	for i := range 28 {
		extra := max(i/4-1, 0)
		litSymbols[257+i] = uint32(base)<<16 | uint32(extra)
		base += 1 << extra
	}
	litSymbols[285] = 258 << 16
	litSymbols[286], litSymbols[287] = isSpecial|isBad, isSpecial|isBad
	base = 1
	for i := range 30 {
		extra := max(i/2-1, 0)
		distSymbols[i] = uint32(base)<<16 | uint32(extra)
		base += 1 << extra
	}
	distSymbols[30], distSymbols[31] = isSpecial|isBad, isSpecial|isBad
	for i := range preSymbols {
		preSymbols[i] = uint32(i) << 16
	}
}

// build fills a table for codes of the given lengths. It reports false if the lengths are not a complete code: there
// are too many codes, or too few. A single code of one bit is allowed, as in zlib, if the code may be incomplete.
func build(entries []uint32, lens []uint8, symbols []uint32, tableBits int, needAll bool) bool {
	var count, next [maxCode + 1]int
	for _, n := range lens {
		count[n]++
	}
	longest := maxCode
	for longest > 0 && count[longest] == 0 {
		longest--
	}
	left := 1
	for n := 1; n <= maxCode; n++ {
		left = left<<1 - count[n]
		if left < 0 {
			return false
		}
	}
	if left > 0 {
		if needAll || longest > 1 {
			return false
		}
		for i := range entries[:1<<tableBits] {
			entries[i] = isSpecial | isBad | 1
		}
	}
	var sorted [maxLit + maxDist]uint16
	at := 0
	for n := 1; n <= longest; n++ {
		next[n] = at
		at += count[n]
	}
	for s, n := range lens {
		if n > 0 {
			sorted[next[n]] = uint16(s)
			next[n]++
		}
	}
	// Codes in order: each code is the preceding code plus one, with a zero appended when the length grows.
	code, i := uint(0), 0
	free := 1 << tableBits // the start of the next second table
	for n := 1; n <= min(longest, tableBits); n++ {
		for range count[n] {
			e := entry(symbols[sorted[i]], n)
			for at := int(bits.Reverse16(uint16(code)) >> (16 - n)); at < 1<<tableBits; at += 1 << n {
				entries[at] = e
			}
			code++
			i++
		}
		code <<= 1
	}
	prefix, start, subBits := -1, 0, 0
	for n := tableBits + 1; n <= longest; n++ {
		for left := count[n]; left > 0; left-- {
			rev := int(bits.Reverse16(uint16(code)) >> (16 - n))
			if p := rev & (1<<tableBits - 1); p != prefix {
				// The first code with this prefix. The codes that follow fill a second table of the required size.
				prefix, start, subBits = p, free, n-tableBits
				for used := left; used < 1<<subBits; {
					subBits++
					used = used<<1 + count[tableBits+subBits]
				}
				free += 1 << subBits
				entries[prefix] = isSpecial | isSub | uint32(start)<<16 | uint32(subBits)
			}
			e := entry(symbols[sorted[i]], n)
			for at := rev >> tableBits; at < 1<<subBits; at += 1 << (n - tableBits) {
				entries[start+at] = e
			}
			code++
			i++
		}
		code <<= 1
	}
	return true
}

// entry adds the length of a code to a symbol.
func entry(symbol uint32, n int) uint32 { return symbol + uint32(n)<<8 + uint32(n) }

// fixed makes the tables for the fixed codes of RFC 1951.
func (d *Decoder) fixed() {
	var lens [maxLit]uint8
	for i := range lens {
		switch {
		case i < 144, i >= 280:
			lens[i] = 8
		case i < 256:
			lens[i] = 9
		default:
			lens[i] = 7
		}
	}
	build(d.lit.entries[:], lens[:], litSymbols[:], litBits, true)
	for i := range lens[:maxDist] {
		lens[i] = 5
	}
	build(d.dist.entries[:], lens[:maxDist], distSymbols[:], distBits, true)
}

// order is the order in which the lengths of the codes for code lengths are stored.
var order = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// readCodes reads the codes of a dynamic block and makes their tables.
func (d *Decoder) readCodes(s *stream) error {
	s.fill()
	if s.nbits < 14 {
		return ErrShort
	}
	lits, dists, pres := int(s.bits&31)+257, int(s.bits>>5&31)+1, int(s.bits>>10&15)+4
	s.drop(14)
	if lits > 286 || dists > 30 {
		return fmt.Errorf("%w: %d length codes and %d distance codes", ErrCorrupt, lits, dists)
	}
	var lens [19]uint8
	for _, i := range order[:pres] {
		if s.nbits < 3 {
			if s.fill(); s.nbits < 3 {
				return ErrShort
			}
		}
		lens[i] = uint8(s.bits & 7)
		s.drop(3)
	}
	if !build(d.codes[:], lens[:], preSymbols[:], preBits, true) {
		return fmt.Errorf("%w: the code of code lengths", ErrCorrupt)
	}
	if err := d.readLens(s, lits+dists); err != nil {
		return err
	}
	if d.lens[256] == 0 {
		return fmt.Errorf("%w: no code for the end of the block", ErrCorrupt)
	}
	if !build(d.lit.entries[:], d.lens[:lits], litSymbols[:], litBits, false) {
		return fmt.Errorf("%w: the code of literals and lengths", ErrCorrupt)
	}
	if !build(d.dist.entries[:], d.lens[lits:lits+dists], distSymbols[:], distBits, false) {
		return fmt.Errorf("%w: the code of distances", ErrCorrupt)
	}
	return nil
}

// readLens reads the lengths of n codes, which are themselves run-length and Huffman coded.
func (d *Decoder) readLens(s *stream, n int) error {
	for i := 0; i < n; {
		s.fill()
		e := d.codes[s.bits&(1<<preBits-1)]
		symbol, size := e>>16, uint(e&0xff)
		extra, base := uint(0), 1
		switch symbol {
		case 16:
			extra, base = 2, 3
		case 17:
			extra, base = 3, 3
		case 18:
			extra, base = 7, 11
		}
		if size+extra > s.nbits {
			return ErrShort
		}
		s.drop(size)
		repeat := base + int(s.bits&(1<<extra-1))
		s.drop(extra)
		length := uint8(symbol)
		switch {
		case symbol == 16 && i == 0:
			return fmt.Errorf("%w: a code length repeated before the first", ErrCorrupt)
		case symbol == 16:
			length = d.lens[i-1]
		case symbol > 16:
			length = 0
		}
		if repeat > n-i {
			return fmt.Errorf("%w: too many code lengths", ErrCorrupt)
		}
		for range repeat {
			d.lens[i] = length
			i++
		}
	}
	return nil
}
