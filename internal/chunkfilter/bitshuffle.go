package chunkfilter

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/npygo/npy/internal/bulk"
)

// bitshuffled is the filter 32008: in blocks of elements, the first bits of all elements, then all second bits, and so
// on. Each block may be compressed with LZ4 or Zstandard.
type bitshuffled struct {
	size  int // of an element
	block int // elements; a multiple of eight, or 0 for the default
	codec uint32
}

const (
	bitshuffleLZ4  = 2
	bitshuffleZstd = 3
)

func newBitshuffle(values []uint32) (step, error) {
	if len(values) < 3 || values[2] == 0 || values[2] > 1<<24 {
		return faulty{err: errors.New("the filter lacks the size of an element")}, nil
	}
	f := bitshuffled{size: int(values[2])}
	if len(values) > 3 {
		if f.block = int(values[3] & (1<<31 - 1)); f.block%8 != 0 {
			return faulty{err: fmt.Errorf("blocks of %d elements, which is not a multiple of 8", f.block)}, nil
		}
	}
	if len(values) > 4 {
		f.codec = values[4]
	}
	if f.codec != 0 && f.codec != bitshuffleLZ4 && f.codec != bitshuffleZstd {
		return nil, fmt.Errorf("codec %d: %w", f.codec, errors.ErrUnsupported)
	}
	return f, nil
}

func (f bitshuffled) grow(n int) (int, bool) {
	if f.codec == 0 {
		return n, true
	}
	return unfixed{}.grow(n)
}

func (f bitshuffled) ratio() int {
	switch f.codec {
	case bitshuffleLZ4:
		return lz4Ratio
	case bitshuffleZstd:
		return zstandard{}.ratio()
	}
	return 1
}

func (f bitshuffled) decode(s *scratch, dst, src []byte, _ bool) (int, error) {
	if f.codec == 0 {
		return f.plain(s, dst, src)
	}
	if len(src) < 12 {
		return 0, corrupt(0, "%d bytes, too few for a header", len(src))
	}
	size, block := binary.BigEndian.Uint64(src), int64(binary.BigEndian.Uint32(src[8:]))
	if size > uint64(len(dst)) {
		return 0, corrupt(0, "%d bytes of output, and at most %d are expected", size, len(dst))
	}
	dst = dst[:size]
	whole, step, err := f.blocks(len(dst), block/int64(f.size))
	if err != nil {
		return 0, corrupt(8, "%w", err)
	}
	ip := 12
	for op := 0; op < whole; op += step {
		out := dst[op:min(op+step, whole)]
		packed, err := sized(src, &ip, binary.BigEndian)
		if err != nil {
			return 0, err
		}
		raw := room(&s.block, len(out))
		n := 0
		if f.codec == bitshuffleLZ4 {
			n, err = lz4Block(raw, packed)
		} else {
			n, err = s.unzstd(raw, packed)
		}
		if err != nil || n != len(raw) {
			return 0, blockError(ip-len(packed), n, len(raw), err)
		}
		unshuffleBits(s, out, raw, f.size)
	}
	if copy(dst[whole:], src[ip:]) < len(dst)-whole {
		return 0, corrupt(ip, "the data ends before its last %d bytes", len(dst)-whole)
	}
	return len(dst), nil
}

// plain undoes the shuffling of data that is not compressed.
func (f bitshuffled) plain(s *scratch, dst, src []byte) (int, error) {
	if len(src) > len(dst) {
		return 0, corrupt(len(dst), "%d bytes, and at most %d are expected", len(src), len(dst))
	}
	elements := int64(f.block)
	if elements == 0 {
		elements = int64(max(8192/f.size&^7, 128)) // bshuf_default_block_size
	}
	whole, step, err := f.blocks(len(src), elements)
	if err != nil {
		return 0, corrupt(0, "%w", err)
	}
	for op := 0; op < whole; op += step {
		end := min(op+step, whole)
		unshuffleBits(s, dst[op:end], src[op:end], f.size)
	}
	copy(dst[whole:], src[whole:])
	return len(src), nil
}

// blocks returns the number of bytes in blocks, and the bytes of a block. The last block may be smaller: it is a
// multiple of eight elements. Up to seven elements after it are not shuffled.
func (f bitshuffled) blocks(n int, elements int64) (whole, step int, err error) {
	if n%f.size != 0 {
		return 0, 0, fmt.Errorf("%d bytes, which is not a multiple of the element size %d", n, f.size)
	}
	if elements <= 0 || elements%8 != 0 {
		return 0, 0, fmt.Errorf("blocks of %d elements, which is not a multiple of 8", elements)
	}
	whole = n / f.size &^ 7 * f.size
	return whole, int(min(elements*int64(f.size), int64(max(whole, 1)))), nil
}

// unshuffleBits undoes the shuffling of the bits in a block of a multiple of eight elements.
func unshuffleBits(s *scratch, dst, src []byte, size int) {
	planes := room(&s.planes, len(src))
	bulk.GatherBits(planes, src, size)
	bulk.Unshuffle(dst, planes, size)
}
