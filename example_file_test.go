package npy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/scalar"
	"github.com/npygo/npy/source"
)

// A file does not name the types of ml_dtypes: the Go type of the caller decides.
func ExampleLoad_int4() {
	dir, err := os.MkdirTemp("", "npy")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "weights.npy")
	if err := npy.Save(path, []scalar.Int4{{Bits: 0x7}, {Bits: 0xf}, {Bits: 0x8}}); err != nil {
		panic(err)
	}
	a, err := npy.ReadFile(path)
	if err != nil {
		panic(err)
	}
	weights, _, err := npy.Load[scalar.Int4](path)
	fmt.Println(a.DType(), weights, err)
	// Output: |V1 [7 -1 -8] <nil>
}

func ExampleLoad() {
	data, shape, err := npy.Load[int64]("testdata/numpy-2.3.5/order-f.npy") // int32 in Fortran order
	if err != nil {
		panic(err)
	}
	fmt.Println(data, shape)

	_, _, err = npy.Load[float32]("testdata/numpy-2.3.5/order-f.npy")
	var te *npy.TypeError
	fmt.Println(errors.As(err, &te), te)
	// Output:
	// [0 1 2 3 4 5 6 7 8 9 10 11] [3 4]
	// true npy: dtype <i4 and Go type float32 do not fit: values could change; ask for int32 or int64 or int or float64 or complex128, or allow the change with Casting: npy.SameKindCasting
}

// A service accepts arrays from untrusted clients, with a limit on their size.
func ExampleLoadFrom() {
	upload := bytes.NewReader(file12())
	_, _, err := npy.Loader[float64]{MaxBytes: 64}.LoadFrom(upload)
	fmt.Println(errors.Is(err, npy.ErrLimit), err)
	// Output:
	// true npy: 96 bytes of elements are over MaxBytes 64: limit exceeded
}

// file12 returns an .npy file of twelve float64.
func file12() []byte {
	a, err := npy.New(dtype.Float64, 3, 4)
	if err != nil {
		panic(err)
	}
	var buf bytes.Buffer
	if err := npy.Write(&buf, a); err != nil {
		panic(err)
	}
	return buf.Bytes()
}

func ExampleSave() {
	path := filepath.Join(os.TempDir(), "example-save.npy")
	defer os.Remove(path)
	if err := npy.Save(path, []float32{1, 2, 3, 4, 5, 6}, 2, 3); err != nil {
		panic(err)
	}
	a, err := npy.ReadFile(path)
	if err != nil {
		panic(err)
	}
	fmt.Println(a)
	// Output:
	// [[1. 2. 3.]
	//  [4. 5. 6.]]
}

func ExampleReadFile() {
	a, err := npy.ReadFile("testdata/numpy-2.3.5/seed-nested.npy")
	if err != nil {
		panic(err)
	}
	fmt.Println(a.DType(), a.Shape())
	pi, err := a.Slice(npy.Named("outer2"), npy.Named("inner2"))
	if err != nil {
		panic(err)
	}
	fmt.Println(pi)
	// Output:
	// [('outer', '<i4', (3,)), ('outer2', [('inner', '<i4', (10,)), ('inner2', '<f8')])] [2]
	// [3.14 6.28]
}

// Arrays are read one after another, until the end of the file.
func ExampleRead() {
	stream := bytes.NewReader(append(file12(), file12()...))
	for {
		a, err := npy.Read(stream)
		if err == io.EOF {
			break
		}
		if err != nil {
			panic(err)
		}
		fmt.Println(a.DType().Name(), a.Shape())
	}
	// Output:
	// float64 [3 4]
	// float64 [3 4]
}

func ExampleDecoder() {
	d := npy.Decoder{MaxHeader: 1 << 20, MaxBytes: 1 << 30}
	a, err := d.ReadFile("testdata/numpy-2.3.5/datetime-D.npy")
	if err != nil {
		panic(err)
	}
	fmt.Println(a)
	// Output:
	// ['1970-01-01' '1970-01-02' '1969-12-31' '2003-10-20'        'NaT']
}

func ExampleEncoder() {
	a, err := npy.FromSlice([]uint8{1, 2, 3})
	if err != nil {
		panic(err)
	}
	var buf bytes.Buffer
	if err := (npy.Encoder{Version: format.V3}).Write(&buf, a); err != nil {
		panic(err)
	}
	h, err := format.ReadHeader(&buf)
	if err != nil {
		panic(err)
	}
	fmt.Println(h.Version, h.DType, h.Shape, h.DataOffset)
	// Output:
	// 3.0 |u1 [3] 128
}

// Part of a file becomes a file of its own. It is never seen half-written.
func ExampleWriteFile() {
	a, err := npy.ReadFile("testdata/numpy-2.3.5/order-f.npy")
	if err != nil {
		panic(err)
	}
	part, err := a.Slice(npy.All(), npy.SpanFrom(2))
	if err != nil {
		panic(err)
	}
	path := filepath.Join(os.TempDir(), "example-writefile.npy")
	defer os.Remove(path)
	if err := npy.WriteFile(path, part); err != nil {
		panic(err)
	}
	data, shape, err := npy.Load[int32](path)
	fmt.Println(data, shape, err)
	// Output:
	// [2 3 6 7 10 11] [3 2] <nil>
}

// A program that reads one file after another reuses its memory.
func ExampleLoadInto() {
	var buf []int64
	for range 2 {
		data, shape, err := npy.LoadInto(buf, "testdata/numpy-2.3.5/order-f.npy")
		if err != nil {
			panic(err)
		}
		fmt.Println(data[:3], shape, "in the memory of before:", len(buf) > 0 && &data[0] == &buf[0])
		buf = data
	}
	// Output:
	// [0 1 2] [3 4] in the memory of before: false
	// [0 1 2] [3 4] in the memory of before: true
}

// A program leaves no partial file when it is interrupted.
func ExampleAbortWrites() {
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	go func() {
		<-interrupted
		npy.AbortWrites()
		os.Exit(130)
	}()
	if err := npy.Save("large.npy", make([]float64, 100_000_000)); err != nil {
		fmt.Println(err)
	}
}

// An array of any size is read from a stream in the memory of a few rows; of float32 here, as float64.
func ExampleRowReader() {
	a, err := npy.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		panic(err)
	}
	var stream bytes.Buffer // or os.Stdin, a response's Body, …
	if err := npy.Write(&stream, a); err != nil {
		panic(err)
	}

	r, err := npy.NewRowReader[float64](&stream)
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Shape(), r.RowLen())
	for row, err := range r.Rows() {
		if err != nil {
			panic(err)
		}
		fmt.Println(row)
	}
	// Output:
	// [2 3] 3
	// [1 2 3]
	// [4 5 6]
}

// A file can be written without a known number of rows.
func ExampleCreateRows() {
	dir, err := os.MkdirTemp("", "npy")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "samples.npy")

	w, err := npy.CreateRows[float32](path, npy.UnknownRows, 2)
	if err != nil {
		panic(err)
	}
	defer w.Abort() // does nothing once it is closed
	for i := range 3 {
		if err := w.Write([]float32{float32(i), float32(i * i)}); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	fmt.Println(npy.Load[float32](path))
	// Output: [0 0 1 1 2 4] [3 2] <nil>
}

// Arrays that follow each other are read as one.
func ExampleConcat() {
	monday, err := npy.FromSlice([]float64{1, 2, 3, 4}, 2, 2)
	if err != nil {
		log.Fatal(err)
	}
	tuesday, err := npy.FromSlice([]float64{5, 6}, 1, 2)
	if err != nil {
		log.Fatal(err)
	}
	week, err := npy.Concat(0, monday, tuesday)
	if err != nil {
		log.Fatal(err)
	}
	last, err := week.Select(npy.All(), npy.At(-1))
	if err != nil {
		log.Fatal(err)
	}
	column, err := last.ReadAll(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(week.Shape(), column)
	// Output: [3 2] [2. 4. 6.]
}

// A million files are one array in 8 bytes each: a part of it opens the files that it needs.
func ExampleConcatFunc() {
	const files, rows = 1_000_000, 100
	ends := make([]int, files)
	for i := range ends {
		ends[i] = (i + 1) * rows
	}
	all, err := npy.ConcatFunc(dtype.Float64, []int{files * rows}, 0, ends, func(i int) npy.Source {
		return source.Lazy(dtype.Float64, []int{rows}, func(context.Context) (npy.Source, func(), error) {
			fmt.Println("file", i)
			a, err := npy.FromSlice(make([]float64, rows))
			return a, nil, err
		})
	})
	if err != nil {
		log.Fatal(err)
	}
	part, err := all.Select(npy.Span(1098, 1102))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(part.ReadAll(context.Background()))
	// Output:
	// file 10
	// file 11
	// [0. 0. 0. 0.] <nil>
}
