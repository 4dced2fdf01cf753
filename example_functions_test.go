package npy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// grid returns the numbers from 0 to 11 in 3 rows and 4 columns.
func grid() *npy.Array {
	a, err := npy.FromSlice([]int8{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 3, 4)
	if err != nil {
		panic(err)
	}
	return a
}

// show prints the elements of a source as NumPy does.
func show(src npy.Source, err error) {
	if err != nil {
		panic(err)
	}
	a, err := src.ReadAll(context.Background())
	if err != nil {
		panic(err)
	}
	fmt.Println(a)
}

// inFile calls do with the path of a file that has an array.
func inFile(a *npy.Array, do func(path string)) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "a.npy")
	if err := npy.WriteFile(path, a); err != nil {
		panic(err)
	}
	do(path)
}

func ExampleAll() {
	show(grid().Select(npy.All(), npy.At(0)))        // a[:, 0]
	show(grid().Select(npy.At(0), npy.All().By(-1))) // a[0, ::-1]
	// Output:
	// [0 4 8]
	// [3 2 1 0]
}

func ExampleAt() {
	show(grid().Select(npy.At(1)))             // a[1]
	show(grid().Select(npy.At(-1), npy.At(2))) // a[-1, 2]
	// Output:
	// [4 5 6 7]
	// 10
}

func ExampleEllipsis() {
	show(grid().Select(npy.Ellipsis(), npy.At(-1))) // a[..., -1]
	// Output: [ 3  7 11]
}

func ExampleSpan() {
	show(grid().Select(npy.Span(1, 3), npy.Span(0, 4).By(2))) // a[1:3, 0:4:2]
	// Output:
	// [[ 4  6]
	//  [ 8 10]]
}

func ExampleSpanFrom() {
	show(grid().Select(npy.SpanFrom(-1))) // a[-1:]
	// Output: [[ 8  9 10 11]]
}

func ExampleSpanTo() {
	show(grid().Select(npy.At(0), npy.SpanTo(2))) // a[0, :2]
	// Output: [0 1]
}

func ExampleNamed() {
	t, err := dtype.Parse("[('lat', '<f4'), ('lon', '<f4')]")
	if err != nil {
		panic(err)
	}
	a, err := npy.New(t, 3)
	if err != nil {
		panic(err)
	}
	lon, err := a.Select(npy.Named("lon")) // a['lon']
	fmt.Println(lon.DType().Name(), lon.Shape(), err)
	// Output: float32 [3] <nil>
}

func ExampleDTypeOf() {
	fmt.Println(npy.DTypeOf[float32]().Name(), npy.DTypeOf[uint8]().Name(), npy.DTypeOf[complex64]().Name())
	// Output: float32 uint8 complex64
}

func ExampleParseCasting() {
	c, err := npy.ParseCasting("same_kind")
	fmt.Println(c == npy.SameKindCasting, err)
	// Output: true <nil>
}

func ExampleWrite() {
	var file bytes.Buffer
	if err := npy.Write(&file, grid()); err != nil {
		panic(err)
	}
	fmt.Println(file.Len(), "bytes")
	// Output: 140 bytes
}

func ExampleSaveTo() {
	var file bytes.Buffer
	if err := npy.SaveTo(&file, []int8{1, 2, 3, 4, 5, 6}, 2, 3); err != nil {
		panic(err)
	}
	data, shape, err := npy.LoadFrom[int8](&file)
	fmt.Println(data, shape, err)
	// Output: [1 2 3 4 5 6] [2 3] <nil>
}

func ExampleOpen() {
	inFile(grid(), func(path string) {
		f, err := npy.Open(path) // reads the header
		if err != nil {
			panic(err)
		}
		defer f.Close()
		fmt.Println(f.Shape(), f.DType().Name())
		show(f.Select(npy.At(1))) // reads one row
	})
	// Output:
	// [3 4] int8
	// [4 5 6 7]
}

// A header and elements that are in different places, such as two objects of a store, make an array.
func ExampleFileOf() {
	h := format.Header{DType: dtype.Uint8, Shape: []int{2, 2}}
	elements := bytes.NewReader([]byte{1, 2, 3, 4})
	f, err := npy.FileOf(h, elements, elements.Size())
	if err != nil {
		panic(err)
	}
	show(f, nil)
	// Output:
	// [[1 2]
	//  [3 4]]
}

func ExampleAppendRows() {
	inFile(grid(), func(path string) {
		a, err := npy.OpenAppend(path)
		if err != nil {
			panic(err)
		}
		if err := errors.Join(npy.AppendRows(a, []int8{12, 13, 14, 15}), a.Close()); err != nil {
			panic(err)
		}
		_, shape, err := npy.Load[int8](path)
		fmt.Println(shape, err)
	})
	// Output: [4 4] <nil>
}

// DataOf lets several goroutines read their own bytes of one array.
func ExampleDataOf() {
	inFile(grid(), func(path string) {
		f, err := npy.Open(path)
		if err != nil {
			panic(err)
		}
		defer f.Close()
		data, ok := npy.DataOf(f)
		if !ok {
			panic("the elements are not in C order")
		}
		row := make([]byte, 4)
		_, err = data.ReadAt(row, 2*4)
		fmt.Println(row, err)
	})
	// Output: [8 9 10 11] <nil>
}

func ExampleHeaderOf() {
	h := npy.HeaderOf(grid().Fortran())
	fmt.Println(h.Shape, h.FortranOrder, h.NBytes())
	// Output: [3 4] true 12
}

func ExampleStoredOrder() {
	stored, reversed := npy.StoredOrder(grid().Fortran())
	fmt.Println(stored.Shape(), reversed) // its C order is the order in memory
	// Output: [4 3] true
}

func ExampleRegionsOf() {
	r, err := npy.RegionsOf(context.Background(), grid())
	fmt.Println(r == nil, err) // an array in memory has no parts that are known to be constant
	// Output: true <nil>
}

func ExampleNewStream() {
	var pipe bytes.Buffer
	if err := npy.Write(&pipe, grid()); err != nil {
		panic(err)
	}
	h, err := format.ReadHeader(&pipe)
	if err != nil {
		panic(err)
	}
	s, err := npy.NewStream(h, &pipe)
	if err != nil {
		panic(err)
	}
	for block, err := range s.Blocks(context.Background(), 8) {
		fmt.Println(block.Shape(), err)
	}
	// Output:
	// [2 4] <nil>
	// [1 4] <nil>
}

func ExampleIsOnePass() {
	var pipe bytes.Buffer
	if err := npy.Write(&pipe, grid()); err != nil {
		panic(err)
	}
	h, err := format.ReadHeader(&pipe)
	if err != nil {
		panic(err)
	}
	s, err := npy.NewStream(h, &pipe)
	fmt.Println(npy.IsOnePass(s), npy.IsOnePass(grid()), err)
	// Output: true false <nil>
}

func ExampleRereadable() {
	var pipe bytes.Buffer
	if err := npy.Write(&pipe, grid()); err != nil {
		panic(err)
	}
	h, err := format.ReadHeader(&pipe)
	if err != nil {
		panic(err)
	}
	s, err := npy.NewStream(h, &pipe)
	if err != nil {
		panic(err)
	}
	src, err := npy.Rereadable(context.Background(), s)
	if err != nil {
		panic(err)
	}
	show(src.Select(npy.At(2)))
	show(src.Select(npy.At(0)))
	// Output:
	// [ 8  9 10 11]
	// [0 1 2 3]
}

func ExampleNewRowReader() {
	var file bytes.Buffer
	if err := npy.Write(&file, grid()); err != nil {
		panic(err)
	}
	r, err := npy.NewRowReader[int](&file)
	if err != nil {
		panic(err)
	}
	row := make([]int, r.RowLen())
	for {
		if _, err := r.Next(row); err == io.EOF {
			break
		} else if err != nil {
			panic(err)
		}
		fmt.Println(row)
	}
	// Output:
	// [0 1 2 3]
	// [4 5 6 7]
	// [8 9 10 11]
}

func ExampleNewColumnReader() {
	var file bytes.Buffer
	if err := npy.Write(&file, grid().Fortran()); err != nil {
		panic(err)
	}
	r, err := npy.NewColumnReader[int](&file)
	if err != nil {
		panic(err)
	}
	column := make([]int, r.RowLen())
	_, err = r.Next(column)
	fmt.Println(r.Shape(), column, err)
	// Output: [4 3] [0 4 8] <nil>
}

func ExampleNewRowWriter() {
	var file bytes.Buffer
	w, err := npy.NewRowWriter[int8](&file, 2, 3) // 2 rows of 3 elements
	if err != nil {
		panic(err)
	}
	err = errors.Join(w.Write([]int8{1, 2, 3}), w.Write([]int8{4, 5, 6}), w.Close())
	if err != nil {
		panic(err)
	}
	data, shape, err := npy.LoadFrom[int8](&file)
	fmt.Println(data, shape, err)
	// Output: [1 2 3 4 5 6] [2 3] <nil>
}
