package zipfile

// CombineCRC32 returns the CRC-32 (IEEE) of a followed by b, given the CRCs of a and of b and the length of b in bytes.
// It lets the parts of a member be summed in parallel.
//
// A CRC is the remainder of a polynomial over GF(2). Appending b multiplies the polynomial of a by x to the power of
// the bits of b, and then adds the polynomial of b. Bits are reversed: the highest bit is the coefficient of x^0.
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

// polynomial is the polynomial of CRC-32 without its highest term, bits reversed.
const polynomial = 0xedb88320

// multiply returns the product of two polynomials modulo the polynomial of CRC-32.
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
