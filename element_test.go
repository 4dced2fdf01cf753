package npy_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/mmap"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/scalar"
)

// everyDType has a dtype of each kind and size with elements of one value. Byte order and length do not matter here.
var everyDType = []string{
	"?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "f12", "f16", "c8", "c16", "c24", "c32",
	"float8_e5m2", "bfloat16", "complex32", "int4", "uint4", "int2", "uint2", "int1", "S0", "S3", "U0", "U3", "V0", "V1", "V2", "V3",
	"float8_e3m4", "float8_e4m3", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2fnuz", "float8_e8m0fnu", "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn",
	"M8", "M8[D]", "M8[25us]", "m8", "m8[ns]", "O", "[('x','<f8')]", "[]",
}

// An element describes one Go type for the tests: its dtypes, and As for it.
type element struct {
	goType reflect.Type
	own    []string // the dtypes of exactly this type
	on     []string // the dtypes that may be this type but do not say so: As takes them, GoTypes does not list them
	as     func(*npy.Array) error
	dtype  dtype.Type
	writes func(dtype.Type) bool
	shares func(*npy.Array) bool
}

func elementOf[T npy.Element](own ...string) element {
	return element{
		goType: reflect.TypeFor[T](),
		own:    own,
		as:     func(a *npy.Array) error { _, err := npy.As[T](a); return err },
		dtype:  npy.DTypeOf[T](),
		writes: func(t dtype.Type) bool { _, err := npy.FromSliceAs(t, []T{}); return err == nil },
		shares: func(a *npy.Array) bool { v, err := npy.As[T](a); return err == nil && v.Shared() },
	}
}

// onRequest is an element with the dtype own, or none, which the file may not name.
func onRequest[T npy.Element](own, on string) element {
	e := elementOf[T]()
	if own != "" {
		e.own = []string{own}
	}
	e.on = []string{on}
	return e
}

// wordSize is the size of int in bytes.
var wordSize = npy.DTypeOf[int]().ItemSize()

var everyElement = []element{
	elementOf[bool]("?"),
	elementOf[int8]("i1"), elementOf[int16]("i2"), elementOf[int32]("i4"), elementOf[int64]("i8"), elementOf[int](fmt.Sprint("i", wordSize)),
	elementOf[uint8]("u1"), elementOf[uint16]("u2"), elementOf[uint32]("u4"), elementOf[uint64]("u8"), elementOf[uint](fmt.Sprint("u", wordSize)),
	elementOf[float32]("f4"), elementOf[float64]("f8"), elementOf[complex64]("c8"), elementOf[complex128]("c16"),
	elementOf[scalar.Float16]("f2"), onRequest[scalar.BFloat16]("bfloat16", "V2"), elementOf[scalar.Float8E5M2]("float8_e5m2"),
	elementOf[scalar.Complex32]("complex32"), elementOf[scalar.LongDouble]("f16", "f12"), elementOf[scalar.LongComplex]("c32", "c24"),
	elementOf[scalar.Datetime64]("M8", "M8[D]", "M8[25us]"), elementOf[scalar.Timedelta64]("m8", "m8[ns]"),
	onRequest[scalar.Float8E3M4]("float8_e3m4", "V1"),
	onRequest[scalar.Float8E4M3]("float8_e4m3", "V1"),
	onRequest[scalar.Float8E4M3FN]("float8_e4m3fn", "V1"),
	onRequest[scalar.Float8E4M3FNUZ]("float8_e4m3fnuz", "V1"),
	onRequest[scalar.Float8E4M3B11FNUZ]("float8_e4m3b11fnuz", "V1"),
	onRequest[scalar.Float8E5M2FNUZ]("float8_e5m2fnuz", "V1"),
	onRequest[scalar.Float8E8M0FNU]("float8_e8m0fnu", "V1"),
	onRequest[scalar.Float6E2M3FN]("float6_e2m3fn", "V1"),
	onRequest[scalar.Float6E3M2FN]("float6_e3m2fn", "V1"),
	onRequest[scalar.Float4E2M1FN]("float4_e2m1fn", "V1"),
	onRequest[scalar.Float128]("", "f16"),
	onRequest[time.Duration]("", "m8[ns]"),
	onRequest[scalar.Int4]("int4", "V1"),
	onRequest[scalar.Uint4]("uint4", "V1"),
	onRequest[scalar.Int2]("int2", "V1"),
	onRequest[scalar.Uint2]("uint2", "V1"),
	elementOf[string]("U0", "U3", "S0", "S3"),
	elementOf[[]byte]("S0", "S3", "V0", "V1", "V2", "V3", "bfloat16", "int4", "uint4", "int2", "uint2", "int1",
		"float8_e3m4", "float8_e4m3", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2fnuz", "float8_e8m0fnu", "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn"),
}

// A number describes a number format: integers by their number of bits, or floats by precision and the exponents of
// their largest and smallest values (as 2**e).
type number struct {
	signed, float, complex bool
	bits                   int // of an integer without its sign, or of the significand
	high, low              int
}

func numberOf(descr string) (number, bool) {
	n, ok := map[string]number{
		"?": {bits: 1}, "u1": {bits: 8}, "u2": {bits: 16}, "u4": {bits: 32}, "u8": {bits: 64},
		"i1": {signed: true, bits: 7}, "i2": {signed: true, bits: 15}, "i4": {signed: true, bits: 31}, "i8": {signed: true, bits: 63},
		"int4": {signed: true, bits: 3}, "uint4": {bits: 4}, "int2": {signed: true, bits: 1}, "uint2": {bits: 2},
		"float8_e5m2":        {signed: true, float: true, bits: 3, high: 15, low: -16},
		"f2":                 {signed: true, float: true, bits: 11, high: 15, low: -24},
		"float8_e3m4":        {signed: true, float: true, bits: 5, high: 3, low: -6},
		"float8_e4m3":        {signed: true, float: true, bits: 4, high: 7, low: -9},
		"float8_e4m3fn":      {signed: true, float: true, bits: 4, high: 8, low: -9},
		"float8_e4m3fnuz":    {signed: true, float: true, bits: 4, high: 7, low: -10},
		"float8_e4m3b11fnuz": {signed: true, float: true, bits: 4, high: 4, low: -13},
		"float8_e5m2fnuz":    {signed: true, float: true, bits: 3, high: 15, low: -17},
		"float8_e8m0fnu":     {signed: true, float: true, bits: 1, high: 127, low: -127},
		"float6_e2m3fn":      {signed: true, float: true, bits: 4, high: 2, low: -3},
		"float6_e3m2fn":      {signed: true, float: true, bits: 3, high: 4, low: -4},
		"float4_e2m1fn":      {signed: true, float: true, bits: 2, high: 2, low: -1},
		"bfloat16":           {signed: true, float: true, bits: 8, high: 127, low: -133},
		"f4":                 {signed: true, float: true, bits: 24, high: 127, low: -149},
		"f8":                 {signed: true, float: true, bits: 53, high: 1023, low: -1074},
		"f16":                {signed: true, float: true, bits: 64, high: 16383, low: -16445},
	}[descr]
	n2, ok2 := map[string]string{"complex32": "f2", "c8": "f4", "c16": "f8", "c32": "f16", "f12": "f16", "c24": "f16"}[descr]
	if !ok2 {
		return n, ok
	}
	n, _ = numberOf(n2)
	n.complex = descr[0] == 'c'
	return n, true
}

// critical returns the values of a format that are hard to hold for others: both ends, and the most digits.
func (n number) critical() []*big.Float {
	pow := func(e int) *big.Float { return new(big.Float).SetMantExp(big.NewFloat(1), e) }
	ones := new(big.Float).SetPrec(200).Sub(pow(n.bits), big.NewFloat(1))
	if !n.float {
		values := []*big.Float{big.NewFloat(0), ones}
		if n.signed {
			values = append(values, new(big.Float).Neg(pow(n.bits)), new(big.Float).Neg(ones))
		}
		return values
	}
	largest := new(big.Float).SetPrec(200).SetMantExp(ones, n.high-n.bits+1)
	return []*big.Float{big.NewFloat(0), ones, largest, new(big.Float).Neg(largest), pow(n.low)}
}

// holds reports whether x is a value of the format.
func (n number) holds(x *big.Float) bool {
	if x.Sign() == 0 {
		return true
	}
	if x.Sign() < 0 && !n.signed {
		return false
	}
	if !n.float {
		limit := new(big.Float).SetMantExp(big.NewFloat(1), n.bits)
		if x.Sign() < 0 {
			return x.IsInt() && new(big.Float).Neg(x).Cmp(limit) <= 0
		}
		return x.IsInt() && x.Cmp(limit) < 0
	}
	top := x.MantExp(nil) - 1 // x is between 2**top and 2**(top+1)
	bottom := top + 1 - int(x.MinPrec())
	return int(x.MinPrec()) <= n.bits && top <= n.high && bottom >= n.low
}

// everyValueFits is the rule for As, computed from the values themselves: built-in numbers hold the values they can,
// all other types only their own dtypes.
func everyValueFits(e element, descr string) bool {
	if slices.Contains(e.own, descr) {
		return true
	}
	if len(e.own) == 0 {
		return false
	}
	target, ok := numberOf(e.own[0])
	source, ok2 := numberOf(descr)
	if !ok || !ok2 || e.goType == reflect.TypeFor[bool]() || strings.HasPrefix(e.goType.PkgPath(), "github.com") {
		return false
	}
	if source.complex && !target.complex || source.float && !target.float {
		return false // no integer is NaN
	}
	for _, x := range source.critical() {
		if !target.holds(x) {
			return false
		}
	}
	return true
}

// As takes a dtype if every value fits and refuses it otherwise, and GoTypes says the same.
func TestEveryPair(t *testing.T) {
	accepted := 0
	for _, descr := range everyDType {
		for _, order := range []dtype.ByteOrder{dtype.LittleEndian, dtype.BigEndian} {
			typ := parse(descr).WithByteOrder(order)
			listed := npy.GoTypes(typ)
			for _, e := range everyElement {
				want := everyValueFits(e, descr)
				if got := slices.Contains(listed, e.goType); got != want {
					t.Errorf("GoTypes(%s) has %v: %v, want %v", descr, e.goType, got, want)
				}
				if typ.HasObject() {
					continue
				}
				want = want || slices.Contains(e.on, descr)
				err := e.as(must(npy.New(typ, 2)))
				if (err == nil) != want {
					t.Errorf("As[%v] of dtype %s: error %v, want none: %v", e.goType, descr, err, want)
				}
				if want {
					accepted++
					continue
				}
				var te *npy.TypeError
				if !errors.As(err, &te) || te.GoType != e.goType || !te.DType.Equal(typ) || te.Path != "" || te.Hint == "" {
					t.Errorf("As[%v] of dtype %s: error %#v, want a TypeError with both types and a hint", e.goType, descr, err)
				}
			}
			if len(listed) > len(everyElement) {
				t.Errorf("GoTypes(%s) lists types that are not tested: %v", descr, listed)
			}
		}
	}
	t.Logf("%d pairs accepted", accepted)
}

func TestGoTypes(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("int and uint are listed differently where they have 32 bits")
	}
	for descr, want := range map[string]string{
		"?":                  "bool uint8 int8 uint16 int16 uint32 int32 uint64 int64 uint int float32 float64 complex64 complex128",
		"i1":                 "int8 int16 int32 int64 int float32 float64 complex64 complex128",
		"u1":                 "uint8 uint16 int16 uint32 int32 uint64 int64 uint int float32 float64 complex64 complex128",
		"i2":                 "int16 int32 int64 int float32 float64 complex64 complex128",
		"u2":                 "uint16 uint32 int32 uint64 int64 uint int float32 float64 complex64 complex128",
		"i4":                 "int32 int64 int float64 complex128",
		"u4":                 "uint32 uint64 int64 uint int float64 complex128",
		"i8":                 "int64 int",
		"u8":                 "uint64 uint",
		"f2":                 "scalar.Float16 float32 float64 complex64 complex128",
		"f4":                 "float32 float64 complex64 complex128",
		"f8":                 "float64 complex128",
		"f12":                "scalar.LongDouble",
		"f16":                "scalar.LongDouble",
		"c8":                 "complex64 complex128",
		"c16":                "complex128",
		"c24":                "scalar.LongComplex",
		"c32":                "scalar.LongComplex",
		"float8_e5m2":        "scalar.Float8E5M2 float32 float64 complex64 complex128",
		"bfloat16":           "scalar.BFloat16 float32 float64 complex64 complex128 []uint8",
		"complex32":          "scalar.Complex32 complex64 complex128",
		"float8_e3m4":        "scalar.Float8E3M4 float32 float64 complex64 complex128 []uint8",
		"float8_e4m3":        "scalar.Float8E4M3 float32 float64 complex64 complex128 []uint8",
		"float8_e4m3fn":      "scalar.Float8E4M3FN float32 float64 complex64 complex128 []uint8",
		"float8_e4m3fnuz":    "scalar.Float8E4M3FNUZ float32 float64 complex64 complex128 []uint8",
		"float8_e4m3b11fnuz": "scalar.Float8E4M3B11FNUZ float32 float64 complex64 complex128 []uint8",
		"float8_e5m2fnuz":    "scalar.Float8E5M2FNUZ float32 float64 complex64 complex128 []uint8",
		"float8_e8m0fnu":     "scalar.Float8E8M0FNU float32 float64 complex64 complex128 []uint8",
		"float6_e2m3fn":      "scalar.Float6E2M3FN float32 float64 complex64 complex128 []uint8",
		"float6_e3m2fn":      "scalar.Float6E3M2FN float32 float64 complex64 complex128 []uint8",
		"float4_e2m1fn":      "scalar.Float4E2M1FN float32 float64 complex64 complex128 []uint8",
		"V1":                 "[]uint8",
		"V2":                 "[]uint8",
		"int4":               "scalar.Int4 int8 int16 int32 int64 int float32 float64 complex64 complex128 []uint8",
		"uint2":              "scalar.Uint2 uint8 int8 uint16 int16 uint32 int32 uint64 int64 uint int float32 float64 complex64 complex128 []uint8",
		"int1":               "[]uint8",
		"S3":                 "[]uint8 string",
		"U3":                 "string",
		"V3":                 "[]uint8",
		"M8[ns]":             "scalar.Datetime64",
		"m8":                 "scalar.Timedelta64",
		"O":                  "",
		"[('x','f8')]":       "",
		"[]":                 "",
	} {
		var names []string
		for _, g := range npy.GoTypes(parse(descr)) {
			names = append(names, g.String())
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("GoTypes(%s):\ngot  %s\nwant %s", descr, got, want)
		}
	}
	if got := npy.GoTypes(dtype.Type{}); len(got) != 0 {
		t.Errorf("GoTypes of no dtype: %v", got)
	}
	if got := npy.GoTypes(parse("2i1")); len(got) != 0 {
		t.Errorf("GoTypes of a subarray: %v", got)
	}
}

func TestDTypeOf(t *testing.T) {
	for _, e := range everyElement {
		if len(e.own) == 0 {
			continue
		}
		want := parse(e.own[0])
		if e.goType == reflect.TypeFor[[]byte]() {
			want = dtype.Bytes(0)
		}
		if !e.dtype.Equal(want) {
			t.Errorf("DTypeOf[%v] is %s, want %s", e.goType, e.dtype, want)
		}
	}
}

func TestTypeErrors(t *testing.T) {
	asError := func(descr string) error {
		_, err := npy.As[int16](must(npy.New(parse(descr), 1)))
		return err
	}
	_, timeError := npy.FromSlice(scalar.Datetime64s(1))
	_, ownError := npy.FromSliceAs(parse("<f4"), []float64{1})
	field := &npy.TypeError{DType: parse("<f8"), GoType: reflect.TypeFor[int8](), Path: "a.b"}
	for _, tt := range []struct {
		err  error
		want string
	}{
		{asError("<i4"), "npy: dtype <i4 and Go type int16 do not fit: values could change; ask for int32 or int64 or int or float64 or complex128, or allow the change with Casting: npy.SameKindCasting"},
		{asError("|S3"), "npy: dtype |S3 and Go type int16 do not fit: values could change; ask for []uint8 or string, or allow the change with Casting: npy.UnsafeCasting"},
		{asError("[('x', '<i2')]"), "npy: dtype [('x', '<i2')] and Go type int16 do not fit: package record reads structs into Go structs, Array.Field one field of them"},
		{timeError, "npy: dtype " + parse("M8").Descr() + " and Go type scalar.Datetime64 do not fit: the step is not known; use FromSliceAs with dtype.Datetime64(step) or dtype.Timedelta64(step)"},
		{ownError, "npy: dtype <f4 and Go type float64 do not fit: the dtype of this Go type is " + parse("f8").Descr()},
		{field, "npy: dtype <f8 of field a.b and Go type int8 do not fit"},
	} {
		if tt.err == nil || math.MaxInt > math.MaxInt32 && tt.err.Error() != tt.want {
			t.Errorf("error\n%v\nwant\n%s", tt.err, tt.want)
		}
	}
}

// Named types of some kinds, and of every type of package scalar.
type (
	celsius  float64
	meters   float32
	count    int32
	id       uint64
	level    uint8
	position int
	phase    complex64
	onOff    bool
	label    string
	blob     []byte

	half        scalar.Float16
	brain       scalar.BFloat16
	e3m4        scalar.Float8E3M4
	e4m3        scalar.Float8E4M3
	e4m3fn      scalar.Float8E4M3FN
	e4m3fnuz    scalar.Float8E4M3FNUZ
	e4m3b11fnuz scalar.Float8E4M3B11FNUZ
	e5m2        scalar.Float8E5M2
	e5m2fnuz    scalar.Float8E5M2FNUZ
	e8m0fnu     scalar.Float8E8M0FNU
	e2m3fn      scalar.Float6E2M3FN
	e3m2fn      scalar.Float6E3M2FN
	e2m1fn      scalar.Float4E2M1FN
	nibble      scalar.Int4
	unibble     scalar.Uint4
	crumb       scalar.Int2
	ucrumb      scalar.Uint2
	moment      scalar.Datetime64
	span        scalar.Timedelta64
	quad        scalar.Float128
	long        scalar.LongDouble
	halves      scalar.Complex32
	longPair    scalar.LongComplex
)

// Every type of the constraint Element is registered, and every registered type is an Element, is tested with all
// dtypes and stands in doc/dtypes.md.
func TestElementTable(t *testing.T) {
	terms := append(termsOf(t, "element.go", "Element", "Number"), termsOf(t, "scalar/element.go", "Element")...)
	registered := map[string]reflect.Type{}
	for _, g := range codec.Registered() {
		registered[g.String()] = g
		if strings.HasPrefix(g.PkgPath(), "github.com/npygo/npy/") && g.Kind() != reflect.Struct {
			t.Errorf("%v is a %v for Go, whose operators are not those of its values", g, g.Kind())
		}
		if !slices.Contains(terms, termOf(g)) && !slices.Contains(terms, g.Kind().String()) {
			t.Errorf("%v is registered and not in the constraint Element", g)
		}
		if !slices.ContainsFunc(everyElement, func(e element) bool { return e.goType == g }) {
			t.Errorf("%v is not in everyElement", g)
		}
	}
	for _, term := range terms {
		is := func(g reflect.Type) bool { return g.String() == term || termOf(g) == term }
		if !slices.ContainsFunc(codec.Registered(), is) && term != "Number" && term != "scalar.Element" {
			t.Errorf("%s is in the constraint Element and not registered", term)
		}
	}
	doc, err := os.ReadFile("doc/dtypes.md")
	if err != nil {
		t.Fatal(err)
	}
	for name := range registered {
		if name = strings.Replace(name, "[]uint8", "[]byte", 1); !strings.Contains(string(doc), " `"+name+"` ") {
			t.Errorf("doc/dtypes.md has no dtype for %s", name)
		}
	}
}

// termsOf returns the terms of constraints, without the tilde.
func termsOf(t *testing.T, path string, names ...string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var terms []string
	var add func(x ast.Expr)
	add = func(x ast.Expr) {
		switch x := x.(type) {
		case *ast.BinaryExpr:
			add(x.X)
			add(x.Y)
		case *ast.UnaryExpr:
			add(x.X)
		case *ast.StructType:
			terms = append(terms, x.Fields.List[0].Tag.Value)
		default:
			terms = append(terms, strings.Replace(types.ExprString(x), "[]byte", "[]uint8", 1))
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok && slices.Contains(names, spec.Name.Name) {
			add(spec.Type.(*ast.InterfaceType).Methods.List[0].Type)
		}
		return true
	})
	return terms
}

// termOf returns the term of a registered type: the tag of a type of package scalar, which is unlike all others, or its
// name.
func termOf(g reflect.Type) string {
	if g.Kind() == reflect.Struct {
		return "`" + string(g.Field(0).Tag) + "`"
	}
	return g.String()
}

// timed returns the dtype for T with a unit, if it is a time. For all others it is invalid: their values decide.
func timed[T npy.Element]() dtype.Type {
	step := parse("M8[25s]").Step()
	switch npy.DTypeOf[T]().Kind() {
	case dtype.KindDatetime:
		return dtype.Datetime64(step)
	case dtype.KindTimedelta:
		return dtype.Timedelta64(step)
	}
	return dtype.Type{}
}

// saved returns what npy.Saver writes of data.
func saved[T npy.Element](t *testing.T, data []T) *npy.Array {
	t.Helper()
	var b bytes.Buffer
	if err := (npy.Saver[T]{DType: timed[T]()}).SaveTo(&b, data); err != nil {
		t.Fatal(err)
	}
	return must(npy.Read(&b))
}

// asBase compares what a named type N and its base type B are read from and written as.
func asBase[N, B npy.Element](t *testing.T, named []N, base []B) {
	t.Helper()
	same := func(what string, got []N, want []B) {
		t.Helper()
		values := make([]B, len(got)) // N has no methods
		for i, x := range got {
			values[i] = reflect.ValueOf(x).Convert(reflect.TypeFor[B]()).Interface().(B)
		}
		if fmt.Sprint(values) != fmt.Sprint(want) || len(got) != len(want) {
			t.Errorf("%s: %T %v, want %v", what, got, got, want)
		}
	}
	if got, want := npy.DTypeOf[N](), npy.DTypeOf[B](); !got.Equal(want) {
		t.Errorf("DTypeOf[%T] is %v, want %v", named, got, want)
	}
	a, b := saved(t, named), saved(t, base)
	if !a.DType().Equal(b.DType()) || !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Errorf("SaveTo of %T: dtype %v, want %v, or other bytes", named, a.DType(), b.DType())
	}
	for _, descr := range everyDType {
		for _, order := range []dtype.ByteOrder{dtype.LittleEndian, dtype.BigEndian} {
			typ := parse(descr).WithByteOrder(order)
			if typ.HasObject() {
				continue
			}
			c := must(npy.New(typ, 3))
			if raw, ok := c.ViewBytes(); ok {
				for i := range raw {
					raw[i] = byte(i % 3 * (i % 2))
				}
			}
			v, err := npy.As[N](c)
			w, want := npy.As[B](c)
			if (err == nil) != (want == nil) || v.Shared() != w.Shared() {
				t.Errorf("As of dtype %v: %T %v shared %v, %T %v shared %v", typ, named, err, v.Shared(), base, want, w.Shared())
			}
			if err == nil {
				same("As of dtype "+typ.String(), v.ToSlice(), w.ToSlice())
			}
			x, err := npy.FromSliceAs(typ, named)
			y, want := npy.FromSliceAs(typ, base)
			if (err == nil) != (want == nil) || err == nil && !bytes.Equal(x.Bytes(), y.Bytes()) {
				t.Errorf("FromSliceAs of dtype %v: %T %v, %T %v, or other bytes", typ, named, err, base, want)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := (npy.Saver[N]{DType: timed[N]()}).Save(path, named); err != nil {
		t.Fatal(err)
	}
	got, _, err := npy.Load[N](path)
	if err != nil {
		t.Fatal(err)
	}
	same("Load after Save", got, base)
	var swapped bytes.Buffer
	if b.DType().Kind() != dtype.KindVoid { // whose bytes are little-endian
		b = must(b.AsType(b.DType().WithByteOrder(dtype.BigEndian)))
	}
	if err := npy.Write(&swapped, b); err != nil {
		t.Fatal(err)
	}
	r, err := npy.NewRowReader[N](bytes.NewReader(swapped.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]N, len(named))
	if n, err := r.Next(rows); n != len(named) || err != nil && err != io.EOF {
		t.Fatalf("%d rows, %v", n, err)
	}
	same("Next", rows, base)
	if got, _, err = npy.LoadFrom[N](bytes.NewReader(swapped.Bytes())); err != nil {
		t.Fatal(err)
	}
	same("LoadFrom", got, base)
	text, err := json.Marshal(must(npy.As[N](a)))
	if want, err2 := json.Marshal(must(npy.As[B](b))); err != nil || err2 != nil || !bytes.Equal(text, want) {
		t.Errorf("JSON %s, %v, want %s, %v", text, err, want, err2)
	}
	ap, err := npy.OpenAppend(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(npy.AppendRows(ap, named), ap.Close()); err != nil {
		t.Fatal(err)
	}
	if got, _, err = npy.Load[N](path); err != nil {
		t.Fatal(err)
	}
	same("AppendRows", got, append(slices.Clone(base), base...))
	var w bytes.Buffer
	rw, err := npy.Saver[N]{DType: b.DType()}.NewRowWriter(&w, len(named))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(rw.Write(named), rw.Close()); err != nil {
		t.Fatal(err)
	}
	if got, _, err = npy.LoadFrom[N](&w); err != nil {
		t.Fatal(err)
	}
	same("RowWriter", got, base)
	objects := make([]any, len(base))
	for i, x := range base {
		objects[i] = x
	}
	if v, err := npy.As[N](must(npy.FromObjects(objects))); err != nil {
		t.Errorf("As[%T] of objects: %v", named, err)
	} else {
		same("As of objects", v.ToSlice(), base)
	}
}

func TestNamedTypes(t *testing.T) {
	asBase(t, []celsius{1.5, -2, math.MaxFloat64}, []float64{1.5, -2, math.MaxFloat64})
	asBase(t, []meters{1.5, -2, 0}, []float32{1.5, -2, 0})
	asBase(t, []count{1, -2, math.MaxInt32}, []int32{1, -2, math.MaxInt32})
	asBase(t, []id{1, 2, math.MaxUint64}, []uint64{1, 2, math.MaxUint64})
	asBase(t, []level{1, 2, 255}, []uint8{1, 2, 255})
	asBase(t, []position{1, -2, 3}, []int{1, -2, 3})
	asBase(t, []phase{1, 2i, 3}, []complex64{1, 2i, 3})
	asBase(t, []onOff{true, false, true}, []bool{true, false, true})
	asBase(t, []label{"a", "", "déjà"}, []string{"a", "", "déjà"})
	asBase(t, []blob{[]byte("a"), nil, []byte("bcd")}, [][]byte{[]byte("a"), nil, []byte("bcd")})
	asBase(t, []half{{1}, {2}, {0x7c01}}, []scalar.Float16{{Bits: 1}, {Bits: 2}, {Bits: 0x7c01}})
	asBase(t, []brain{{1}, {2}, {0x7f81}}, []scalar.BFloat16{{Bits: 1}, {Bits: 2}, {Bits: 0x7f81}})
	asBase(t, []e3m4{{1}, {2}, {3}}, []scalar.Float8E3M4{{Bits: 1}, {Bits: 2}, {Bits: 3}})
	asBase(t, []e4m3{{1}, {2}, {3}}, []scalar.Float8E4M3{{Bits: 1}, {Bits: 2}, {Bits: 3}})
	asBase(t, []e4m3fn{{1}, {2}, {3}}, []scalar.Float8E4M3FN{{Bits: 1}, {Bits: 2}, {Bits: 3}})
	asBase(t, []e4m3fnuz{{1}, {2}, {3}}, []scalar.Float8E4M3FNUZ{{Bits: 1}, {Bits: 2}, {Bits: 3}})
	asBase(t, []e4m3b11fnuz{{1}, {2}, {3}}, []scalar.Float8E4M3B11FNUZ{{Bits: 1}, {Bits: 2}, {Bits: 3}})
	asBase(t, []e5m2{{1}, {2}, {3}}, []scalar.Float8E5M2{{Bits: 1}, {Bits: 2}, {Bits: 3}})
	asBase(t, []e5m2fnuz{{1}, {2}, {3}}, []scalar.Float8E5M2FNUZ{{Bits: 1}, {Bits: 2}, {Bits: 3}})
	asBase(t, []e8m0fnu{{1}, {2}, {3}}, []scalar.Float8E8M0FNU{{Bits: 1}, {Bits: 2}, {Bits: 3}})
	asBase(t, []e2m3fn{{1}, {2}, {3}}, []scalar.Float6E2M3FN{{Bits: 1}, {Bits: 2}, {Bits: 3}})
	asBase(t, []e3m2fn{{1}, {2}, {3}}, []scalar.Float6E3M2FN{{Bits: 1}, {Bits: 2}, {Bits: 3}})
	asBase(t, []e2m1fn{{1}, {2}, {3}}, []scalar.Float4E2M1FN{{Bits: 1}, {Bits: 2}, {Bits: 3}})
	asBase(t, []nibble{{1}, {2}, {15}}, []scalar.Int4{{Bits: 1}, {Bits: 2}, {Bits: 15}})
	asBase(t, []unibble{{1}, {2}, {15}}, []scalar.Uint4{{Bits: 1}, {Bits: 2}, {Bits: 15}})
	asBase(t, []crumb{{1}, {2}, {3}}, []scalar.Int2{{Bits: 1}, {Bits: 2}, {Bits: 3}})
	asBase(t, []ucrumb{{1}, {2}, {3}}, []scalar.Uint2{{Bits: 1}, {Bits: 2}, {Bits: 3}})
	asBase(t, []moment{{1}, {-2}, {scalar.NaT}}, scalar.Datetime64s(1, -2, scalar.NaT))
	asBase(t, []span{{1}, {-2}, {scalar.NaT}}, scalar.Timedelta64s(1, -2, scalar.NaT))
	asBase(t, []quad{{1, 2}, {3, 4}}, []scalar.Float128{{Hi: 1, Lo: 2}, {Hi: 3, Lo: 4}})
	asBase(t, []long{{Mantissa: 1 << 63, SignExp: 0x3fff}, {}}, []scalar.LongDouble{{Mantissa: 1 << 63, SignExp: 0x3fff}, {}})
	asBase(t, []halves{{scalar.Float16{Bits: 1}, scalar.Float16{Bits: 2}}}, []scalar.Complex32{{Real: scalar.Float16{Bits: 1}, Imag: scalar.Float16{Bits: 2}}})
	asBase(t, []longPair{{Imag: scalar.LongDouble{Mantissa: 1 << 63, SignExp: 0x3fff}}}, []scalar.LongComplex{{Imag: scalar.LongDouble{Mantissa: 1 << 63, SignExp: 0x3fff}}})
}

// A named type that does not fit is named in the error.
func TestNamedTypeErrors(t *testing.T) {
	var te *npy.TypeError
	_, err := npy.As[count](must(npy.New(dtype.Float64, 1)))
	if !errors.As(err, &te) || te.GoType != reflect.TypeFor[count]() {
		t.Errorf("As[count] of float64: %v", err)
	}
	a := must(npy.FromSliceAs(parse("<U3"), []string{"a", "b"}))
	raw, _ := a.ViewBytes()
	raw[6] = 0x7f // beyond Unicode
	var ee *codec.ElementError
	if _, err = npy.As[label](a); !errors.As(err, &ee) || ee.Index != 0 {
		t.Errorf("As[label] of what is no text: %v", err)
	}
}

// Archives, mappings and records take named types, and views share memory.
func TestNamedTypesElsewhere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.npy")
	want := []celsius{20.5, 21}
	if err := npy.Save(path, want); err != nil {
		t.Fatal(err)
	}
	f, err := mmap.OpenCopy(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	v, err := mmap.ViewOf[celsius](f)
	if bulk.Shares && (err != nil || !slices.Equal(v.ToSlice(), want)) {
		t.Errorf("mmap.ViewOf: %v, %v", v, err)
	}
	var archive bytes.Buffer
	w, err := npz.NewWriter(&archive)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(npz.Add(w, "t", want), w.Close()); err != nil {
		t.Fatal(err)
	}
	z, err := npz.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := npz.Load[celsius](z, "t"); err != nil || !slices.Equal(got, want) {
		t.Errorf("npz.Load: %v, %v", got, err)
	}
	type reading struct {
		T    celsius
		Site label `npy:",U4"`
	}
	a, err := record.FromSlice([]reading{{20.5, "home"}})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := record.Field[celsius](a, "T"); err != nil || v.At(0) != 20.5 {
		t.Errorf("record.Field: %v, %v", v, err)
	}
	if v, err := record.Field[label](a, "Site"); err != nil || v.At(0) != "home" {
		t.Errorf("record.Field: %v, %v", v, err)
	}
}

// A Duration is timedelta64 with a unit of fixed length.
func TestDurationElements(t *testing.T) {
	day := must(npy.FromSliceAs(parse(">m8[D]"), scalar.Timedelta64s(1, -2)))
	v, err := npy.As[time.Duration](day)
	if err != nil || !slices.Equal(v.ToSlice(), []time.Duration{24 * time.Hour, -48 * time.Hour}) || v.Shared() {
		t.Errorf("days: %v, %v", v, err)
	}
	a := must(npy.FromSlice([]time.Duration{time.Second}))
	if want := parse("m8[ns]"); !a.DType().Equal(want) || !npy.DTypeOf[time.Duration]().Equal(want) {
		t.Errorf("dtype %v, want %v", a.DType(), want)
	}
	for _, tt := range []struct {
		descr string
		ticks scalar.Timedelta64
		want  error
	}{
		{"m8[ns]", scalar.Timedelta64{Ticks: scalar.NaT}, scalar.ErrNaT},
		{"m8[ps]", scalar.Timedelta64{Ticks: 1}, scalar.ErrInexact},
		{"m8[W]", scalar.Timedelta64{Ticks: 1 << 40}, scalar.ErrRange},
	} {
		a := must(npy.FromSliceAs(parse(tt.descr), []scalar.Timedelta64{{Ticks: 0}, tt.ticks}))
		var ee *codec.ElementError
		if _, err := npy.As[time.Duration](a); !errors.Is(err, tt.want) || !errors.As(err, &ee) || ee.Index != 1 {
			t.Errorf("%d of %s: %v, want element 1 and %v", tt.ticks, tt.descr, err, tt.want)
		}
	}
	if _, err := npy.FromSlice([]time.Duration{0, math.MinInt64}); !errors.Is(err, scalar.ErrNaT) {
		t.Errorf("the Duration that would be NaT: %v", err)
	}
	for _, descr := range []string{"m8", "m8[Y]", "m8[M]", "<i8", "M8[ns]"} {
		var te *npy.TypeError
		if _, err := npy.As[time.Duration](must(npy.New(parse(descr), 1))); !errors.As(err, &te) {
			t.Errorf("dtype %s as time.Duration: %v, want a TypeError", descr, err)
		}
	}
	text, err := json.Marshal(must(npy.As[time.Duration](a)))
	if err != nil {
		t.Error(err)
	}
	t.Logf("JSON of a Duration: %s", text)
}
