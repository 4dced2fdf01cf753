package chunkfilter

import (
	"encoding/binary"
	"math"
)

// lzf is the filter 32000, LibLZF as h5py has it: runs of 1 to 32 bytes, and matches of 3 to 264 bytes at a distance of
// up to 8 KiB.
type lzf struct{ unfixed }

// ratio is reached by the longest match, in three bytes.
func (lzf) ratio() int { return 264 / 3 }

func (lzf) decode(_ *scratch, dst, src []byte, _ bool) (int, error) {
	op, ip := 0, 0
	for ip < len(src) {
		at, c := ip, int(src[ip])
		ip++
		if c < 32 {
			if err := run(at, dst[op:], src[ip:], c+1); err != nil {
				return 0, err
			}
			op, ip = op+c+1, ip+c+1
			continue
		}
		n := c >> 5
		if n == 7 && ip < len(src) {
			n += int(src[ip])
			ip++
		}
		if ip == len(src) {
			return 0, corrupt(at, "the data ends within a match")
		}
		distance := c&31<<8 + int(src[ip]) + 1
		ip++
		if err := checkMatch(at, dst, op, distance, n+2); err != nil {
			return 0, err
		}
		op = match(dst, op, distance, n+2)
	}
	return op, nil
}

// run copies a run of n bytes, the first of src, to the start of dst.
func run(at int, dst, src []byte, n int) error {
	switch {
	case n > len(src):
		return corrupt(at, "a run of %d bytes, %d before the end of the data", n, len(src))
	case n > len(dst):
		return corrupt(at, "a run of %d bytes, and the output has room for %d", n, len(dst))
	case n <= 16 && len(src) >= 16 && len(dst) >= 16: // bytes may be written beyond the run, but never beyond dst
		*(*[16]byte)(dst) = *(*[16]byte)(src)
	default:
		copy(dst[:n], src)
	}
	return nil
}

// checkMatch checks that n bytes at a distance before byte op of dst exist, and that dst has room for them.
func checkMatch(at int, dst []byte, op, distance, n int) error {
	if distance <= 0 || distance > op {
		return corrupt(at, "a match at a distance of %d from byte %d of the output", distance, op)
	}
	if n > len(dst)-op {
		return corrupt(at, "a match of %d bytes, and the output has room for %d", n, len(dst)-op)
	}
	return nil
}

// match copies n bytes of the output to byte op, and returns the new end. The copied bytes begin distance bytes before op. If
// distance is less than n, they repeat. The caller has checked that they are in dst.
func match(dst []byte, op, distance, n int) int {
	end, from := op+n, op-distance
	if distance >= 16 && end+16 <= len(dst) {
		// Words may be written beyond the match, but never beyond dst.
		for ; op < end; op, from = op+16, from+16 {
			*(*[16]byte)(dst[op:]) = *(*[16]byte)(dst[from:])
		}
		return end
	}
	for op < end { // the bytes that can be copied double every time
		op += copy(dst[op:end], dst[from:op])
	}
	return end
}

// lz4Block decodes a block of LZ4 into dst and returns the number of bytes.
func lz4Block(dst, src []byte) (int, error) {
	op, ip := 0, 0
	for ip < len(src) {
		at, token := ip, src[ip]
		ip++
		n := int(token >> 4)
		if n == 15 {
			n += long(src, &ip)
		}
		if err := run(at, dst[op:], src[ip:], n); err != nil {
			return 0, err
		}
		op, ip = op+n, ip+n
		if ip == len(src) {
			return op, nil // the last sequence has no match
		}
		if len(src)-ip < 2 {
			return 0, corrupt(at, "the data ends within a match")
		}
		distance := int(binary.LittleEndian.Uint16(src[ip:]))
		ip += 2
		if n = int(token&15) + 4; n == 15+4 {
			n += long(src, &ip)
		}
		if err := checkMatch(at, dst, op, distance, n); err != nil {
			return 0, err
		}
		op = match(dst, op, distance, n)
	}
	return 0, corrupt(ip, "the data ends without a last run")
}

// long reads the bytes of a long length: all up to the first that is not 255. A length that has no end is longer than
// any output.
func long(src []byte, ip *int) int {
	n := 0
	for *ip < len(src) {
		b := src[*ip]
		*ip++
		n += int(b)
		if b != 255 {
			return n
		}
		if n > endless {
			break
		}
	}
	return endless
}

// endless is longer than any output.
const endless = math.MaxInt / 2

// lz4Ratio is the most bytes that a byte of LZ4 can hold.
const lz4Ratio = 255

// lz4Blocks is the filter 32004: the size of the data and of a block, then blocks with their compressed sizes, all
// big-endian.
type lz4Blocks struct{ unfixed }

func (lz4Blocks) ratio() int { return lz4Ratio }

func (lz4Blocks) decode(_ *scratch, dst, src []byte, _ bool) (int, error) {
	if len(src) < 12 {
		return 0, corrupt(0, "%d bytes, too few for a header", len(src))
	}
	size, block := binary.BigEndian.Uint64(src), int(binary.BigEndian.Uint32(src[8:])&(1<<31-1))
	if size > uint64(len(dst)) {
		return 0, corrupt(0, "%d bytes of output, and at most %d are expected", size, len(dst))
	}
	if block == 0 && size > 0 {
		return 0, corrupt(8, "blocks of no bytes")
	}
	dst = dst[:size]
	block = min(block, len(dst))
	for op, ip := 0, 12; op < len(dst); {
		out := dst[op:min(op+block, len(dst))]
		packed, err := sized(src, &ip, binary.BigEndian)
		if err != nil {
			return 0, err
		}
		if len(packed) == len(out) {
			copy(out, packed)
		} else if n, err := lz4Block(out, packed); err != nil || n != len(out) {
			return 0, blockError(ip-len(packed), n, len(out), err)
		}
		op += len(out)
	}
	return len(dst), nil
}

// sized returns the bytes of src at *ip whose number precedes them, and moves *ip after them.
func sized(src []byte, ip *int, order binary.ByteOrder) ([]byte, error) {
	at := *ip
	if len(src)-at < 4 {
		return nil, corrupt(at, "the data ends within the size of a block")
	}
	n := order.Uint32(src[at:])
	if at += 4; uint64(n) > uint64(len(src)-at) {
		return nil, corrupt(at, "a block of %d bytes, %d before the end of the data", n, len(src)-at)
	}
	*ip = at + int(n)
	return src[at:*ip], nil
}
