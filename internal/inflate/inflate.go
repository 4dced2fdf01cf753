// Package inflate decodes DEFLATE data (RFC 1951) whose decoded size is known, from one slice into another. Knowing
// both ends lets the inner loop go without checks for most of the data: it reads eight bytes at once and copies matches
// in words.
package inflate

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The ways in which DEFLATE data can be wrong.
var (
	ErrCorrupt = errors.New("corrupt deflate data")
	ErrShort   = errors.New("deflate data ends early")    // src ends before the final block does
	ErrLong    = errors.New("deflate data is longer")     // there is more than dst has room for
	ErrDst     = errors.New("deflate data gives too few") // the final block ends before dst is full
)

// A Decoder holds the tables of a block. The zero Decoder is ready for use; one can be used again, by one goroutine at a
// time.
type Decoder struct {
	lit  litTable
	dist distTable

	lens  [maxLit + maxDist]uint8
	codes [preSize]uint32
}

// Inflate decodes src, which begins with one whole stream, into dst, which has to be of the decoded size. It returns how
// many bytes of src the stream has. After an error, what dst holds means nothing.
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

// A Point is a place where a block begins, from which decoding can start if the 32 KiB of output before it are known.
type Point struct {
	In  int64 // in the input, in bits
	Out int64 // in the output, in bytes
}

// Points calls visit for the first block and for each that begins at least step bytes of output after the one visited
// last, while it decodes as [Decoder.Inflate] does.
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

// Part decodes from a block that begins at bit 0 to 7 of src until dst is full. The first history bytes of dst are the
// output before that block, of which at most 32 KiB are of use. Neither the end of dst nor that of src need be the end
// of a block.
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

// Piece decodes src, blocks that end where a byte of src does, into dst, which they fill. They do not refer to what is
// before them. The last piece of a stream ends with the final block, no other has one. So when every piece of a stream
// has been decoded without an error, they are what [Decoder.Inflate] would have made of the whole.
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

// next decodes a block and reports whether it is the last.
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

// A stream is where decoding is in its input and output.
type stream struct {
	dst, src []byte
	op, ip   int
	bits     uint64 // the next bits, lowest first
	nbits    uint   // how many of bits are from src; higher ones are 0
	part     bool   // the end of dst may be within a block, even within a match
}

// fail adds where in the input it happened.
func (s *stream) fail(err error) error {
	return fmt.Errorf("%w (at byte %d of %d, after %d of %d bytes of output)", err, s.ip-int(s.nbits/8), len(s.src), s.op, len(s.dst))
}

// fill takes as many whole bytes from src as fit in bits.
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

// stored copies a block that is not compressed.
func (s *stream) stored() error {
	s.ip -= int(s.nbits / 8) // back to the first whole byte
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

// block decodes the symbols of a block: the most of it fast, then what is near the ends of input and output.
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

// value returns the length or distance of an entry: its base and the extra bits that follow the code.
func value(e uint32, b uint64) int {
	total := e & 0xff
	code := e >> 8 & 0xf
	return int(e>>16&0x7fff) + int(b&(1<<total-1)>>code)
}

const (
	slackOut = 258 + 16 // a match, and what copying in words may write behind it
	slackIn  = 16       // two loads
)

// fast decodes symbols as long as neither end is near. It stops in front of a symbol, or at the end of the block.
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
			// 56 bits are enough for three literals of the first table and one code more.
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
			// Words may be written beyond the match, never beyond dst; what they read has been written before.
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
				// After eight bytes the match repeats at a multiple of the distance that is no less than eight.
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
	// Bytes of which no bit has been used go back, so that the bits above n are 0 again.
	ip -= int(n >> 3)
	n &= 7
	buf &= 1<<n - 1
	s.op, s.ip, s.bits, s.nbits = op, ip, buf, n
	return done, err
}
