package npy_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/scalar"
)

// A placed array has known elements in an unusual layout.
type placed struct {
	name   string
	a      *npy.Array
	memory []byte
	order  []int // the elements it has, in C order
	shares bool  // whether a view of numbers can share it
}

// place returns several layouts in memory of six elements, given in C order.
func place(t dtype.Type, raw []byte, align int) []placed {
	size := t.ItemSize()
	item := func(i int) []byte { return raw[i*size : (i+1)*size] }
	lay := func(start, step int, order ...int) []byte {
		b := bulk.Make(start + 6*step + size)
		for i, k := range order {
			copy(b[start+i*step:], item(k))
		}
		return b
	}
	at := func(name string, b []byte, offset int, shape, strides, order []int) placed {
		a := must(npy.FromStrides(t, b, offset, shape, strides))
		shares := offset%align == 0
		for i, s := range strides {
			shares = shares && (s%size == 0 || shape[i] == 1)
		}
		return placed{name, a, b, order, shares}
	}
	six := []int{0, 1, 2, 3, 4, 5}
	c := lay(0, size, six...)
	return []placed{
		at("C order", c, 0, []int{6}, []int{size}, six),
		at("two dimensions", c, 0, []int{2, 3}, []int{3 * size, size}, six),
		at("Fortran order", c, 0, []int{3, 2}, []int{size, 3 * size}, []int{0, 3, 1, 4, 2, 5}),
		at("backwards", c, 5*size, []int{6}, []int{-size}, []int{5, 4, 3, 2, 1, 0}),
		at("every other one", c, size, []int{3}, []int{2 * size}, []int{1, 3, 5}),
		at("repeated", c, 2*size, []int{2, 2}, []int{0, size}, []int{2, 3, 2, 3}),
		at("one element, odd stride", c, 4*size, []int{1}, []int{size + 1}, []int{4}),
		at("no dimensions", c, 3*size, nil, nil, []int{3}),
		at("empty", c, 0, []int{0, 3}, []int{3 * size, size}, nil),
		at("wide records", lay(size, 2*size, six...), size, []int{6}, []int{2 * size}, six),
		at("packed records", lay(1, size+1, six...), 1, []int{6}, []int{size + 1}, six),
		at("one byte off", lay(1, size, six...), 1, []int{6}, []int{size}, six),
		at("one byte off, 2-D", lay(1, size, six...), 1, []int{2, 3}, []int{3 * size, size}, six),
	}
}

// sharing checks As in every layout, for the dtype in both byte orders. data is six different values.
func sharing[T npy.Element](t *testing.T, descr string, data ...T) {
	t.Helper()
	for _, order := range []dtype.ByteOrder{dtype.LittleEndian, dtype.BigEndian} {
		typ := parse(descr).WithByteOrder(order)
		raw := must(npy.FromSliceAs(typ, data)).Bytes()
		for _, p := range place(typ, raw, reflect.TypeFor[T]().Align()) {
			name := fmt.Sprintf("%T of %s, %s", data, typ, p.name)
			v, err := npy.As[T](p.a)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			wantShared := bulk.Shares && typ.IsNative() && (p.shares || p.a.Size() == 0) && inMemory[T]() && typ.ItemSize() == int(reflect.TypeFor[T]().Size())
			if v.Shared() != wantShared {
				t.Errorf("%s: Shared %v, want %v", name, v.Shared(), wantShared)
			}
			var want []T
			for _, i := range p.order {
				want = append(want, data[i])
			}
			checkElements(t, name, v, p.a.Shape(), want)
			checkSet(t, name, v, p, data[0])
		}
	}
}

// inMemory reports whether T has the same bytes in memory as in a file. The long doubles of big-endian machines do
// not.
func inMemory[T npy.Element]() bool {
	switch any(*new(T)).(type) {
	case bool, string, []byte:
		return false
	case scalar.LongDouble, scalar.LongComplex:
		return dtype.NativeEndian == dtype.LittleEndian
	}
	return true
}

// checkElements compares every method of a View with the elements in C order.
func checkElements[T npy.Element](t *testing.T, name string, v npy.View[T], shape []int, want []T) {
	t.Helper()
	if !slices.Equal(v.Shape(), shape) || v.NDim() != len(shape) || v.Size() != len(want) || len(shape) > 0 && v.Len() != shape[0] || len(shape) == 0 && v.Len() != 1 {
		t.Errorf("%s: shape %v, %d dimensions, size %d, length %d, want shape %v", name, v.Shape(), v.NDim(), v.Size(), v.Len(), shape)
		return
	}
	same := func(what string, got []T) {
		t.Helper()
		if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %s gives %v, want %v", name, what, got, want)
		}
	}
	same("ToSlice", v.ToSlice())
	same("Values", slices.Collect(v.Values()))
	if s, ok := v.ViewSlice(); ok {
		same("ViewSlice", s)
	}
	var at, rows []T
	eachIndex(shape, func(index []int) { at = append(at, v.At(index...)) })
	same("At", at)
	for i, row := range v.Rows() {
		rows = append(rows, row.ToSlice()...)
		if v.NDim() > 0 && !reflect.DeepEqual(v.Row(i).ToSlice(), row.ToSlice()) {
			t.Errorf("%s: Row(%d) differs from Rows", name, i)
		}
	}
	same("Rows", rows)
	for n := range len(want) {
		got := []T{}
		for x := range v.Values() {
			if got = append(got, x); len(got) > n {
				break
			}
		}
		if !reflect.DeepEqual(got, want[:n+1]) {
			t.Errorf("%s: Values until the %dth gives %v, want %v", name, n, got, want[:n+1])
		}
	}
}

// checkSet changes the last element, which changes the array if and only if the View shares it.
func checkSet[T npy.Element](t *testing.T, name string, v npy.View[T], p placed, x T) {
	t.Helper()
	if v.Size() == 0 || p.order[len(p.order)-1] == 0 {
		return
	}
	last := v.Shape()
	for i := range last {
		last[i]--
	}
	before := bytes.Clone(p.memory)
	v.Set(x, last...)
	if !reflect.DeepEqual(v.At(last...), x) {
		t.Errorf("%s: Set leaves %v, want %v", name, v.At(last...), x)
	}
	if changed := !bytes.Equal(before, p.memory); changed != v.Shared() {
		t.Errorf("%s: Set changes the array: %v, Shared: %v", name, changed, v.Shared())
	}
	copy(p.memory, before)
}

// Views share memory where the bytes allow it, and have the same elements elsewhere.
func TestAsSharesOrCopies(t *testing.T) {
	long := func(x float64) scalar.LongDouble { return scalar.LongDoubleFromFloat64(x) }
	sharing(t, "?", false, true, true, true, true, true)
	sharing[int8](t, "i1", 0, 1, 2, -3, 4, math.MinInt8)
	sharing[int16](t, "i2", 0, 1, 2, -3, 4, math.MinInt16)
	sharing[int32](t, "i4", 0, 1, 2, -3, 4, math.MinInt32)
	sharing[int64](t, "i8", 0, 1, 2, -3, 4, math.MinInt64)
	sharing[int](t, fmt.Sprint("i", wordSize), 0, 1, 2, -3, 4, math.MinInt)
	sharing[uint8](t, "u1", 0, 1, 2, 3, 4, math.MaxUint8)
	sharing[uint16](t, "u2", 0, 1, 2, 3, 4, math.MaxUint16)
	sharing[uint32](t, "u4", 0, 1, 2, 3, 4, math.MaxUint32)
	sharing[uint64](t, "u8", 0, 1, 2, 3, 4, math.MaxUint64)
	sharing[uint](t, fmt.Sprint("u", wordSize), 0, 1, 2, 3, 4, math.MaxUint)
	sharing[float32](t, "f4", 0, 1.5, -2, float32(math.Inf(1)), math.MaxFloat32, 1e-45)
	sharing[float64](t, "f8", 0, 1.5, -2, math.Inf(1), math.MaxFloat64, 5e-324)
	sharing[complex64](t, "c8", 0, 1+2i, -2, 3i, 4, 5-6i)
	sharing[complex128](t, "c16", 0, 1+2i, -2, 3i, 4, 5-6i)
	sharing[scalar.Float16](t, "f2", scalar.Float16{}, scalar.Float16{Bits: 1}, scalar.Float16{Bits: 2}, scalar.Float16{Bits: 0x3c00}, scalar.Float16{Bits: 0x7c00}, scalar.Float16{Bits: 0x8001})
	sharing[scalar.BFloat16](t, "bfloat16", scalar.BFloat16{}, scalar.BFloat16{Bits: 1}, scalar.BFloat16{Bits: 2}, scalar.BFloat16{Bits: 0x3f80}, scalar.BFloat16{Bits: 0x7f80}, scalar.BFloat16{Bits: 0x8001})
	sharing[scalar.Float8E3M4](t, "float8_e3m4", scalar.Float8E3M4{}, scalar.Float8E3M4{Bits: 1}, scalar.Float8E3M4{Bits: 2}, scalar.Float8E3M4{Bits: 7}, scalar.Float8E3M4{Bits: 8}, scalar.Float8E3M4{Bits: 9})
	sharing[scalar.Float8E4M3](t, "float8_e4m3", scalar.Float8E4M3{}, scalar.Float8E4M3{Bits: 1}, scalar.Float8E4M3{Bits: 2}, scalar.Float8E4M3{Bits: 7}, scalar.Float8E4M3{Bits: 8}, scalar.Float8E4M3{Bits: 9})
	sharing[scalar.Float8E4M3FN](t, "float8_e4m3fn", scalar.Float8E4M3FN{}, scalar.Float8E4M3FN{Bits: 1}, scalar.Float8E4M3FN{Bits: 2}, scalar.Float8E4M3FN{Bits: 7}, scalar.Float8E4M3FN{Bits: 8}, scalar.Float8E4M3FN{Bits: 9})
	sharing[scalar.Float8E4M3FNUZ](t, "float8_e4m3fnuz", scalar.Float8E4M3FNUZ{}, scalar.Float8E4M3FNUZ{Bits: 1}, scalar.Float8E4M3FNUZ{Bits: 2}, scalar.Float8E4M3FNUZ{Bits: 7}, scalar.Float8E4M3FNUZ{Bits: 8}, scalar.Float8E4M3FNUZ{Bits: 9})
	sharing[scalar.Float8E4M3B11FNUZ](t, "float8_e4m3b11fnuz", scalar.Float8E4M3B11FNUZ{}, scalar.Float8E4M3B11FNUZ{Bits: 1}, scalar.Float8E4M3B11FNUZ{Bits: 2}, scalar.Float8E4M3B11FNUZ{Bits: 7}, scalar.Float8E4M3B11FNUZ{Bits: 8}, scalar.Float8E4M3B11FNUZ{Bits: 9})
	sharing[scalar.Float8E5M2FNUZ](t, "float8_e5m2fnuz", scalar.Float8E5M2FNUZ{}, scalar.Float8E5M2FNUZ{Bits: 1}, scalar.Float8E5M2FNUZ{Bits: 2}, scalar.Float8E5M2FNUZ{Bits: 7}, scalar.Float8E5M2FNUZ{Bits: 8}, scalar.Float8E5M2FNUZ{Bits: 9})
	sharing[scalar.Float8E8M0FNU](t, "float8_e8m0fnu", scalar.Float8E8M0FNU{}, scalar.Float8E8M0FNU{Bits: 1}, scalar.Float8E8M0FNU{Bits: 2}, scalar.Float8E8M0FNU{Bits: 7}, scalar.Float8E8M0FNU{Bits: 8}, scalar.Float8E8M0FNU{Bits: 9})
	sharing[scalar.Float6E2M3FN](t, "float6_e2m3fn", scalar.Float6E2M3FN{}, scalar.Float6E2M3FN{Bits: 1}, scalar.Float6E2M3FN{Bits: 2}, scalar.Float6E2M3FN{Bits: 7}, scalar.Float6E2M3FN{Bits: 8}, scalar.Float6E2M3FN{Bits: 9})
	sharing[scalar.Float6E3M2FN](t, "float6_e3m2fn", scalar.Float6E3M2FN{}, scalar.Float6E3M2FN{Bits: 1}, scalar.Float6E3M2FN{Bits: 2}, scalar.Float6E3M2FN{Bits: 7}, scalar.Float6E3M2FN{Bits: 8}, scalar.Float6E3M2FN{Bits: 9})
	sharing[scalar.Float4E2M1FN](t, "float4_e2m1fn", scalar.Float4E2M1FN{}, scalar.Float4E2M1FN{Bits: 1}, scalar.Float4E2M1FN{Bits: 2}, scalar.Float4E2M1FN{Bits: 7}, scalar.Float4E2M1FN{Bits: 8}, scalar.Float4E2M1FN{Bits: 9})
	sharing[scalar.Float8E5M2](t, "float8_e5m2", scalar.Float8E5M2{}, scalar.Float8E5M2{Bits: 1}, scalar.Float8E5M2{Bits: 2}, scalar.Float8E5M2{Bits: 0x3c}, scalar.Float8E5M2{Bits: 0x7c}, scalar.Float8E5M2{Bits: 0x81})
	sharing(t, "complex32", scalar.Complex32{}, scalar.Complex32{Real: scalar.Float16{Bits: 1}}, scalar.Complex32{Imag: scalar.Float16{Bits: 0x102}}, scalar.Complex32{Real: scalar.Float16{Bits: 3}, Imag: scalar.Float16{Bits: 4}}, scalar.Complex32{Real: scalar.Float16{Bits: 0x7c00}}, scalar.Complex32{Imag: scalar.Float16{Bits: 0x8001}})
	for _, descr := range []string{"f16", "f12"} {
		sharing(t, descr, long(0), long(1.5), long(-2), long(math.Inf(1)), long(1e300), long(0.1))
	}
	for _, descr := range []string{"c32", "c24"} {
		c := func(re, im float64) scalar.LongComplex { return scalar.LongComplex{Real: long(re), Imag: long(im)} }
		sharing(t, descr, c(0, 0), c(1, 2), c(-2, 0), c(0, 3), c(4, 0.1), c(5, -6))
	}
	sharing[scalar.Datetime64](t, "M8[us]", scalar.Datetime64{}, scalar.Datetime64{Ticks: 1}, scalar.Datetime64{Ticks: 2}, scalar.Datetime64{Ticks: -3}, scalar.Datetime64{Ticks: 4}, scalar.Datetime64{Ticks: scalar.NaT})
	sharing[scalar.Timedelta64](t, "m8", scalar.Timedelta64{}, scalar.Timedelta64{Ticks: 1}, scalar.Timedelta64{Ticks: 2}, scalar.Timedelta64{Ticks: -3}, scalar.Timedelta64{Ticks: 4}, scalar.Timedelta64{Ticks: scalar.NaT})
	sharing(t, "U3", "", "a", "bé", "整😀z", "c\x00d", "\xed\xa0\x80")
	sharing(t, "S3", []byte{}, []byte("a"), []byte("b\xff"), []byte("\x00c"), []byte("def"), []byte{1})
	sharing(t, "V2", []byte{0, 0}, []byte("ab"), []byte("c\x00"), []byte("\x00d"), []byte("ef"), []byte{1, 2})
	s := must(npy.FromSlice([][]byte{[]byte("ab"), []byte("c\xff")}))
	checkElements(t, "bytes as strings", must(npy.As[string](s)), []int{2}, []string{"ab", "c\xff"})
}

// The caller may name a type that the file does not name, and the memory is shared.
func TestAsOnRequest(t *testing.T) {
	void := must(npy.FromBytes(parse("V1"), []byte{0x38, 0x7e, 0xff}, 3))
	small := must(npy.As[scalar.Float8E4M3FN](void))
	if got := fmt.Sprint(small.ToSlice()); got != "[1.0 450.0 nan]" || small.Shared() != bulk.Shares {
		t.Errorf("V1 as float8_e4m3fn: %s, shared %v", got, small.Shared())
	}
	brain := must(npy.As[scalar.BFloat16](must(npy.FromBytes(parse("V2"), []byte{0x80, 0x3f, 0x20, 0xc0}, 2))))
	if got := fmt.Sprint(brain.ToSlice()); got != "[1.0 -2.5]" {
		t.Errorf("V2 as bfloat16: %s", got)
	}
	for _, typ := range []dtype.Type{parse("V2"), npy.DTypeOf[scalar.BFloat16](), parse("bfloat16")} {
		if got := must(npy.FromSliceAs(typ, []scalar.BFloat16{{Bits: 0x3f80}, {Bits: 0xc020}})).Bytes(); string(got) != "\x80\x3f\x20\xc0" {
			t.Errorf("bfloat16 as %s is written as % x", typ.Name(), got)
		}
	}
	if got := must(npy.FromSliceAs(parse("V1"), []scalar.Float8E4M3FN{{Bits: 0x38}})).Bytes(); string(got) != "\x38" {
		t.Errorf("float8_e4m3fn as V1 is written as % x", got)
	}
	for _, order := range []string{"<f16", ">f16"} {
		want := []scalar.Float128{{Hi: 0x3fff << 48}, {Hi: 0xbffb999999999999, Lo: 0x999999999999999a}}
		a := must(npy.FromSliceAs(parse(order), want))
		if got := must(npy.As[scalar.Float128](a)); !slices.Equal(got.ToSlice(), want) || got.Shared() {
			t.Errorf("%s as binary128: %v, shared %v", order, got.ToSlice(), got.Shared())
		}
		if raw := a.Bytes(); order == ">f16" && (raw[0] != 0x3f || raw[1] != 0xff) {
			t.Errorf("binary128 in %s: % x", order, raw)
		}
	}
	if _, err := must(npy.FromSlice([]scalar.Float8E4M3{{Bits: 1}})).AsType(parse("float8_e4m3fn")); err == nil {
		t.Error("AsType gives the bytes of one format the name of another")
	}
	if _, err := npy.As[scalar.Float8E4M3FN](must(npy.FromSlice([]scalar.Float8E4M3{{Bits: 1}}))); !errors.As(err, new(*npy.TypeError)) {
		t.Errorf("one format as another: error %v, want a TypeError", err)
	}
}

// Any byte but 0 is true, and the View does not show the byte itself as a bool.
func TestAsBool(t *testing.T) {
	a := must(npy.FromBytes(dtype.Bool, []byte{0, 1, 2, 255}, 4))
	if got := must(npy.As[bool](a)).ToSlice(); !slices.Equal(got, []bool{false, true, true, true}) {
		t.Errorf("As[bool]: got %v", got)
	}
	if got := must(npy.As[float64](a)).ToSlice(); !slices.Equal(got, []float64{0, 1, 1, 1}) {
		t.Errorf("As[float64] of bools: got %v", got)
	}
}

// widens checks that elements of S are equal to D after conversion.
func widens[D, S npy.Element](t *testing.T, descr string, data []S, want []D) {
	t.Helper()
	// More than one block of the decoder, in pieces that end anywhere.
	const times = 20011
	for _, order := range []dtype.ByteOrder{dtype.LittleEndian, dtype.BigEndian} {
		a := must(npy.FromSliceAs(parse(descr).WithByteOrder(order), slices.Repeat(data, times)))
		v, err := npy.As[D](a)
		if err != nil {
			t.Errorf("As[%T] of %s: %v", want, a.DType(), err)
			continue
		}
		if got := v.ToSlice(); !slices.EqualFunc(got, slices.Repeat(want, times), func(a, b D) bool { return reflect.DeepEqual(a, b) }) {
			t.Errorf("As[%T] of %s: got %v, want %v", want, a.DType(), got[:len(want)], want)
		}
		if v.Shared() {
			t.Errorf("As[%T] of %s claims to share memory", want, a.DType())
		}
	}
}

func TestAsWidens(t *testing.T) {
	widens(t, "i1", []int8{-128, 127}, []int64{-128, 127})
	widens(t, "u1", []uint8{0, 255}, []int16{0, 255})
	widens(t, "u1", []uint8{0, 255}, []complex64{0, 255})
	widens(t, "i2", []int16{-32768, 32767}, []float32{-32768, 32767})
	widens(t, "u4", []uint32{0, math.MaxUint32}, []float64{0, math.MaxUint32})
	widens(t, "i4", []int32{math.MinInt32, math.MaxInt32}, []complex128{math.MinInt32, math.MaxInt32})
	widens(t, "u4", []uint32{0, math.MaxUint32}, []int64{0, math.MaxUint32})
	widens(t, "f4", []float32{0.1, 1e-45, float32(math.Inf(-1))}, []float64{float64(float32(0.1)), float64(float32(1e-45)), math.Inf(-1)})
	widens(t, "f4", []float32{0.1, -3}, []complex128{complex(float64(float32(0.1)), 0), -3})
	widens(t, "c8", []complex64{complex(0.1, -2)}, []complex128{complex(float64(float32(0.1)), -2)})
	widens(t, "f2", []scalar.Float16{{Bits: 0x3c00}, {Bits: 0xc000}, {Bits: 1}}, []float32{1, -2, 1.0 / (1 << 24)})
	widens(t, "f2", []scalar.Float16{{Bits: 0x3c00}}, []complex64{1})
	widens(t, "int4", []scalar.Int4{{Bits: 0x7}, {Bits: 0xf8}, {Bits: 0xff}}, []int8{7, -8, -1})
	widens(t, "uint4", []scalar.Uint4{{Bits: 0x7}, {Bits: 0xf8}, {Bits: 0xff}}, []float32{7, 8, 15})
	widens(t, "int2", []scalar.Int2{{Bits: 1}, {Bits: 2}, {Bits: 0xff}}, []complex64{1, -2, -1})
	widens(t, "uint2", []scalar.Uint2{{Bits: 1}, {Bits: 2}, {Bits: 0xff}}, []uint64{1, 2, 3})
	widens(t, "bfloat16", []scalar.BFloat16{{Bits: 0x3f80}, {Bits: 0xc000}}, []float64{1, -2})
	widens(t, "float8_e5m2", []scalar.Float8E5M2{{Bits: 0x3c}, {Bits: 0xc0}}, []float64{1, -2})
	widens(t, "float8_e4m3fn", []scalar.Float8E4M3FN{{Bits: 0x7e}, {Bits: 0xb8}}, []float32{448, -1})
	widens(t, "float8_e8m0fnu", []scalar.Float8E8M0FNU{{Bits: 0}, {Bits: 0xfe}}, []float64{0x1p-127, 0x1p127})
	widens(t, "float4_e2m1fn", []scalar.Float4E2M1FN{{Bits: 7}, {Bits: 8}}, []complex64{6, 0})
	widens(t, "complex32", []scalar.Complex32{{Real: scalar.Float16{Bits: 0x3c00}, Imag: scalar.Float16{Bits: 0xc000}}}, []complex128{1 - 2i})
	widens(t, "?", []bool{true, false}, []uint64{1, 0})
	widens(t, "S2", [][]byte{[]byte("ab"), []byte("c")}, []string{"ab", "c"})
}

// Widening keeps the sign of zeros and the kind of NaNs.
func TestAsKeepsSpecials(t *testing.T) {
	negative := float32(math.Copysign(0, -1))
	v := must(npy.As[float64](must(npy.FromSlice([]float32{negative, float32(math.NaN())}))))
	if !math.Signbit(v.At(0)) || !math.IsNaN(v.At(1)) {
		t.Errorf("-0 and NaN become %v and %v", v.At(0), v.At(1))
	}
	c := must(npy.As[complex128](must(npy.FromSlice([]float32{negative}))))
	if !math.Signbit(real(c.At(0))) || math.Signbit(imag(c.At(0))) {
		t.Errorf("-0 becomes the complex %v", c.At(0))
	}
}

func TestAsElementErrors(t *testing.T) {
	bad := []byte{'a', 0, 0, 0, 0, 0, 0x11, 0} // "a", U+110000
	_, err := npy.As[string](must(npy.FromBytes(parse("<U1"), bad, 2)))
	var ce *scalar.CodePointError
	if err == nil || !errors.As(err, &ce) || err.Error() != "npy: element 1: "+ce.Error() {
		t.Errorf("As[string] of a number that is no code point: error %v", err)
	}
	_, err = npy.As[int8](must(npy.FromBytes(parse("<U1"), bad, 2)))
	var te *npy.TypeError
	if !errors.As(err, &te) {
		t.Errorf("As[int8] of strings: error %v, want a TypeError", err)
	}
}

// A header can claim any number of elements of no bytes.
func TestAsOfNothing(t *testing.T) {
	for _, descr := range []string{"S0", "U0", "V0"} {
		a := must(npy.New(parse(descr), 1<<20))
		if v, err := npy.As[[]byte](a); descr != "U0" && (err != nil || v.Size() != 1<<20 || len(v.At(5)) != 0) {
			t.Errorf("As of 1<<20 elements of %s: %v", descr, err)
		}
	}
	many := math.MaxInt/2 + 1
	for _, a := range []*npy.Array{must(npy.New(dtype.Bytes(0), many)), must(npy.New(dtype.Bytes(0), 1<<10, 1<<11)), must(npy.New(dtype.Str(0), many))} {
		_, err := npy.As[string](a)
		if want := fmt.Sprintf("npy: %d elements of 0 bytes are over 1048576: limit exceeded", a.Size()); !errors.Is(err, npy.ErrLimit) || err.Error() != want {
			t.Errorf("As of %d elements of no bytes: error %v, want %s", a.Size(), err, want)
		}
		if b := a.Clone(); b.Size() != a.Size() || len(b.Bytes()) != 0 {
			t.Errorf("Clone of %d elements of no bytes has %d", a.Size(), b.Size())
		}
	}
}

func TestViewPanics(t *testing.T) {
	v := must(npy.As[int32](countTo(2, 3)))
	for _, index := range [][]int{{}, {0}, {0, 0, 0}, {2, 0}, {0, 3}, {-1, 0}, {0, math.MaxInt}, {math.MinInt, 0}} {
		wantPanic(t, fmt.Sprintf("At(%v)", index), func() { v.At(index...) })
		wantPanic(t, fmt.Sprintf("Set(%v)", index), func() { v.Set(1, index...) })
	}
	for _, i := range []int{-1, 2, math.MaxInt} {
		wantPanic(t, fmt.Sprintf("Row(%d)", i), func() { v.Row(i) })
	}
	wantPanic(t, "Row without dimensions", func() { v.Row(0).Row(0).Row(0) })
	wantPanic(t, "At of an empty View", func() { must(npy.As[int32](countTo(0, 3))).At(0, 0) })
}

func TestViewSlice(t *testing.T) {
	a := countTo(2, 3)
	v := must(npy.As[int32](a))
	s, ok := v.ViewSlice()
	if !ok || len(s) != 6 || cap(s) != 6 {
		t.Fatalf("ViewSlice: %v, %v", s, ok)
	}
	s[5] = 50
	if v.At(1, 2) != 50 {
		t.Error("ViewSlice does not share memory")
	}
	row, ok := v.Row(0).ViewSlice()
	if !ok || len(row) != 3 || cap(row) != 3 || &row[0] != &s[0] {
		t.Errorf("ViewSlice of a row: %v, %v", row, ok)
	}
	copied := v.ToSlice()
	if copied[0] = 9; v.At(0, 0) == 9 {
		t.Error("ToSlice shares memory")
	}
	if bulk.Shares {
		for _, b := range []*npy.Array{a.T(), must(a.Slice(npy.All(), npy.At(1))), must(a.Slice(npy.All().By(-1)))} {
			if s, ok := must(npy.As[int32](b)).ViewSlice(); ok {
				t.Errorf("ViewSlice of shape %v, strides %v: %v", b.Shape(), b.Strides(), s)
			}
		}
	}
	if s, ok := must(npy.As[int32](countTo(0))).ViewSlice(); !ok || s == nil || len(s) != 0 {
		t.Errorf("ViewSlice of nothing: %v, %v", s, ok)
	}
}

// Iterating over elements does not allocate.
func TestViewAllocations(t *testing.T) {
	shared := must(npy.As[int32](countTo(7, 5, 3)))
	turned := must(npy.As[int32](countTo(7, 5, 3).T()))
	for name, v := range map[string]npy.View[int32]{"C order": shared, "transposed": turned} {
		sum := int32(0)
		for what, f := range map[string]func(){
			"At":    func() { sum += v.At(2, 1, 0) },
			"Set":   func() { v.Set(v.At(2, 1, 0), 2, 1, 0) },
			"Row":   func() { sum += v.Row(1).Row(2).At(0) },
			"Size":  func() { sum += int32(v.Size() + v.Len() + v.NDim()) },
			"Slice": func() { s, _ := v.ViewSlice(); sum += int32(len(s)) },
			"Rows": func() {
				for i, row := range v.Rows() {
					for _, r := range row.Rows() {
						sum += r.At(0) + int32(i)
					}
				}
			},
			"Values": func() {
				for x := range v.Values() {
					sum += x
				}
			},
		} {
			if n := testing.AllocsPerRun(100, f); n != 0 {
				t.Errorf("%s, %s: %g allocations, want 0", name, what, n)
			}
		}
		_ = sum
	}
}

func BenchmarkViewValues(b *testing.B) {
	v := must(npy.As[int32](countTo(1000, 1000)))
	b.SetBytes(4e6)
	for b.Loop() {
		sum := int32(0)
		for x := range v.Values() {
			sum += x
		}
	}
}

func BenchmarkViewAt(b *testing.B) {
	v := must(npy.As[int32](countTo(1000, 1000)))
	b.SetBytes(4e6)
	for b.Loop() {
		sum := int32(0)
		for i := range 1000 {
			for j := range 1000 {
				sum += v.At(i, j)
			}
		}
	}
}

// ViewOf shares memory or refuses, and never copies.
func TestViewOf(t *testing.T) {
	a, err := npy.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	v, err := npy.ViewOf[float32](a.T())
	if err != nil {
		t.Skip("the build does not share memory: ", err)
	}
	v.Set(9, 2, 0)
	if again, err := npy.As[float32](a); err != nil || again.At(0, 2) != 9 {
		t.Errorf("the view does not share the memory: %v, error %v", again, err)
	}
	if _, err := npy.ViewOf[float64](a); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("float32 as float64: error %v", err)
	}
	if _, err := npy.ViewOf[int8](a); !errors.As(err, new(*npy.TypeError)) {
		t.Errorf("float32 as int8: error %v", err)
	}
	big, err := a.AsType(dtype.Float32.WithByteOrder(dtype.BigEndian))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := npy.ViewOf[float32](big); dtype.NativeEndian == dtype.LittleEndian && !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("big-endian: error %v", err)
	}
	unaligned, err := npy.FromStrides(dtype.Float32, make([]byte, 64), 1, []int{2}, []int{4})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := npy.ViewOf[float32](unaligned); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("not aligned: error %v", err)
	}
	objects, err := npy.NewObjects(dtype.Object, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := npy.ViewOf[int](objects); !errors.Is(err, npy.ErrObjects) {
		t.Errorf("objects: error %v", err)
	}
}

// Strided and FromStrided are the inverse of each other for arrays without negative strides.
func TestStridedBothWays(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		shape := make([]int, 1+rng.IntN(3))
		n := 1
		for i := range shape {
			shape[i] = 1 + rng.IntN(4)
			n *= shape[i]
		}
		data := make([]int32, n)
		for i := range data {
			data[i] = rng.Int32()
		}
		a, err := npy.FromSlice(data, shape...)
		if err != nil {
			t.Fatal(err)
		}
		index := make([]npy.Index, len(shape))
		for i, k := range shape {
			index[i] = npy.SpanFrom(rng.IntN(k)).By(1 + rng.IntN(2))
		}
		if a, err = a.Slice(index...); err != nil {
			t.Fatal(err)
		}
		if rng.IntN(2) == 0 {
			a = a.T()
		}
		v, err := npy.As[int32](a)
		if err != nil {
			t.Fatal(err)
		}
		elements, strides, ok := v.Strided()
		if !ok {
			t.Fatalf("no strides for shape %v", a.Shape())
		}
		b, err := npy.FromStrided(elements, a.Shape(), strides)
		if err != nil {
			t.Fatalf("shape %v, strides %v, %d elements: %v", a.Shape(), strides, len(elements), err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) || !slices.Equal(a.Shape(), b.Shape()) {
			t.Fatalf("shape %v, strides %v: %v became %v", a.Shape(), strides, a, b)
		}
	}
}

func TestStridedRefuses(t *testing.T) {
	a, err := npy.FromSlice([]int16{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	v, err := npy.As[int16](a)
	if err != nil {
		t.Fatal(err)
	}
	if data, strides, ok := v.Row(1).Strided(); !ok || len(strides) != 0 || !slices.Equal(data, []int16{2}) {
		t.Errorf("one element: %v, %v, %v", data, strides, ok)
	}
	backwards, err := a.Slice(npy.All().By(-1))
	if err != nil {
		t.Fatal(err)
	}
	if v, err = npy.ViewOf[int16](backwards); err == nil {
		if _, _, ok := v.Strided(); ok {
			t.Error("a negative stride was given")
		}
	}
	for _, test := range []struct{ shape, strides []int }{
		{[]int{2, 2}, []int{2, 1}},                                     // one element too many
		{[]int{2}, []int{math.MaxInt}},                                 // over the end
		{[]int{3, 3}, []int{math.MaxInt/2 + 1, 1}},                     // more than an int counts
		{[]int{2}, []int{-1}},                                          // before the start
		{[]int{2}, []int{1, 1}},                                        // not one for each axis
		{[]int{-1}, []int{1}},                                          // no shape
		{[]int{math.MaxInt, math.MaxInt, math.MaxInt}, []int{0, 0, 0}}, // more elements than can be counted
	} {
		if b, err := npy.FromStrided([]int16{1, 2, 3}, test.shape, test.strides); err == nil {
			t.Errorf("shape %v, strides %v: %v", test.shape, test.strides, b)
		}
		if b, err := npy.FromStrided([]string{"1", "2", "3"}, test.shape, test.strides); err == nil {
			t.Errorf("strings, shape %v, strides %v: %v", test.shape, test.strides, b)
		}
	}
	for _, empty := range [][]int{{0}, {0, 5}} {
		if b, err := npy.FromStrided([]int16(nil), empty, make([]int, len(empty))); err != nil || !slices.Equal(b.Shape(), empty) {
			t.Errorf("shape %v: %v, error %v", empty, b, err)
		}
	}
	if b, err := npy.FromStrided([]time.Duration{1, 2, 3}, []int{2}, []int{2}); err != nil || b.DType().Name() != "timedelta64[ns]" {
		t.Errorf("durations: %v, error %v", b, err)
	}
	if _, err := npy.FromStrided(scalar.Datetime64s(1), []int{1}, []int{1}); !errors.As(err, new(*npy.TypeError)) {
		t.Errorf("times without a step: error %v", err)
	}
	if b, err := npy.FromStrided([]string{"a", "b", "c", "d"}, []int{2, 2}, []int{1, 2}); err != nil || b.String() != "[['a' 'c']\n ['b' 'd']]" {
		t.Errorf("strings: %v, error %v", b, err)
	}
}

// BLAS takes part of a matrix: columns 1 and 2, with a leading dimension of 3.
func ExampleView_Strided() {
	a, err := npy.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	part, err := a.Slice(npy.All(), npy.SpanFrom(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := npy.As[float64](part)
	if err != nil {
		fmt.Println(err)
		return
	}
	data, strides, ok := v.Strided()
	fmt.Println(data[strides[0]], strides[1], ok) // a[1, 1], row major
	// Output: 5 1 true
}

func ExampleFromStrided() {
	columns := []float64{1, 2, 3, 4, 5, 6} // column major, as LAPACK has it, 3 rows
	a, err := npy.FromStrided(columns, []int{3, 2}, []int{1, 3})
	fmt.Println(a, err)
	// Output:
	// [[1. 4.]
	//  [2. 5.]
	//  [3. 6.]] <nil>
}

func ExampleViewOf() {
	a, err := npy.FromSlice([]int32{1, 2, 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := npy.ViewOf[int32](a)
	if err != nil {
		v, err = npy.As[int32](a) // copies, in a build without unsafe
	}
	fmt.Println(v.ToSlice(), err)
	_, err = npy.ViewOf[int64](a)
	fmt.Println(errors.Is(err, errors.ErrUnsupported)) // int64 needs a copy
	// Output:
	// [1 2 3] <nil>
	// true
}
