package sortkey

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// A Load returns bytes of the sort key of an item as an unsigned number. Keys of items compare as the items do.
type Load func(item []byte) uint64

// UintOf returns the function that reads an unsigned integer of size bytes.
func UintOf(size int, big bool) Load {
	switch {
	case size == 1:
		return func(b []byte) uint64 { return uint64(b[0]) }
	case size == 2 && big:
		return func(b []byte) uint64 { return uint64(binary.BigEndian.Uint16(b)) }
	case size == 2:
		return func(b []byte) uint64 { return uint64(binary.LittleEndian.Uint16(b)) }
	case size == 4 && big:
		return func(b []byte) uint64 { return uint64(binary.BigEndian.Uint32(b)) }
	case size == 4:
		return func(b []byte) uint64 { return uint64(binary.LittleEndian.Uint32(b)) }
	case big:
		return binary.BigEndian.Uint64
	}
	return binary.LittleEndian.Uint64
}

// intKey returns the key of integers, bools and times. The sign bit is flipped, so that negative numbers come first.
// NaT, the smallest number, becomes the largest key.
func intKey(t dtype.Type, kind dtype.Kind, descending bool) Load {
	read, size := UintOf(t.ItemSize(), t.ByteOrder() == dtype.BigEndian), t.ItemSize()
	mask := uint64(math.MaxUint64) >> (64 - 8*size)
	flip := uint64(0)
	if kind != dtype.KindUint && kind != dtype.KindBool {
		flip = 1 << (8*size - 1)
	}
	if small, ok := elem.SmallIntOf(t); ok {
		read = func(b []byte) uint64 { return uint64(uint8(small.Value(b[0]))) }
	}
	switch {
	case descending: // for times this puts NaT last as well
		flip ^= mask
	case kind == dtype.KindDatetime || kind == dtype.KindTimedelta:
		return func(b []byte) uint64 { return read(b) ^ flip - 1 }
	}
	return func(b []byte) uint64 { return read(b) ^ flip }
}

// bytesKey returns the key of n bytes, which compare as unsigned numbers.
func bytesKey(n int, descending bool) Load {
	flip := uint64(0)
	if descending {
		flip = math.MaxUint64 >> (64 - 8*n)
	}
	if n == 8 {
		return func(b []byte) uint64 { return binary.BigEndian.Uint64(b) ^ flip }
	}
	return func(b []byte) uint64 {
		key := uint64(0)
		for _, c := range b[:n] {
			key = key<<8 | uint64(c)
		}
		return key ^ flip
	}
}

// strKey returns the key of one or two code points, n bytes.
func strKey(n int, big, descending bool) Load {
	read := UintOf(4, big)
	flip := uint64(0)
	if descending {
		flip = math.MaxUint64 >> (64 - 8*n)
	}
	switch {
	case n == 4:
		return func(b []byte) uint64 { return read(b) ^ flip }
	case big:
		return func(b []byte) uint64 { return binary.BigEndian.Uint64(b) ^ flip }
	}
	return func(b []byte) uint64 { return bits.RotateLeft64(binary.LittleEndian.Uint64(b), 32) ^ flip }
}

// floatPart returns the dtype of the parts of a complex number.
func floatPart(t dtype.Type) dtype.Type {
	f := map[int]string{8: "f4", 16: "f8", 24: "f12", 32: "f16"}[t.ItemSize()]
	part, err := dtype.ParseDescr("'" + map[bool]string{true: ">", false: "<"}[t.ByteOrder() == dtype.BigEndian] + f + "'")
	if err != nil {
		panic(err) // every complex dtype has such a part
	}
	return part
}

// floatKey returns the key of floats of up to eight bytes.
func floatKey(t dtype.Type, descending bool) Load {
	size := t.ItemSize()
	read := UintOf(size, t.ByteOrder() == dtype.BigEndian)
	inf := map[int]uint64{2: 0x7c00, 4: 0x7f80_0000, 8: 0x7ff0_0000_0000_0000}[size]
	if small, ok := elem.SmallFloatOf(t); ok {
		size, inf = 4, 0x7f80_0000
		read = func(b []byte) uint64 { return uint64(math.Float32bits(small.Value(b[0]))) }
	} else if elem.IsBFloat16(t) {
		inf = 0x7f80
	}
	sign := uint64(1) << (8*size - 1)
	mask := sign<<1 - 1
	flip := uint64(0)
	if descending {
		flip = mask
	}
	key := func(x uint64) uint64 {
		switch {
		case x&^sign > inf: // NaN
			return mask
		case x == sign: // -0
			return sign ^ flip
		case x&sign != 0:
			return x ^ mask ^ flip
		}
		return x ^ sign ^ flip
	}
	if size == 8 && t.ByteOrder() != dtype.BigEndian && !descending { // the usual floats, in two thirds of the time
		return float64Key
	}
	return func(b []byte) uint64 { return key(read(b)) }
}

// float64Key returns the key of a float64 in little-endian order, the smallest first.
func float64Key(b []byte) uint64 {
	const sign, inf = 1 << 63, 0x7ff0_0000_0000_0000
	x := binary.LittleEndian.Uint64(b)
	switch {
	case x&^sign > inf:
		return math.MaxUint64
	case x == sign:
		return sign
	}
	return x ^ (uint64(int64(x)>>63) | sign)
}

// longKeys returns the two parts of the key of long doubles: sign and exponent, and mantissa.
func longKeys(big, descending bool) (high, low Load) {
	const sign, exponent = 1 << 15, 1<<15 - 1
	part := func(b []byte) (h, l uint64) {
		x, _ := scalar.LongDoubleFromBytes(b, big) // the size of a dtype is valid
		h, l = uint64(x.SignExp), x.Mantissa
		switch {
		case x.IsNaN():
			return math.MaxUint16, math.MaxUint64
		case h&exponent == 0 && l == 0:
			h = sign
		case h&sign != 0:
			h, l = h^math.MaxUint16, ^l
		default:
			h |= sign
		}
		if descending {
			h, l = h^math.MaxUint16, ^l
		}
		return h, l
	}
	return func(b []byte) uint64 { h, _ := part(b); return h }, func(b []byte) uint64 { _, l := part(b); return l }
}

// complexClass returns the first byte of the key of complex numbers. NumPy puts numbers with a NaN after all others:
// first if the imaginary part is NaN, then if the real part is, then if both are.
func complexClass(half dtype.Type) Load {
	size := half.ItemSize()
	isNaN := func(b []byte) bool {
		x, _ := scalar.LongDoubleFromBytes(b, half.ByteOrder() == dtype.BigEndian)
		return x.IsNaN()
	}
	if size <= 8 {
		key := floatKey(half, false)
		isNaN = func(b []byte) bool { return key(b) == math.MaxUint64>>(64-8*size) }
	}
	return func(b []byte) uint64 {
		class := uint64(0)
		if isNaN(b[size:]) {
			class |= 1
		}
		if isNaN(b[:size]) {
			class |= 2
		}
		return class
	}
}
