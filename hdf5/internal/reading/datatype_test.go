package reading

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
)

// typeMessage builds a datatype message: the class with its version, 24 bits, the size and the properties.
func typeMessage(version, class, flags, size int, properties ...[]byte) []byte {
	b := []byte{byte(version<<4 | class), byte(flags), byte(flags >> 8), byte(flags >> 16)}
	b = binary.LittleEndian.AppendUint32(b, uint32(size))
	return append(b, slices.Concat(properties...)...)
}

func numberOf(offset, bits int) []byte {
	return binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(nil, uint16(offset)), uint16(bits))
}

func floatOf(big, sign, size, exp, expBits, mantBits, bias int) []byte {
	properties := append(numberOf(0, 8*size), byte(exp), byte(expBits), 0, byte(mantBits))
	return typeMessage(1, structure.ClassFloat, sign<<8|0x20|big, size, properties, binary.LittleEndian.AppendUint32(nil, uint32(bias)))
}

// Datatypes that h5py 3.7 does not write, from HDF5 2, from other machines and from damaged files.
func TestDatatypes(t *testing.T) {
	f := &File{File: &structure.File{Input: &storage.Input{Size: 1 << 20, OffsetSize: 8, LengthSize: 8}}}
	f4, f8 := floatOf(0, 31, 4, 23, 8, 23, 127), floatOf(1, 63, 8, 52, 11, 52, 1023)
	f2 := floatOf(0, 15, 2, 10, 5, 10, 15)
	member := func(name string, offset int, t []byte) []byte { // of a compound of version 3
		return slices.Concat([]byte(name+"\x00"), []byte{byte(offset)}, t)
	}
	i2 := typeMessage(1, structure.ClassInt, 8, 2, numberOf(0, 16))
	for _, tt := range []struct {
		name, why string
		message   []byte
		descr     string
		note      string // "" for none
	}{
		{"complex", "class 11 of HDF5 2", typeMessage(5, structure.ClassComplex, 1, 8, f4), "<c8", ""},
		{"big-endian complex", "class 11 of HDF5 2", typeMessage(5, structure.ClassComplex, 1, 16, f8), ">c16", ""},
		{"complex of halves", "complex32 of ml_dtypes", typeMessage(5, structure.ClassComplex, 1, 4, f2), "<c4", ""},
		{"bfloat16", "a class 1 float of HDF5 2", floatOf(0, 15, 2, 7, 8, 7, 127), "<V2", ""},
		{"float8_e4m3", "a class 1 float of HDF5 2", floatOf(0, 7, 1, 3, 4, 3, 7), "<V1", ""},
		{"VAX float", "", typeMessage(1, structure.ClassFloat, 0x41|0x20|31<<8, 4, f4[8:]), "|V4", "VAX"},
		{"int128", "", typeMessage(1, structure.ClassInt, 8, 16, numberOf(0, 128)), "|V16", "128 bits"},
		{"shifted int", "", typeMessage(1, structure.ClassInt, 0, 4, numberOf(4, 12)), "<u4", "12 bits from bit 4"},
		{"bits outside", "a damaged file", typeMessage(1, structure.ClassInt, 0, 2, numberOf(12, 12)), "|V2", "12 bits from bit 12"},
		{"time", "class 2", typeMessage(1, structure.ClassTime, 0, 4, []byte{32, 0}), "|V4", "time"},
		{"compound without order", "members by their offsets", typeMessage(3, structure.ClassCompound, 2, 6, member("b", 4, i2), member("a", 0, f4)), "[('a', '<f4'), ('b', '<i2')]", ""},
		{"complex of MATLAB", "", typeMessage(3, structure.ClassCompound, 2, 8, member("real", 0, f4), member("imag", 4, f4)), "<c8", ""},
		{"complex in the other order", "the names say nothing then", typeMessage(3, structure.ClassCompound, 2, 8, member("i", 0, f4), member("r", 4, f4)), "[('i', '<f4'), ('r', '<f4')]", ""},
		{"tag of a datetime", "h5py", typeMessage(1, structure.ClassOpaque, 16, 8, []byte("NUMPY:<M8[25s]\x00\x00")), "<M8[25s]", ""},
		{"tag of another size", "", typeMessage(1, structure.ClassOpaque, 16, 4, []byte("NUMPY:<M8[25s]\x00\x00")), "|V4", "opaque"},
		{"revised reference", "HDF5 1.12", typeMessage(4, structure.ClassReference, 2, 18), "|V18", "reference of type 2"},
	} {
		x, err := structure.ReadDatatype(&storage.Cursor{In: f.Input, What: "datatype message", Data: tt.message})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		c, err := codingOf(x, f)
		if err != nil || c.DType.Descr() != tt.descr || (tt.note == "") != (len(c.notes) == 0) || !strings.Contains(strings.Join(c.notes, " "), tt.note) {
			t.Errorf("%s: dtype %s with notes %q, error %v, want %s, %q", tt.name, c.DType, c.notes, err, tt.descr, tt.note)
			continue
		}
		if a, err := c.Array(context.Background(), f.Reading(), bytes.Repeat([]byte{1}, 3*c.size), []int{3}); err != nil || a.Len() != 3 {
			t.Errorf("%s: error %v", tt.name, err)
		}
	}
	for name, message := range map[string][]byte{
		"no bytes":           typeMessage(1, structure.ClassInt, 0, 0, numberOf(0, 0)),
		"version 9":          typeMessage(9, structure.ClassInt, 0, 2, numberOf(0, 16)),
		"class 12":           typeMessage(1, 12, 0, 2),
		"member outside":     typeMessage(3, structure.ClassCompound, 1, 3, member("a", 0, f4)),
		"array of 2**40":     typeMessage(3, structure.ClassArray, 0, 4, []byte{2, 0, 0, 16, 0, 0, 0, 16, 0}, i2),
		"enum over a float":  typeMessage(3, structure.ClassEnum, 0, 4, f4),
		"half a message":     i2[:9],
		"types within types": bytes.Repeat(typeMessage(1, structure.ClassVlen, 0, 16), 1000),
	} {
		if x, err := structure.ReadDatatype(&storage.Cursor{In: f.Input, What: "datatype message", Data: message}); err == nil {
			t.Errorf("%s: %+v, want an error", name, x)
		}
	}
}

// Integers of every width and place have the value that their bits say.
func TestOddIntegers(t *testing.T) {
	for size := 1; size <= 8; size++ {
		for _, big := range []bool{false, true} {
			for _, x := range []int64{0, 1, -1, 5, -7, 100, -128} {
				for offset := range 3 {
					bits := 8*size - offset
					if bits < 8 && (x < -16 || x > 15) {
						continue
					}
					b := binary.LittleEndian.AppendUint64(nil, uint64(x)<<offset|(1<<offset-1))[:size]
					if big {
						slices.Reverse(b)
					}
					d := &structure.Datatype{Class: structure.ClassInt, Size: size, Big: big, Signed: true, Offset: offset, Bits: bits}
					c := intCoding(d)
					a, err := c.Array(context.Background(), nil, b, nil)
					if err != nil {
						t.Fatal(err)
					}
					if got := fmt.Sprint(a); got != fmt.Sprint(x) {
						t.Errorf("%d in %d bits from bit %d of %d bytes is read as %s", x, bits, offset, size, got)
					}
				}
			}
		}
	}
}
