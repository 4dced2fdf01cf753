package npy_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/scalar"
)

func BenchmarkParseHeader(b *testing.B) {
	var buf bytes.Buffer
	if err := npy.Write(&buf, must(npy.FromSlice(make([]float64, 12), 3, 4))); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := format.ParseHeader(buf.Bytes()); err != nil {
			b.Fatal(err)
		}
	}
}

// The types of package scalar, a megabyte of each: read from both byte orders, and written to them.
func BenchmarkScalars(b *testing.B) {
	benchScalar[scalar.Float16](b, "float16", dtype.Float16)
	benchScalar[scalar.BFloat16](b, "bfloat16", parse("bfloat16"))
	benchScalar[scalar.Float8E4M3FN](b, "float8", parse("float8_e4m3fn"))
	benchScalar[scalar.Int4](b, "int4", parse("int4"))
	benchScalar[scalar.Datetime64](b, "datetime64", parse("M8[us]"))
	benchScalar[scalar.Complex32](b, "complex32", parse("complex32"))
}

func benchScalar[T npy.Element](b *testing.B, name string, t dtype.Type) {
	const size = 1 << 20
	for _, order := range []dtype.ByteOrder{dtype.LittleEndian, dtype.BigEndian} {
		t := t.WithByteOrder(order)
		a := must(npy.New(t, size/t.ItemSize()))
		b.Run(fmt.Sprintf("read %s %v", name, order), func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				must(npy.As[T](a)).ToSlice()
			}
		})
		values := must(npy.As[T](a)).ToSlice()
		b.Run(fmt.Sprintf("write %s %v", name, order), func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				must(npy.FromSliceAs(t, values))
			}
		})
	}
}
