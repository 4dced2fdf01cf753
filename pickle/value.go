package pickle

import "math/big"

// A List is Python's list. Its identity is its pointer: a list may be shared, and may contain itself.
type List struct {
	Items []any
	node
}

// A Tuple is Python's tuple. It is not to be changed: others may share it.
type Tuple struct {
	Items []any
	node
}

// A ByteArray is Python's bytearray.
type ByteArray struct{ Bytes []byte }

// A Slice is Python's slice object. Parts that are not given are nil.
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
// imported. What is one class in a pickle is one pointer.
type Global struct {
	Module string // "numpy"
	Name   string // "ndarray", or qualified, "Outer.Inner"

	// read is set where the global was made of two strings in a pickle, which have the identity they had there.
	read bool
}

// Is reports whether g is called name in module.
func (g *Global) Is(module, name string) bool { return g.Module == module && g.Name == name }

// A Decimal is Python's decimal.Decimal, as the text that Python gives it: "1.50", "NaN", "-Infinity", "1E+400".
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
	Bytes [16]byte // in the order in which they are printed
	class *Global
	state *Dict // as it was read, where it is more than the number
}

// An Object is what a pickle would have Python make by a call this package does not know: a class by its name, the
// arguments, and what is to be set on the result. Nothing was called.
type Object struct {
	Class  any // what is called: nearly always a *Global
	How    How // in which way
	Args   *Tuple
	Kwargs *Dict // of NewObjEx

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

// A node is what every container carries for the walk that measures how deep values are nested.
type node struct {
	depth int32
}
