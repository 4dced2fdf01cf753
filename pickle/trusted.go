package pickle

import "sync"

// A trust is what is known of a global that Python can be left alone with.
type trust uint8

const (
	untrusted  trust = iota
	onlyNamed        // a class of which others make instances; called itself it would do more, such as open a file
	makesData        // called, it makes data of the arguments: it calls none of them, and gives none of them back
	makesOther       // it makes an instance of a class among its arguments, or keeps one to call it
	keepsState       // likewise, and what it makes has a __setstate__ that only takes the data
)

// trusted are the globals that pickles of plain data, of arrays and of their elements need, and that do nothing but
// make these. A name that is not here may be harmless, too.
var trusted = sync.OnceValue(trustTable)

// trustTable makes the table: a trust, a module and names in it.
func trustTable() map[Global]trust {
	table := make(map[Global]trust)
	add := func(t trust, module string, names ...string) {
		for _, name := range names {
			table[Global{Module: module, Name: name}] = t
		}
	}
	add(makesData, "builtins", "bool", "bytearray", "bytes", "complex", "dict", "float", "frozenset", "int", "list",
		"object", "range", "set", "slice", "str", "tuple", "Ellipsis", "NotImplemented")
	add(makesData, "builtins", exceptions...)
	add(makesData, "builtins", osErrors...)
	add(makesData, "_codecs", "encode")
	add(makesData, "datetime", "date", "datetime", "time", "timedelta", "timezone")
	add(makesData, "decimal", "Decimal")
	add(makesData, "fractions", "Fraction")
	add(makesData, "uuid", "UUID", "SafeUUID")
	add(makesData, "collections", "Counter", "OrderedDict", "deque")
	add(makesOther, "collections", "defaultdict")
	add(makesOther, "copyreg", "_reconstructor")
	add(makesData, "array", "array")
	add(makesOther, "array", "_array_reconstructor")

	for _, core := range []string{"numpy.core", "numpy._core"} {
		add(keepsState, core+".multiarray", "_reconstruct", "scalar")
		add(keepsState, core+"._internal", "_reconstruct", "scalar", "_convert_to_stringdtype_kwargs")
		add(keepsState, core+".numeric", "_frombuffer")
		add(onlyNamed, core+".memmap", "memmap")
		add(onlyNamed, core+".records", "recarray", "record")
		add(onlyNamed, core+".defchararray", "chararray")
	}
	add(keepsState, "numpy", "dtype")
	add(keepsState, "numpy.ma.core", "_mareconstruct")
	add(onlyNamed, "numpy", "chararray", "matrix", "memmap", "ndarray", "recarray", "record")
	add(onlyNamed, "numpy.char", "chararray")
	add(onlyNamed, "numpy.rec", "recarray", "record")
	add(onlyNamed, "numpy.matrixlib.defmatrix", "matrix")
	add(onlyNamed, "numpy.ma", "MaskedArray")
	add(onlyNamed, "numpy.ma.core", "MaskedArray")
	add(makesData, "numpy", "bool", "bool_", "bytes_", "clongdouble", "complex64", "complex128", "complex256",
		"datetime64", "float16", "float32", "float64", "float128", "int8", "int16", "int32", "int64", "intc", "intp",
		"longdouble", "longlong", "str_", "timedelta64", "uint8", "uint16", "uint32", "uint64", "uintc",
		"uintp", "ulonglong", "void")
	return table
}
