package dtype

import (
	"math"
	"slices"
	"strconv"
)

// A Type is the type of one array element, numpy.dtype. The zero Type is invalid: IsValid reports false.
//
// Types are immutable and small. == compares plain types exactly; use Equal for types that may be structs: it compares
// their fields.
type Type struct {
	kind  Kind
	order ByteOrder
	size  int32 // bytes, at most math.MaxInt32 as in NumPy
	step  Step
	ext   *extension
}

// An extension holds the parts of a Type that few types have. It must not change after its Type is returned.
type extension struct {
	isStruct bool
	object   bool // fields or base have Python objects
	fields   []Field
	index    fieldIndex // of fields
	base     Type       // of a subarray; invalid otherwise
	shape    []int      // of a subarray
	name     string
}

// MaxItemSize is the largest size of one element in bytes, a C int as in NumPy.
const MaxItemSize = math.MaxInt32

// MaxDims is the largest number of dimensions of an array or subarray, NPY_MAXDIMS of NumPy 2.
const MaxDims = 64

// The plain types, in the byte order of this machine.
var (
	Bool        = plain(KindBool, 1)
	Int8        = plain(KindInt, 1)
	Int16       = plain(KindInt, 2)
	Int32       = plain(KindInt, 4)
	Int64       = plain(KindInt, 8)
	Uint8       = plain(KindUint, 1)
	Uint16      = plain(KindUint, 2)
	Uint32      = plain(KindUint, 4)
	Uint64      = plain(KindUint, 8)
	Float16     = plain(KindFloat, 2)
	Float32     = plain(KindFloat, 4)
	Float64     = plain(KindFloat, 8)
	LongDouble  = plain(KindFloat, 16)
	Complex64   = plain(KindComplex, 8)
	Complex128  = plain(KindComplex, 16)
	LongComplex = plain(KindComplex, 32)
	Object      = plain(KindObject, 8)
)

// plain returns a type in native byte order, or without byte order if the type has none.
func plain(k Kind, size int) Type {
	return Type{kind: k, size: int32(size)}.WithByteOrder(NativeEndian)
}

// Bytes returns the type of n bytes padded with NULs, "|S5".
// It panics if n is negative or over [MaxItemSize].
func Bytes(n int) Type { return sized(KindBytes, n, 1) }

// Str returns the type of n UCS-4 code points in native byte order, "<U5"; an element has 4*n bytes.
// It panics if n is negative or 4*n is over [MaxItemSize].
func Str(n int) Type { return sized(KindStr, n, 4) }

// Void returns the type of n raw bytes, "|V5". It panics if n is negative or over [MaxItemSize].
func Void(n int) Type { return sized(KindVoid, n, 1) }

func sized(k Kind, n, unit int) Type {
	if n < 0 || n > MaxItemSize/unit {
		panic("dtype: size " + strconv.Itoa(n) + " of " + k.String() + " is out of range")
	}
	return plain(k, n*unit)
}

// Datetime64 returns the type of a point in time, counted in steps from 1970-01-01, in native byte order. A step
// without a number, as in Step{Unit: Second}, is one unit. Datetime64 panics if the number is negative or the unit is
// not one of the constants.
func Datetime64(step Step) Type { return timeType(KindDatetime, step.orOne()) }

// Timedelta64 returns the type of a time span, counted in steps, in native byte order. It panics as [Datetime64] does.
func Timedelta64(step Step) Type { return timeType(KindTimedelta, step.orOne()) }

// orOne returns s with the number 1 if it has none. Only a file can have a step of length 0, "<M8[0s]", which NumPy
// reads and writes.
func (s Step) orOne() Step {
	if s.Num == 0 && s.Unit != Generic {
		s.Num = 1
	}
	return s
}

func timeType(k Kind, step Step) Type {
	if step.Num < 0 || int(step.Unit) >= len(unitCodes) {
		panic("dtype: step " + step.String() + " of " + k.String() + " is out of range")
	}
	t := plain(k, 8)
	if step.Unit != Generic {
		t.step = step
	}
	return t
}

// IsValid reports whether t is a type. The zero Type is not.
func (t Type) IsValid() bool { return t.kind != 0 }

// Kind returns NumPy's dtype.kind. Structs, subarrays and named types such as bfloat16 are of [KindVoid].
func (t Type) Kind() Kind { return t.kind }

// ItemSize returns the size of one element in bytes, dtype.itemsize. It can be 0.
func (t Type) ItemSize() int { return int(t.size) }

// ByteOrder returns the byte order in the file, or [NoByteOrder] if t has none. The fields of a struct and the base of
// a subarray have byte orders of their own.
func (t Type) ByteOrder() ByteOrder { return t.order }

// IsNative reports whether every number in t has the byte order of this machine, dtype.isnative.
func (t Type) IsNative() bool {
	switch {
	case t.ext == nil || t.ext.name != "":
		return t.order == NativeEndian || t.order == NoByteOrder
	case t.IsSubarray():
		return t.ext.base.IsNative()
	}
	for _, f := range t.ext.fields {
		if !f.DType.IsNative() {
			return false
		}
	}
	return true
}

// WithByteOrder returns t with all its numbers in byte order o, including the numbers in structs and subarrays
// (dtype.newbyteorder). Types without a byte order are unchanged.
func (t Type) WithByteOrder(o ByteOrder) Type {
	switch {
	case t.ext != nil && t.ext.isStruct:
		return t.mapFields(func(f Field) Field { f.DType = f.DType.WithByteOrder(o); return f })
	case t.IsSubarray():
		t.ext = &extension{base: t.ext.base.WithByteOrder(o), shape: t.ext.shape, object: t.ext.object}
	case t.IsValid() && !t.hasOrder():
		t.order = NoByteOrder
	case t.IsValid() && (o == LittleEndian || o == BigEndian):
		t.order = o
	}
	return t
}

// hasOrder reports whether the order character of t's descr is "<" or ">".
func (t Type) hasOrder() bool {
	switch t.kind {
	case KindBytes, KindObject, KindBool:
		return false
	case KindVoid:
		return t.ext != nil && t.ext.name != "" // NumPy writes <V2 for bfloat16
	case KindStr:
		return true
	}
	return t.size > 1 || t.kind == KindFloat // NumPy writes <f1 for float8_e5m2
}

// Step returns the length of one tick of a datetime64 or timedelta64, numpy.datetime_data. It is the zero Step for a
// generic time and for any other type.
func (t Type) Step() Step { return t.step }

// Chars returns the number of code points of a "U" type or of bytes of an "S" type, 0 for any other type.
func (t Type) Chars() int {
	switch t.kind {
	case KindBytes:
		return int(t.size)
	case KindStr:
		return int(t.size) / 4
	}
	return 0
}

// HasObject reports whether t is or contains Python objects, dtype.hasobject. NumPy stores such arrays as pickles.
func (t Type) HasObject() bool {
	return t.kind == KindObject || t.ext != nil && t.ext.object
}

// Equal reports whether t and u describe the same bytes in the same way: kinds, sizes, byte orders, steps,
// and for structs names, titles and offsets too.
func (t Type) Equal(u Type) bool {
	if t.kind != u.kind || t.order != u.order || t.size != u.size || t.step != u.step {
		return false
	}
	if t.ext == u.ext {
		return true
	}
	return t.ext != nil && u.ext != nil && t.ext.equal(u.ext)
}

func (e *extension) equal(f *extension) bool {
	if e.isStruct != f.isStruct || e.name != f.name || len(e.fields) != len(f.fields) || !slices.Equal(e.shape, f.shape) {
		return false
	}
	for i := range e.fields {
		if !e.fields[i].equal(f.fields[i]) {
			return false
		}
	}
	return e.base.Equal(f.base)
}

// Name returns NumPy's dtype.name: "float64", "datetime64[ns]", "bool". It counts sizes in bits: the name of "<U3" is
// "str96" and a struct of 16 bytes is "void128". Use [Type.Descr] for a text that [Parse] reads back.
func (t Type) Name() string {
	name := t.kind.String()
	switch {
	case t.ext != nil && t.ext.name != "":
		return t.ext.name
	case t.kind == KindObject || t.kind == KindBool:
		return name
	case t.kind == KindFloat && t.size == 1:
		return "float8_e5m2"
	case t.size == 0:
		return name
	}
	name += strconv.FormatInt(int64(t.size)*8, 10)
	if t.step.Unit != Generic {
		name += "[" + t.step.String() + "]"
	}
	return name
}

// String returns the descr, so that a Type prints as NumPy spells it.
func (t Type) String() string {
	if !t.IsValid() {
		return "invalid dtype"
	}
	return t.Descr()
}
