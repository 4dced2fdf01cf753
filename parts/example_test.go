package parts_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/parts"
	"github.com/npygo/npy/stats"
)

// Files that follow each other are read as one array. A manifest lists them.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for i := range 3 {
		name := filepath.Join(dir, fmt.Sprintf("day-%d.npy", i+9))
		if err := npy.Save(name, []float32{float32(i), float32(10 * i)}, 1, 2); err != nil {
			log.Fatal(err)
		}
	}

	paths := []string{"day-10.npy", "day-11.npy", "day-9.npy"}
	parts.Sort(paths)
	ctx := context.Background()
	m, err := parts.Scan(ctx, 0, paths, parts.Dir(dir, npy.Decoder{}))
	if err != nil {
		log.Fatal(err)
	}
	manifest := filepath.Join(dir, "days.npy.json")
	if err := m.WriteFile(manifest); err != nil {
		log.Fatal(err)
	}

	a, err := parts.OpenFile(manifest)
	if err != nil {
		log.Fatal(err)
	}
	defer a.Close()
	s, err := stats.Of(ctx, a)
	if err != nil {
		log.Fatal(err)
	}
	last, err := a.Select(npy.At(-1)) // opens one file
	if err != nil {
		log.Fatal(err)
	}
	row, err := last.ReadAll(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.Shape(), s[0].Count, row)
	// Output: [3 2] 6 [ 2. 20.]
}

// The order of numbers in names is numeric.
func ExampleSort() {
	paths := []string{"part-10.npy", "part-2.npy", "part-1.npy"}
	parts.Sort(paths)
	fmt.Println(paths)
	// Output: [part-1.npy part-2.npy part-10.npy]
}

// A part is opened by a function of the program: a file of a server, or here an array in memory.
func ExampleManifest_Open() {
	m := parts.Manifest{DType: dtype.Uint8, Shape: []int{4}, Parts: []parts.Part{{Path: "a", Rows: 2}, {Path: "b", Rows: 2}}}
	values := map[string][]uint8{"a": {1, 2}, "b": {3, 4}}
	array, err := m.Open(func(_ context.Context, p parts.Part) (npy.Source, io.Closer, error) {
		part, err := npy.FromSlice(values[p.Path])
		return part, nil, err
	})
	if err != nil {
		log.Fatal(err)
	}
	defer array.Close()
	all, err := array.ReadAll(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(all)
	// Output: [1 2 3 4]
}

// Zarr reads two files as one array by their references.
func ExampleReferences() {
	var refs parts.References
	h := format.Header{DType: dtype.Uint8, Shape: []int{2, 3}, DataOffset: 128}
	if err := refs.Add("", 0, parts.Stored{URL: "s3://b/0.npy", Header: h}, parts.Stored{URL: "s3://b/1.npy", Header: h}); err != nil {
		log.Fatal(err)
	}
	text, err := refs.Append(nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(text))
	// Output:
	// {
	// "version": 1,
	// "refs": {
	// ".zarray": "{\"zarr_format\": 2, \"shape\": [4, 3], \"chunks\": [2, 3], \"dtype\": \"|u1\", \"order\": \"C\", \"compressor\": null, \"filters\": null, \"fill_value\": null}",
	// "0.0": ["s3://b/0.npy", 128, 6],
	// "1.0": ["s3://b/1.npy", 128, 6]
	// }
	// }
}
