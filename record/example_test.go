package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/scalar"
)

// Outer is the element type of the nested example: an array, and a nested struct.
type Outer struct {
	Outer  [3]int32 `npy:"outer,<i4"`
	Outer2 struct {
		Inner  [10]int32 `npy:"inner,<i4"`
		Inner2 float64   `npy:"inner2,<f8"`
	} `npy:"outer2"`
}

// A Go struct is written as NumPy's bytes, and read back.
func Example() {
	const path = "../testdata/numpy-2.3.5/seed-nested.npy"
	data, shape, err := record.Load[Outer](path)
	if err != nil {
		panic(err)
	}
	fmt.Println(shape, data[1].Outer, data[1].Outer2.Inner2)

	var out bytes.Buffer
	if err := record.SaveTo(&out, data); err != nil {
		panic(err)
	}
	numpy, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	fmt.Println(bytes.Equal(out.Bytes(), numpy))
	// Output:
	// [2] [4 5 6] 6.28
	// true
}

type Quake struct {
	Time  time.Time `npy:"time,<M8[us]"`
	Lat   float64   `npy:"lat,<f8"`
	Lon   float64   `npy:"lon,<f8"`
	Mag   float32   `npy:"mag,<f4"`
	Place string    `npy:"place,<U12"`
}

func ExampleSave() {
	dir, err := os.MkdirTemp("", "record")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "quakes.npy")

	quakes := []Quake{
		{time.Date(1960, 5, 22, 19, 11, 14, 0, time.UTC), -38.14, -73.41, 9.5, "Valdivia"},
		{time.Date(2011, 3, 11, 5, 46, 24, 0, time.UTC), 38.3, 142.37, 9.1, "Tōhoku"},
	}
	if err := record.Save(path, quakes); err != nil {
		panic(err)
	}
	a, err := npy.ReadFile(path)
	if err != nil {
		panic(err)
	}
	fmt.Println(a.DType())

	quakes[1].Place = "Tōhoku, Japan"
	fmt.Println(record.SaveTo(&bytes.Buffer{}, quakes))
	// Output:
	// [('time', '<M8[us]'), ('lat', '<f8'), ('lon', '<f8'), ('mag', '<f4'), ('place', '<U12')]
	// record: field place (<U12) of record 1 and Go field Place (string): scalar: string of 13 code points does not fit U12
}

func ExampleLoad() {
	// The file has a field for every field of this struct, and others.
	type point struct {
		F float64
		I int64 // >i4 in the file: a wider Go type is allowed
	}
	data, shape, err := record.Load[point]("../testdata/numpy-2.3.5/rec-mixed.npy")
	fmt.Println(data, shape, err)

	type narrow struct{ F float32 }
	_, _, err = record.Load[narrow]("../testdata/numpy-2.3.5/rec-mixed.npy")
	fmt.Println(err)
	// Output:
	// [{2.5 1} {2.5 1}] [2] <nil>
	// load ../testdata/numpy-2.3.5/rec-mixed.npy: npy: dtype <f8 of field f and Go type float32 do not fit: values could change in Go field F; it can be float64 or complex128, or allow the change with Casting: npy.SameKindCasting
}

func ExampleLoadFrom() {
	file, err := os.ReadFile("../testdata/numpy-2.3.5/rec-mixed.npy")
	if err != nil {
		panic(err)
	}
	type number struct{ I int32 }
	_, _, err = record.Loader[number]{Strict: true, Array: npy.Decoder{MaxBytes: 1 << 20}}.LoadFrom(bytes.NewReader(file))
	fmt.Println(err)
	// Output:
	// npy: dtype <f8 of field f and Go type record_test.number do not fit: the Go struct has no field for it
}

func ExampleToSlice() {
	a, err := npy.ReadFile("../testdata/numpy-2.3.5/rec-2d-f.npy") // in Fortran order
	if err != nil {
		panic(err)
	}
	type pair struct {
		A int16   `npy:"a"`
		B float32 `npy:"b"`
	}
	column, err := a.Slice(npy.All(), npy.At(1))
	if err != nil {
		panic(err)
	}
	data, err := record.ToSlice[pair](column)
	fmt.Println(data, err)
	// Output:
	// [{3 4} {7 8}] <nil>
}

func ExampleField() {
	a, err := npy.ReadFile("../testdata/numpy-2.3.5/seed-nested.npy")
	if err != nil {
		panic(err)
	}
	v, err := record.Field[float64](a, "outer2.inner2")
	fmt.Println(v.ToSlice(), err)
	w, err := record.Field[int32](a, "outer")
	fmt.Println(w.Shape(), w.At(1, 2), err)
	// Output:
	// [3.14 6.28] <nil>
	// [2 3] 6 <nil>
}

func ExampleLoadField() {
	const file = "../testdata/numpy-2.3.5/seed-nested.npy"
	inner, shape, err := record.LoadField[float64](file, "outer2.inner2")
	fmt.Println(inner, shape, err)
	outer, _, err := record.LoadField[[3]int32](file, "outer") // a subarray
	fmt.Println(outer, err)
	// Output:
	// [3.14 6.28] [2] <nil>
	// [[1 2 3] [4 5 6]] <nil>
}

func ExampleDType() {
	packed, err := record.DType[Quake]()
	fmt.Println(packed.ItemSize(), err)
	type row struct {
		ID    int32   `npy:"id,<i4"`
		Value float64 `npy:"value,<f8"`
		N     int16   `npy:"n,<i2"`
	}
	packed, _ = record.DType[row]()
	aligned, _ := record.AlignedDType[row]()
	fmt.Println(packed)
	fmt.Println(aligned)
	// Output:
	// 76 <nil>
	// [('id', '<i4'), ('value', '<f8'), ('n', '<i2')]
	// [('id', '<i4'), ('', '|V4'), ('value', '<f8'), ('n', '<i2'), ('', '|V6')]
}

// A slice of structs becomes an array, and so does each of its fields.
func ExampleFromSlice() {
	type point struct {
		X int16 `npy:"x,<i2"`
		Y int16 `npy:"y,<i2"`
	}
	a, err := record.FromSlice([]point{{1, 2}, {3, 4}})
	if err != nil {
		panic(err)
	}
	y, err := a.Field("y")
	fmt.Println(a.DType(), y, err)
	// Output:
	// [('x', '<i2'), ('y', '<i2')] [2 4] <nil>
}

// The tag gives the step of a time, whatever the step of the file.
func ExampleToSlice_ticks() {
	type row struct {
		Time scalar.Datetime64 `npy:"time,M8[ns]"`
	}
	seconds, err := dtype.Parse("[('time', '<M8[s]')]")
	if err != nil {
		panic(err)
	}
	a, err := record.FromSliceAs(seconds, []struct {
		T scalar.Datetime64 `npy:"time,M8[s]"`
	}{{scalar.Datetime64{Ticks: 1_700_000_000}}})
	if err != nil {
		panic(err)
	}
	rows, err := record.ToSlice[row](a)
	fmt.Println(rows[0].Time, err)
	_, err = record.FromSliceAs(seconds, rows) // which cannot be written as seconds
	var wrong *npy.TypeError
	fmt.Println(errors.As(err, &wrong))
	// Output:
	// 1700000000000000000 <nil>
	// true
}

// The dtype may differ from the struct's, for example if another program expects it.
func ExampleFromSliceAs() {
	type point struct{ X, Y int16 }
	t, err := dtype.Parse("[('y', '>i2'), ('x', '<i2')]")
	if err != nil {
		panic(err)
	}
	a, err := record.FromSliceAs(t, []point{{1, 2}, {3, 4}})
	fmt.Println(a, err)
	// Output:
	// y  x
	// 2  1
	// 4  3 <nil>
}

func ExampleViewOf() {
	type point struct{ X, Y int16 }
	a, err := record.FromSlice([]point{{1, 2}, {3, 4}})
	if err != nil {
		panic(err)
	}
	points, err := record.ViewOf[point](a)
	if errors.Is(err, errors.ErrUnsupported) { // another memory layout, or built with the tag purego: copy
		points, err = record.ToSlice[point](a)
	}
	fmt.Println(points, err)
	// Output:
	// [{1 2} {3 4}] <nil>
}

func ExampleCompile() {
	t, err := dtype.Parse("[('x', '>i2'), ('y', '<f4')]")
	if err != nil {
		panic(err)
	}
	type point struct {
		X int16
		Y float32
	}
	plan, err := record.Compile[point](t)
	if err != nil {
		panic(err)
	}
	points := make([]point, 2) // reused for one block of a stream after the other
	err = plan.Decode(points, []byte{0, 1, 0, 0, 0x80, 0x3f, 0, 2, 0, 0, 0, 0x40})
	fmt.Println(points, err)
	// Output:
	// [{1 1} {2 2}] <nil>
}

// A Go array stands for the last axes of an array.
func ExampleLoadFrom_arrays() {
	var file bytes.Buffer
	if err := npy.SaveTo(&file, []float32{0, 0, 0, 1, 2, 2}, 2, 3); err != nil {
		log.Fatal(err)
	}
	points, shape, err := record.LoadFrom[[3]float32](&file)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range points {
		fmt.Println(p[0], p[1], p[2])
	}
	fmt.Println(shape)
	// Output:
	// 0 0 0
	// 1 2 2
	// [2]
}
