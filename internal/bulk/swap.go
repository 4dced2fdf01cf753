package bulk

import (
	"encoding/binary"
	"math/bits"
)

// Swap copies src to dst and reverses the bytes of every element of the given width. dst and src must have the same
// length, a multiple of width, and must be the same memory or not overlap.
func Swap(dst, src []byte, width int) {
	dst = dst[:len(src)]
	if width == 1 {
		copy(dst, src)
		return
	}
	n := 0
	if width == 2 || width == 4 || width == 8 {
		n = len(src) &^ 7
		swapWords(dst[:n], src[:n], width)
	}
	swapPlain(dst[n:], src[n:], width)
}

// swapWords swaps eight bytes at a time. Each loop is written out: a call for every word would cost more than the swap.
func swapWords(dst, src []byte, width int) {
	d, ok := View[uint64](dst)
	s, ok2 := View[uint64](src)
	if !ok || !ok2 {
		swapUnaligned(dst, src, width)
		return
	}
	d = d[:len(s)]
	switch width {
	case 2:
		for i, w := range s {
			d[i] = swap2(w)
		}
	case 4:
		for i, w := range s {
			d[i] = swap4(w)
		}
	case 8:
		for i, w := range s {
			d[i] = bits.ReverseBytes64(w)
		}
	}
}

// swapUnaligned loads and stores words in the same byte order, whichever it is: the three swaps are symmetric.
func swapUnaligned(dst, src []byte, width int) {
	for i := 0; i+8 <= len(src) && i+8 <= len(dst); i += 8 {
		w := binary.NativeEndian.Uint64(src[i:])
		switch width {
		case 2:
			w = swap2(w)
		case 4:
			w = swap4(w)
		case 8:
			w = bits.ReverseBytes64(w)
		}
		binary.NativeEndian.PutUint64(dst[i:], w)
	}
}

// swap2 reverses the bytes of the four 16-bit numbers in a word.
func swap2(w uint64) uint64 {
	const low = 0x00ff00ff00ff00ff
	return w&low<<8 | w>>8&low
}

// swap4 reverses the bytes of the two 32-bit numbers in a word.
func swap4(w uint64) uint64 { return bits.RotateLeft64(bits.ReverseBytes64(w), 32) }

// swapPlain works for every width, and is the oracle for the others.
func swapPlain(dst, src []byte, width int) {
	for i := 0; i+width <= len(src); i += width {
		for a, b := i, i+width-1; a <= b; a, b = a+1, b-1 {
			dst[a], dst[b] = src[b], src[a]
		}
	}
}
