package chunkfilter

import "math/bits"

// A bitReader reads bits, from the most significant one of each byte on. After its end it gives zeros, and says so.
type bitReader struct {
	src  []byte
	at   int    // of the next byte
	acc  uint64 // the next bits, from the most significant one on
	n    uint   // bits in acc
	over bool   // more bits were wanted than there are
}

// fill puts bytes into acc, at least 57 bits while there are some.
func (r *bitReader) fill() {
	for r.n <= 56 && r.at < len(r.src) {
		r.acc |= uint64(r.src[r.at]) << (56 - r.n)
		r.at++
		r.n += 8
	}
}

// bits returns the next k bits; k is at most 64.
func (r *bitReader) bits(k uint) uint64 {
	if k > 32 {
		high := r.bits(k - 32)
		return high<<32 | r.bits(32)
	}
	if r.n < k {
		if r.fill(); r.n < k {
			r.over = true
			r.n = k
		}
	}
	v := r.acc >> (64 - k) // 0 for no bits
	r.acc <<= k
	r.n -= k
	return v
}

// zeros returns the number of 0 bits before the next 1, which it reads too.
func (r *bitReader) zeros() int {
	n := 0
	for {
		if r.acc == 0 {
			n += int(r.n)
			r.n = 0
			if r.fill(); r.n == 0 {
				r.over = true
				return n
			}
			continue
		}
		z := bits.LeadingZeros64(r.acc)
		r.acc <<= z + 1
		r.n -= uint(z) + 1
		return n + z
	}
}
