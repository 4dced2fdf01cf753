package elem

import (
	"strconv"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

// A SmallInt is an integer format of less than a byte, stored in the low bits of a byte.
type SmallInt struct {
	Bits   uint
	Signed bool
	Value  func(x uint8) int8
}

// SmallIntOf returns the format of t. It returns false if package scalar has no such integer type.
func SmallIntOf(t dtype.Type) (SmallInt, bool) {
	if t.Kind() != dtype.KindVoid || t.ItemSize() != 1 || t.IsStruct() || t.IsSubarray() {
		return SmallInt{}, false
	}
	switch t.Name() {
	case "int4":
		return SmallInt{4, true, func(x uint8) int8 { return scalar.Int4{Bits: x}.Int8() }}, true
	case "uint4":
		return SmallInt{4, false, func(x uint8) int8 { return int8(scalar.Uint4{Bits: x}.Uint8()) }}, true
	case "int2":
		return SmallInt{2, true, func(x uint8) int8 { return scalar.Int2{Bits: x}.Int8() }}, true
	case "uint2":
		return SmallInt{2, false, func(x uint8) int8 { return int8(scalar.Uint2{Bits: x}.Uint8()) }}, true
	}
	return SmallInt{}, false
}

// IsNamedNumber reports whether t is a number that NumPy writes as void: a float such as bfloat16, or an integer such as
// int4.
func IsNamedNumber(t dtype.Type) bool {
	_, ok := SmallIntOf(t)
	return ok || IsNamedFloat(t)
}

// IsNamed reports whether t is a type of ml_dtypes that NumPy writes as void.
func IsNamed(t dtype.Type) bool {
	return t.Kind() == dtype.KindVoid && !t.IsStruct() && !t.IsSubarray() && !t.Equal(dtype.Void(t.ItemSize()))
}

// codec is decimal digits. The bits above the number are zeros where it is written.
func (n SmallInt) codec(t dtype.Type) codec {
	low, high := 0, 1<<n.Bits-1
	if n.Signed {
		low, high = -1<<(n.Bits-1), 1<<(n.Bits-1)-1
	}
	return codec{
		format: func(dst, item []byte) ([]byte, error) {
			return strconv.AppendInt(dst, int64(n.Value(item[0])), 10), nil
		},
		parse: func(item []byte, text string) error {
			x, err := strconv.Atoi(text)
			if err == nil && (x < low || x > high) {
				err = scalar.ErrRange
			}
			if err != nil {
				return Refuse(t, text, err)
			}
			item[0] = uint8(x) & (1<<n.Bits - 1)
			return nil
		},
	}
}
