package record_test

import (
	"testing"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/scalar"
)

type row struct {
	ID    int32
	Value float64
	N     int16
}

type wideRow struct {
	ID    int64
	Value float64
	N     int32
}

// A timedRow has types of package scalar.
type timedRow struct {
	T     scalar.Datetime64 `npy:",M8[us]"`
	Value scalar.Float16
	N     int16
}

const benchRows = 10_000_000

func parse(t testing.TB, text string) dtype.Type {
	t.Helper()
	d, err := dtype.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// The memory layouts of ten million records, of 14 bytes packed and 24 aligned. MB/s count the bytes of the records.
func BenchmarkRecords(b *testing.B) {
	packed := parse(b, "[('ID', '<i4'), ('Value', '<f8'), ('N', '<i2')]")
	swapped := packed.WithByteOrder(dtype.BigEndian)
	aligned, err := record.AlignedDType[row]()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("copy", func(b *testing.B) {
		dst, src := make([]byte, benchRows*14), make([]byte, benchRows*14)
		b.SetBytes(benchRows * 14)
		for b.Loop() {
			copy(dst, src)
		}
	})
	decode[row](b, "packed", packed)
	decode[row](b, "swapped", swapped)
	decode[row](b, "same layout", aligned)
	decode[wideRow](b, "widened", packed)
	timed := parse(b, "[('T', '<M8[us]'), ('Value', '<f2'), ('N', '<i2')]")
	decode[timedRow](b, "times", timed)
	decode[timedRow](b, "swapped times", timed.WithByteOrder(dtype.BigEndian))
	encode[timedRow](b, "times", timed)
	encode[row](b, "packed", packed)
}

func decode[T any](b *testing.B, name string, d dtype.Type) {
	b.Run("decode "+name, func(b *testing.B) {
		p, err := record.Compile[T](d)
		if err != nil {
			b.Fatal(err)
		}
		dst, src := make([]T, benchRows), make([]byte, benchRows*d.ItemSize())
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			if err := p.Decode(dst, src); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func encode[T any](b *testing.B, name string, d dtype.Type) {
	b.Run("encode "+name, func(b *testing.B) {
		p, err := record.Compile[T](d)
		if err != nil {
			b.Fatal(err)
		}
		src, dst := make([]T, benchRows), make([]byte, benchRows*d.ItemSize())
		b.SetBytes(int64(len(dst)))
		for b.Loop() {
			if err := p.Encode(dst, src); err != nil {
				b.Fatal(err)
			}
		}
	})
}
