package record_test

import (
	"testing"
	"time"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/scalar"
)

type fuzzNumbers struct {
	A int64
	B float64
	C complex128
}

type fuzzTexts struct {
	A string
	B []byte
	C bool
}

type fuzzNested struct {
	A [2]struct {
		B [3]int16
		C float32
	}
	T time.Time
	D time.Duration
}

type fuzzScalars struct {
	A scalar.Datetime64
	B scalar.LongDouble
	C scalar.Float16
}

// For any dtype and a few structs: nothing panics, a compiled plan decodes any bytes or returns an error, and records
// that can be encoded come back unchanged.
func FuzzCompile(f *testing.F) {
	for _, descr := range []string{
		"[('A', '<i4'), ('B', '>f4'), ('C', '<c8')]", "[('a', '<U3'), ('b', '|S2'), ('c', '|b1')]", "[('A', '<i8'), ('B', '<f8'), ('C', '<c16')]",
		"[('A', [('B', '<i2', (3,)), ('C', '>f4')], (2,)), ('T', '<M8[ms]'), ('D', '<m8[ns]')]",
		"[('A', '>M8[D]'), ('B', '<f16'), ('C', '<f2'), (('C2', 'D'), '|V5')]", "[('A', '|S0'), ('B', '|V0'), ('C', '|b1', (0,))]",
		"[('', '|V3'), ('A', '<f8'), ('B', '<f2'), ('C', '|u1')]", "[('A', '|O')]", "<f8", "[]",
	} {
		f.Add(descr, []byte{1, 2, 3, 0, 0, 0, 0xff})
	}
	f.Fuzz(func(t *testing.T, descr string, seed []byte) {
		d, err := dtype.Parse(descr)
		if err != nil {
			return
		}
		against[fuzzNumbers](t, d, seed)
		against[fuzzTexts](t, d, seed)
		against[fuzzNested](t, d, seed)
		against[fuzzScalars](t, d, seed)
	})
}

func against[T any](t *testing.T, d dtype.Type, seed []byte) {
	p, err := record.Compile[T](d)
	if err != nil || d.ItemSize() > 1<<16 {
		return
	}
	const n = 3
	src := make([]byte, n*d.ItemSize())
	for i := range src {
		if len(seed) > 0 {
			src[i] = seed[i%len(seed)]
		}
	}
	data := make([]T, n)
	if p.Decode(data, src) != nil {
		return
	}
	a, err := record.FromSliceAs(d, data)
	if err != nil {
		return
	}
	again, err := record.ToSlice[T](a)
	if err != nil {
		t.Fatalf("%s: what was written cannot be read: %v", d, err)
	}
	b, err := record.FromSliceAs(d, again)
	if err != nil {
		t.Fatalf("%s: what was read cannot be written: %v", d, err)
	}
	if got, want := noPadding(t, b), noPadding(t, a); string(got) != string(want) {
		t.Fatalf("%s: written again as % x, want % x", d, got, want)
	}
}
