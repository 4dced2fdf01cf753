// Package pickle reads and writes Python pickles as data. Nothing is ever imported, called or executed: a call that
// Python would make is kept as a name with its arguments.
//
//	v, err := pickle.Decode(data)              // any pickle of protocol 0 to 5
//	data, err = pickle.Encode(v)               // the bytes that CPython's own pickler writes
//
// # Values
//
// Python's own types become these Go types, and the other way round:
//
//	None                     nil
//	bool                     bool
//	int                      int64, or *big.Int beyond it
//	float, complex           float64, complex128
//	str, bytes, bytearray    string, []byte, *ByteArray
//	list, tuple, dict        *List, *Tuple, *Dict
//	set, frozenset           *Set, *FrozenSet
//	slice, range, Ellipsis   *Slice, *Range, Ellipsis
//	OrderedDict, defaultdict, Counter           *OrderedDict, *DefaultDict, *Counter
//	datetime, date, time, timedelta, timezone   *Datetime, *Date, *Time, *Timedelta, *TimeZone
//	Decimal, Fraction, UUID  *Decimal, *Fraction, *UUID
//	classes and functions    *Global, a name
//	everything else          *Object: a class by name, its arguments, state and items
//
// Identity is kept: a value that the pickle shares is one pointer in several places, and a value that contains itself
// does so in Go too. Code that walks values must expect cycles. A str in Python may hold lone surrogates, which UTF-8
// cannot represent; a Go string holds the three bytes that Python's "surrogatepass" gives them.
//
// Decoder.Construct makes Go values of further classes, as package objects does for NumPy's.
package pickle

// Reading the source. A Decoder starts a decoding (decoding.go): a machine of package internal/machine, which has the stack
// with its marks and the memo, executes the opcodes of atoms, and runs the most frequent opcodes of large pickles straight
// from the bytes at hand. Package internal/opcode takes opcodes and arguments from the input, and no byte after STOP. Step
// (decode.go) is the switch over the opcodes of containers and objects. containers.go fills lists, dicts and sets, whose
// keys are compared by their forms (key.go). construct.go handles the calls that Python would make: known.go and
// known_time.go have the classes that become values, the Construct hook may take others, and the rest stays an Object. No
// function recurses to a depth that the data decides; walk.go measures the depth of the result.
//
// An Encoder starts a pickler (encode_pickler.go), which has one switch over types (encode_value.go). Nested values wait on
// a stack of tasks (encode_task.go), so that depth costs memory only. A value without an opcode, such as a date, becomes the
// call that makes it (encode_reduce.go). encode_global.go writes names. Package internal/encoder writes the opcodes and
// frames, and finds values again by their address, as CPython does by id, so that the bytes are CPython's.
//
// Ops and Disassemble (listing.go) read opcodes and execute none. A Printer (repr.go) prints values, containers in
// repr_nested.go and classes of Python's library in repr_library.go. Package internal/literal has the forms of ints, floats
// and texts in pickles, internal/python2 the names that Python 3 changed, and internal/interned the identity of strings.
