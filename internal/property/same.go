package property

import (
	"bytes"
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

// SameElements compares elements of t in C order. Padding is ignored, and all NaNs are equal.
func SameElements(t dtype.Type, got, want []byte) bool {
	if len(got) != len(want) {
		return false
	}
	if bytes.Equal(got, want) {
		return true
	}
	size := t.ItemSize()
	for i := 0; i+size <= len(got); i += size {
		if !sameElement(t, got[i:i+size], want[i:i+size]) {
			return false
		}
	}
	return true
}

func sameElement(t dtype.Type, got, want []byte) bool {
	switch {
	case t.IsSubarray():
		return SameElements(t.Elem(), got, want)
	case t.IsStruct():
		for _, f := range t.Fields() {
			if end := f.Offset + f.DType.ItemSize(); !sameElement(f.DType, got[f.Offset:end], want[f.Offset:end]) {
				return false
			}
		}
		return true
	case t.Kind() == dtype.KindComplex:
		half := len(got) / 2
		big := t.ByteOrder() == dtype.BigEndian
		return sameFloat(half, big, got[:half], want[:half]) && sameFloat(half, big, got[half:], want[half:])
	case t.Kind() == dtype.KindFloat && t.ItemSize() > 1:
		return sameFloat(t.ItemSize(), t.ByteOrder() == dtype.BigEndian, got, want)
	}
	return bytes.Equal(got, want) || isSmallNaN(t, got) && isSmallNaN(t, want)
}

func sameFloat(size int, big bool, got, want []byte) bool {
	if size == 16 {
		x, _ := scalar.LongDoubleFromBytes(got, big)
		y, _ := scalar.LongDoubleFromBytes(want, big)
		x.Pad, y.Pad = [6]byte{}, [6]byte{} // NumPy leaves old memory there
		return x == y || x.IsNaN() && y.IsNaN()
	}
	x, y := number(size, big, got), number(size, big, want)
	return x == y && math.Signbit(x) == math.Signbit(y) || x != x && y != y
}

// number returns a float of 2, 4 or 8 bytes.
func number(size int, big bool, b []byte) float64 {
	var bits uint64
	for i := range size {
		at := size - 1 - i
		if big {
			at = i
		}
		bits = bits<<8 | uint64(b[at])
	}
	switch size {
	case 2:
		return float64(scalar.Float16{Bits: uint16(bits)}.Float32())
	case 4:
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}

// isSmallNaN reports whether a float of ml_dtypes is NaN.
func isSmallNaN(t dtype.Type, b []byte) bool {
	u := uint16(b[0])
	if len(b) == 2 {
		u |= uint16(b[1]) << 8
	}
	switch t.Name() {
	case "bfloat16":
		return u&0x7fff > 0x7f80
	case "float8_e5m2":
		return u&0x7f > 0x7c
	case "float8_e4m3fn":
		return u&0x7f == 0x7f
	case "float8_e4m3":
		return u&0x7f > 0x78
	case "float8_e3m4":
		return u&0x7f > 0x70
	}
	return false
}
