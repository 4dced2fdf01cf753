package record

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

// A generator makes a dtype and a Go type for it.
type generator struct{ *rand.Rand }

var leaves = []struct {
	descr string
	goFor reflect.Type
}{
	{"|b1", reflect.TypeFor[bool]()}, {"|i1", reflect.TypeFor[int8]()}, {"|u1", reflect.TypeFor[uint8]()},
	{"<i2", reflect.TypeFor[int16]()}, {">i2", reflect.TypeFor[int16]()}, {"<u2", reflect.TypeFor[uint16]()},
	{"<i4", reflect.TypeFor[int32]()}, {">u4", reflect.TypeFor[uint32]()}, {"<i8", reflect.TypeFor[int64]()},
	{">i8", reflect.TypeFor[int64]()}, {">u8", reflect.TypeFor[uint64]()}, {"<f4", reflect.TypeFor[float32]()},
	{">f4", reflect.TypeFor[float32]()}, {"<f8", reflect.TypeFor[float64]()}, {">f8", reflect.TypeFor[float64]()},
	{"<c8", reflect.TypeFor[complex64]()}, {">c8", reflect.TypeFor[complex64]()}, {">c16", reflect.TypeFor[complex128]()},
	{"<f2", reflect.TypeFor[scalar.Float16]()}, {">f2", reflect.TypeFor[scalar.Float16]()},
	{"<f16", reflect.TypeFor[scalar.LongDouble]()}, {"<c32", reflect.TypeFor[scalar.LongComplex]()},
	{"<M8[us]", reflect.TypeFor[scalar.Datetime64]()}, {">m8[D]", reflect.TypeFor[scalar.Timedelta64]()},
	{"|V3", reflect.TypeFor[[]byte]()}, {"<c4", reflect.TypeFor[scalar.Complex32]()},
}

func (g generator) pair(t *testing.T, depth int) (dtype.Type, reflect.Type) {
	switch k := g.IntN(6); {
	case k == 0 && depth > 0:
		d, r := g.pair(t, depth-1)
		var shape []int
		for range 1 + g.IntN(3) {
			shape = append(shape, g.IntN(4))
		}
		for i := range shape {
			r = reflect.ArrayOf(shape[len(shape)-1-i], r)
		}
		sub, err := dtype.Subarray(d, shape...)
		if err != nil {
			t.Fatal(err)
		}
		return sub, r
	case k == 1 && depth > 0:
		return g.structs(t, depth-1)
	}
	l := leaves[g.IntN(len(leaves))]
	d, err := dtype.Parse(l.descr)
	if err != nil {
		t.Fatal(err)
	}
	return d, l.goFor
}

func (g generator) structs(t *testing.T, depth int) (dtype.Type, reflect.Type) {
	var fields []dtype.Field
	var goFields []reflect.StructField
	end := 0
	for i := range 1 + g.IntN(5) {
		d, r := g.pair(t, depth)
		if g.IntN(4) == 0 {
			end += g.IntN(5)
		}
		name := fmt.Sprintf("F%d", i)
		fields = append(fields, dtype.Field{Name: name, DType: d, Offset: end})
		goFields = append(goFields, reflect.StructField{Name: name, Type: r})
		end += d.ItemSize()
	}
	g.Shuffle(len(goFields), func(i, j int) { goFields[i], goFields[j] = goFields[j], goFields[i] })
	d, err := dtype.Struct(end+g.IntN(2)*3, fields...)
	if err != nil {
		t.Fatal(err)
	}
	return d, reflect.StructOf(goFields)
}

// clean changes bytes so that they survive a round trip: bools become 0 or 1, and padding zero.
func clean(d dtype.Type, item []byte) {
	switch {
	case d.IsStruct():
		end := 0
		for _, f := range d.Fields() {
			clear(item[end:f.Offset])
			end = f.Offset + f.DType.ItemSize()
			clean(f.DType, item[f.Offset:end])
		}
		clear(item[end:])
	case d.IsSubarray():
		size := d.Elem().ItemSize()
		for i := 0; size > 0 && i < len(item); i += size {
			clean(d.Elem(), item[i:i+size])
		}
	case d.Kind() == dtype.KindBool:
		item[0] &= 1
	}
}

func TestRandomStructsRoundTrip(t *testing.T) {
	for seed := range uint64(400) {
		g := generator{rand.New(rand.NewPCG(seed, 1))}
		d, r := g.structs(t, 3)
		p, err := compile(r, d, policy{strict: true})
		if err != nil {
			t.Fatalf("seed %d: compile %v for %s: %v", seed, r, d, err)
		}
		if p.noStore != nil {
			t.Fatalf("seed %d: %v", seed, p.noStore)
		}
		p.block = 1 + g.IntN(7)
		n := g.IntN(30)
		records := make([]byte, n*p.size)
		for i := range records {
			records[i] = byte(g.Uint32())
		}
		for i := range n {
			clean(d, records[i*p.size:(i+1)*p.size])
		}
		roundTrip(t, seed, p, records, n)
	}
}

// roundTrip decodes and encodes, with the fast paths and without.
func roundTrip(t *testing.T, seed uint64, p *program, records []byte, n int) {
	t.Helper()
	slow := *p
	slow.leaves = append([]leaf(nil), p.leaves...)
	for i := range slow.leaves {
		slow.leaves[i].moves = nil
	}
	fast := reflect.MakeSlice(reflect.SliceOf(p.goType), n, n)
	plain := reflect.MakeSlice(reflect.SliceOf(p.goType), n, n)
	if err := p.decode(fast, records); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	if err := slow.decode(plain, records); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	for name, got := range map[string][]byte{
		"fast to fast":  encoded(t, p, fast),
		"fast to slow":  encoded(t, &slow, fast),
		"slow to fast":  encoded(t, p, plain),
		"slow to slow ": encoded(t, &slow, plain),
	} {
		if !bytes.Equal(got, records) {
			t.Fatalf("seed %d, %s, %v for %s:\ngot  % x\nwant % x", seed, name, p.goType, p.dtype, got, records)
		}
	}
}

func encoded(t *testing.T, p *program, s reflect.Value) []byte {
	t.Helper()
	out := bytes.Repeat([]byte{0xaa}, s.Len()*p.size)
	if err := p.encode(out, s); err != nil {
		t.Fatal(err)
	}
	return out
}

// Numbers that are widened in place equal the conversions of package npy.
func TestWideningAgainstNpy(t *testing.T) {
	for _, descr := range []string{"i1", "u1", ">i2", "<i2", ">u2", "<u2", ">i4", "<i4", ">u4", "<u4", ">f4", "<f4", "<f2", "?", "<i8"} {
		d, err := dtype.Parse(descr)
		if err != nil {
			t.Fatal(err)
		}
		sub, err := dtype.Subarray(d, 2, 3)
		if err != nil {
			t.Fatal(err)
		}
		full, err := dtype.Struct(-1, dtype.Field{Name: "A", DType: d, Offset: 1}, dtype.Field{Name: "B", DType: sub, Offset: 1 + d.ItemSize()})
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range npy.GoTypes(d) {
			r := reflect.StructOf([]reflect.StructField{{Name: "A", Type: g}, {Name: "B", Type: reflect.ArrayOf(2, reflect.ArrayOf(3, g))}})
			p, err := compile(r, full, policy{strict: true})
			if err != nil {
				t.Fatal(err)
			}
			slow := *p
			slow.leaves = append([]leaf(nil), p.leaves...)
			for i := range slow.leaves {
				slow.leaves[i].moves = nil
			}
			records := make([]byte, 50*p.size)
			for i := range records {
				records[i] = byte(i*151) & 0xbf // negative numbers too, but no NaN in either order
			}
			got, want := reflect.MakeSlice(reflect.SliceOf(r), 50, 50), reflect.MakeSlice(reflect.SliceOf(r), 50, 50)
			if err := p.decode(got, records); err != nil {
				t.Fatal(err)
			}
			if err := slow.decode(want, records); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.Interface(), want.Interface()) {
				t.Errorf("%s as %v:\ngot  %v\nwant %v", descr, g, got, want)
			}
		}
	}
}
