package hdf5

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/nd"
)

// maxMessage is the size of the longest message of an object header: its size has 16 bits and is a multiple of 8.
const maxMessage = 1<<16 - 8

// The tags of opaque types that stand for types of NumPy begin with these. h5py has the first.
const (
	tagNumPy    = "NUMPY:"
	tagMLDtypes = "ml_dtypes:"
)

// datatypeHead returns the head of a datatype message. bits are 24 bits whose meaning the class decides.
func datatypeHead(version, class int, bits uint32, size int) []byte {
	b := []byte{byte(version<<4 | class), byte(bits), byte(bits >> 8), byte(bits >> 16)}
	return binary.LittleEndian.AppendUint32(b, uint32(size))
}

// integerType returns the datatype of integers.
func integerType(size int, signed, big bool) []byte {
	var bits uint32
	if big {
		bits |= 1
	}
	if signed {
		bits |= 8
	}
	b := datatypeHead(1, classInt, bits, size)
	b = binary.LittleEndian.AppendUint16(b, 0)
	return binary.LittleEndian.AppendUint16(b, uint16(8*size))
}

// A floatForm says what the bits of a float mean. The mantissa begins at bit 0, the exponent follows it.
type floatForm struct {
	size, precision    int
	exponent, mantissa int // bits
	bias               uint32
	explicit           bool // the highest bit of the mantissa is stored
}

// floatForms are the floats by the names of their dtypes. The long double is that of x87, as in h5py on x86.
var floatForms = map[string]floatForm{
	"float16":     {size: 2, precision: 16, exponent: 5, mantissa: 10, bias: 15},
	"float32":     {size: 4, precision: 32, exponent: 8, mantissa: 23, bias: 127},
	"float64":     {size: 8, precision: 64, exponent: 11, mantissa: 52, bias: 1023},
	"float96":     {size: 12, precision: 80, exponent: 15, mantissa: 64, bias: 16383, explicit: true},
	"float128":    {size: 16, precision: 80, exponent: 15, mantissa: 64, bias: 16383, explicit: true},
	"bfloat16":    {size: 2, precision: 16, exponent: 8, mantissa: 7, bias: 127},
	"float8_e5m2": {size: 1, precision: 8, exponent: 5, mantissa: 2, bias: 15},
	"float8_e4m3": {size: 1, precision: 8, exponent: 4, mantissa: 3, bias: 7},
	"float8_e3m4": {size: 1, precision: 8, exponent: 3, mantissa: 4, bias: 3},
}

// floatType returns the datatype of floats.
func floatType(f floatForm, big bool) []byte {
	sign := f.exponent + f.mantissa
	bits := uint32(sign) << 8
	if big {
		bits |= 1
	}
	if !f.explicit {
		bits |= 0x20 // the highest bit is implied
	}
	b := datatypeHead(1, classFloat, bits, f.size)
	b = binary.LittleEndian.AppendUint16(b, 0)
	b = binary.LittleEndian.AppendUint16(b, uint16(f.precision))
	b = append(b, byte(f.mantissa), byte(f.exponent), 0, byte(f.mantissa))
	return binary.LittleEndian.AppendUint32(b, f.bias)
}

// fixedStringType returns the datatype of bytes that are padded with NULs.
func fixedStringType(size int) []byte { return datatypeHead(1, classString, 1, size) }

// utf8Charset is the bit of a datatype of strings of a fixed size in UTF-8.
const utf8Charset = 1 << 4

// terminated returns the form of strings of a fixed size with another kind of padding: they end with a NUL, or with their
// size.
func (f *form) terminated() *form {
	t := *f
	t.message = datatypeHead(1, classString, 0, f.size)
	return &t
}

// variableStringType returns the datatype of strings of any length, which lie in global heaps.
func variableStringType(utf8 bool) []byte {
	bits := uint32(1)
	if utf8 {
		bits |= 1 << 8
	}
	return append(datatypeHead(1, classVlen, bits, heapReference), integerType(1, false, false)...)
}

// opaqueType returns the datatype of bytes that only a tag gives a meaning.
func opaqueType(size int, tag string) []byte {
	text := paddedName(tag)
	if tag == "" {
		text = nil
	}
	return append(datatypeHead(1, classOpaque, uint32(len(text)), size), text...)
}

// addressSize is the size of addresses in the files that are written, and of references to objects.
const addressSize = 8

// referenceType returns the datatype of references to objects.
func referenceType() []byte { return datatypeHead(1, classReference, 0, addressSize) }

// sequenceType returns the datatype of sequences of any length.
func sequenceType(element []byte) []byte {
	return append(datatypeHead(1, classVlen, 0, heapReference), element...)
}

// enumType returns the datatype of integers of a dtype with names.
func enumType(base []byte, t dtype.Type, members []container.EnumMember) []byte {
	b := append(datatypeHead(1, classEnum, uint32(len(members)), t.ItemSize()), base...)
	for _, m := range members {
		b = append(b, paddedName(m.Name)...)
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

// checkEnum returns an error unless integers of a dtype can have these names in HDF5: each name and each value once.
func checkEnum(t dtype.Type, members []container.EnumMember) error {
	if k := t.Kind(); k != dtype.KindInt && k != dtype.KindUint {
		return fmt.Errorf("elements of dtype %s have no names", t)
	}
	if len(members) > math.MaxUint16 {
		return fmt.Errorf("%d names, and the limit of HDF5 is %d", len(members), math.MaxUint16)
	}
	names, values := map[string]bool{}, map[int64]bool{}
	size := 8 * t.ItemSize()
	for _, m := range members {
		least, most := int64(-1)<<(size-1), int64(1)<<(size-1)-1
		if t.Kind() == dtype.KindUint && size < 64 {
			least, most = 0, int64(1)<<size-1
		}
		switch {
		case m.Name == "" || strings.Contains(m.Name, "\x00") || names[m.Name]:
			return fmt.Errorf("the name %q is empty, or is there twice", m.Name)
		case m.Value < least || m.Value > most || values[m.Value]:
			return fmt.Errorf("the value of %s is out of the range of dtype %s, or is there twice", m.Name, t)
		}
		names[m.Name], values[m.Value] = true, true
	}
	return nil
}

// boolType returns the enum that h5py has for bool.
func boolType() []byte {
	b := append(datatypeHead(1, classEnum, 2, 1), integerType(1, true, false)...)
	b = append(append(b, paddedName("FALSE")...), paddedName("TRUE")...)
	return append(b, 0, 1)
}

// complexType returns the compound that h5py has for complex numbers.
func complexType(f floatForm, big bool) []byte {
	part := floatType(f, big)
	return compoundType(2*f.size, []memberType{{"r", 0, part}, {"i", f.size, part}})
}

// A memberType is a member of a compound.
type memberType struct {
	name   string
	offset int
	form   []byte
}

// compoundType returns the datatype of structs, in the first version of the message that can hold the members: version 1
// has no arrays.
func compoundType(size int, members []memberType) []byte {
	version := 1
	for _, m := range members {
		version = max(version, int(m.form[0]>>4))
	}
	b := datatypeHead(version, classCompound, uint32(len(members)), size)
	for _, m := range members {
		b = append(b, paddedName(m.name)...)
		b = binary.LittleEndian.AppendUint32(b, uint32(m.offset))
		if version == 1 {
			b = append(b, make([]byte, 28)...) // no dimensions
		}
		b = append(b, m.form...)
	}
	return b
}

// arrayType returns the datatype of subarrays.
func arrayType(element []byte, shape []int) []byte {
	size := int(binary.LittleEndian.Uint32(element[4:]))
	b := datatypeHead(2, classArray, 0, nd.Size(shape)*size)
	b = append(b, byte(len(shape)), 0, 0, 0)
	for _, n := range shape {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	b = append(b, make([]byte, 4*len(shape))...) // permutations of the axes, which no library reads
	return append(b, element...)
}

// paddedName returns a name with at least one NUL, and a multiple of 8 bytes.
func paddedName(name string) []byte {
	b := make([]byte, alignedSize(int64(len(name))+1))
	copy(b, name)
	return b
}

// plainType returns the datatype of a dtype without fields, subarrays, text and objects.
func plainType(t dtype.Type) ([]byte, error) {
	big := t.ByteOrder() == dtype.BigEndian
	size := t.ItemSize()
	if f, ok := floatForms[t.Name()]; ok && (t.Kind() == dtype.KindFloat || t.Kind() == dtype.KindVoid) {
		return floatType(f, big), nil
	}
	switch t.Kind() {
	case dtype.KindBool:
		return boolType(), nil
	case dtype.KindInt, dtype.KindUint:
		return integerType(size, t.Kind() == dtype.KindInt, big), nil
	case dtype.KindComplex:
		return complexType(complexPart(size/2), big), nil
	case dtype.KindBytes:
		return fixedStringType(max(size, 1)), nil
	case dtype.KindDatetime, dtype.KindTimedelta:
		return opaqueType(size, tagNumPy+t.Descr()), nil
	case dtype.KindVoid:
		if size == 0 {
			return nil, fmt.Errorf("hdf5: elements of dtype %s have no bytes, which HDF5 cannot hold: %w", t, errors.ErrUnsupported)
		}
		tag := ""
		if name := t.Name(); isMLName(t) {
			tag = tagMLDtypes + name
		}
		return opaqueType(size, tag), nil
	}
	return nil, fmt.Errorf("hdf5: dtype %s has no counterpart in HDF5: %w", t, errors.ErrUnsupported)
}

// complexPart returns the form of the floats that complex numbers consist of.
func complexPart(size int) floatForm {
	for _, name := range []string{"float16", "float32", "float64", "float96", "float128"} {
		if f := floatForms[name]; f.size == size {
			return f
		}
	}
	panic(fmt.Sprintf("hdf5: complex numbers of two floats of %d bytes", size)) // dtype has none
}

// isMLName reports whether a void dtype is a type of the ml_dtypes package, which has a name.
func isMLName(t dtype.Type) bool { return !strings.HasPrefix(t.Name(), "void") }
