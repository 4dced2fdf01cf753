//go:build !purego

package bulk

import "golang.org/x/sys/cpu"

// adlerCall is the most bytes summed in one call: their weighted sum fits 32 bits.
const adlerCall = 1 << 14

// adlerQuick returns the two sums, below the modulus, of as many bytes as it has done.
func adlerQuick(b []byte) (low, high uint64, done int) {
	low = 1
	for cpu.X86.HasAVX2 && len(b)-done >= 32 {
		n := min(len(b)-done, adlerCall) &^ 31
		var sums [3]uint64
		adlerAVX2(&b[done], n, &sums)
		high = (high + uint64(n)*low + 32*sums[1] + sums[2]) % adlerMod
		low = (low + sums[0]) % adlerMod
		done += n
	}
	return low, high, done
}

// adlerAVX2 sums n bytes, a multiple of 32 and not none: the bytes; the sum of bytes before each group of 32; and the
// bytes times 32 to 1 in each group.
//
//go:noescape
func adlerAVX2(b *byte, n int, sums *[3]uint64)
