package npy_test

import (
	"bytes"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
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
