package codec

import (
	"fmt"
	"math/bits"
	"reflect"
	"sync"
	"time"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// Each Go type for elements is registered once, in the table below. A named type, such as type Celsius float64, is
// found by its kind, and type Half scalar.Float16 by the tag of its field: its elements are converted as the base
// type's, in their own memory.

// table makes the table at first use, since programs that read no elements start faster without it.
var table = sync.OnceValue(func() *registry {
	r := &registry{elements: elements(), byType: make(map[reflect.Type]registered), byTag: make(map[reflect.StructTag]registered)}
	for _, e := range r.elements {
		t := e.base()
		r.byType[t] = e
		switch {
		case t.Kind() == reflect.Struct: // of package scalar
			r.byTag[t.Field(0).Tag] = e
		case t.PkgPath() == "": // not time.Duration
			r.byKind[t.Kind()] = e // of slices, only []byte is an element
		}
	}
	return r
})

// A registry has the elements in the order of the table, by Go type, and the elements that stand for all types of a
// kind.
type registry struct {
	elements []registered
	byType   map[reflect.Type]registered
	byTag    map[reflect.StructTag]registered // of the first field
	byKind   [reflect.UnsafePointer + 1]registered
}

// elements returns the table, within each family from the narrowest type to the widest: the order of [GoTypes].
func elements() []registered {
	return []registered{
		&element[bool]{properties: properties{dtype: dtype.Bool, opaque: true}, decode: Bools, encode: putBools}, // any byte but 0 is true
		code[scalar.Uint2]("uint2"), code[scalar.Int2]("int2"), code[scalar.Uint4]("uint4"), code[scalar.Int4]("int4"),
		realOf[uint8](dtype.Uint8), realOf[int8](dtype.Int8), realOf[uint16](dtype.Uint16), realOf[int16](dtype.Int16),
		realOf[uint32](dtype.Uint32), realOf[int32](dtype.Int32), realOf[uint64](dtype.Uint64), realOf[int64](dtype.Int64),
		realOf[uint](uintType), realOf[int](intType),
		code[scalar.Float6E2M3FN]("float6_e2m3fn"), code[scalar.Float6E3M2FN]("float6_e3m2fn"), code[scalar.Float4E2M1FN]("float4_e2m1fn"),
		code[scalar.Float8E3M4]("float8_e3m4"), code[scalar.Float8E4M3]("float8_e4m3"), code[scalar.Float8E4M3FN]("float8_e4m3fn"),
		code[scalar.Float8E4M3FNUZ]("float8_e4m3fnuz"), code[scalar.Float8E4M3B11FNUZ]("float8_e4m3b11fnuz"), code[scalar.Float8E5M2FNUZ]("float8_e5m2fnuz"),
		code[scalar.Float8E8M0FNU]("float8_e8m0fnu"), code[scalar.Float8E5M2]("float8_e5m2"),
		half[scalar.BFloat16](parsed("bfloat16")), half[scalar.Float16](dtype.Float16),
		realOf[float32](dtype.Float32), realOf[float64](dtype.Float64),
		&element[scalar.LongDouble]{properties: properties{dtype: dtype.LongDouble, opaque: bigHost}, decode: LongDoubles, encode: PutLongDoubles},
		// binary128 has the descr of a long double of 16 bytes, so it is never listed.
		&element[scalar.Float128]{properties: properties{dtype: dtype.LongDouble, opaque: true, asked: isFloat128}, decode: Float128s, encode: PutFloat128s},
		&element[scalar.Complex32]{properties: properties{dtype: parsed("complex32")}, decode: complex32s, encode: putComplex32s},
		complexOf[complex64](dtype.Complex64), complexOf[complex128](dtype.Complex128),
		&element[scalar.LongComplex]{properties: properties{dtype: dtype.LongComplex, opaque: bigHost}, decode: LongComplex, encode: PutLongComplex},
		ticks[scalar.Datetime64](dtype.Datetime64(dtype.Step{})), ticks[scalar.Timedelta64](dtype.Timedelta64(dtype.Step{})),
		// NaT is no Duration, so it is never listed.
		&element[time.Duration]{properties: properties{dtype: dtype.Timedelta64(nanosecond), opaque: true, asked: isTimedelta}, decode: Durations, encode: PutDurations},
		&element[[]byte]{properties: properties{dtype: dtype.Bytes(0), opaque: true}, decode: Bytes, encode: PutBytes, longest: longestBytes},
		&element[string]{properties: properties{dtype: dtype.Str(0), opaque: true}, decode: Strings, encode: PutStrings, longest: longestString},
	}
}

var (
	intType  = [...]dtype.Type{dtype.Int32, dtype.Int64}[bits.UintSize/64]
	uintType = [...]dtype.Type{dtype.Uint32, dtype.Uint64}[bits.UintSize/64]
)

// bigHost reports whether this machine is big-endian: long doubles are in the format of x86.
var bigHost = dtype.NativeEndian == dtype.BigEndian

// find returns the entry for a Go type. A named type has the entry of its base type. It returns nil for types
// that are no elements.
func find(t reflect.Type) registered {
	r := table()
	e := r.byKind[t.Kind()]
	if e != nil && e.base() == t {
		return e
	}
	if own := r.byType[t]; own != nil {
		return own
	}
	switch {
	case t.Kind() == reflect.Slice && t.Elem() != reflect.TypeFor[byte]():
		return nil
	case t.Kind() == reflect.Struct && t.NumField() > 0:
		if e = r.byTag[t.Field(0).Tag]; e != nil && !bulk.SameLayout(t, e.base()) {
			return nil
		}
	}
	return e
}

// registered is an [element] of any type.
type registered interface {
	base() reflect.Type
	props() *properties
	decodes(t dtype.Type) bool
	anyDecoder(t dtype.Type) func(dst any, src []byte) error
	anyEncoder(t dtype.Type) func(dst []byte, src any) error
	anyDType(data any) (dtype.Type, error)
}

// properties are what is known of an [element] without its Go type.
type properties struct {
	dtype  dtype.Type            // in native byte order, or little-endian if NumPy writes it as void
	asked  func(dtype.Type) bool // whether only the caller can know that a dtype holds the Go type; nil means no
	opaque bool                  // values in memory are never the bytes of elements
}

// An element is one Go type for elements.
type element[E any] struct {
	properties
	decode  func(dtype.Type) Decoder[E]        // returns nil where E cannot hold every value
	encode  func(dtype.Type) Encoder[E]        // returns nil for any other dtype than E's
	longest func(data []E) (dtype.Type, error) // the dtype of values, if it depends on them
}

func (e *element[E]) base() reflect.Type { return reflect.TypeFor[E]() }

func (e *element[E]) props() *properties { return &e.properties }

func (e *element[E]) decodes(t dtype.Type) bool { return e.decode(t) != nil }

func (e *element[E]) anyDecoder(t dtype.Type) func(dst any, src []byte) error {
	decode := e.decode(t)
	if decode == nil {
		return nil
	}
	return func(dst any, src []byte) error { return decode(dst.([]E), src) }
}

func (e *element[E]) anyEncoder(t dtype.Type) func(dst []byte, src any) error {
	encode := e.encode(t)
	if encode == nil {
		return nil
	}
	return func(dst []byte, src any) error { return encode(dst, src.([]E)) }
}

func (e *element[E]) anyDType(data any) (dtype.Type, error) {
	if e.longest == nil {
		return e.dtype, nil
	}
	return e.longest(data.([]E))
}

// is reports whether t is the dtype of the Go type, apart from byte order and the step of a time.
func (p *properties) is(t dtype.Type) bool {
	if p.dtype.Kind() == dtype.KindDatetime || p.dtype.Kind() == dtype.KindTimedelta {
		return p.dtype.Kind() == t.Kind()
	}
	return p.dtype.WithByteOrder(dtype.NativeEndian).Equal(t.WithByteOrder(dtype.NativeEndian))
}

// A Type is a Go type for elements, T, which may be a named type.
type Type[T any] struct {
	*properties
	entry registered
	own   *element[T] // nil for a named type
}

// Of returns the Type of T. It panics if T is no element; package npy has the constraint Element.
func Of[T any]() Type[T] {
	e := find(reflect.TypeFor[T]())
	if e == nil {
		panic(fmt.Sprintf("npy: no dtype for %T", *new(T)))
	}
	own, _ := e.(*element[T])
	return Type[T]{e.props(), e, own}
}

// Base returns the Go type whose elements t has: t itself, or the base type of a named type. It is nil if t is no
// element.
func Base(t reflect.Type) reflect.Type {
	if e := find(t); e != nil {
		return e.base()
	}
	return nil
}

// GoTypes returns the registered types that hold every value of t exactly, without types that only the caller can know.
func GoTypes(t dtype.Type) []reflect.Type {
	var types []reflect.Type
	for _, e := range table().elements {
		if p := e.props(); e.decodes(t) && (p.asked == nil || !p.asked(t)) {
			types = append(types, e.base())
		}
	}
	return types
}

// Registered returns every type of the table.
func Registered() []reflect.Type {
	elements := table().elements
	types := make([]reflect.Type, len(elements))
	for i, e := range elements {
		types[i] = e.base()
	}
	return types
}

// DType returns the dtype that holds elements of T, in native byte order. Package npy documents it.
func (x Type[T]) DType() dtype.Type { return x.dtype }

// DTypeOf returns the dtype for the values of data: strings and byte slices get the length of the longest. Without a
// step, times get a generic one.
func (x Type[T]) DTypeOf(data []T) (t dtype.Type, err error) {
	if x.own != nil {
		return x.own.anyDType(data)
	}
	err = bulk.AsBase(data, x.entry.base(), false, func(base any) error {
		t, err = x.entry.anyDType(base)
		return err
	})
	return t, err
}

// Decoder returns the decoder from t to T, or nil if T cannot hold every value of t.
func (x Type[T]) Decoder(t dtype.Type) Decoder[T] {
	if x.own != nil {
		return x.own.decode(t)
	}
	decode := x.entry.anyDecoder(t)
	if decode == nil {
		return nil
	}
	return func(dst []T, src []byte) error {
		return bulk.AsBase(dst, x.entry.base(), true, func(base any) error { return decode(base, src) })
	}
}

// Encoder returns the encoder from T to t, or nil if t is not a dtype for T.
func (x Type[T]) Encoder(t dtype.Type) Encoder[T] {
	if x.own != nil {
		return x.own.encode(t)
	}
	encode := x.entry.anyEncoder(t)
	if encode == nil {
		return nil
	}
	return func(dst []byte, src []T) error {
		return bulk.AsBase(src, x.entry.base(), false, func(base any) error { return encode(dst, base) })
	}
}

// Shares reports whether the bytes of t, unchanged, are values of T in memory. Bools do not share memory: in a file any
// byte but 0 is true.
func (x Type[T]) Shares(t dtype.Type) bool {
	if !bulk.Shares || x.opaque || !t.IsNative() {
		return false
	}
	return x.is(t) || x.asked != nil && x.asked(t) && (t.ItemSize() == 1 || !bigHost)
}

// realOf returns the element of a real number.
func realOf[E bulk.Real](own dtype.Type) registered {
	return &element[E]{properties: properties{dtype: own}, decode: Real[E], encode: putNumbers[E](own)}
}

// complexOf returns the element of a complex number.
func complexOf[E complex64 | complex128](own dtype.Type) registered {
	return &element[E]{properties: properties{dtype: own}, decode: Complex[E], encode: putNumbers[E](own)}
}

func putNumbers[E bulk.Number](own dtype.Type) func(dtype.Type) Encoder[E] {
	p := properties{dtype: own}
	return func(t dtype.Type) Encoder[E] {
		if !p.is(t) {
			return nil
		}
		return Put[E](!t.IsNative())
	}
}

func putBools(t dtype.Type) Encoder[bool] {
	if t.Kind() != dtype.KindBool {
		return nil
	}
	return PutBools
}

func complex32s(t dtype.Type) Decoder[scalar.Complex32] {
	if t.Kind() != dtype.KindComplex || t.ItemSize() != 4 {
		return nil
	}
	return Complex32(!t.IsNative())
}

func putComplex32s(t dtype.Type) Encoder[scalar.Complex32] {
	if t.Kind() != dtype.KindComplex || t.ItemSize() != 4 {
		return nil
	}
	return PutComplex32(!t.IsNative())
}

// ticks returns the element of a type of times.
func ticks[E scalar.Tick](own dtype.Type) registered {
	type word = struct{ Ticks int64 }
	return wordOf(own, func(n int64) E { return E(word{n}) }, func(x E) int64 { return word(x).Ticks })
}

// half returns the element of a float of 16 bits.
func half[E scalar.Float16 | scalar.BFloat16](own dtype.Type) registered {
	return wordOf(own, fromHalf[E], toHalf[E])
}

type halfWord = struct{ Bits uint16 }

func fromHalf[E scalar.Float16 | scalar.BFloat16](b uint16) E { return E(halfWord{b}) }

func toHalf[E scalar.Float16 | scalar.BFloat16](x E) uint16 { return halfWord(x).Bits }

// code returns the element of a number of one byte, which NumPy writes as void unless it is float8_e5m2.
func code[E scalar.Float8 | scalar.SmallInt](name string) registered {
	type word = struct{ Bits uint8 }
	return wordOf(parsed(name), func(b uint8) E { return E(word{b}) }, func(x E) uint8 { return word(x).Bits })
}

// wordOf returns the element of a type of package scalar whose only field is a number, an S. It holds the values of its
// own dtype only. Types that NumPy writes as void are read from void, and written to it, where the caller asks for
// them. Such files are from little-endian machines.
func wordOf[E any, S bulk.Real](own dtype.Type, from func(S) E, to func(E) S) registered {
	e := &element[E]{properties: properties{dtype: own}}
	if elem.IsNamed(own) {
		void := dtype.Void(own.ItemSize())
		e.asked = func(t dtype.Type) bool { return t.Equal(void) }
	}
	swapOf := func(t dtype.Type) (swap, ok bool) {
		switch {
		case e.asked != nil && e.asked(t):
			return bigHost, true
		case e.is(t):
			return !t.IsNative(), true
		}
		return false, false
	}
	e.decode = func(t dtype.Type) Decoder[E] {
		swap, ok := swapOf(t)
		if !ok {
			return nil
		}
		return words(swap, from)
	}
	e.encode = func(t dtype.Type) Encoder[E] {
		swap, ok := swapOf(t)
		if !ok {
			return nil
		}
		return putWords(swap, to)
	}
	return e
}

func parsed(name string) dtype.Type {
	t, err := dtype.Parse(name)
	if err != nil {
		panic("npy: no dtype " + name)
	}
	return t
}

func isFloat128(t dtype.Type) bool { return t.Kind() == dtype.KindFloat && t.ItemSize() == 16 }

func isTimedelta(t dtype.Type) bool { return t.Kind() == dtype.KindTimedelta }
