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
