package chunkfilter

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/klauspost/compress/snappy"

	"github.com/npygo/npy/internal/bulk"
)

// blosc is the filter 32001, the format of Blosc 1: a header, the starts of blocks, and blocks of one or more compressed
// streams, whose bytes or bits are shuffled.
type blosc struct{ unfixed }

func (blosc) ratio() int { return 128 << 10 / 4 } // of zstd

const (
	bloscHead = 16

	// bloscOld is the last version of the format of Blosc 1. Blosc 2 has later versions.
	bloscOld = 2

	bloscShuffle    = 1 << 0
	bloscCopied     = 1 << 1
	bloscBitshuffle = 1 << 2
	bloscUnsplit    = 1 << 4

	maxSplits, minSplit = 16, 128 // a block is split into at most 16 streams of at least 128 bytes
)

// A bloscChunk is the header of compressed data, and the data.
type bloscChunk struct {
	src                   []byte
	flags, codec          byte
	typeSize, size, block int
}

func (blosc) decode(s *scratch, dst, src []byte, _ bool) (int, error) {
	c, err := bloscHeader(src, len(dst))
	if err != nil {
		return 0, err
	}
	dst = dst[:c.size]
	if c.flags&bloscCopied != 0 {
		if len(src)-bloscHead < len(dst) {
			return 0, corrupt(len(src), "%d bytes after the header, and the header says %d", len(src)-bloscHead, len(dst))
		}
		return copy(dst, src[bloscHead:]), nil
	}
	if c.size == 0 {
		return 0, nil
	}
	blocks := (c.size-1)/c.block + 1
	if blocks > (len(src)-bloscHead)/4 {
		return 0, corrupt(bloscHead, "%d blocks, and %d bytes for their starts", blocks, len(src)-bloscHead)
	}
	for i := range blocks {
		out := dst[i*c.block : min((i+1)*c.block, len(dst))]
		start := int64(int32(binary.LittleEndian.Uint32(src[bloscHead+4*i:])))
		if start < int64(bloscHead+4*blocks) || start > int64(len(src)) {
			return 0, corrupt(bloscHead+4*i, "block %d starts at byte %d of %d", i, start, len(src))
		}
		if err := c.decodeBlock(s, out, int(start)); err != nil {
			return 0, err
		}
	}
	return len(dst), nil
}

// bloscHeader reads and checks the header.
func bloscHeader(src []byte, most int) (c bloscChunk, err error) {
	if len(src) < bloscHead {
		return c, corrupt(0, "%d bytes, too few for a header", len(src))
	}
	if v := src[0]; v == 0 || v > bloscOld {
		return c, fmt.Errorf("version %d of the format, and Blosc 1 has versions 1 and 2: %w", v, errors.ErrUnsupported)
	}
	size, block, packed := binary.LittleEndian.Uint32(src[4:]), binary.LittleEndian.Uint32(src[8:]), binary.LittleEndian.Uint32(src[12:])
	switch {
	case uint64(size) > uint64(most):
		return c, corrupt(4, "%d bytes of output, and at most %d are expected", size, most)
	case packed > uint32(len(src)) || packed < bloscHead:
		return c, corrupt(12, "%d bytes of data, and there are %d", packed, len(src))
	case src[3] == 0:
		return c, corrupt(3, "elements of no bytes")
	case (block == 0 || block > size) && size > 0 && src[2]&bloscCopied == 0:
		return c, corrupt(8, "blocks of %d bytes for %d", block, size)
	}
	return bloscChunk{src: src[:packed], flags: src[2], codec: src[2] >> 5, typeSize: int(src[3]), size: int(size), block: int(block)}, nil
}

// decodeBlock decodes the block whose streams start at a byte of the data.
func (c *bloscChunk) decodeBlock(s *scratch, out []byte, start int) error {
	shuffled := c.flags&bloscShuffle != 0 && c.typeSize > 1
	bits := c.flags&bloscBitshuffle != 0 && len(out) >= c.typeSize && !shuffled
	raw := out
	if shuffled || bits {
		raw = room(&s.block, len(out))
	}
	streams := 1
	if c.flags&bloscUnsplit == 0 && c.typeSize <= maxSplits && len(out)/c.typeSize >= minSplit && len(out) == c.block {
		streams = c.typeSize
	}
	each := len(out) / streams
	if each*streams != len(out) {
		return corrupt(start, "a block of %d bytes in %d streams", len(out), streams)
	}
	for i := range streams {
		packed, err := sized(c.src, &start, binary.LittleEndian)
		if err != nil {
			return err
		}
		part := raw[i*each:][:each]
		if len(packed) == each {
			copy(part, packed)
			continue
		}
		if n, err := c.decompress(s, part, packed); err != nil || n != each {
			return blockError(start-len(packed), n, each, err)
		}
	}
	switch {
	case shuffled:
		bulk.Unshuffle(out, raw, c.typeSize)
	case bits:
		bloscUnshuffleBits(s, out, raw, c.typeSize)
	}
	return nil
}

// bloscUnshuffleBits undoes the shuffling of bits in a block. Blosc leaves a block alone whose elements are not a
// multiple of eight.
func bloscUnshuffleBits(s *scratch, out, raw []byte, size int) {
	n := len(raw) / size
	if n%8 != 0 {
		n = 0
	}
	unshuffleBits(s, out[:n*size], raw[:n*size], size)
	copy(out[n*size:], raw[n*size:])
}

// decompress decodes a stream with the codec of the header.
func (c *bloscChunk) decompress(s *scratch, dst, src []byte) (int, error) {
	switch c.codec {
	case 0:
		return bloscLZ(dst, src)
	case 1: // LZ4 and LZ4HC
		return lz4Block(dst, src)
	case 2:
		return unsnappy(dst, src)
	case 3:
		return s.unzlib(dst, src, true)
	case 4:
		return s.unzstd(dst, src)
	}
	return 0, fmt.Errorf("codec %d: %w", c.codec, errors.ErrUnsupported)
}

// unsnappy decodes a block of Snappy.
func unsnappy(dst, src []byte) (int, error) {
	n, err := snappy.DecodedLen(src)
	if err == nil && n > len(dst) {
		err = fmt.Errorf("%d bytes of output, and at most %d are expected", n, len(dst))
	}
	if err == nil {
		_, err = snappy.Decode(dst[:n:n], src) // it has room for the result, so it is made there
	}
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return n, nil
}

// bloscLZ decodes a stream of Blosc's own codec, a relative of FastLZ.
func bloscLZ(dst, src []byte) (int, error) {
	if len(src) == 0 {
		return 0, corrupt(0, "no data")
	}
	op, ip := 0, 1
	for c := int(src[0]) & 31; ; { // the first byte has a version, and must be a run
		at := ip - 1
		if c < 32 {
			if err := run(at, dst[op:], src[ip:], c+1); err != nil {
				return 0, err
			}
			op, ip = op+c+1, ip+c+1
		} else {
			n, distance, ok := bloscMatch(c, src, &ip)
			if !ok {
				return 0, corrupt(at, "the data ends within a match")
			}
			if err := checkMatch(at, dst, op, distance, n); err != nil {
				return 0, err
			}
			op = match(dst, op, distance, n)
		}
		if ip == len(src) {
			return op, nil
		}
		c = int(src[ip])
		ip++
	}
}

// nearMatches is the largest distance in 13 bits; longer distances have 16 bits more.
const nearMatches = 8191

// bloscMatch reads the length and the distance of a match that begins with c.
func bloscMatch(c int, src []byte, ip *int) (n, distance int, ok bool) {
	if n = c>>5 + 2; n == 7+2 {
		n += long(src, ip)
	}
	if *ip == len(src) {
		return 0, 0, false
	}
	low := int(src[*ip])
	*ip++
	distance = c&31<<8 + low + 1
	if distance == nearMatches+1 {
		if len(src)-*ip < 2 {
			return 0, 0, false
		}
		distance += int(binary.BigEndian.Uint16(src[*ip:]))
		*ip += 2
	}
	return n, distance, true
}

// blockError is the error of a block that starts at a byte and whose decoding gave n bytes and err.
func blockError(start, n, want int, err error) error {
	if err == nil {
		err = fmt.Errorf("%w: it decodes to %d bytes instead of %d", ErrCorrupt, n, want)
	}
	return fmt.Errorf("block at byte %d: %w", start, err)
}
