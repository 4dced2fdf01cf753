package pickle

import (
	"math"
	"math/big"
	"reflect"

	"github.com/npygo/npy/pickle/internal/literal"
	"github.com/npygo/npy/pickle/internal/machine"
	"github.com/npygo/npy/pickle/internal/python2"
)

// A List is Python's list. Its identity is its pointer: a list may be shared, and may contain itself.
type List struct {
	Items []any // shared by all that hold the list
	node
}

// A Tuple is Python's tuple. It must not be changed: other values may share it.
type Tuple struct {
	Items []any // not to be changed; nil for ()
	node
}

// A ByteArray is Python's bytearray.
type ByteArray struct {
	Bytes []byte // shared by all that hold the bytearray
}

// A Slice is Python's slice object. Missing bounds are nil.
type Slice struct {
	Start, Stop, Step any // usually int64, but Python allows any value
	class             *Global
}

// A Range is Python's range. Each part is an int64 or a *big.Int.
type Range struct {
	Start, Stop, Step any // all given, with the defaults 0 and 1; Step is not 0
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

// A Datetime is Python's datetime.datetime.
type Datetime struct {
	Year, Month, Day                  int // month and day from 1
	Hour, Minute, Second, Microsecond int // on the clock of TZ
	Fold                              int // 1 for the second of two equal times when clocks are set back
	TZ                                any // the tzinfo: nil, a *TimeZone, or an *Object of another library
	class                             *Global
}

// A Date is Python's datetime.date.
type Date struct {
	Year, Month, Day int // month and day from 1
	class            *Global
}

// A Time is Python's datetime.time, a time of day.
type Time struct {
	Hour, Minute, Second, Microsecond int // on the clock of TZ
	Fold                              int // as in [Datetime]
	TZ                                any // as in [Datetime]
	class                             *Global
}

// A Timedelta is Python's datetime.timedelta: 0 <= Seconds < 86400 and 0 <= Microseconds < 1000000, as in Python.
type Timedelta struct {
	Days, Seconds, Microseconds int // their sum is the duration; Days alone may be negative
	class                       *Global
}

// A TimeZone is Python's datetime.timezone: a fixed offset from UTC, and optionally a name.
type TimeZone struct {
	Offset *Timedelta // of local time from UTC, positive in the east; not nil
	Name   any        // a string, or nil
	class  *Global
}

// FromPython2 returns the name that a global of Python 2 has in Python 3, as Python's Unpickler.find_class does for
// pickles below protocol 3. Other names are returned unchanged.
func FromPython2(g Global) Global {
	module, name := python2.ToPython3(g.Module, g.Name)
	return Global{Module: module, Name: name}
}

// A Decimal is Python's decimal.Decimal, as its text in Python: "1.50", "NaN", "-Infinity", "1E+400".
type Decimal struct {
	Text  string // digits are kept, trailing zeros too
	class *Global
}

// A Fraction is Python's fractions.Fraction.
type Fraction struct {
	Num, Den *big.Int // Den is positive; they are as they were pickled, and not to be changed

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
	Class  any    // the called class or function: usually a *Global
	How    How    // the way of the call
	Args   *Tuple // positional arguments, without the class
	Kwargs *Dict  // keyword arguments, for NewObjEx

	Items []any  // appended to the result, as to a list
	Pairs []Pair // set on the result, as on a dict

	State    any  // given to __setstate__, or the attributes as a *Dict
	HasState bool // there is a State, which may be nil for None

	node
}

// How is the way in which Python would make an [Object].
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

// RawBytes returns the bytes of a value where Python expects bytes: a []byte, a [ByteArray], or a str of Python 2 that any
// [Encoding] decoded. It returns false for other values. The bytes share the memory of the value,
// unless it is a string.
func RawBytes(v any) ([]byte, bool) {
	switch v := v.(type) {
	case []byte:
		return v, true
	case *ByteArray:
		return v.Bytes, true
	case *machine.RawText:
		v.Used = true
		return v.Data, true
	case string:
		return literal.Latin1Bytes(v)
	}
	return nil, false
}

// goNumber converts Go's other integer and float types to a type that pickles know.
func goNumber(v any) (any, bool) {
	switch r := reflect.ValueOf(v); {
	case r.CanInt():
		return r.Int(), true
	case r.CanUint():
		if n := r.Uint(); n > math.MaxInt64 {
			return new(big.Int).SetUint64(n), true
		}
		return int64(r.Uint()), true
	case r.CanFloat():
		return r.Float(), true
	}
	return nil, false
}
