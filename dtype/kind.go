package dtype

import "encoding/binary"

// A Kind is NumPy's dtype.kind: one letter for the meaning of an element's bytes.
type Kind byte

// The kinds NumPy stores.
const (
	KindBool      Kind = 'b' // one byte, any nonzero value is true
	KindInt       Kind = 'i' // signed integer of 1, 2, 4 or 8 bytes
	KindUint      Kind = 'u' // unsigned integer of 1, 2, 4 or 8 bytes
	KindFloat     Kind = 'f' // float of 2, 4 or 8 bytes, long double of 12 or 16, float8_e5m2 of 1
	KindComplex   Kind = 'c' // two floats of the same size
	KindBytes     Kind = 'S' // bytes padded with NULs at the end
	KindStr       Kind = 'U' // UCS-4 code points padded with NULs at the end
	KindVoid      Kind = 'V' // raw bytes, structs and subarrays, and named types such as bfloat16
	KindDatetime  Kind = 'M' // int64 ticks since 1970-01-01T00:00
	KindTimedelta Kind = 'm' // int64 ticks
	KindObject    Kind = 'O' // Python objects, stored as a pickle
)

var kinds = [...]Kind{KindBool, KindInt, KindUint, KindFloat, KindComplex, KindBytes, KindStr, KindVoid, KindDatetime, KindTimedelta, KindObject}

// String returns the word for the kind: "int", "bytes", "void".
func (k Kind) String() string {
	switch k {
	case KindBool:
		return "bool"
	case KindInt:
		return "int"
	case KindUint:
		return "uint"
	case KindFloat:
		return "float"
	case KindComplex:
		return "complex"
	case KindBytes:
		return "bytes"
	case KindStr:
		return "str"
	case KindVoid:
		return "void"
	case KindDatetime:
		return "datetime"
	case KindTimedelta:
		return "timedelta"
	case KindObject:
		return "object"
	}
	return "Kind(" + string(rune(k)) + ")"
}

// A ByteOrder is the order character at the start of a descr.
type ByteOrder byte

// The byte orders of a file. NumPy's "=" (native) is resolved when a dtype is parsed.
const (
	LittleEndian ByteOrder = '<'
	BigEndian    ByteOrder = '>'
	NoByteOrder  ByteOrder = '|' // bytes, void, objects, and every type of one byte
)

// NativeEndian is the byte order of the machine this program runs on.
var NativeEndian = nativeEndian()

func nativeEndian() ByteOrder {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return LittleEndian
	}
	return BigEndian
}

// String returns the order character: "<", ">" or "|".
func (o ByteOrder) String() string { return string(rune(o)) }
