package zipfile

// CombineCRC32 returns the CRC-32 (IEEE) of a followed by b, given those of a and of b and the length of b in bytes. So
// the parts of a member can be summed at once, each by itself.
//
// A CRC is the remainder of a polynomial over GF(2). Putting b behind a multiplies that of a by x to the number of b's
// bits, and then adds that of b. Bits are reversed: the highest is the coefficient of x^0.
func CombineCRC32(a, b uint32, lengthB int64) uint32 {
	power := uint32(1 << 31)  // x^0
	square := uint32(1 << 23) // x^8: one byte
	for n := lengthB; n > 0; n >>= 1 {
		if n&1 != 0 {
			power = multiply(power, square)
		}
		square = multiply(square, square)
	}
	return multiply(power, a) ^ b
}

// polynomial is that of CRC-32 without its highest term, bits reversed.
const polynomial = 0xedb88320

// multiply returns the product of two polynomials modulo that of CRC-32.
func multiply(a, b uint32) uint32 {
	product := uint32(0)
	for ; a != 0; a <<= 1 {
		if a&(1<<31) != 0 {
			product ^= b
		}
		b = b>>1 ^ polynomial&-(b&1)
	}
	return product
}
