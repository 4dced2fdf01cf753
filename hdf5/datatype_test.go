package hdf5

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
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
	f := &file{File: &structure.File{Input: &storage.Input{Size: 1 << 20, OffsetSize: 8, LengthSize: 8}}}
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
		if err != nil || c.t.Descr() != tt.descr || (tt.note == "") != (len(c.notes) == 0) || !strings.Contains(strings.Join(c.notes, " "), tt.note) {
			t.Errorf("%s: dtype %s with notes %q, error %v, want %s, %q", tt.name, c.t, c.notes, err, tt.descr, tt.note)
			continue
		}
		if a, err := c.array(context.Background(), f.Reading(), bytes.Repeat([]byte{1}, 3*c.size), []int{3}); err != nil || a.Len() != 3 {
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
					a, err := c.array(context.Background(), nil, b, nil)
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

// The chunks that a selection touches have each of its elements once, at the place in the chunk where it is.
func FuzzSelection(f *testing.F) {
	f.Add(uint16(20), uint16(7), uint8(3), uint8(2), int8(3), int8(-2), uint8(1), uint8(0), uint8(19), uint8(7))
	f.Add(uint16(1), uint16(9), uint8(1), uint8(30), int8(1), int8(-9), uint8(0), uint8(0), uint8(1), uint8(9))
	f.Fuzz(func(t *testing.T, n0, n1 uint16, c0, c1 uint8, s0, s1 int8, a0, a1, b0, b1 uint8) {
		dims := []int{int(n0%300) + 1, int(n1%300) + 1}
		chunk := []int{int(c0) + 1, int(c1) + 1}
		index := func(n int, step int8, a, b uint8) npy.Index {
			if step == 0 {
				return npy.At(int(a) % n)
			}
			if step < 0 {
				return npy.Span(max(int(a), int(b))%n, min(int(a), int(b))%n).By(int(step))
			}
			return npy.Span(min(int(a), int(b)), max(int(a), int(b))).By(int(step))
		}
		const item = 2
		h := format.Header{DType: dtype.Uint16, Shape: dims}
		p, err := npy.PartOf(h, index(dims[0], s0, a0, b0), index(dims[1], s1, a1, b1))
		if err != nil {
			t.Fatal(err)
		}
		size := format.Header{DType: p.DType(), Shape: p.Shape()}.Size()
		if size == 0 {
			return
		}
		s := selectionOf(p, dims, chunk, item)
		counts := []int{s.axes[0].count(), s.axes[1].count()}
		strides, chunkStrides := make([]int, len(s.shape)), []int{chunk[1] * item, item}
		for i, step := len(strides)-1, item; i >= 0; i-- {
			strides[i], step = step, step*s.shape[i]
		}
		found := make([]int, size) // the number of the element in the dataset, plus 1
		x := inChunk{make([]int, 2), make([]int, 2), make([]int, 2)}
		for i := range counts[0] * counts[1] {
			s.touched(i, counts, &x)
			y := inChunk{slices.Clone(x.grid), make([]int, 2), make([]int, 2)}
			if !s.inGrid(&y) || !slices.Equal(x.low, y.low) || !slices.Equal(x.high, y.high) || s.ordinal(&x) != i {
				t.Fatalf("chunk %d of %+v is %+v and %+v, and number %d", i, s, x, y, s.ordinal(&x))
			}
			from, to := s.places(&x, chunkStrides, strides)
			walk(from.Shape, func(at []int) {
				a, b := from.Offset, to.Offset
				for k, v := range at {
					a, b = a+v*from.Strides[k], b+v*to.Strides[k]
				}
				row, col := x.grid[0]*chunk[0]+a/chunkStrides[0], x.grid[1]*chunk[1]+a%chunkStrides[0]/item
				if a < 0 || a >= chunk[0]*chunkStrides[0] || row >= dims[0] || col >= dims[1] || found[b/item] != 0 {
					t.Fatalf("an element at byte %d of chunk %v goes to byte %d", a, x.grid, b)
				}
				found[b/item] = row*dims[1] + col + 1
			})
		}
		i := 0
		walk(p.Shape(), func(at []int) {
			place := int(p.Offset())
			for k, v := range at {
				place += v * p.Strides()[k]
			}
			if found[i] != place/item+1 {
				t.Fatalf("element %v of the selection is number %d, want %d", at, found[i]-1, place/item)
			}
			i++
		})
	})
}

// walk visits all positions of a shape in C order.
func walk(shape []int, visit func(at []int)) {
	at := make([]int, len(shape))
	for {
		visit(at)
		i := len(shape) - 1
		for ; i >= 0; i-- {
			if at[i]++; at[i] < shape[i] {
				break
			}
			at[i] = 0
		}
		if i < 0 {
			return
		}
	}
}
