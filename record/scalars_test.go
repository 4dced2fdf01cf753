package record_test

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/scalar"
)

// Fields of the types of ml_dtypes are void in a file, and are read as the type of the struct's field. bfloat16 is
// little-endian on every machine.
func TestTypesThatFilesDoNotName(t *testing.T) {
	type row struct {
		A [2]scalar.BFloat16
		B scalar.Float8E4M3FN
		C scalar.Float4E2M1FN
		D scalar.Float8E5M2 `npy:"D,<f1"`
		E scalar.Float128   `npy:"E,<f16"`
	}
	want := []row{{A: [2]scalar.BFloat16{{Bits: 0x3f80}, {Bits: 0xc020}}, B: scalar.Float8E4M3FN{Bits: 0x38}, C: scalar.Float4E2M1FN{Bits: 7}, D: scalar.Float8E5M2{Bits: 0x3c}, E: scalar.Float128FromFloat64(-2.5)}, {B: scalar.Float8E4M3FN{Bits: 0x7f}}}
	a, err := record.FromSlice(want)
	if err != nil {
		t.Fatal(err)
	}
	const descr = "[('A', '<V2', (2,)), ('B', '<V1'), ('C', '<V1'), ('D', '<f1'), ('E', '<f16')]"
	if got := a.DType().Descr(); got != descr {
		t.Errorf("dtype %s, want %s", got, descr)
	}
	item := []byte{0x80, 0x3f, 0x20, 0xc0, 0x38, 7, 0x3c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0xc0}
	if got := a.Bytes()[:len(item)]; !bytes.Equal(got, item) {
		t.Errorf("a record is\n% x, want\n% x", got, item)
	}
	var out bytes.Buffer
	if err := record.SaveTo(&out, want); err != nil {
		t.Fatal(err)
	}
	got, _, err := record.Loader[row]{Strict: true}.LoadFrom(&out)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read back %v, %v, want %v", got, err, want)
	}
}

// A type that is defined by a type of package scalar is its dtype in a record, alone, in arrays and embedded. A struct of
// the program with the same fields is a record.
func TestNamedScalars(t *testing.T) {
	type (
		half    scalar.Float16
		brain   scalar.BFloat16
		nibble  scalar.Int4
		moment  scalar.Datetime64
		halves  scalar.Complex32
		quad    scalar.Float128
		long    scalar.LongDouble
		longs   scalar.LongComplex
		bits    struct{ Bits uint16 }
		pair    struct{ Hi, Lo uint64 }
		claimed struct { // a tag without the type
			Bits uint32 `dtype:"float16"`
		}
		row struct {
			scalar.Float16
			Half   [2]half
			Brain  brain
			Nibble nibble
			Moment moment `npy:",M8[us]"`
			Halves halves
			Quad   quad
			Long   long
			Longs  longs
			Bits   bits
			Pair   pair
			Claim  claimed
		}
	)
	// The bytes of Brain are the same in both orders, for void has none.
	want := []row{{Half: [2]half{{1}, {0x7c01}}, Brain: brain{0x0202}, Nibble: nibble{7}, Moment: moment{-5}, Halves: halves{Imag: scalar.Float16{Bits: 3}},
		Quad: quad{4, 5}, Long: long{Mantissa: 1 << 63, SignExp: 0x3fff}, Longs: longs{Imag: scalar.LongDouble{SignExp: 1}}, Bits: bits{6}, Pair: pair{7, 8}, Claim: claimed{9}}, {}}
	a, err := record.FromSlice(want)
	if err != nil {
		t.Fatal(err)
	}
	const descr = "[('Float16', '<f2'), ('Half', '<f2', (2,)), ('Brain', '<V2'), ('Nibble', '<V1'), ('Moment', '<M8[us]'), ('Halves', '<c4'), " +
		"('Quad', '<f16'), ('Long', '<f16'), ('Longs', '<c32'), ('Bits', [('Bits', '<u2')]), ('Pair', [('Hi', '<u8'), ('Lo', '<u8')]), ('Claim', [('Bits', '<u4')])]"
	if got := a.DType().WithByteOrder(dtype.LittleEndian).Descr(); got != descr {
		t.Errorf("dtype\n%s, want\n%s", got, descr)
	}
	for _, order := range []dtype.ByteOrder{dtype.LittleEndian, dtype.BigEndian} {
		b, err := a.AsType(a.DType().WithByteOrder(order))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := npy.Write(&out, b); err != nil {
			t.Fatal(err)
		}
		got, _, err := record.LoadFrom[row](&out)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %#v, %v, want %#v", order, got, err, want)
		}
	}
	var wrong *npy.TypeError
	if _, err := record.FromSlice([]struct {
		X half `npy:",u2"`
	}{}); !errors.As(err, &wrong) {
		t.Errorf("a float16 as uint16: %v, want a TypeError", err)
	}
}
