package dtype

// charType returns the type of a one-letter code, NumPy's dtype.char.
func charType(c byte) (Type, bool) {
	switch c {
	case '?':
		return Bool, true
	case 'b':
		return Int8, true
	case 'B':
		return Uint8, true
	case 'h':
		return Int16, true
	case 'H':
		return Uint16, true
	case 'i':
		return Int32, true
	case 'I':
		return Uint32, true
	case 'l', 'q', 'p', 'n':
		return Int64, true
	case 'L', 'Q', 'P', 'N':
		return Uint64, true
	case 'e':
		return Float16, true
	case 'f':
		return Float32, true
	case 'd':
		return Float64, true
	case 'g':
		return LongDouble, true
	case 'F':
		return Complex64, true
	case 'D':
		return Complex128, true
	case 'G':
		return LongComplex, true
	case 'S', 'a':
		return Bytes(0), true
	case 'c':
		return Bytes(1), true
	case 'U':
		return Str(0), true
	case 'V':
		return Void(0), true
	case 'O', 'T': // T is StringDType, which NumPy stores as objects
		return Object, true
	case 'M':
		return Datetime64(Step{}), true
	case 'm':
		return Timedelta64(Step{}), true
	}
	return Type{}, false
}

// namedType looks up a name of NumPy 1, NumPy 2 or ml_dtypes, as 64-bit Linux resolves it.
func namedType(name string) (Type, bool) {
	if t, ok := names[name]; ok {
		return t, true
	}
	if size, ok := mlSizes[name]; ok {
		return custom(name, size), true
	}
	return Type{}, false
}

// names maps the names of types. It is never modified. A name with a bit count that 64-bit Linux lacks (float96) is the
// type of the platform that has it. parseTime reads datetime64 and timedelta64.
var names = map[string]Type{
	"bool": Bool, "bool_": Bool, "bool8": Bool,
	"int8": Int8, "byte": Int8, "int16": Int16, "short": Int16, "int32": Int32, "intc": Int32,
	"int64": Int64, "int": Int64, "int_": Int64, "int0": Int64, "intp": Int64, "long": Int64, "longlong": Int64,
	"uint8": Uint8, "ubyte": Uint8, "uint16": Uint16, "ushort": Uint16, "uint32": Uint32, "uintc": Uint32,
	"uint64": Uint64, "uint": Uint64, "uint0": Uint64, "uintp": Uint64, "ulong": Uint64, "ulonglong": Uint64,
	"float16": Float16, "half": Float16, "float32": Float32, "single": Float32,
	"float64": Float64, "float": Float64, "float_": Float64, "double": Float64,
	"float128": LongDouble, "longdouble": LongDouble, "longfloat": LongDouble, "float96": plain(KindFloat, 12),
	"complex64": Complex64, "csingle": Complex64, "singlecomplex": Complex64,
	"complex128": Complex128, "complex": Complex128, "complex_": Complex128, "cdouble": Complex128, "cfloat": Complex128,
	"complex256": LongComplex, "clongdouble": LongComplex, "clongfloat": LongComplex, "longcomplex": LongComplex,
	"complex192": plain(KindComplex, 24),
	"str":        Str(0), "str_": Str(0), "str0": Str(0), "unicode": Str(0), "unicode_": Str(0),
	"bytes": Bytes(0), "bytes_": Bytes(0), "bytes0": Bytes(0), "string_": Bytes(0),
	"void": Void(0), "void0": Void(0),
	"object": Object, "object_": Object, "object0": Object,
}

// mlSizes maps the types of the ml_dtypes package to their item sizes. A number of less than 8 bits takes a whole byte.
// NumPy writes all of these types as raw bytes of this size, except float8_e5m2 and complex32.
var mlSizes = map[string]int{
	"bfloat16": 2, "bcomplex32": 4, "complex32": 4,
	"float8_e3m4": 1, "float8_e4m3": 1, "float8_e4m3fn": 1, "float8_e4m3fnuz": 1, "float8_e4m3b11fnuz": 1,
	"float8_e5m2": 1, "float8_e5m2fnuz": 1, "float8_e8m0fnu": 1,
	"float6_e2m3fn": 1, "float6_e3m2fn": 1, "float4_e2m1fn": 1,
	"int1": 1, "int2": 1, "int4": 1, "uint1": 1, "uint2": 1, "uint4": 1,
}

// custom returns the ml_dtypes type called name. float8_e5m2 and complex32 have codes of their own and need no name.
// All other types become void in a file. Void has no byte order, so bfloat16 is always little-endian, like the machines
// that write it.
func custom(name string, size int) Type {
	switch name {
	case "float8_e5m2":
		return plain(KindFloat, 1)
	case "complex32":
		return plain(KindComplex, 4)
	}
	t := Type{kind: KindVoid, size: int32(size), ext: &extension{name: name}}
	return t.WithByteOrder(LittleEndian)
}
