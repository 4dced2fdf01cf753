package dtype_test

import (
	"testing"

	"github.com/npygo/npy/dtype"
)

func BenchmarkParse(b *testing.B) {
	for _, text := range []string{"<f8", "<M8[25s]", "longdouble", "i4,(2,2)>f4"} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := dtype.Parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkParseDescr(b *testing.B) {
	for name, text := range map[string]string{
		"plain":      "'<f8'",
		"struct":     "[('time', '<M8[us]'), ('', '|V4'), ('lat', '<f8'), ('lon', '<f8'), ('wave', '>i2', (3, 500))]",
		"1000fields": manyFields(1000),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := dtype.ParseDescr(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDescr(b *testing.B) {
	t := mustParse(b, "[('time', '<M8[us]'), ('', '|V4'), ('lat', '<f8'), ('lon', '<f8'), ('wave', '>i2', (3, 500))]")
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = t.AppendDescr(buf[:0])
	}
}
