// Package pylit parses Python literals: the texts that ast.literal_eval of CPython 3.11 accepts, and no others. The
// header of a .npy file is such a text, a dict, and is untrusted input.
//
//	v, err := pylit.Parse("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }\n")
//
// Every value and every error carries byte offsets into the text, so that a caller can point at the character that is
// wrong. [Value.Repr] prints a value as Python would, cut to a length, for use in messages.
//
// # Limits
//
// Brackets nest at most 200 deep, as in CPython. An integer has at most 4300 digits after its leading zeros, in any
// base (CPython limits decimal ones). Time is linear in the length of the text. So is memory: about 90 bytes for each
// value, and less than 150 bytes for each byte of the worst text, "1,1,1,1" and so on. The caller must bound the length
// of the text.
//
// # Differences from ast.literal_eval
//
//   - The escape \N{NAME} is refused (class Unsupported): the table of names
//     is larger than the rest of the program.
//   - (set)() is refused; set() is accepted.
//   - Keywords and set are recognized in ASCII only, not in their full-width
//     forms, which Python folds.
//   - Hexadecimal, octal and binary integers are limited as described above.
//   - Dict keys and set elements are kept in the order of the text, with
//     repetitions. In a dict the last one wins in Python.
//   - With [Options].Long, a lone carriage return before the last blanks is
//     accepted, and a form feed between leading blanks is not. NumPy's filter
//     does the reverse.
//   - A text may be wrong in several ways; the error tells the first one. So
//     Python may find a syntax error where this package finds an earlier
//     expression that is not a literal.
package pylit

import (
	"math"
	"math/big"
)

// Kind is the Python type of a value.
type Kind uint8

// The zero Kind belongs to None, so the zero Value is None.
const (
	None     Kind = iota
	Bool          // True or False
	Int           // any size
	Float         // 1.5, also inf where the text overflows: 1e999
	Complex       // 2j or 1+2j
	String        // str
	Bytes         // bytes
	Ellipsis      // ...
	Tuple
	List
	Set
	Dict
)

var kindNames = [...]string{
	None: "NoneType", Bool: "bool", Int: "int", Float: "float", Complex: "complex", String: "str",
	Bytes: "bytes", Ellipsis: "ellipsis", Tuple: "tuple", List: "list", Set: "set", Dict: "dict",
}

// String returns the name of the type as Python prints it: int, str, NoneType.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "invalid"
}

// A Value is one Python literal. Only the fields that belong to its Kind are
// set. Values share memory with the text they were parsed from.
type Value struct {
	Kind Kind
	Bool bool // Bool

	// Start and End are the byte offsets of the source in the text. They include
	// the parentheses around the value and its sign, so text[Start:End] is
	// balanced and is the source of this very value.
	Start, End int

	// Int holds the value of an Int that fits, and Big is nil. Any other Int has
	// Big set and Int 0.
	Int int64
	Big *big.Int

	// Float holds the value of a Float and the real part of a Complex, whose
	// imaginary part is kept as bits in Int. Use the method Complex.
	Float float64

	// Str is the text of a String in generalized UTF-8, or the bytes of a Bytes.
	// A lone surrogate, which Python allows in a str, takes three bytes (Python:
	// errors='surrogatepass'); two of them in a row are never joined.
	Str string

	// Items holds the elements of a Tuple, List or Set, and of a Dict its keys
	// and values in turn: key, value, key, value.
	Items []Value
}

// Complex returns the number held by a Value of kind Complex.
func (v Value) Complex() complex128 {
	return complex(v.Float, math.Float64frombits(uint64(v.Int)))
}

// setComplex makes v a Complex and keeps its offsets.
func (v *Value) setComplex(c complex128) {
	v.Kind = Complex
	v.Float = real(c)
	v.Int, v.Big = int64(math.Float64bits(imag(c))), nil
}

// setBig makes v an Int, in the only form that the number has.
func (v *Value) setBig(b *big.Int) {
	v.Kind, v.Int, v.Big = Int, 0, b
	if b.IsInt64() {
		v.Int, v.Big = b.Int64(), nil
	}
}

// hashable reports whether Python accepts v as a key. It walks tuples only, and a tuple that is part of a key cannot
// hold a dict, so no value is walked more than once for all the keys around it.
func (v *Value) hashable() (Kind, bool) {
	switch v.Kind {
	case List, Set, Dict:
		return v.Kind, false
	case Tuple:
		for i := range v.Items {
			if k, ok := v.Items[i].hashable(); !ok {
				return k, false
			}
		}
	}
	return v.Kind, true
}

// Of returns a Go value of a plain type as a Python value, and false for other types. nil is None.
func Of(v any) (Value, bool) {
	switch v := v.(type) {
	case nil:
		return Value{Kind: None}, true
	case bool:
		return Value{Kind: Bool, Bool: v}, true
	case int64:
		return Value{Kind: Int, Int: v}, true
	case int:
		return Value{Kind: Int, Int: int64(v)}, true
	case *big.Int:
		return Value{Kind: Int, Big: v}, true
	case float64:
		return Value{Kind: Float, Float: v}, true
	case complex128:
		return Value{Kind: Complex, Float: real(v), Int: int64(math.Float64bits(imag(v)))}, true
	case string:
		return Value{Kind: String, Str: v}, true
	case []byte:
		return Value{Kind: Bytes, Str: string(v)}, true
	}
	return Value{}, false
}
