package bulk

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Decode fills dst with the numbers in src, which are in native byte order or, if swap is set, in the other.
// src is len(dst) numbers long.
func Decode[T Number](dst []T, src []byte, swap bool) {
	raw, ok := Bytes(dst)
	switch {
	case !ok:
		decodePlain(dst, src, byteOrder(swap))
	case swap:
		Swap(raw, src[:len(raw)], componentSize[T]())
	default:
		copy(raw, src[:len(raw)])
	}
}

// Encode is the reverse of Decode.
func Encode[T Number](dst []byte, src []T, swap bool) {
	raw, ok := Bytes(src)
	switch {
	case !ok:
		encodePlain(dst, src, byteOrder(swap))
	case swap:
		Swap(dst[:len(raw)], raw, componentSize[T]())
	default:
		copy(dst[:len(raw)], raw)
	}
}

type order interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

func byteOrder(swap bool) order {
	if swap == hostIsBig {
		return binary.LittleEndian
	}
	return binary.BigEndian
}

// componentSize returns the width that changes with the byte order: complex numbers are two floats.
func componentSize[T Number]() int {
	switch any(*new(T)).(type) {
	case int, uint:
		return bits.UintSize / 8
	case int8, uint8:
		return 1
	case int16, uint16:
		return 2
	case int32, uint32, float32, complex64:
		return 4
	}
	return 8
}

// decodePlain is Decode without unsafe, and its oracle.
func decodePlain[T Number](dst []T, src []byte, o order) {
	switch dst := any(dst).(type) {
	case []int:
		for i := range dst {
			dst[i] = int(word(src[i*bits.UintSize/8:], o))
		}
	case []uint:
		for i := range dst {
			dst[i] = word(src[i*bits.UintSize/8:], o)
		}
	case []int8:
		for i := range dst {
			dst[i] = int8(src[i])
		}
	case []uint8:
		copy(dst, src[:len(dst)])
	case []int16:
		for i := range dst {
			dst[i] = int16(o.Uint16(src[2*i:]))
		}
	case []uint16:
		for i := range dst {
			dst[i] = o.Uint16(src[2*i:])
		}
	case []int32:
		for i := range dst {
			dst[i] = int32(o.Uint32(src[4*i:]))
		}
	case []uint32:
		for i := range dst {
			dst[i] = o.Uint32(src[4*i:])
		}
	case []int64:
		for i := range dst {
			dst[i] = int64(o.Uint64(src[8*i:]))
		}
	case []uint64:
		for i := range dst {
			dst[i] = o.Uint64(src[8*i:])
		}
	case []float32:
		for i := range dst {
			dst[i] = math.Float32frombits(o.Uint32(src[4*i:]))
		}
	case []float64:
		for i := range dst {
			dst[i] = math.Float64frombits(o.Uint64(src[8*i:]))
		}
	case []complex64:
		for i := range dst {
			dst[i] = complex(math.Float32frombits(o.Uint32(src[8*i:])), math.Float32frombits(o.Uint32(src[8*i+4:])))
		}
	case []complex128:
		for i := range dst {
			dst[i] = complex(math.Float64frombits(o.Uint64(src[16*i:])), math.Float64frombits(o.Uint64(src[16*i+8:])))
		}
	}
}

func word(b []byte, o order) uint {
	if bits.UintSize == 64 {
		return uint(o.Uint64(b))
	}
	return uint(o.Uint32(b))
}

func putWord(b []byte, x uint, o order) {
	if bits.UintSize == 64 {
		o.PutUint64(b, uint64(x))
		return
	}
	o.PutUint32(b, uint32(x))
}

// encodePlain is Encode without unsafe, and its oracle.
func encodePlain[T Number](dst []byte, src []T, o order) {
	switch src := any(src).(type) {
	case []int:
		for i, x := range src {
			putWord(dst[i*bits.UintSize/8:], uint(x), o)
		}
	case []uint:
		for i, x := range src {
			putWord(dst[i*bits.UintSize/8:], x, o)
		}
	case []int8:
		for i, x := range src {
			dst[i] = byte(x)
		}
	case []uint8:
		copy(dst[:len(src)], src)
	case []int16:
		for i, x := range src {
			o.PutUint16(dst[2*i:], uint16(x))
		}
	case []uint16:
		for i, x := range src {
			o.PutUint16(dst[2*i:], x)
		}
	case []int32:
		for i, x := range src {
			o.PutUint32(dst[4*i:], uint32(x))
		}
	case []uint32:
		for i, x := range src {
			o.PutUint32(dst[4*i:], x)
		}
	case []int64:
		for i, x := range src {
			o.PutUint64(dst[8*i:], uint64(x))
		}
	case []uint64:
		for i, x := range src {
			o.PutUint64(dst[8*i:], x)
		}
	case []float32:
		for i, x := range src {
			o.PutUint32(dst[4*i:], math.Float32bits(x))
		}
	case []float64:
		for i, x := range src {
			o.PutUint64(dst[8*i:], math.Float64bits(x))
		}
	case []complex64:
		for i, x := range src {
			o.PutUint32(dst[8*i:], math.Float32bits(real(x)))
			o.PutUint32(dst[8*i+4:], math.Float32bits(imag(x)))
		}
	case []complex128:
		for i, x := range src {
			o.PutUint64(dst[16*i:], math.Float64bits(real(x)))
			o.PutUint64(dst[16*i+8:], math.Float64bits(imag(x)))
		}
	}
}

// Uint returns the bits of one number of 1, 2, 4 or 8 bytes.
func Uint(item []byte, big bool) uint64 {
	switch n := len(item); {
	case n == 1:
		return uint64(item[0])
	case n == 2 && big:
		return uint64(binary.BigEndian.Uint16(item))
	case n == 2:
		return uint64(binary.LittleEndian.Uint16(item))
	case n == 4 && big:
		return uint64(binary.BigEndian.Uint32(item))
	case n == 4:
		return uint64(binary.LittleEndian.Uint32(item))
	case big:
		return binary.BigEndian.Uint64(item)
	}
	return binary.LittleEndian.Uint64(item)
}

// PutUint stores the low bits of x as one number of 1, 2, 4 or 8 bytes.
func PutUint(item []byte, x uint64, big bool) {
	switch n := len(item); {
	case n == 1:
		item[0] = byte(x)
	case n == 2 && big:
		binary.BigEndian.PutUint16(item, uint16(x))
	case n == 2:
		binary.LittleEndian.PutUint16(item, uint16(x))
	case n == 4 && big:
		binary.BigEndian.PutUint32(item, uint32(x))
	case n == 4:
		binary.LittleEndian.PutUint32(item, uint32(x))
	case big:
		binary.BigEndian.PutUint64(item, x)
	default:
		binary.LittleEndian.PutUint64(item, x)
	}
}

// Widen converts every number of src, which dst's type can hold exactly. The caller makes sure of that.
func Widen[D, S Real](dst []D, src []S) {
	dst = dst[:len(src)]
	for i, x := range src {
		dst[i] = D(x)
	}
}

// WidenComplex is Widen for a complex destination.
func WidenComplex[D complex64 | complex128, S Real](dst []D, src []S) {
	dst = dst[:len(src)]
	for i, x := range src {
		dst[i] = D(complex(float64(x), 0))
	}
}

// Bools decodes NumPy's bools: any byte but 0 is true.
func Bools(dst []bool, src []byte) {
	src = src[:len(dst)]
	for i, b := range src {
		dst[i] = b != 0
	}
}

// PutBools encodes bools as bytes 0 and 1.
func PutBools(dst []byte, src []bool) {
	dst = dst[:len(src)]
	for i, b := range src {
		dst[i] = 0
		if b {
			dst[i] = 1
		}
	}
}
