package chunkfilter

import (
	"encoding/binary"
	"errors"

	"github.com/npygo/npy/internal/bulk"
)

// shuffle is the filter 2: the first bytes of all elements, then all second bytes, and so on. Bytes after the last whole
// element stay at the end.
type shuffle struct{ size int }

func newShuffle(values []uint32) step {
	if len(values) == 0 || values[0] == 0 || values[0] > 1<<30 {
		return faulty{err: errors.New("the filter lacks the size of an element")}
	}
	return shuffle{int(values[0])}
}

func (shuffle) grow(n int) (int, bool) { return n, true }
func (shuffle) ratio() int             { return 1 }

func (f shuffle) decode(_ *scratch, dst, src []byte, _ bool) (int, error) {
	if len(src) > len(dst) {
		return 0, corrupt(len(dst), "%d bytes, and at most %d are expected", len(src), len(dst))
	}
	bulk.Unshuffle(dst[:len(src)], src, f.size)
	return len(src), nil
}

func (f shuffle) encode(_ *scratch, dst, src []byte) ([]byte, error) {
	start := len(dst)
	dst = extend(dst, len(src))
	bulk.Shuffle(dst[start:], src, f.size)
	return dst, nil
}

// extend returns b with n more bytes of undefined contents.
func extend(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b[:len(b)+n]
	}
	return append(b, make([]byte, n)...)
}

// fletcher is the filter 3: a checksum of four bytes after the data.
type fletcher struct{}

func (fletcher) grow(n int) (int, bool) { return n + 4, true }
func (fletcher) ratio() int             { return 1 }

func (fletcher) checksum() string { return "Fletcher-32" }

func (fletcher) decode(_ *scratch, dst, src []byte, _ bool) (int, error) {
	n := len(src) - 4
	switch {
	case n < 0:
		return 0, corrupt(0, "%d bytes, too few for a checksum", len(src))
	case n > len(dst):
		return 0, corrupt(len(dst), "%d bytes, and at most %d are expected", n, len(dst))
	}
	// Libraries up to HDF5 1.6.2 summed words of the machine's byte order, which reverses the bytes of both halves on
	// little-endian machines. libhdf5 accepts both, too.
	stored, sum := binary.LittleEndian.Uint32(src[n:]), fletcher32(src[:n])
	if reversed := sum>>8&0xff00ff | sum&0xff00ff<<8; stored != sum && stored != reversed {
		return 0, corrupt(n, "Fletcher-32 is %08x, and the data has %08x", stored, sum)
	}
	return copy(dst, src[:n]), nil
}

func (fletcher) encode(_ *scratch, dst, src []byte) ([]byte, error) {
	return binary.LittleEndian.AppendUint32(append(dst, src...), fletcher32(src)), nil
}

// fletcher32 is H5_checksum_fletcher32 of libhdf5: the sums of big-endian words, and of these sums, modulo 65535. A last
// odd byte is the high byte of a word. Only the sums of zeros are 0; other multiples of 65535 are 65535.
func fletcher32(b []byte) uint32 {
	var one, two uint64
	for len(b) >= 8 {
		n := min(len(b), 1<<16) &^ 7 // the sums stay below 2^53
		for w := b[:n]; len(w) >= 8; w = w[8:] {
			x := binary.BigEndian.Uint64(w)
			a, b, c, d := x>>48, x>>32&0xffff, x>>16&0xffff, x&0xffff
			two += 4*one + 4*a + 3*b + 2*c + d
			one += a + b + c + d
		}
		one, two = fold(one), fold(two)
		b = b[n:]
	}
	for ; len(b) >= 2; b = b[2:] {
		one += uint64(binary.BigEndian.Uint16(b))
		two += one
	}
	if len(b) == 1 {
		one += uint64(b[0]) << 8
		two += one
	}
	return uint32(fold(two)<<16 | fold(one))
}

// fold reduces a sum to 16 bits by adding its carries, as ones' complement arithmetic does.
func fold(x uint64) uint64 {
	if x == 0 {
		return 0
	}
	return (x-1)%65535 + 1
}
