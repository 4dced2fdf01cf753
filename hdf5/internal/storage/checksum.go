package storage

import (
	"encoding/binary"
	"math/bits"
)

// Lookup3 returns the checksum of HDF5's structures: Bob Jenkins' lookup3 (hashlittle, May 2006) with the initial value
// 0. It also orders names in version 2 B-trees.
func Lookup3(b []byte) uint32 {
	x := uint32(0xdeadbeef) + uint32(len(b))
	y, z := x, x
	for len(b) > 12 {
		x += binary.LittleEndian.Uint32(b)
		y += binary.LittleEndian.Uint32(b[4:])
		z += binary.LittleEndian.Uint32(b[8:])
		x, y, z = mix(x, y, z)
		b = b[12:]
	}
	if len(b) == 0 {
		return z
	}
	var last [12]byte
	copy(last[:], b)
	x += binary.LittleEndian.Uint32(last[0:])
	y += binary.LittleEndian.Uint32(last[4:])
	z += binary.LittleEndian.Uint32(last[8:])
	return final(x, y, z)
}

func mix(x, y, z uint32) (uint32, uint32, uint32) {
	x = x - z ^ bits.RotateLeft32(z, 4)
	z += y
	y = y - x ^ bits.RotateLeft32(x, 6)
	x += z
	z = z - y ^ bits.RotateLeft32(y, 8)
	y += x
	x = x - z ^ bits.RotateLeft32(z, 16)
	z += y
	y = y - x ^ bits.RotateLeft32(x, 19)
	x += z
	z = z - y ^ bits.RotateLeft32(y, 4)
	y += x
	return x, y, z
}

func final(x, y, z uint32) uint32 {
	z = z ^ y - bits.RotateLeft32(y, 14)
	x = x ^ z - bits.RotateLeft32(z, 11)
	y = y ^ x - bits.RotateLeft32(x, 25)
	z = z ^ y - bits.RotateLeft32(y, 16)
	x = x ^ z - bits.RotateLeft32(z, 4)
	y = y ^ x - bits.RotateLeft32(x, 14)
	return z ^ y - bits.RotateLeft32(y, 24)
}
