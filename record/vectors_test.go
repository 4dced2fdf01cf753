package record_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/scalar"
)

// checkVector reads a file of both NumPy generations in every way and writes it back, byte for byte.
func checkVector[T any](t *testing.T, name string, first T) {
	t.Helper()
	for _, dir := range []string{"../testdata/numpy-1.24.2", "../testdata/numpy-2.3.5", "../testdata/numpy-2.5.2"} {
		path := filepath.Join(dir, name)
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data, shape, err := record.Load[T](path)
		if err != nil {
			t.Errorf("Load %s: %v", path, err)
			continue
		}
		if !reflect.DeepEqual(data[0], first) {
			t.Errorf("Load %s: got %+v, want %+v", path, data[0], first)
		}
		again, _, err := record.Loader[T]{Strict: true}.LoadFrom(bytes.NewReader(file))
		if err != nil || !reflect.DeepEqual(again, data) {
			t.Errorf("Read %s: got %+v, %v, want %+v", path, again, err, data)
		}
		a, err := npy.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := record.ViewOf[T](a); err == nil && !reflect.DeepEqual(v, data) {
			t.Errorf("ViewOf %s: got %+v, want %+v", path, v, data)
		}
		b, err := record.FromSliceAs(a.DType(), data, shape...)
		if err != nil {
			t.Errorf("FromSliceAs %s: %v", path, err)
			continue
		}
		if !bytes.Equal(noPadding(t, b), noPadding(t, a)) {
			t.Errorf("%s: written as\n% x, want\n% x", path, b.Bytes(), a.Bytes())
		}
	}
}

// noPadding returns the bytes of the fields alone: padding written by NumPy is arbitrary.
func noPadding(t *testing.T, a *npy.Array) []byte {
	t.Helper()
	if !a.DType().IsStruct() {
		return a.Bytes()
	}
	var all []byte
	for _, f := range a.DType().Fields() {
		b, err := a.Field(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, noPadding(t, b)...)
	}
	return all
}

func TestVectors(t *testing.T) {
	nested := Outer{Outer: [3]int32{1, 2, 3}}
	nested.Outer2.Inner = [10]int32{10, 11, 12, 13, 14, 15, 16, 17, 18, 19}
	nested.Outer2.Inner2 = 3.14
	checkVector(t, "seed-nested.npy", nested)

	type mixed struct {
		I int32     `npy:"i"`
		F float64   `npy:"f"`
		S []byte    `npy:"s"`
		U string    `npy:"u"`
		B bool      `npy:"b"`
		T time.Time `npy:"t"`
	}
	checkVector(t, "rec-mixed.npy", mixed{1, 2.5, []byte("ab"), "é", true, time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, 18295-18262)})

	type aligned struct {
		A int8
		B float64
		C int16
	}
	checkVector(t, "rec-aligned.npy", aligned{1, 2, 3})
	checkVector(t, "rec-offsets.npy", struct {
		B int16 `npy:"b"`
		A int32 `npy:"a"`
	}{8, 7})
	checkVector(t, "rec-titles.npy", struct {
		X int32 `npy:"Title of a"`
		B int32 `npy:"b"`
	}{1, 2})
	checkVector(t, "rec-unicode-v1.npy", struct {
		É int32
	}{1})
	checkVector(t, "rec-unicode-v3.npy", struct {
		A int32 `npy:"整"`
		X int32 `npy:"x"`
	}{1, 2})
	type inner struct {
		Y [2]uint16 `npy:"y"`
		Z float32   `npy:"z"`
	}
	checkVector(t, "rec-subarray-nested.npy", struct {
		X [2][3]inner
		W [2][]byte
	}{W: [2][]byte{{}, {}}})
	checkVector(t, "rec-2d-f.npy", struct {
		A int16
		B float32
	}{1, 2})
}

func TestTimesAndNamedTypes(t *testing.T) {
	type Celsius float64
	type Name string
	type Base struct {
		ID   int32  `npy:"id"`
		Skip string `npy:"-"`
	}
	type sample struct {
		Base
		At      time.Time      `npy:"at,M8[ms]"`
		Took    time.Duration  `npy:"took,m8[ns]"`
		Nanos   time.Duration  `npy:"nanos"`
		Count   time.Duration  `npy:"count,i8"`
		Temp    [2]Celsius     `npy:"temp,>f8,title=Temperature"`
		Name    Name           `npy:"'a,b',U4"`
		Grid    [2][3]float32  `npy:"grid,'(2,3)>f4'"`
		Half    scalar.Float16 `npy:",f2"`
		Raw     []byte         `npy:"raw,V2"`
		Long    scalar.LongDouble
		private int
	}
	want := []sample{{
		Base: Base{ID: 7}, At: time.UnixMilli(1234567890123).UTC(), Took: 5 * time.Second, Nanos: 9, Count: -9, Temp: [2]Celsius{1.5, -2},
		Name: "żó", Grid: [2][3]float32{{1, 2, 3}, {4, 5, 6}}, Half: scalar.Float16{Bits: 0x3c00}, Raw: []byte{0, 1}, Long: scalar.LongDoubleFromFloat64(3),
	}, {Base: Base{ID: 8}, At: time.Unix(0, 0).UTC(), Raw: []byte{2, 3}}}
	var out bytes.Buffer
	if err := record.SaveTo(&out, want, 2, 1); err != nil {
		t.Fatal(err)
	}
	got, shape, err := record.Loader[sample]{Strict: true}.LoadFrom(&out)
	if err != nil || !reflect.DeepEqual(got, want) || len(shape) != 2 {
		t.Errorf("read back %+v, shape %v, %v, want %+v", got, shape, err, want)
	}
	_ = want[0].private
	d, err := record.DType[sample]()
	const descr = `[('id', '<i4'), ('at', '<M8[ms]'), ('took', '<m8[ns]'), ('nanos', '<m8[ns]'), ('count', '<i8'), (('Temperature', 'temp'), '>f8', (2,)), ('a,b', '<U4'), ('grid', '>f4', (2, 3)), ('Half', '<f2'), ('raw', '|V2'), ('Long', '<f16')]`
	if err != nil || d.Descr() != inNativeOrder(descr) {
		t.Errorf("DType: got %s, %v, want %s", d, err, descr)
	}
}

func TestViewOf(t *testing.T) {
	type pair struct {
		A int32
		B float32
	}
	data := []pair{{1, 2}, {3, 4}}
	a, err := record.FromSlice(data)
	if err != nil {
		t.Fatal(err)
	}
	v, err := record.ViewOf[pair](a)
	if errors.Is(err, errors.ErrUnsupported) {
		// Without unsafe there are no views.
		if d, err := record.ToSlice[pair](a); err != nil || !reflect.DeepEqual(d, data) {
			t.Errorf("Of: %v, %v", d, err)
		}
		return
	}
	v[0].A = 9
	if data[0].A != 9 {
		t.Error("view and array of a struct without padding do not share memory")
	}
	type withBool struct {
		A bool
		B [7]uint8
	}
	b, err := record.FromSlice([]withBool{{}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := record.ViewOf[withBool](b); !errors.Is(err, errors.ErrUnsupported) {
		t.Error("a struct with a bool was viewed: bytes of a file are no bools")
	}
	type blank struct {
		A int32
		_ *int32
	}
	if _, err := record.ViewOf[blank](a); err == nil {
		t.Error("a struct with a pointer was viewed")
	}
	type skips struct {
		A int32
		b float32
	}
	if _, err := record.ViewOf[skips](a); err == nil {
		t.Error("a struct with a field that is not exported was viewed")
	}
	if s, err := record.ToSlice[skips](a); err != nil || s[1].A != 3 || s[1].b != 0 {
		t.Errorf("Of with a field that is not exported: %v, %v", s, err)
	}
}
