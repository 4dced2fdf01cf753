package structure

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/internal/nd"
)

// The tags of opaque types that stand for types of NumPy begin with these. h5py has the first.
const (
	TagNumPy    = "NUMPY:"
	TagMLDtypes = "ml_dtypes:"
)

// DatatypeHead returns the head of a datatype message. bits are 24 bits whose meaning the class decides.
func DatatypeHead(version, class int, bits uint32, size int) []byte {
	b := []byte{byte(version<<4 | class), byte(bits), byte(bits >> 8), byte(bits >> 16)}
	return binary.LittleEndian.AppendUint32(b, uint32(size))
}

// IntegerType returns the datatype of integers.
func IntegerType(size int, signed, big bool) []byte {
	var bits uint32
	if big {
		bits |= 1
	}
	if signed {
		bits |= 8
	}
	b := DatatypeHead(1, ClassInt, bits, size)
	b = binary.LittleEndian.AppendUint16(b, 0)
	return binary.LittleEndian.AppendUint16(b, uint16(8*size))
}

// A FloatForm describes the bits of a float. The mantissa begins at bit 0, the exponent follows it.
type FloatForm struct {
	Size, Precision    int
	Exponent, Mantissa int // bits
	Bias               uint32
	explicit           bool // the highest bit of the mantissa is stored
}

// FloatForms are the floats by the names of their dtypes. The long double is x87's, as in h5py on x86.
var FloatForms = map[string]FloatForm{
	"float16":     {Size: 2, Precision: 16, Exponent: 5, Mantissa: 10, Bias: 15},
	"float32":     {Size: 4, Precision: 32, Exponent: 8, Mantissa: 23, Bias: 127},
	"float64":     {Size: 8, Precision: 64, Exponent: 11, Mantissa: 52, Bias: 1023},
	"float96":     {Size: 12, Precision: 80, Exponent: 15, Mantissa: 64, Bias: 16383, explicit: true},
	"float128":    {Size: 16, Precision: 80, Exponent: 15, Mantissa: 64, Bias: 16383, explicit: true},
	"bfloat16":    {Size: 2, Precision: 16, Exponent: 8, Mantissa: 7, Bias: 127},
	"float8_e5m2": {Size: 1, Precision: 8, Exponent: 5, Mantissa: 2, Bias: 15},
	"float8_e4m3": {Size: 1, Precision: 8, Exponent: 4, Mantissa: 3, Bias: 7},
	"float8_e3m4": {Size: 1, Precision: 8, Exponent: 3, Mantissa: 4, Bias: 3},
}

// FloatType returns the datatype of floats.
func FloatType(f FloatForm, big bool) []byte {
	sign := f.Exponent + f.Mantissa
	bits := uint32(sign) << 8
	if big {
		bits |= 1
	}
	if !f.explicit {
		bits |= 0x20 // the highest bit is implied
	}
	b := DatatypeHead(1, ClassFloat, bits, f.Size)
	b = binary.LittleEndian.AppendUint16(b, 0)
	b = binary.LittleEndian.AppendUint16(b, uint16(f.Precision))
	b = append(b, byte(f.Mantissa), byte(f.Exponent), 0, byte(f.Mantissa))
	return binary.LittleEndian.AppendUint32(b, f.Bias)
}

// FixedStringType returns the datatype of bytes that are padded with NULs.
func FixedStringType(size int) []byte { return DatatypeHead(1, ClassString, 1, size) }

// UTF8Charset is the bit of a datatype of strings of a fixed size in UTF-8.
const UTF8Charset = 1 << 4

// VariableStringType returns the datatype of strings of any length, which lie in global heaps.
func VariableStringType(utf8 bool) []byte {
	bits := uint32(1)
	if utf8 {
		bits |= 1 << 8
	}
	return append(DatatypeHead(1, ClassVlen, bits, HeapReference), IntegerType(1, false, false)...)
}

// OpaqueType returns the datatype of bytes that only a tag gives a meaning.
func OpaqueType(size int, tag string) []byte {
	text := PaddedName(tag)
	if tag == "" {
		text = nil
	}
	return append(DatatypeHead(1, ClassOpaque, uint32(len(text)), size), text...)
}

// AddressSize is the size of addresses in the files that are written, and of references to objects.
const AddressSize = 8

// ReferenceType returns the datatype of references to objects.
func ReferenceType() []byte { return DatatypeHead(1, ClassReference, 0, AddressSize) }

// SequenceType returns the datatype of sequences of any length.
func SequenceType(element []byte) []byte {
	return append(DatatypeHead(1, ClassVlen, 0, HeapReference), element...)
}

// EnumType returns the datatype of integers of a dtype with names.
func EnumType(base []byte, t dtype.Type, members []container.EnumMember) []byte {
	b := append(DatatypeHead(1, ClassEnum, uint32(len(members)), t.ItemSize()), base...)
	for _, m := range members {
		b = append(b, PaddedName(m.Name)...)
	}
	for _, m := range members {
		value := binary.LittleEndian.AppendUint64(nil, uint64(m.Value))[:t.ItemSize()]
		if t.ByteOrder() == dtype.BigEndian {
			slices.Reverse(value)
		}
		b = append(b, value...)
	}
	return b
}

// BoolType returns the enum that h5py has for bool.
func BoolType() []byte {
	b := append(DatatypeHead(1, ClassEnum, 2, 1), IntegerType(1, true, false)...)
	b = append(append(b, PaddedName("FALSE")...), PaddedName("TRUE")...)
	return append(b, 0, 1)
}

// ComplexType returns the compound that h5py has for complex numbers.
func ComplexType(f FloatForm, big bool) []byte {
	part := FloatType(f, big)
	return CompoundType(2*f.Size, []MemberType{{"r", 0, part}, {"i", f.Size, part}})
}

// A MemberType is a member of a compound.
type MemberType struct {
	Name   string
	Offset int
	Form   []byte
}

// CompoundType returns the datatype of structs, in the first version of the message that can hold the members: version 1
// has no arrays.
func CompoundType(size int, members []MemberType) []byte {
	version := 1
	for _, m := range members {
		version = max(version, int(m.Form[0]>>4))
	}
	b := DatatypeHead(version, ClassCompound, uint32(len(members)), size)
	for _, m := range members {
		b = append(b, PaddedName(m.Name)...)
		b = binary.LittleEndian.AppendUint32(b, uint32(m.Offset))
		if version == 1 {
			b = append(b, make([]byte, 28)...) // no dimensions
		}
		b = append(b, m.Form...)
	}
	return b
}

// ArrayType returns the datatype of subarrays.
func ArrayType(element []byte, shape []int) []byte {
	size := int(binary.LittleEndian.Uint32(element[4:]))
	b := DatatypeHead(2, ClassArray, 0, nd.Size(shape)*size)
	b = append(b, byte(len(shape)), 0, 0, 0)
	for _, n := range shape {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	b = append(b, make([]byte, 4*len(shape))...) // permutations of the axes, which no library reads
	return append(b, element...)
}

// PaddedName returns a name with at least one NUL, and a multiple of 8 bytes.
func PaddedName(name string) []byte {
	b := make([]byte, storage.AlignedSize(int64(len(name))+1))
	copy(b, name)
	return b
}

// IsMLName reports whether a void dtype is a type of the ml_dtypes package, which has a name.
func IsMLName(t dtype.Type) bool { return !strings.HasPrefix(t.Name(), "void") }
