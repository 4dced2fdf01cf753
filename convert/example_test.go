package convert_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/pickle"
)

func ExampleWrite() {
	a, err := npy.FromSlice([]float64{1, 0.1, 1e-7, 2, 3.5, -4}, 2, 3)
	if err != nil {
		panic(err)
	}
	for _, f := range []convert.Format{convert.CSV, convert.JSON, convert.NDJSON} {
		fmt.Println(f)
		if err := convert.Write(context.Background(), os.Stdout, f, a, convert.WriteOptions{}); err != nil {
			panic(err)
		}
	}
	// Output:
	// csv
	// 1.0,0.1,1e-07
	// 2.0,3.5,-4.0
	// json
	// [[1.0,0.1,1e-07],
	//  [2.0,3.5,-4.0]]
	// ndjson
	// [1.0,0.1,1e-07]
	// [2.0,3.5,-4.0]
}

// Records become a table with a line of names, or objects.
func ExampleWrite_records() {
	t, err := dtype.Parse("[('id', '<i4'), ('pos', '<f4', (2,)), ('name', '<U12')]")
	if err != nil {
		panic(err)
	}
	text := `{"id": 1, "pos": [0.5, 2], "name": "north, upper"}` + "\n" + `{"id": 2, "pos": [1, "NaN"], "name": "south"}`
	a, _, err := convert.Read(context.Background(), strings.NewReader(text), convert.NDJSON, convert.ReadOptions{DType: t})
	if err != nil {
		panic(err)
	}
	for _, f := range []convert.Format{convert.CSV, convert.JSON} {
		if err := convert.Write(context.Background(), os.Stdout, f, a, convert.WriteOptions{}); err != nil {
			panic(err)
		}
	}
	// Output:
	// id,pos[0],pos[1],name
	// 1,0.5,2.0,"north, upper"
	// 2,1.0,nan,south
	// [{"id":1,"pos":[0.5,2.0],"name":"north, upper"},
	//  {"id":2,"pos":[1.0,"NaN"],"name":"south"}]
}

func ExampleRead() {
	text := "time,depth,station\n2024-05-01T12:00,3.5,ABC\n2024-05-01T12:10,,DE\n"
	a, report, err := convert.Read(context.Background(), strings.NewReader(text), convert.CSV, convert.ReadOptions{})
	if err != nil {
		panic(err)
	}
	depth, err := a.Field("depth")
	if err != nil {
		panic(err)
	}
	v, err := npy.As[float64](depth)
	if err != nil {
		panic(err)
	}
	fmt.Println(a.DType().Field(0).DType.Name(), v.ToSlice())
	fmt.Println(report.Header, report.Missing)
	// Output:
	// datetime64[m] [3.5 NaN]
	// true 1
}

// Errors in a text give the position.
func ExampleError() {
	_, _, err := convert.Read(context.Background(), strings.NewReader("1,2\n3,four\n"), convert.CSV, convert.ReadOptions{DType: dtype.Int16})
	fmt.Println(err)
	_, _, err = convert.Read(context.Background(), strings.NewReader("[[1, 2],\n [3]]"), convert.JSON, convert.ReadOptions{})
	fmt.Println(err)
	// Output:
	// line 2, column 2: "four" is not an int16
	// line 2, byte 10 ([1]): list of 1 item, want 2: all lists of an axis have the same length
}

func ExampleForFile() {
	f, ok := convert.ForFile("data/points.jsonl")
	fmt.Println(f, ok)
	// Output: ndjson true
}

// Python objects become JSON: dicts become objects, tuples become lists, and the result of a call becomes its name and
// parts.
func ExampleWrite_objects() {
	settings := &pickle.Dict{}
	if err := errors.Join(settings.Set("rate", 0.001), settings.Set("layers", &pickle.Tuple{Items: []any{int64(64), nil}})); err != nil {
		panic(err)
	}
	point := &pickle.Object{Class: &pickle.Global{Module: "shapes", Name: "Point"}, Args: &pickle.Tuple{Items: []any{1.5}}}
	a, err := npy.FromObjects([]any{settings, "text", point})
	if err != nil {
		panic(err)
	}
	if err := convert.Write(context.Background(), os.Stdout, convert.NDJSON, a, convert.WriteOptions{}); err != nil {
		panic(err)
	}
	// Output:
	// {"rate":0.001,"layers":[64,null]}
	// "text"
	// {"class":"shapes.Point","args":[1.5]}
}

// convert.WriteObject writes a Python object as JSON.
func ExampleWriteObject() {
	settings := new(pickle.Dict)
	if err := settings.Set("rate", 0.5); err != nil {
		panic(err)
	}
	if err := settings.Set("axes", &pickle.Tuple{Items: []any{int64(0), int64(1)}}); err != nil {
		panic(err)
	}
	if err := convert.WriteObject(context.Background(), os.Stdout, settings, convert.WriteOptions{}); err != nil {
		panic(err)
	}
	// Output:
	// {"rate":0.5,"axes":[0,1]}
}

// Some columns of a table, which is read faster for it.
func ExampleReadOptions_fields() {
	const csv = "place,mag,depth\nKobe,5.5,12\nLima,4.0,33\n"
	a, _, err := convert.Read(context.Background(), strings.NewReader(csv), convert.CSV, convert.ReadOptions{
		Fields: func(names []string) []string {
			return slices.DeleteFunc(names, func(name string) bool { return name == "depth" })
		},
	})
	if err != nil {
		panic(err)
	}
	for _, f := range a.DType().Fields() {
		fmt.Println(f.Name, f.DType.Name())
	}
	// Output:
	// place str128
	// mag float64
}
