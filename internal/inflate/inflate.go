// Package inflate decodes DEFLATE data (RFC 1951) of known decoded size from one slice into another. Since both ends
// are known, the inner loop needs no bounds checks for most of the data: it reads eight bytes at once and copies
// matches in words.
package inflate

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The ways in which DEFLATE data can be malformed.
var (
	ErrCorrupt = errors.New("corrupt deflate data")
	ErrShort   = errors.New("deflate data ends early")                       // src ends before the final block
	ErrLong    = errors.New("deflate data is longer than its decoded size")  // the data does not fit dst
	ErrDst     = errors.New("deflate data is shorter than its decoded size") // the final block ends before dst is full
)

// A Decoder holds the tables of a block. The zero Decoder is ready for use. It can be reused, by one goroutine at a
// time.
type Decoder struct {
	lit  litTable
	dist distTable

	lens  [maxLit + maxDist]uint8
	codes [preSize]uint32
}

// Inflate decodes src, which must begin with a whole stream, into dst, which must have the decoded size. It returns the
// length of the stream in src. After an error the contents of dst are undefined.
func (d *Decoder) Inflate(dst, src []byte) (int, error) {
	s := stream{dst: dst, src: src}
	for final := false; !final; {
		var err error
		if final, err = d.next(&s); err != nil {
			return 0, s.fail(err)
		}
	}
	if s.op < len(dst) {
		return 0, s.fail(ErrDst)
	}
	return s.ip - int(s.nbits/8), nil
}

// A Point is the start of a block. Decoding can start there if the preceding 32 KiB of output are known.
type Point struct {
	In  int64 // in the input, in bits
	Out int64 // in the output, in bytes
}

// Points decodes as [Decoder.Inflate] does. It calls visit for the first block, and for each block that begins at least
// step bytes of output after the last visited block.
func (d *Decoder) Points(dst, src []byte, step int, visit func(Point)) (int, error) {
	s := stream{dst: dst, src: src}
	last := -step
	for final := false; !final; {
		if s.op-last >= step {
			last = s.op
			visit(Point{int64(s.ip)*8 - int64(s.nbits), int64(s.op)})
		}
		var err error
		if final, err = d.next(&s); err != nil {
			return 0, s.fail(err)
		}
	}
	if s.op < len(dst) {
		return 0, s.fail(ErrDst)
	}
	return s.ip - int(s.nbits/8), nil
}

// Part decodes from a block that begins at bit 0 to 7 of src until dst is full. The first history bytes of dst must
// hold the output before that block; at most 32 KiB of it are used. dst and src need not end at the end of a block.
func (d *Decoder) Part(dst, src []byte, history, bit int) error {
	s := stream{dst: dst, src: src, op: history, part: true}
	s.fill()
	if int(s.nbits) < bit {
		return s.fail(ErrShort)
	}
	s.drop(uint(bit))
	for final := false; s.op < len(dst); {
		if final {
			return s.fail(ErrDst)
		}
		var err error
		if final, err = d.next(&s); err != nil && !(err == ErrLong && s.op == len(dst)) {
			return s.fail(err)
		}
	}
	return nil
}

// Piece decodes src into dst. src holds whole blocks, ends at a byte boundary, and fills dst exactly. The blocks must
// not refer to output before dst. The last piece of a stream ends with the final block, and no other piece contains it.
// So if every piece of a stream decodes without an error, the result is the result of [Decoder.Inflate] for the whole
// stream.
func (d *Decoder) Piece(dst, src []byte, last bool) error {
	s := stream{dst: dst, src: src}
	for final := false; s.ip-int(s.nbits/8) < len(src) || final != last; {
		if final {
			return s.fail(fmt.Errorf("%w: the final block is not at the end", ErrCorrupt))
		}
		var err error
		if final, err = d.next(&s); err != nil {
			return s.fail(err)
		}
	}
	switch {
	case s.op < len(dst):
		return s.fail(ErrDst)
	case !last && s.nbits > 0:
		return s.fail(fmt.Errorf("%w: a piece ends within a byte", ErrCorrupt))
	}
	return nil
}

// next decodes a block and reports whether it is the final one.
func (d *Decoder) next(s *stream) (final bool, err error) {
	if s.fill(); s.nbits < 3 {
		return false, ErrShort
	}
	final = s.bits&1 != 0
	kind := s.bits >> 1 & 3
	s.drop(3)
	switch kind {
	case 0:
		return final, s.stored()
	case 1:
		d.fixed()
		return final, d.block(s)
	case 2:
		if err := d.readCodes(s); err != nil {
			return false, err
		}
		return final, d.block(s)
	}
	return false, fmt.Errorf("%w: block of type 3", ErrCorrupt)
}

// A stream holds the positions of decoding in input and output.
type stream struct {
	dst, src []byte
	op, ip   int
	bits     uint64 // the next bits, lowest first
	nbits    uint   // the number of valid bits; higher bits are 0
	part     bool   // the end of dst may be within a block, even within a match
}

// fail adds the position in the input to err.
func (s *stream) fail(err error) error {
	return fmt.Errorf("%w (at byte %d of %d, after %d of %d bytes of output)", err, s.ip-int(s.nbits/8), len(s.src), s.op, len(s.dst))
}

// fill loads as many whole bytes from src as fit in bits.
func (s *stream) fill() {
	for s.nbits <= 56 && s.ip < len(s.src) {
		s.bits |= uint64(s.src[s.ip]) << s.nbits
		s.ip++
		s.nbits += 8
	}
}

func (s *stream) drop(n uint) {
	s.bits >>= n
	s.nbits -= n
}

// stored copies an uncompressed block.
func (s *stream) stored() error {
	s.ip -= int(s.nbits / 8) // return to the first whole byte
	s.bits, s.nbits = 0, 0
	if len(s.src)-s.ip < 4 {
		return ErrShort
	}
	n := int(binary.LittleEndian.Uint16(s.src[s.ip:]))
	if n^0xffff != int(binary.LittleEndian.Uint16(s.src[s.ip+2:])) {
		return fmt.Errorf("%w: length of a stored block", ErrCorrupt)
	}
	s.ip += 4
	if n > len(s.src)-s.ip {
		return ErrShort
	}
	long := n > len(s.dst)-s.op
	if long && !s.part {
		return ErrLong
	}
	s.op += copy(s.dst[s.op:], s.src[s.ip:s.ip+n])
	s.ip += n
	if long {
		return ErrLong
	}
	return nil
}

// block decodes the symbols of a block: most of them fast, then the symbols near the ends of input and output.
func (d *Decoder) block(s *stream) error {
	for {
		done, err := d.fast(s)
		if done || err != nil {
			return err
		}
		done, err = d.careful(s)
		if done || err != nil {
			return err
		}
	}
}

// careful decodes one symbol with every check.
func (d *Decoder) careful(s *stream) (done bool, err error) {
	s.fill()
	e := d.lit.lookup(s.bits)
	if uint(e&0xff) > s.nbits {
		return false, ErrShort
	}
	saved := s.bits
	switch {
	case e&isLiteral != 0:
		if s.op == len(s.dst) {
			return false, ErrLong
		}
		s.dst[s.op] = byte(e >> 16)
		s.op++
		s.drop(uint(e & 0xff))
		return false, nil
	case e&isEnd != 0:
		s.drop(uint(e & 0xff))
		return true, nil
	case e&isBad != 0:
		return false, fmt.Errorf("%w: no such length code", ErrCorrupt)
	}
	length := value(e, saved)
	s.drop(uint(e & 0xff))
	s.fill()
	e = d.dist.lookup(s.bits)
	if e&isBad != 0 {
		if s.nbits < 15 && s.ip == len(s.src) {
			return false, ErrShort
		}
		return false, fmt.Errorf("%w: no such distance code", ErrCorrupt)
	}
	if uint(e&0xff) > s.nbits {
		return false, ErrShort
	}
	distance := value(e, s.bits)
	s.drop(uint(e & 0xff))
	if distance > s.op {
		return false, fmt.Errorf("%w: distance of %d from byte %d", ErrCorrupt, distance, s.op)
	}
	long := length > len(s.dst)-s.op
	if long && !s.part {
		return false, ErrLong
	}
	for range min(length, len(s.dst)-s.op) {
		s.dst[s.op] = s.dst[s.op-distance]
		s.op++
	}
	if long {
		return false, ErrLong
	}
	return false, nil
}

// value returns the length or distance of an entry: its base plus the extra bits that follow the code.
func value(e uint32, b uint64) int {
	total := e & 0xff
	code := e >> 8 & 0xf
	return int(e>>16&0x7fff) + int(b&(1<<total-1)>>code)
}

const (
	slackOut = 258 + 16 // a match, and the bytes that copying in words may write after it
	slackIn  = 16       // two loads
)

// fast decodes symbols while both ends are far. It stops before a symbol, or at the end of the block.
func (d *Decoder) fast(s *stream) (done bool, err error) {
	dst, src := s.dst, s.src
	op, ip := s.op, s.ip
	buf, n := s.bits, s.nbits
	opEnd, ipEnd := len(dst)-slackOut, len(src)-slackIn
	lit, dist := &d.lit.entries, &d.dist.entries
	for op < opEnd && ip < ipEnd {
		buf |= binary.LittleEndian.Uint64(src[ip:]) << (n & 63)
		ip += int((63 - n) >> 3 & 7)
		n |= 56
		e := lit[buf&(1<<litBits-1)]
		if e&isLiteral != 0 {
			// 56 bits suffice for three literals of the first table and one more code.
			out := (*[4]byte)(dst[op:])
			out[0] = byte(e >> 16)
			op++
			buf >>= e & 63
			n -= uint(e & 63)
			e = lit[buf&(1<<litBits-1)]
			if e&isLiteral != 0 {
				out[1] = byte(e >> 16)
				op++
				buf >>= e & 63
				n -= uint(e & 63)
				e = lit[buf&(1<<litBits-1)]
				if e&isLiteral != 0 {
					out[2] = byte(e >> 16)
					op++
					buf >>= e & 63
					n -= uint(e & 63)
					continue
				}
			}
		}
		if e&isSpecial != 0 {
			if e&isSub != 0 {
				e = lit[(uint64(e>>16&0x1fff)+buf>>litBits&(1<<(e&0xf)-1))&(litSize-1)]
			}
			if e&isLiteral != 0 {
				dst[op] = byte(e >> 16)
				op++
				buf >>= e & 63
				n -= uint(e & 63)
				continue
			}
			if e&isEnd != 0 {
				buf >>= e & 63
				n -= uint(e & 63)
				done = true
				break
			}
			if e&isBad != 0 {
				err = fmt.Errorf("%w: no such length code", ErrCorrupt)
				break
			}
		}
		total := e & 63
		length := int(e>>16&0x7fff) + int(buf&(1<<total-1)>>(e>>8&0xf))
		buf >>= total
		n -= uint(total)
		buf |= binary.LittleEndian.Uint64(src[ip:]) << (n & 63)
		ip += int((63 - n) >> 3 & 7)
		n |= 56
		e = dist[buf&(1<<distBits-1)]
		if e&isSpecial != 0 {
			if e&isSub != 0 {
				e = dist[(uint64(e>>16&0x1fff)+buf>>distBits&(1<<(e&0xf)-1))&(distSize-1)]
			}
			if e&isBad != 0 {
				err = fmt.Errorf("%w: no such distance code", ErrCorrupt)
				break
			}
		}
		total = e & 63
		distance := int(e>>16&0x7fff) + int(buf&(1<<total-1)>>(e>>8&0xf))
		buf >>= total
		n -= uint(total)
		from := op - distance
		if from < 0 {
			err = fmt.Errorf("%w: distance of %d from byte %d", ErrCorrupt, distance, op)
			break
		}
		end := op + length
		switch {
		case distance >= 16:
			// Words may be written beyond the match, but never beyond dst. The bytes they read have been written
			// before.
			for ; op < end; op, from = op+16, from+16 {
				*(*[16]byte)(dst[op:]) = *(*[16]byte)(dst[from:])
			}
		case distance == 1:
			word := uint64(dst[from]) * 0x0101010101010101
			for ; op < end; op += 16 {
				out := (*[16]byte)(dst[op:])
				binary.LittleEndian.PutUint64(out[:8], word)
				binary.LittleEndian.PutUint64(out[8:], word)
			}
		default:
			if distance < 8 {
				// After eight bytes the match repeats at a multiple of the distance that is at least eight.
				for i := range 8 {
					dst[op+i] = dst[from+i]
				}
				op += 8
				from = op - (7+distance)/distance*distance
			}
			for ; op < end; op, from = op+8, from+8 {
				*(*[8]byte)(dst[op:]) = *(*[8]byte)(dst[from:])
			}
		}
		op = end
	}
	// Whole unused bytes are returned to the input, so that the bits above n are 0 again.
	ip -= int(n >> 3)
	n &= 7
	buf &= 1<<n - 1
	s.op, s.ip, s.bits, s.nbits = op, ip, buf, n
	return done, err
}
