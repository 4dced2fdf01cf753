package pickle

import (
	"fmt"
	"math/big"
)

// A List is Python's list. Its identity is its pointer: a list may be shared, and may contain itself.
type List struct {
	Items []any
	node
}

// A Tuple is Python's tuple. It must not be changed: other values may share it.
type Tuple struct {
	Items []any
	node
}

// A ByteArray is Python's bytearray.
type ByteArray struct{ Bytes []byte }

// A Slice is Python's slice object. Missing bounds are nil.
type Slice struct {
	Start, Stop, Step any
	class             *Global
}

// A Range is Python's range. Each part is an int64 or a *big.Int.
type Range struct {
	Start, Stop, Step any
	class             *Global
}

// A Singleton is one of Python's nameless constants besides None.
type Singleton string

// String returns the name.
func (s Singleton) String() string { return string(s) }

// The singletons that pickles can hold.
const (
	Ellipsis       Singleton = "Ellipsis"
	NotImplemented Singleton = "NotImplemented"
)

// A Global is the name of a class, a function or another object in a Python module. It is only a name: nothing is
// imported. All occurrences of one global in a pickle are one pointer.
type Global struct {
	Module string // "numpy"
	Name   string // "ndarray", or qualified, "Outer.Inner"

	// read is set if the global was named by two strings of a pickle, whose identity is kept.
	read bool
}

// Is reports whether g is called name in module.
func (g *Global) Is(module, name string) bool { return g.Module == module && g.Name == name }

// A Decimal is Python's decimal.Decimal, as its text in Python: "1.50", "NaN", "-Infinity", "1E+400".
type Decimal struct {
	Text  string
	class *Global
}

// A Fraction is Python's fractions.Fraction.
type Fraction struct {
	Num, Den *big.Int

	text  bool // it was pickled as text, as by Python before 3.12
	class *Global
}

// A UUID is Python's uuid.UUID.
type UUID struct {
	Bytes [16]byte // the bytes in the order in which they are printed
	class *Global
	state *Dict // the state as it was read, if it is more than the number
}

// An Object is a call that Python would make to build a value, of a class that this package does not know: the class by
// its name, the arguments, and the items and state to set on the result. Nothing was called.
type Object struct {
	Class  any // the called class or function: usually a *Global
	How    How // the way of the call
	Args   *Tuple
	Kwargs *Dict // keyword arguments, for NewObjEx

	Items []any  // appended to the result, as to a list
	Pairs []Pair // set on the result, as on a dict

	State    any // given to __setstate__, or the attributes as a *Dict
	HasState bool

	node
}

// How says in which way Python would make an [Object].
type How uint8

// The ways in which pickles make objects.
const (
	Call     How = iota // Class(*Args), for classes and functions: the opcode REDUCE
	NewObj              // Class.__new__(Class, *Args)
	NewObjEx            // Class.__new__(Class, *Args, **Kwargs)
	Instance            // Class(*Args) for the old-style classes of Python 2: the opcodes INST and OBJ
)

// A node is in every container, for measuring how deep values are nested.
type node struct {
	depth int32
}

// TypeName returns the name that Python gives to the type of a value: int, NoneType, OrderedDict. An [*Object] has its class with the module, or
// "object" if that is no [*Global], which has "type" itself. Types of other packages have their names in Go.
func TypeName(v any) string {
	switch v := v.(type) {
	case nil:
		return "NoneType"
	case bool:
		return "bool"
	case int64, *big.Int:
		return "int"
	case float64:
		return "float"
	case complex128:
		return "complex"
	case string, *rawText:
		return "str"
	case []byte:
		return "bytes"
	case *ByteArray:
		return "bytearray"
	case *List:
		return "list"
	case *Tuple:
		return "tuple"
	case *Dict:
		return "dict"
	case *OrderedDict:
		return "OrderedDict"
	case *DefaultDict:
		return "defaultdict"
	case *Counter:
		return "Counter"
	case *Set:
		return "set"
	case *FrozenSet:
		return "frozenset"
	case *Slice:
		return "slice"
	case *Range:
		return "range"
	case Singleton:
		if v == Ellipsis {
			return "ellipsis"
		}
		return string(v) + "Type"
	case *Datetime:
		return "datetime"
	case *Date:
		return "date"
	case *Time:
		return "time"
	case *Timedelta:
		return "timedelta"
	case *TimeZone:
		return "timezone"
	case *Decimal:
		return "Decimal"
	case *Fraction:
		return "Fraction"
	case *UUID:
		return "UUID"
	case *Global:
		return "type"
	case *Object:
		if g, ok := v.Class.(*Global); ok {
			return g.Module + "." + g.Name
		}
		return "object"
	}
	return fmt.Sprintf("%T", v)
}
