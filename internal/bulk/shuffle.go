package bulk

import "encoding/binary"

// Shuffle puts the first bytes of all elements first, then all second bytes, and so on. dst and src have the same length
// and must not overlap. Bytes after the last whole element are copied.
func Shuffle(dst, src []byte, size int) { shufflers.move(dst, src, size) }

// Unshuffle is the reverse of Shuffle.
func Unshuffle(dst, src []byte, size int) { unshufflers.move(dst, src, size) }

// A shuffler moves some bytes, from byte p on, of count elements of the given size, from element first on: from the
// elements to their planes, or back. Planes are n bytes apart.
type shuffler func(dst, src []byte, size, n, p, first, count int)

// widths are the shufflers of eight, four, two and one byte of each element. The shuffler of two is for elements of two
// bytes.
type widths struct{ eight, four, two, one shuffler }

var (
	shufflers   = widths{shuffle8, shuffle4, shuffle2, shuffle1}
	unshufflers = widths{unshuffle8, unshuffle4, unshuffle2, unshuffle1}
)

// move moves all bytes of all elements, in blocks of elements that stay in the cache while their bytes are visited.
func (w *widths) move(dst, src []byte, size int) {
	_ = dst[:len(src)]
	n := len(src) / size
	copy(dst[n*size:], src[n*size:])
	if size == 1 || n <= 1 {
		copy(dst, src)
		return
	}
	step := max(shuffleBlock/size&^7, 8)
	for first := 0; first < n; first += step {
		count := min(step, n-first)
		for p := 0; p < size; {
			move, width := w.one, 1
			switch {
			case size-p >= 8:
				move, width = w.eight, 8
			case size-p >= 4:
				move, width = w.four, 4
			case size == 2:
				move, width = w.two, 2
			}
			move(dst, src, size, n, p, first, count)
			p += width
		}
	}
}

// shuffleBlock is the number of bytes in a block: half of a first-level cache.
const shuffleBlock = 16 << 10

// shuffle8 moves eight bytes. The bytes of eight elements at a time are a square, which is transposed in registers.
func shuffle8(dst, src []byte, size, n, p, first, count int) {
	i, end := first+shuffleQuick(dst, src, size, n, p, first, count, 8), first+count
	for ; i+8 <= end; i += 8 {
		var w [8]uint64
		for k := range 8 {
			w[k] = binary.LittleEndian.Uint64(src[(i+k)*size+p:])
		}
		transpose8(&w)
		for k := range 8 {
			binary.LittleEndian.PutUint64(dst[(p+k)*n+i:], w[k])
		}
	}
	shuffleRest(dst, src, size, n, p, i, end, 8)
}

// unshuffle8 is the reverse of shuffle8.
func unshuffle8(dst, src []byte, size, n, p, first, count int) {
	i, end := first+unshuffleQuick(dst, src, size, n, p, first, count, 8), first+count
	for ; i+8 <= end; i += 8 {
		var w [8]uint64
		for k := range 8 {
			w[k] = binary.LittleEndian.Uint64(src[(p+k)*n+i:])
		}
		transpose8(&w)
		for k := range 8 {
			binary.LittleEndian.PutUint64(dst[(i+k)*size+p:], w[k])
		}
	}
	unshuffleRest(dst, src, size, n, p, i, end, 8)
}

// shuffle4 is shuffle8 for four bytes.
func shuffle4(dst, src []byte, size, n, p, first, count int) {
	i, end := first, first+count
	if size == 4 {
		i += shuffleQuick(dst, src, size, n, p, first, count, 4)
	}
	for ; i+8 <= end; i += 8 {
		var w [4]uint64
		for k := range 4 {
			w[k] = uint64(binary.LittleEndian.Uint32(src[(i+k)*size+p:])) | uint64(binary.LittleEndian.Uint32(src[(i+k+4)*size+p:]))<<32
		}
		transpose4(&w)
		for k := range 4 {
			binary.LittleEndian.PutUint64(dst[(p+k)*n+i:], w[k])
		}
	}
	shuffleRest(dst, src, size, n, p, i, end, 4)
}

// unshuffle4 is the reverse of shuffle4.
func unshuffle4(dst, src []byte, size, n, p, first, count int) {
	i, end := first, first+count
	if size == 4 {
		i += unshuffleQuick(dst, src, size, n, p, first, count, 4)
	}
	for ; i+8 <= end; i += 8 {
		var w [4]uint64
		for k := range 4 {
			w[k] = binary.LittleEndian.Uint64(src[(p+k)*n+i:])
		}
		transpose4(&w)
		for k := range 4 {
			binary.LittleEndian.PutUint32(dst[(i+k)*size+p:], uint32(w[k]))
			binary.LittleEndian.PutUint32(dst[(i+k+4)*size+p:], uint32(w[k]>>32))
		}
	}
	unshuffleRest(dst, src, size, n, p, i, end, 4)
}

// shuffle2 takes elements of two bytes apart.
func shuffle2(dst, src []byte, size, n, p, first, count int) {
	i := first + shuffleQuick(dst, src, size, n, p, first, count, 2)
	shuffleRest(dst, src, size, n, p, i, first+count, 2)
}

// unshuffle2 interleaves two planes.
func unshuffle2(dst, src []byte, size, n, p, first, count int) {
	i, end := first+unshuffleQuick(dst, src, size, n, p, first, count, 2), first+count
	for ; i+8 <= end; i += 8 {
		low, high := binary.LittleEndian.Uint64(src[i:]), binary.LittleEndian.Uint64(src[n+i:])
		binary.LittleEndian.PutUint64(dst[2*i:], spread(low)|spread(high)<<8)
		binary.LittleEndian.PutUint64(dst[2*i+8:], spread(low>>32)|spread(high>>32)<<8)
	}
	unshuffleRest(dst, src, size, n, p, i, end, 2)
}

// shuffle1 moves single bytes.
func shuffle1(dst, src []byte, size, n, p, first, count int) {
	if count > 0 {
		elements, plane := src[first*size+p:], dst[p*n+first:][:count]
		for i := range plane {
			plane[i] = elements[i*size]
		}
	}
}

// unshuffle1 is the reverse of shuffle1.
func unshuffle1(dst, src []byte, size, n, p, first, count int) {
	if count > 0 {
		elements, plane := dst[first*size+p:], src[p*n+first:][:count]
		for i, x := range plane {
			elements[i*size] = x
		}
	}
}

// shuffleRest moves width bytes of the elements from i to end, one by one.
func shuffleRest(dst, src []byte, size, n, p, i, end, width int) {
	for k := range width {
		shuffle1(dst, src, size, n, p+k, i, end-i)
	}
}

// unshuffleRest is the reverse of shuffleRest.
func unshuffleRest(dst, src []byte, size, n, p, i, end, width int) {
	for k := range width {
		unshuffle1(dst, src, size, n, p+k, i, end-i)
	}
}

// spread puts the lower four bytes of x two bytes apart.
func spread(x uint64) uint64 {
	x &= 1<<32 - 1
	x = (x | x<<16) & 0x0000ffff0000ffff
	return (x | x<<8) & 0x00ff00ff00ff00ff
}

const (
	low32 = 0x00000000ffffffff
	low16 = 0x0000ffff0000ffff
	low8  = 0x00ff00ff00ff00ff
)

// transpose8 transposes a square of eight times eight bytes.
func transpose8(w *[8]uint64) {
	a0, a4 := w[0]&low32|w[4]<<32, w[0]>>32|w[4]&^low32
	a1, a5 := w[1]&low32|w[5]<<32, w[1]>>32|w[5]&^low32
	a2, a6 := w[2]&low32|w[6]<<32, w[2]>>32|w[6]&^low32
	a3, a7 := w[3]&low32|w[7]<<32, w[3]>>32|w[7]&^low32
	b0, b2 := a0&low16|a2&low16<<16, a0>>16&low16|a2&^low16
	b1, b3 := a1&low16|a3&low16<<16, a1>>16&low16|a3&^low16
	b4, b6 := a4&low16|a6&low16<<16, a4>>16&low16|a6&^low16
	b5, b7 := a5&low16|a7&low16<<16, a5>>16&low16|a7&^low16
	w[0], w[1] = b0&low8|b1&low8<<8, b0>>8&low8|b1&^low8
	w[2], w[3] = b2&low8|b3&low8<<8, b2>>8&low8|b3&^low8
	w[4], w[5] = b4&low8|b5&low8<<8, b4>>8&low8|b5&^low8
	w[6], w[7] = b6&low8|b7&low8<<8, b6>>8&low8|b7&^low8
}

// transpose4 transposes the lower and the higher halves of four words, each a square of four times four bytes.
func transpose4(w *[4]uint64) {
	b0, b2 := w[0]&low16|w[2]&low16<<16, w[0]>>16&low16|w[2]&^low16
	b1, b3 := w[1]&low16|w[3]&low16<<16, w[1]>>16&low16|w[3]&^low16
	w[0], w[1] = b0&low8|b1&low8<<8, b0>>8&low8|b1&^low8
	w[2], w[3] = b2&low8|b3&low8<<8, b2>>8&low8|b3&^low8
}

// GatherBits makes shuffled bytes of shuffled bits: src has the lowest bits of all elements, then all next bits, and so
// on, of a multiple of eight elements of the given size. dst then is what [Shuffle] makes of these elements. It has the
// length of src and must not overlap it.
func GatherBits(dst, src []byte, size int) {
	_ = dst[:len(src)]
	n := len(src) / size // bytes of a plane: one per element
	row := n / 8         // bytes of one bit of all elements
	for p := range size {
		rows, plane := src[p*n:][:n], dst[p*n:][:n]
		j := 0
		for ; j+8 <= row; j += 8 {
			var w [8]uint64
			for k := range 8 {
				w[k] = binary.LittleEndian.Uint64(rows[k*row+j:])
			}
			transpose8(&w)
			for k := range 8 {
				binary.LittleEndian.PutUint64(plane[8*(j+k):], transposeBits(w[k]))
			}
		}
		for ; j < row; j++ {
			var w uint64
			for k := range 8 {
				w |= uint64(rows[k*row+j]) << (8 * k)
			}
			binary.LittleEndian.PutUint64(plane[8*j:], transposeBits(w))
		}
	}
}

// transposeBits transposes a square of eight times eight bits.
func transposeBits(x uint64) uint64 {
	t := (x ^ x>>7) & 0x00aa00aa00aa00aa
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000cccc0000cccc
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000f0f0f0f0
	return x ^ t ^ t<<28
}
