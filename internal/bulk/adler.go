package bulk

import "hash/adler32"

// adlerMod is the modulus of Adler-32, the largest prime below 2^16.
const adlerMod = 65521

// Adler32 returns the checksum of a zlib stream, as hash/adler32 does.
func Adler32(b []byte) uint32 {
	low, high, done := adlerQuick(b)
	if done == 0 {
		return adler32.Checksum(b)
	}
	for _, x := range b[done:] { // fewer than 32
		low += uint64(x)
		high += low
	}
	return uint32(high%adlerMod<<16 | low%adlerMod)
}
