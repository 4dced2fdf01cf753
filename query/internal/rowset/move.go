package rowset

import (
	"encoding/binary"
	"math/bits"
)

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
