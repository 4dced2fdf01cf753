package npy_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/scalar"
)

func ExampleNew() {
	a, err := npy.New(dtype.Float32, 2, 3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.DType().Name(), a.Shape(), a.Strides(), a.NBytes())
	// Output: float32 [2 3] [12 4] 24
}

func ExampleFromSlice() {
	a, err := npy.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		log.Fatal(err)
	}
	words, err := npy.FromSlice([]string{"one", "three"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.DType().Name(), a.Shape())
	fmt.Println(words.DType().Chars(), words.Shape())
	// Output:
	// float64 [2 3]
	// 5 [2]
}

func ExampleFromSliceAs() {
	days := dtype.Datetime64(dtype.Step{Num: 1, Unit: dtype.Day}).WithByteOrder(dtype.LittleEndian)
	a, err := npy.FromSliceAs(days, scalar.Datetime64s(0, 18262))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.DType(), a.Shape())

	_, err = npy.FromSliceAs(dtype.Bytes(2), [][]byte{[]byte("abc")})
	fmt.Println(err)
	// Output:
	// <M8[D] [2]
	// npy: element 0: 3 bytes are too long for dtype |S2
}

// NumPy writes bfloat16 as void of two bytes.
func ExampleDecoder_as() {
	file := []byte("\x93NUMPY\x01\x00\x3c\x00{'descr': '<V2', 'fortran_order': False, 'shape': (2,), }  \n\xc0\x3f\x00\xc0")
	bfloat16, err := dtype.Parse("bfloat16")
	if err != nil {
		log.Fatal(err)
	}
	data, _, err := npy.Loader[float32]{VoidAs: bfloat16}.LoadFrom(bytes.NewReader(file))
	fmt.Println(data, err)
	// Output: [1.5 -2] <nil>
}

func ExampleFromBytes() {
	packet := []byte{0, 1, 0, 2, 1, 0} // three big-endian numbers of 16 bits
	t, err := dtype.Parse(">u2")
	if err != nil {
		log.Fatal(err)
	}
	a, err := npy.FromBytes(t, packet, 3)
	if err != nil {
		log.Fatal(err)
	}
	v, err := npy.As[uint16](a)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v.ToSlice())
	// Output: [1 2 256]
}

// A sliding window over a signal, without a copy: each row starts one sample later.
func ExampleFromStrides() {
	samples := []byte{1, 2, 3, 4, 5}
	a, err := npy.FromStrides(dtype.Uint8, samples, 0, []int{3, 3}, []int{1, 1})
	if err != nil {
		log.Fatal(err)
	}
	v, err := npy.As[uint8](a)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range v.Rows() {
		fmt.Println(row.ToSlice())
	}
	// Output:
	// [1 2 3]
	// [2 3 4]
	// [3 4 5]
}

func ExampleAs() {
	a, err := npy.FromSlice([]int32{1, 2, 3, 4}, 2, 2)
	if err != nil {
		log.Fatal(err)
	}
	v, err := npy.As[float64](a) // every int32 is a float64
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v.At(1, 0))

	_, err = npy.As[int16](a) // not every int32 is an int16
	var te *npy.TypeError
	fmt.Println(errors.As(err, &te))
	// Output:
	// 3
	// true
}

func ExampleView_At() {
	a, err := npy.FromSlice([]int64{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		log.Fatal(err)
	}
	v, err := npy.As[int64](a.T())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v.Shape(), v.At(2, 0), v.At(0, 1))
	// Output: [3 2] 3 4
}

func ExampleView_Rows() {
	a, err := npy.FromSlice([]int64{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		log.Fatal(err)
	}
	v, err := npy.As[int64](a)
	if err != nil {
		log.Fatal(err)
	}
	for i, row := range v.Rows() {
		fmt.Println(i, row.ToSlice())
	}
	// Output:
	// 0 [1 2 3]
	// 1 [4 5 6]
}

func ExampleView_Values() {
	a, err := npy.FromSlice([]float32{1, 2, 3, 4}, 2, 2)
	if err != nil {
		log.Fatal(err)
	}
	v, err := npy.As[float32](a)
	if err != nil {
		log.Fatal(err)
	}
	sum := float32(0)
	for x := range v.Values() {
		sum += x
	}
	fmt.Println(sum)
	// Output: 10
}

func ExampleArray_Slice() {
	a, err := npy.FromSlice([]int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 3, 4)
	if err != nil {
		log.Fatal(err)
	}
	b, err := a.Slice(npy.At(-1), npy.All().By(-2)) // a[-1, ::-2]
	if err != nil {
		log.Fatal(err)
	}
	v, err := npy.As[int64](b)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v.ToSlice())
	// Output: [11 9]
}

func ExampleParseIndex() {
	a, err := npy.FromSlice([]int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 3, 4)
	if err != nil {
		log.Fatal(err)
	}
	index, err := npy.ParseIndex("1:, ..., ::3")
	if err != nil {
		log.Fatal(err)
	}
	b, err := a.Slice(index...)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(b.Shape(), b.Strides())
	// Output: [2 2] [32 24]
}

func ExampleArray_Field() {
	t, err := dtype.Parse("[('id', '<i4'), ('position', '<f8', (3,))]")
	if err != nil {
		log.Fatal(err)
	}
	a, err := npy.New(t, 10)
	if err != nil {
		log.Fatal(err)
	}
	p, err := a.Field("position")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.DType(), p.Shape(), p.Strides())

	_, err = a.Field("speed")
	fmt.Println(err)
	// Output:
	// <f8 [10 3] [28 8]
	// npy: no field "speed", want one of ["id" "position"]
}

func ExampleArray_Reshape() {
	a, err := npy.New(dtype.Int8, 4, 6)
	if err != nil {
		log.Fatal(err)
	}
	b, err := a.Reshape(2, -1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(b.Shape())

	_, err = a.Reshape(5, -1)
	fmt.Println(err)
	// Output:
	// [2 12]
	// npy: array of size 24 cannot be reshaped to (5, -1)
}

func ExampleArray_Transpose() {
	images, err := npy.New(dtype.Uint8, 10, 3, 480, 640) // channels before pixels
	if err != nil {
		log.Fatal(err)
	}
	a, err := images.Transpose(0, 2, 3, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.Shape(), a.IsC())
	// Output: [10 480 640 3] false
}

func ExampleArray_AsType() {
	a, err := npy.FromSlice([]float32{1.5, 2})
	if err != nil {
		log.Fatal(err)
	}
	t, err := dtype.Parse(">f8")
	if err != nil {
		log.Fatal(err)
	}
	b, err := a.AsType(t)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(b.DType(), b.Item(0))
	// Output: >f8 [63 248 0 0 0 0 0 0]
}

// A file with a type of ml_dtypes only has the item size of one byte. The caller knows the type.
func ExampleAs_void() {
	a, err := npy.FromBytes(dtype.Void(1), []byte{0x38, 0x40, 0x7e}, 3)
	if err != nil {
		panic(err)
	}
	v, err := npy.As[scalar.Float8E4M3FN](a)
	if err != nil {
		panic(err)
	}
	floats := make([]float32, v.Size())
	scalar.Float8sToFloat32s(floats, v.ToSlice())
	fmt.Println(npy.GoTypes(a.DType()), floats)
	// Output: [[]uint8] [1 2 448]
}

func ExampleGoTypes() {
	t, err := dtype.Parse("<f4")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(npy.GoTypes(t))
	fmt.Println(npy.GoTypes(dtype.Datetime64(dtype.Step{Num: 1, Unit: dtype.Second})))
	// Output:
	// [float32 float64 complex64 complex128]
	// [scalar.Datetime64]
}

// Values may be rounded by a casting of the same kind, but not lost.
func ExampleArray_Cast() {
	a, err := npy.FromSlice([]float64{0.1, 2.5, 1e40})
	if err != nil {
		log.Fatal(err)
	}
	_, err = a.Cast(dtype.Float32.WithByteOrder(dtype.LittleEndian), npy.SameKindCasting)
	fmt.Println(err)
	b, err := a.Cast(dtype.Int8, npy.UnsafeCasting)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(b)
	// Output:
	// npy: element 2: 1e+40 is out of the range of dtype <f4; unsafe casting allows it
	// [  0   2 127]
}

// An array is nested lists in JSON. Reading needs the dtype.
func ExampleArray_UnmarshalJSON() {
	a, err := npy.New(dtype.Float32, 0)
	if err != nil {
		log.Fatal(err)
	}
	if err := json.Unmarshal([]byte(`[[1, 2.5], [null, "Infinity"]]`), a); err != nil {
		log.Fatal(err)
	}
	data, err := json.Marshal(a)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.Shape(), string(data))
	// Output:
	// [2 2] [[1.0,2.5],["NaN","Infinity"]]
}

func ExampleElement() {
	type Celsius float64 // like float64 everywhere

	var file bytes.Buffer
	if err := npy.SaveTo(&file, []Celsius{19.5, 21, 22.5}); err != nil {
		log.Fatal(err)
	}
	temperatures, _, err := npy.LoadFrom[Celsius](&file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(temperatures, npy.DTypeOf[Celsius]().Name())
	// Output: [19.5 21 22.5] float64
}

func ExampleNumber() {
	fmt.Println(sum([]int8{100, 27}), sum([]complex64{1, 2i}))
	// Output: 127 (1+2i)
}

// sum is a function for the elements of any array of numbers.
func sum[T npy.Number](data []T) (total T) {
	for _, x := range data {
		total += x
	}
	return total
}

// Any Go value can be an element; package objects writes the values that Python has.
func ExampleFromObjects() {
	a, err := npy.FromObjects([]any{"Ada", 1815, nil, []int{1, 2}}, 2, 2)
	if err != nil {
		panic(err)
	}
	fmt.Println(a.DType(), a.Shape(), a.Object(0, 1), a.Object(1, 0))
	// Output:
	// |O [2 2] 1815 <nil>
}

func ExampleNewObjects() {
	person, err := dtype.Parse("[('id', '<i4'), ('name', 'O')]")
	if err != nil {
		panic(err)
	}
	a, err := npy.NewObjects(person, 2)
	if err != nil {
		panic(err)
	}
	names, err := a.Field("name")
	if err != nil {
		panic(err)
	}
	names.SetObject("Grace", 1)
	fmt.Println(names.Object(0), names.Object(1))
	// Output:
	// <nil> Grace
}

// A header and its elements may come from different places: a cache, a database, a mapping.
func ExampleFromHeader() {
	file, err := os.ReadFile("testdata/numpy-2.3.5/seed-nested.npy")
	if err != nil {
		panic(err)
	}
	r := bytes.NewReader(file)
	h, err := format.ReadHeader(r)
	if err != nil {
		panic(err)
	}
	a, err := npy.FromHeader(h, file[len(file)-r.Len():])
	if err != nil {
		panic(err)
	}
	outer, err := a.Field("outer")
	fmt.Println(outer, err)
	// Output:
	// [[1 2 3]
	//  [4 5 6]] <nil>
}

func ExampleArray_String() {
	a, _ := npy.FromSlice([]float64{1, 2.5, 1. / 3, 0}, 2, 2)
	fmt.Println(a)
	// Output:
	// [[1.         2.5       ]
	//  [0.33333333 0.        ]]
}

func ExamplePrinter() {
	squares := make([]int64, 10_000)
	for i := range squares {
		squares[i] = int64(i * i)
	}
	a, _ := npy.FromSlice(squares, 100, 100)
	p := npy.Printer{EdgeItems: 2}
	if err := p.Print(os.Stdout, a); err != nil {
		fmt.Println(err)
	}
	// Output:
	// [[       0        1 ...     9604     9801]
	//  [   10000    10201 ...    39204    39601]
	//  ...
	//  [96040000 96059601 ... 97970404 97990201]
	//  [98010000 98029801 ... 99960004 99980001]]
}

func ExamplePrinter_Print() {
	t, _ := dtype.Parse("[('name', '|S4'), ('at', [('x', '|i1'), ('y', '|i1')]), ('samples', '|u1', (3,))]")
	a, _ := npy.FromBytes(t, []byte("KIEV\x05\xf6\x01\x02\x03"+"OSL\x00\x0a\x14\x04\x05\x06"), 2)
	_ = npy.Printer{}.Print(os.Stdout, a)
	// Output:
	// name     at.x  at.y  samples
	// b'KIEV'     5   -10  [1 2 3]
	// b'OSL'     10    20  [4 5 6]
}

// A line before each block has its index, and marks highlight elements.
func ExamplePrinter_axes() {
	a, _ := npy.FromSlice([]float64{1, 2, math.NaN(), 4, 5, 6, 7, 8}, 2, 2, 2)
	p := npy.Printer{Axes: true, Mark: func(_ dtype.Type, item []byte) (before, behind string) {
		if math.IsNaN(math.Float64frombits(binary.NativeEndian.Uint64(item))) {
			return "<", ">"
		}
		return "", ""
	}}
	_ = p.Print(os.Stdout, a)
	// Output:
	// [0, :, :]
	// [[[ 1.  2.]
	//   [<nan>  4.]]
	//
	// [1, :, :]
	//  [[ 5.  6.]
	//   [ 7.  8.]]]
}

func ExamplePrinter_AppendRepr() {
	a, _ := npy.FromSlice([]float32{1. / 3, 2, 4.5}, 3)
	p := npy.Printer{Precision: 2}
	fmt.Println(string(p.AppendRepr(nil, a, 1<<10)))
	fmt.Println(string(p.AppendText(nil, a, "", 1<<10)))
	// Output:
	// array([0.33, 2.  , 4.5 ], dtype=float32)
	// [0.33, 2.  , 4.5 ]
}

func ExamplePrinter_Str() {
	a, _ := npy.FromSlice([]float64{0.5, 1e20}, 2)
	last, _ := a.Slice(npy.At(-1))
	fmt.Println(npy.Printer{}.Str(last))
	// Output:
	// 1e+20
}

var milliseconds = dtype.Step{Num: 1, Unit: dtype.Millisecond}

// saveMeasured writes a file of three times. The second is missing.
func saveMeasured() string {
	times := []time.Time{time.Date(2024, 1, 1, 12, 0, 0, 0, time.UTC), {}, time.Date(2024, 1, 1, 12, 0, 0, 5e6, time.UTC)}
	a, err := npy.FromTimes(dtype.Datetime64(milliseconds), times, []bool{true, false, true})
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "npy")
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(dir, "times.npy")
	if err := npy.WriteFile(path, a); err != nil {
		log.Fatal(err)
	}
	return path
}

func ExampleLoadTimes() {
	path := saveMeasured()
	defer os.RemoveAll(filepath.Dir(path))

	times, valid, shape, err := npy.LoadTimes(path)
	if err != nil {
		log.Fatal(err)
	}
	for i, t := range times {
		if valid[i] {
			fmt.Println(t)
		} else {
			fmt.Println("NaT")
		}
	}
	fmt.Println(shape)
	// Output:
	// 2024-01-01 12:00:00 +0000 UTC
	// NaT
	// 2024-01-01 12:00:00.005 +0000 UTC
	// [3]
}

// The file counts milliseconds. It becomes microseconds, and cannot become seconds.
func ExampleLoadTicks() {
	path := saveMeasured()
	defer os.RemoveAll(filepath.Dir(path))

	ticks, _, err := npy.LoadTicks[scalar.Datetime64](path, dtype.Step{Num: 1, Unit: dtype.Microsecond})
	fmt.Println(ticks[0], ticks[1].IsNaT(), ticks[2], err)
	_, _, err = npy.LoadTicks[scalar.Datetime64](path, dtype.Step{Num: 1, Unit: dtype.Second})
	fmt.Println(err != nil)
	// Output:
	// 1704110400000000 true 1704110400005000 <nil>
	// true
}

func ExampleLoadDurations() {
	dir, err := os.MkdirTemp("", "npy")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "laps.npy")
	a, err := npy.FromDurations(dtype.Timedelta64(milliseconds), []time.Duration{90 * time.Second, 91500 * time.Millisecond}, nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := npy.WriteFile(path, a); err != nil {
		log.Fatal(err)
	}
	durations, valid, _, err := npy.LoadDurations(path)
	fmt.Println(durations, valid, err)
	// Output: [1m30s 1m31.5s] [true true] <nil>
}

func ExampleFromTimes() {
	seconds := dtype.Datetime64(dtype.Step{Num: 1, Unit: dtype.Second})
	_, err := npy.FromTimes(seconds, []time.Time{time.Date(2024, 1, 1, 12, 0, 0, 5e6, time.UTC)}, nil)
	fmt.Println(err)
	// Output: npy: element 0: scalar: cannot convert time.Time 2024-01-01 12:00:00.005 +0000 UTC to datetime64[s]: value is not a whole number of ticks
}

func ExampleFromDurations() {
	a, err := npy.FromDurations(dtype.Timedelta64(milliseconds), []time.Duration{time.Second, 0}, []bool{true, false})
	fmt.Println(a, err)
	// Output: [ 1000 'NaT'] <nil>
}

func ExampleArray_ToTimes() {
	a, err := npy.FromSliceAs(dtype.Datetime64(milliseconds), scalar.Datetime64s(0, 1500))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.ToTimes())
	// Output: [1970-01-01 00:00:00 +0000 UTC 1970-01-01 00:00:01.5 +0000 UTC] [true true] <nil>
}

func ExampleArray_ToDurations() {
	a, err := npy.FromSliceAs(dtype.Timedelta64(milliseconds), scalar.Timedelta64s(1500, scalar.NaT))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.ToDurations())
	// Output: [1.5s 0s] [true false] <nil>
}

func ExampleTextWidth() {
	fmt.Println(npy.TextWidth("Tokyo"), npy.TextWidth("東京"))
	// Output: 5 4
}
