package npy_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/diff"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

// throughJSON marshals a, unmarshals the JSON into an array of the same dtype, and checks that both are equal.
func throughJSON(a *npy.Array) error {
	data, err := json.Marshal(a)
	if err != nil {
		return err
	}
	back, err := npy.New(a.DType(), 0)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, back); err != nil {
		return fmt.Errorf("unmarshal %.200s: %w", data, err)
	}
	shape := a.Shape()
	if i := slices.Index(shape, 0); i >= 0 {
		shape = shape[:i+1] // the lists end at the first length of 0
	}
	if !slices.Equal(back.Shape(), shape) || !back.DType().Equal(a.DType()) {
		return fmt.Errorf("shape %v of dtype %s comes back as %v of %s", a.Shape(), a.DType(), back.Shape(), back.DType())
	}
	again, err := json.Marshal(back)
	if err != nil || !bytes.Equal(data, again) {
		return fmt.Errorf("%.200s comes back as %.200s, %v", data, again, err)
	}
	if len(shape) < a.NDim() {
		return nil
	}
	r, err := diff.Compare(context.Background(), a, back, diff.Options{})
	if err != nil || !r.Equal() {
		return fmt.Errorf("%.200s holds something else, %v", data, err)
	}
	return nil
}

// The JSON of an array is the JSON that convert writes, without line breaks, and reads back as the array.
func TestArrayJSONVectors(t *testing.T) {
	tried := 0
	for _, v := range vectors(t) {
		if v.HasObject() {
			continue
		}
		a, err := npy.ReadFile(v.Path)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(a)
		var file, want bytes.Buffer
		failed := convert.Write(context.Background(), &file, convert.JSON, a, convert.WriteOptions{})
		if failed == nil {
			failed = json.Compact(&want, file.Bytes())
		}
		if (err == nil) != (failed == nil) || !bytes.Equal(data, want.Bytes()) {
			t.Errorf("%s: json.Marshal gives %.200s, %v; convert writes %.200s, %v", v.Path, data, err, want.Bytes(), failed)
			continue
		}
		if err != nil {
			continue
		}
		tried++
		if err := throughJSON(a); err != nil {
			t.Errorf("%s: %v", v.Path, err)
		}
	}
	if tried < 150 {
		t.Errorf("only %d files were tried", tried)
	}
}

// jsonDTypes has all kinds of elements, in both byte orders, and the types of ml_dtypes.
var jsonDTypes = []string{
	"|b1", "|i1", "<i2", ">i4", "<i8", "|u1", ">u2", "<u4", ">u8", "<f2", ">f2", "<f4", ">f8", "<f8", "<f16", ">f16", "<f12", "<f1",
	"<c4", "<c8", ">c16", "<c32", "|S0", "|S3", "<U0", "<U2", ">U2", "|V0", "|V3", "<M8", "<M8[s]", ">M8[25us]", "<M8[Y]", "<m8", "<m8[ns]",
	"bfloat16", "float8_e3m4", "float8_e4m3", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2fnuz",
	"float8_e8m0fnu", "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn", "int4", "uint4", "int2", "uint2",
	"[('x', '<f4'), ('', '|V3'), ('y', '>M8[s]', (2, 2)), ('a \"b\"', [('z', '|S2'), ('w', '<c8', (2,))]), ('n', '<f8', (0,))]",
}

// The bits of elements are random, or all zeros or all ones, so that NaN, the infinities and NaT are frequent.
func TestArrayJSONProperty(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	shapes := [][]int{{}, {0}, {1}, {7}, {2, 3}, {3, 0, 2}, {0, 4}, {2, 1, 2, 2}}
	for _, text := range jsonDTypes {
		dt, err := dtype.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		refused := 0
		for round := range 100 {
			a, err := npy.New(dt, shapes[round%len(shapes)]...)
			if err != nil {
				t.Fatal(err)
			}
			raw, _ := a.ViewBytes()
			fillRandom(rng, dt, raw)
			if round%3 == 0 {
				a = a.T()
			}
			err = throughJSON(a)
			var bad *scalar.CodePointError
			if errors.As(err, &bad) || err != nil && strings.Contains(err.Error(), "NUL") {
				refused++ // random bits are not always Unicode
				continue
			}
			if err != nil {
				t.Errorf("dtype %s, round %d: %v", text, round, err)
				break
			}
		}
		if refused > 90 {
			t.Errorf("dtype %s: %d of 100 rounds had no text", text, refused)
		}
	}
}

// fillRandom fills elements of a dtype with valid bits.
func fillRandom(rng *rand.Rand, t dtype.Type, raw []byte) {
	bits := rng.IntN(4)
	for i := range raw {
		switch {
		case bits == 0 || rng.IntN(5) == 0:
			raw[i] = 0
		case bits == 1:
			raw[i] = 0xff
		case bits == 2:
			raw[i] = []byte{0x7f, 0xff, 0x80, 0xf0}[rng.IntN(4)]
		default:
			raw[i] = byte(rng.Uint32())
		}
	}
	if t.Kind() == dtype.KindStr { // small code points, surrogates among them
		for i := 0; i+4 <= len(raw); i += 4 {
			low := i + 2
			if t.ByteOrder() == dtype.BigEndian {
				low = i
			}
			raw[low], raw[low+1] = 0, 0
		}
	}
}

func TestArrayJSONRefuses(t *testing.T) {
	object, err := npy.FromObjects([]any{int64(1)})
	if err != nil {
		t.Fatal(err)
	}
	huge, err := npy.New(dtype.Int8, 1<<30, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		v    any
		want string
		is   error
	}{
		{"zero Array", new(npy.Array), "use New", nil},
		{"objects", object, "convert.Write", npy.ErrObjects},
		{"a billion empty lists", huge, "limit", npy.ErrLimit},
		{"zero View", npy.View[int]{}, "use As", nil},
	} {
		data, err := json.Marshal(tt.v)
		if err == nil || !strings.Contains(err.Error(), tt.want) || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%s: json.Marshal gives %.50s, %v, want an error with %q that is %v", tt.name, data, err, tt.want, tt.is)
		}
	}
	if err := json.Unmarshal([]byte("[1]"), new(npy.Array)); err == nil || !strings.Contains(err.Error(), "convert.Read") {
		t.Errorf("the zero Array takes JSON: %v", err)
	}
	if err := json.Unmarshal([]byte("[1]"), object); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("an array of objects takes JSON: %v", err)
	}
	if err := json.Unmarshal([]byte("[1]"), new(npy.View[float32])); err == nil || !strings.Contains(err.Error(), "f4 and use As") {
		t.Errorf("a View takes JSON: %v", err)
	}
}

func TestArrayUnmarshalErrors(t *testing.T) {
	for _, tt := range []struct{ dtype, text, want string }{
		{"<f8", "[[1, 2], [3]]", "npy: byte 9 of JSON ([1]): a list of length 1, want 2: all lists of an axis have the same length"},
		{"<f8", "[1, [2]]", `npy: byte 4 of JSON ([1]): "[" where a float64 should be`},
		{"<f8", "[[1], 2]", `npy: byte 6 of JSON ([1]): "2" where a list should be`},
		{"<f8", "[[], [1]]", "npy: byte 5 of JSON ([1]): a list of length 1, want 0: all lists of an axis have the same length"},
		{"<f8", `["x"]`, `npy: byte 1 of JSON ([0]): "x" is not a float64: it is a JSON string`},
		{"<f8", "1 2", "npy: byte 2 of JSON: text after the value"},
		{"<f8", "[1", "npy: byte 2 of JSON: text ends where ',' or ']' should be"},
		{"<f8", "", "npy: byte 0 of JSON: text ends where a value should be"},
		{"|i1", "[300]", `npy: byte 1 of JSON ([0]): "300" is not an int8: value out of range`},
		{"|i1", "[null]", `npy: byte 1 of JSON ([0]): "null" is not an int8: it is a JSON null`},
		{"<U2", `["abc"]`, `npy: byte 1 of JSON ([0]): "abc" is not a <U2: 3 characters are too long for 2`},
		{"[('x', '<i4', (2,))]", `[{"x": [1]}]`, `npy: byte 7 of JSON ([0]."x"): a list of length 1, want 2`},
		{"[('x', '<i4', (2,))]", `[{"x": [1, 2, 3]}]`, `npy: byte 13 of JSON ([0]."x"[2]): a list of more than 2 items`},
		{"[('x', '<i4')]", `{"y": 1}`, `npy: byte 1 of JSON: key "y" is not a field of the dtype`},
		{"[('x', '<i4')]", `{"x": 1, "x": 2}`, `npy: byte 9 of JSON: key "x" is repeated`},
		{"[('x', '<i4'), ('y', '<i4')]", `[{"x": 1}]`, `npy: byte 1 of JSON ([0]): key "y" is missing`},
		{"[('x', '<i4')]", `[1]`, `npy: byte 1 of JSON ([0]): "1" where an object should be`},
		{"<i4", strings.Repeat("[", 65) + strings.Repeat("]", 65), "more than 64 lists within each other"},
	} {
		dt, err := dtype.Parse(tt.dtype)
		if err != nil {
			t.Fatal(err)
		}
		a, err := npy.New(dt, 3)
		if err != nil {
			t.Fatal(err)
		}
		err = a.UnmarshalJSON([]byte(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s to dtype %s gives\n %v, want\n %s", tt.text, tt.dtype, err, tt.want)
		}
		if !slices.Equal(a.Shape(), []int{3}) {
			t.Errorf("%s: after an error the shape is %v", tt.text, a.Shape())
		}
	}
}

// Views keep their memory.
func TestArrayUnmarshalLeavesViews(t *testing.T) {
	a, err := npy.FromSlice([]float64{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	view, err := npy.As[float64](a)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte("[[3, null]]"), a); err != nil {
		t.Fatal(err)
	}
	if view.At(0) != 1 || !slices.Equal(a.Shape(), []int{1, 2}) {
		t.Errorf("view has %v, array the shape %v", view.At(0), a.Shape())
	}
	if got := a.String(); got != "[[ 3. nan]]" {
		t.Errorf("array is %s", got)
	}
	if err := json.Unmarshal([]byte("null"), a); err != nil || a.NDim() != 2 {
		t.Errorf("null makes %v, %v", a, err)
	}
}

func viewJSON[T npy.Element](t *testing.T, data []T, want string) {
	t.Helper()
	dt := npy.DTypeOf[T]()
	var a *npy.Array
	var err error
	if k := dt.Kind(); k == dtype.KindDatetime || k == dtype.KindTimedelta {
		a, err = npy.FromSliceAs(dt, data, 1, len(data))
	} else {
		a, err = npy.FromSlice(data, 1, len(data))
	}
	if err != nil {
		t.Fatal(err)
	}
	v, err := npy.As[T](a)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(v)
	if err != nil || string(got) != want {
		t.Errorf("View[%T] marshals to %s, %v, want %s", data, got, err, want)
	}
	if got, err := json.Marshal(&v); err != nil || string(got) != want {
		t.Errorf("*View[%T] marshals to %s, %v, want %s", data, got, err, want)
	}
}

func TestViewJSON(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	viewJSON(t, []bool{true, false}, "[[true,false]]")
	viewJSON(t, []int8{-1}, "[[-1]]")
	viewJSON(t, []int{-1}, "[[-1]]")
	viewJSON(t, []uint64{math.MaxUint64}, "[[18446744073709551615]]")
	viewJSON(t, []float32{0.1, 1}, "[[0.1,1.0]]")
	viewJSON(t, []float64{0.1, inf, -inf, nan}, `[[0.1,"Infinity","-Infinity","NaN"]]`)
	viewJSON(t, []complex64{1 - 2i}, `[["1-2j"]]`)
	viewJSON(t, []complex128{complex(nan, inf)}, `[["nan+infj"]]`)
	viewJSON(t, []string{"a\"\n", "ü"}, `[["a\"\n","ü"]]`)
	viewJSON(t, [][]byte{[]byte("a"), {0xff}}, `[["a","\\xff"]]`)
	viewJSON(t, []scalar.Float16{scalar.Float16FromFloat64(1.5)}, "[[1.5]]")
	viewJSON(t, []scalar.BFloat16{scalar.BFloat16FromFloat64(1.5)}, "[[1.5]]")
	viewJSON(t, []scalar.Float8E4M3FN{scalar.Float8E4M3FNFromFloat64(nan)}, `[["NaN"]]`)
	viewJSON(t, []scalar.Int4{{Bits: 15}}, "[[-1]]")
	viewJSON(t, []scalar.Complex32{{Real: scalar.Float16FromFloat64(1)}}, `[["1+0j"]]`)
	viewJSON(t, []scalar.LongDouble{scalar.LongDoubleFromFloat64(0.5)}, "[[0.5]]")
	viewJSON(t, []scalar.LongComplex{{Real: scalar.LongDoubleFromFloat64(0.5)}}, `[["0.5+0j"]]`)
	viewJSON(t, scalar.Datetime64s(5, scalar.NaT), `[[5,"NaT"]]`)
	viewJSON(t, scalar.Timedelta64s(5, scalar.NaT), `[[5,"NaT"]]`)
	quad, err := scalar.ParseFloat128("0.1")
	if err != nil {
		t.Fatal(err)
	}
	a, err := npy.FromSliceAs(dtype.LongDouble, []scalar.Float128{quad})
	if err != nil {
		t.Fatal(err)
	}
	v, err := npy.As[scalar.Float128](a)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := json.Marshal(v); err != nil || string(got) != "[0.1]" {
		t.Errorf("View[Float128] marshals to %s, %v", got, err)
	}
}

// Unmarshaling takes memory in proportion to the text.
func TestArrayUnmarshalMemory(t *testing.T) {
	for _, item := range []string{"[]", "0", "[[]]", strings.Repeat("[", 60) + strings.Repeat("]", 60)} {
		text := []byte("[" + strings.Repeat(item+",", 1<<20/(len(item)+1)) + item + "]")
		a, err := npy.New(dtype.Float64, 0)
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err = a.UnmarshalJSON(text)
		runtime.ReadMemStats(&after)
		if took, most := after.TotalAlloc-before.TotalAlloc, uint64(32*len(text)); took > most || err != nil {
			t.Errorf("%d bytes of %.10s… take %d bytes of memory, over %d, %v", len(text), item, took, most, err)
		}
	}
}

// FuzzArrayJSON checks that JSON which can be read is written and read again unchanged.
func FuzzArrayJSON(f *testing.F) {
	for _, dt := range jsonDTypes {
		f.Add(dt, []byte("[[1, 0.5], [null, \"NaN\"]]"))
		f.Add(dt, []byte(`[{"x": 1, "y": [["2024-01-01", "NaT"], [null, null]], "a \"b\"": {"z": "q", "w": ["1+2j", "nan"]}, "n": []}]`))
	}
	f.Fuzz(func(t *testing.T, descr string, text []byte) {
		dt, err := dtype.Parse(descr)
		if err != nil || dt.HasObject() || dt.IsSubarray() || dt.ItemSize() > 1<<10 {
			return
		}
		a, err := npy.New(dt, 0)
		if err != nil {
			return
		}
		err = a.UnmarshalJSON(text)
		if err != nil {
			return
		}
		if err := throughJSON(a); err != nil && !errors.Is(err, npy.ErrLimit) {
			t.Error(err)
		}
	})
}
