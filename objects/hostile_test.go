package objects_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/pickle"
)

var (
	reconstruct = &pickle.Global{Module: "numpy.core.multiarray", Name: "_reconstruct"}
	scalar      = &pickle.Global{Module: "numpy.core.multiarray", Name: "scalar"}
	frombuffer  = &pickle.Global{Module: "numpy.core.numeric", Name: "_frombuffer"}
	mareconstr  = &pickle.Global{Module: "numpy.ma.core", Name: "_mareconstruct"}
	ndarray     = &pickle.Global{Module: "numpy", Name: "ndarray"}
	dtypeGlobal = &pickle.Global{Module: "numpy", Name: "dtype"}
	masked      = &pickle.Global{Module: "numpy.ma.core", Name: "MaskedArray"}
)

func tup(items ...any) *pickle.Tuple { return &pickle.Tuple{Items: items} }
func list(items ...any) *pickle.List { return &pickle.List{Items: items} }

// arr is an array with a state, as in a pickle.
func arr(state ...any) *pickle.Object {
	return &pickle.Object{Class: reconstruct, Args: tup(ndarray, tup(0), []byte("b")), State: tup(state...), HasState: true}
}

// dt is a dtype with a state.
func dt(text string, state ...any) *pickle.Object {
	o := &pickle.Object{Class: dtypeGlobal, Args: tup(text, false, true)}
	if state != nil {
		o.State, o.HasState = tup(state...), true
	}
	return o
}

// simple is a dtype with the state of simple types.
func simple(text, order string) *pickle.Object { return dt(text, 3, order, nil, nil, nil, -1, -1, 0) }

var object = simple("O8", "|")

func fields(pairs ...any) *pickle.Dict {
	d := new(pickle.Dict)
	for i := 0; i < len(pairs); i += 2 {
		_ = d.Set(pairs[i], pairs[i+1])
	}
	return d
}

// pickled returns a value as a pickle.
func pickled(v any) []byte { return must((&pickle.Encoder{Protocol: 4}).Append(nil, v)) }

// file returns a file of an object array with a pickle.
func file(pickle []byte, shape ...int) []byte {
	return append(must(format.Header{DType: dtype.Object, Shape: shape}.Append(nil)), pickle...)
}

// pair is a struct dtype of an int16 and an object.
func pair() *pickle.Object {
	return dt("V10", 3, "|", nil, tup("i", "o"), fields("i", tup(simple("i2", "<"), 0), "o", tup(object, 2)), 10, 1, 27)
}

// deep is a dtype of n subarrays inside each other.
func deep(n int) *pickle.Object {
	d := simple("O8", "|")
	for range n {
		d = dt("V8", 3, "|", tup(d, tup(2)), nil, nil, 8, 8, 63)
	}
	return d
}

const (
	rawArray = "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85C\x01b\x87R"
	rawDType = "cnumpy\ndtype\nX\x02\x00\x00\x00i1\x89\x88\x87R"
	rawInt8  = "(K\x03X\x01\x00\x00\x00|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb"
	rawState = "(K\x01)" + rawDType + rawInt8 + "\x89C\x01atb"
)

// attacks are false pickles, each with its error; after a bar, the error on 32 bits.
var attacks = []struct {
	name   string
	pickle []byte
	want   string
}{
	{"nothing", nil, "no pickle follows the header"},
	{"no pickle", []byte("hello world"), "pickle opcode"},
	{"cut short", pickled(arr(1, tup(1), object, false, list(1)))[:90], "unexpected EOF"},
	{"short list", pickled(arr(1, tup(3), object, false, list(1, 2))), "array of shape (3,) has a list of 2 elements"},
	{"huge shape", pickled(arr(1, tup(int64(1<<50)), object, false, list())), "array of shape (1125899906842624,) has a list of 0 elements | shape has a int64 for a dimension"},
	{"shape that overflows", pickled(arr(1, tup(int64(1<<40), int64(1<<40)), object, false, list())), "is larger than memory can be | shape has a int64 for a dimension"},
	{"negative shape", pickled(arr(1, tup(-1), object, false, list())), "negative dimension -1"},
	{"too many dimensions", pickled(arr(1, tup(make([]any, 65)...), object, false, list())), "shape has a <nil> for a dimension"},
	{"shape of text", pickled(arr(1, "3", object, false, list())), "shape is string, want a tuple"},
	{"bytes for a list", pickled(arr(1, tup(1), object, false, []byte("12345678"))), "array has elements of []uint8, want a list"},
	{"list for bytes", pickled(arr(1, tup(1), simple("i4", "<"), false, list(1))), "array has elements of *pickle.List, want bytes"},
	{"too few bytes", pickled(arr(1, tup(3), simple("i4", "<"), false, []byte("1234"))), "4 bytes given for shape (3,) of dtype <i4, which takes 12"},
	{"too many bytes", pickled(arr(1, tup(1), simple("i4", "<"), true, []byte("12345678"))), "8 bytes given"},
	{"huge array of bytes", pickled(arr(1, tup(int64(1<<50)), simple("i1", "|"), false, []byte("1"))), "1 bytes given | shape has a int64 for a dimension"},
	{"version 2", pickled(arr(2, tup(1), object, false, list(1))), "array has a state of version 2, want 0 or 1"},
	{"short state", pickled(arr(1, tup(1), object)), "array has no state of 4 or 5 items"},
	{"no dtype", pickled(arr(1, tup(1), "O8", false, list(1))), "object has a string where a dtype belongs"},
	{"order of text", pickled(arr(1, tup(1), object, "no", list(1))), "array has a flag of string for its order"},
	{"subarray of its own", pickled(arr(1, tup(1), dt("V8", 3, "|", tup(simple("i4", "<"), tup(2)), nil, nil, 8, 4, 0), false, []byte("12345678"))), "cannot be the dtype of an array"},
	{"state twice", []byte("\x80\x03" + rawArray + rawState + rawState + "."), "given a state twice"},
	{"dtype state twice", []byte("\x80\x03" + rawDType + rawInt8 + rawInt8 + "."), "given a state twice"},
	{"dtype state after use", []byte("\x80\x03" + rawDType + "q\x00" + strings.Replace(rawArray+rawState, rawDType+rawInt8, "h\x00", 1) + "0h\x00" + rawInt8 + "."), "given a state twice, or after it was used"},
	{"dtype in itself", []byte("\x80\x03cnumpy\ndtype\nX\x02\x00\x00\x00V8\x89\x88\x87Rq\x00(K\x03X\x01\x00\x00\x00|h\x00K\x02\x85\x86NNK\x10K\x01K\x00tb."), "dtype contains itself"},
	{"unknown type", pickled(arr(1, tup(1), dt("Q9"), false, list(1))), "dtype"},
	{"type of a number", pickled(&pickle.Object{Class: dtypeGlobal, Args: tup(3, false, true)}), "dtype of a int64, want a str"},
	{"type of nothing", pickled(&pickle.Object{Class: dtypeGlobal, Args: tup()}), "dtype has wrong arguments"},
	{"dtype state of version 5", pickled(dt("i4", 5, "<", nil, nil, nil, -1, -1, 0)), "dtype has a state of version 5, want 0 to 4"},
	{"dtype state of a number", pickled(&pickle.Object{Class: dtypeGlobal, Args: tup("i4"), State: 3, HasState: true}), "dtype has no state of 5 to 9 items"},
	{"byte order", pickled(simple("i4", "x")), "dtype has the byte order x"},
	{"size of text", pickled(dt("S4", 3, "|", nil, nil, nil, "4", 1, 0)), "dtype has a size of string"},
	{"item of 2**31 bytes", pickled(dt("S4", 3, "|", nil, nil, nil, int64(1<<31), 1, 0)), "dtype has 2147483648 bytes | dtype has a size of int64"},
	{"negative size", pickled(dt("V4", 3, "|", nil, nil, nil, -4, 1, 0)), "dtype has -4 bytes"},
	{"part of a character", pickled(dt("U1", 3, "<", nil, nil, nil, 7, 4, 8)), "dtype has 7 bytes, which kind str cannot have"},
	{"names without fields", pickled(dt("V4", 3, "|", nil, tup("a"), nil, 4, 1, 16)), "dtype has names"},
	{"field without entry", pickled(dt("V4", 3, "|", nil, tup("a"), fields(), 4, 1, 16)), `dtype has a field of <nil>`},
	{"field beyond the end", pickled(dt("V4", 3, "|", nil, tup("o"), fields("o", tup(object, 2)), 4, 1, 27)), "item size 4 does not hold fields"},
	{"negative offset", pickled(dt("V8", 3, "|", nil, tup("o"), fields("o", tup(object, -8)), 8, 1, 27)), "dtype has the offset -8"},
	{"objects that overlap", pickled(dt("V9", 3, "|", nil, tup("a", "b"), fields("a", tup(object, 0), "b", tup(object, 1)), 9, 1, 27)), "overlaps"},
	{"fields of version 1 without names", pickled(dt("V8", 1, "|", nil, fields("a", tup(object, 0)), 8, 1)), "has no names of its fields"},
	{"subarray of text", pickled(dt("V8", 3, "|", "sub", nil, nil, 8, 1, 0)), "dtype has a subarray of string"},
	{"subarray that overflows", pickled(dt("V8", 3, "|", tup(object, tup(1<<20, 1<<20)), nil, nil, 8, 1, 0)), "subarray is larger"},
	{"40 subarrays", pickled(arr(1, tup(), dt("V8", 3, "|", nil, tup("a"), fields("a", tup(deep(40), 0)), 8, 1, 27), false, list(tup(1)))), "subarray is larger"},
	{"unit of time", pickled(dt("M8", 4, "<", nil, nil, nil, -1, -1, 0, tup(nil, tup("parsec", 1, 1, 1)))), "dtype has the unit of a time"},
	{"unit of none", pickled(dt("M8", 4, "<", nil, nil, nil, -1, -1, 0, 7)), "dtype has int64 for the unit of a time"},
	{"unit of short tuple", pickled(dt("M8", 4, "<", nil, nil, nil, -1, -1, 0, tup(nil, tup("s")))), "for the unit of a time"},
	{"list for a struct", pickled(arr(1, tup(1), pair(), false, list(list(1, 2)))), "array has a *pickle.List for a struct, want a tuple of 2"},
	{"short struct", pickled(arr(1, tup(1), pair(), false, list(tup(1)))), "want a tuple of 2"},
	{"large int in a struct", pickled(arr(1, tup(1), pair(), false, list(tup(1<<15, nil)))), "array has a int64 for an element of dtype <i2"},
	{"text in a struct", pickled(arr(1, tup(1), pair(), false, list(tup("1", nil)))), "array has a string for an element of dtype <i2"},
	{"struct of gigabytes", pickled(arr(1, tup(2), dt("V10", 3, "|", nil, tup("s", "o"), fields("s", tup(dt("S1000000000"), 0), "o", tup(object, 1000000000)), 1000000008, 1, 27), false, list(tup([]byte("x"), nil), tup([]byte("y"), nil)))), "left of MaxStruct"},
	{"scalar of few bytes", pickled(&pickle.Object{Class: scalar, Args: tup(simple("f8", "<"), []byte("1234"))}), "4 bytes given"},
	{"scalar of an int", pickled(&pickle.Object{Class: scalar, Args: tup(simple("f8", "<"), 4)}), "scalar has a value of int64, want bytes"},
	{"scalar of 2 GB from nothing", pickled(&pickle.Object{Class: scalar, Args: tup(dt("S2147483647"))}), "scalar has wrong arguments"},
	{"struct scalar without array", pickled(&pickle.Object{Class: scalar, Args: tup(pair(), []byte("1234567890"))}), "want an array without dimensions"},
	{"buffer of few bytes", pickled(&pickle.Object{Class: frombuffer, Args: tup([]byte("12"), simple("i4", "<"), tup(1), "C")}), "2 bytes given"},
	{"buffer of objects", pickled(&pickle.Object{Class: frombuffer, Args: tup([]byte("\x01\x00\x00\x00\x00\x00\x00\x00"), object, tup(1), "C")}), npy.ErrObjects.Error()},
	{"buffer of odd order", pickled(&pickle.Object{Class: frombuffer, Args: tup([]byte("1"), simple("i1", "|"), tup(1), "Z")}), "array has the order Z"},
	{"buffer with odd axes", pickled(&pickle.Object{Class: frombuffer, Args: tup([]byte("1"), simple("i1", "|"), tup(1, 1), "K", tup(0, 5))}), "axis 5 is out of range"},
	{"buffer of text", pickled(&pickle.Object{Class: frombuffer, Args: tup(list(), simple("i1", "|"), tup(1), "C")}), "want bytes"},
	{"masked with a short mask", pickled(maskedArray([]byte("12"), []byte("1"))), "1 bytes given"},
	{"masked with an odd mask", pickled(maskedArray([]byte("12"), list())), "masked array has a mask of *pickle.List"},
	{"masked with a short state", pickled(&pickle.Object{Class: mareconstr, Args: tup(masked, ndarray, tup(0), "b"), State: tup(1), HasState: true}), "no state of 7 items"},
	{"masked without arguments", pickled(&pickle.Object{Class: mareconstr, Args: tup()}), "masked array has wrong arguments"},
	{"stringdtype of text", pickled(&pickle.Object{Class: &pickle.Global{Module: "numpy._core._internal", Name: "_convert_to_stringdtype_kwargs"}, Args: tup("no")}), "StringDType has a string for coerce"},
	{"state for a scalar", append(pickled(&pickle.Object{Class: scalar, Args: tup(simple("i1", "|"), []byte("1"))})[:0:0], []byte("\x80\x03cnumpy.core.multiarray\nscalar\n"+rawDType+rawInt8+"C\x01a\x86RK\x01b.")...), "takes no state"},
}

func maskedArray(data, mask any) *pickle.Object {
	state := tup(1, tup(2), simple("i1", "|"), false, data, mask, nil)
	return &pickle.Object{Class: mareconstr, Args: tup(masked, ndarray, tup(0), "b"), State: state, HasState: true}
}

func TestHostile(t *testing.T) {
	for _, tt := range attacks {
		data := file(tt.pickle, 1)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		a, err := reading.Read(bytes.NewReader(data))
		runtime.ReadMemStats(&after)
		var e *format.Error
		wide, narrow, _ := strings.Cut(tt.want, " | ")
		if strconv.IntSize == 32 && narrow != "" {
			wide = narrow
		}
		if err == nil || !errors.As(err, &e) || !strings.Contains(err.Error(), wide) {
			t.Errorf("%s: Read gives %v, %v, want %s", tt.name, a, err, tt.want)
			continue
		}
		if e.Offset < 128 || e.Offset > int64(len(data)) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: offset %d of %d bytes: %v", tt.name, e.Offset, len(data), err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
			t.Errorf("%s: %d bytes allocated for a file of %d", tt.name, took, len(data))
		}
	}
}

// Odd but valid files.
func TestOdd(t *testing.T) {
	i4 := simple("i4", "<")
	for _, tt := range []struct {
		name, why string
		value     any
		want      string
	}{
		{"extra elements", "NumPy takes as many as it needs", arr(1, tup(1), object, false, list(1, 2)), "array([1], dtype=object)"},
		{"state without version", "before NumPy 1.0", arr(tup(2), object, 0, list(1, 2)), "array([1, 2], dtype=object)"},
		{"shape of an int", "NumPy takes it", arr(1, 2, i4, false, []byte("\x01\x00\x00\x00\x02\x00\x00\x00")), "array([1, 2], dtype=int32)"},
		{"big-endian", "the byte order is kept", arr(1, tup(1), simple("i2", ">"), false, []byte("\x01\x02")), "array([258], dtype='>i2')"},
		{"dtype of version 1", "names under -1", arr(1, tup(1), dt("V4", 1, "|", nil, fields(-1, tup("a"), "a", tup(i4, 0)), 4, 1), false, []byte("\x05\x00\x00\x00")), "array([(5,)], dtype=[('a', '<i4')])"},
		{"dtype of version 0", "no version", arr(1, tup(1), dt("i4", "<", nil, nil, -1, -1), false, []byte("\x05\x00\x00\x00")), "array([5], dtype=int32)"},
		{"negative flags", "a C char in NumPy 1", arr(1, tup(0), dt("V4", 3, "|", nil, tup("a"), fields("a", tup(i4, 0)), 4, 4, -112), false, []byte{}), "array([],\n      dtype={'names': ['a'], 'formats': ['<i4'], 'offsets': [0], 'itemsize': 4, 'aligned': True})"},
		{"fields out of order", "no file of its own, but an object", arr(1, tup(1), dt("V4", 3, "|", nil, tup("a", "b"), fields("a", tup(simple("i2", "<"), 2), "b", tup(simple("i2", "<"), 0)), 4, 1, 16), false, []byte("abcd")), `array([b'\x61\x62\x63\x64'], dtype='|V4')`},
		{"user dtype", "as void of its size", arr(1, tup(1), &pickle.Object{Class: dtypeGlobal, Args: tup(&pickle.Global{Module: "numpy.core._rational_tests", Name: "rational"}, false, true), State: tup(3, "<", nil, nil, nil, 4, 4, 0), HasState: true}, false, []byte("abcd")), `array([b'\x61\x62\x63\x64'], dtype='|V4')`},
		{"bfloat16", "of ml_dtypes", arr(1, tup(1), object, false, list(arr(1, tup(1), &pickle.Object{Class: dtypeGlobal, Args: tup(&pickle.Global{Module: "ml_dtypes", Name: "bfloat16"}, false, true), State: tup(3, "<", nil, nil, nil, 2, 2, 0), HasState: true}, false, []byte("\x80\x3f")))), "array([array([1.], dtype=bfloat16)], dtype=object)"},
		{"empty structs", "no bytes, no matter how many", arr(1, tup(1), dt("V0", 3, "|", nil, tup("a"), fields("a", tup(dt("V0", 3, "|", tup(object, tup(0)), nil, nil, 0, 8, 63), 0)), 0, 1, 27), false, list(tup(1))), "array([([],)], dtype=[('a', 'O', (0,))])"},
		{"no array", "a value alone", fields("k", 1), "array({'k': 1}, dtype=object)"},
		{"array of other elements", "the pickle counts", arr(1, tup(2), i4, true, []byte("\x01\x00\x00\x00\x02\x00\x00\x00")), "array([1, 2], dtype=int32)"},
		{"another class", "is kept as an object", &pickle.Object{Class: reconstruct, Args: tup(&pickle.Global{Module: "astropy.units", Name: "Quantity"}, tup(0), []byte("b"))}, ""},
	} {
		a, err := reading.Read(bytes.NewReader(file(pickled(tt.value), 7, 7)))
		if err != nil {
			t.Errorf("%s (%s): %v", tt.name, tt.why, err)
			continue
		}
		little := dtype.NativeEndian == dtype.LittleEndian // a repr shows a byte order that is not native
		if got := a.Repr(0); little && got != tt.want && tt.want != "" {
			t.Errorf("%s (%s): got %s, want %s", tt.name, tt.why, got, tt.want)
		}
		var first, second bytes.Buffer
		if err := writing.Write(&first, a); err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if b, err := reading.Read(bytes.NewReader(first.Bytes())); err != nil {
			t.Errorf("%s: what was written is not read: %v", tt.name, err)
		} else if err := writing.Write(&second, b); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: written twice, it differs (%v)", tt.name, err)
		}
	}
}

// The limits of npy.Decoder and of package pickle apply too.
func TestLimits(t *testing.T) {
	data := file(pickled(arr(1, tup(1000), object, false, list(make([]any, 1000)...))), 1000)
	for name, d := range map[string]npy.Decoder{
		"MaxBytes":  {MaxBytes: 100, Objects: objects.Decoder{}},
		"MaxNodes":  {Objects: objects.Decoder{Pickle: pickle.Decoder{MaxNodes: 100}}},
		"MaxHeader": {MaxHeader: 10, Objects: objects.Decoder{}},
	} {
		for _, r := range []io.Reader{bytes.NewReader(data), struct{ io.Reader }{bytes.NewReader(data)}} {
			if _, err := d.Read(r); !errors.Is(err, npy.ErrLimit) || !strings.Contains(err.Error(), name) {
				t.Errorf("%s: error is %v", name, err)
			}
		}
	}
}

// TestHeaderLies reads files whose headers promise more elements than their pickles hold.
func TestHeaderLies(t *testing.T) {
	few := make([]any, 100)
	for i := range few {
		few[i] = 1000 + i
	}
	data := file(pickled(arr(1, tup(100), object, false, list(few...))), math.MaxInt/16)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	a, err := reading.Read(bytes.NewReader(data))
	runtime.ReadMemStats(&after)
	if err != nil || a.Size() != 100 {
		t.Fatalf("Read gives %v, %v, want the 100 elements of the pickle", a, err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
		t.Errorf("%d bytes allocated for a file of %d", took, len(data))
	}
}
