package audit

import (
	"math/big"
	"unicode/utf8"
)

// The values on the stack of a tracer are Go's nil, bool, int64 and float64, a string for a short str, and the types
// below, which hold the known facts about a value.
type (
	bigInt        struct{}               // an int beyond 64 bits
	complexNumber struct{}               // a complex
	longText      struct{ latin1 int64 } // a str longer than shortText, and its length as Latin-1, or -1
	oldText       string                 // a short str of Python 2, which becomes a str or, at the reader's choice, a bytes
	blob          struct {               // a bytes
		n     int64
		start string // its bytes, if it is short
	}
	buffer struct{ n int64 } // a bytearray or another buffer; -1 if its length is not known
	tuple  struct {
		items []any
		plain bool // can be hashed without calling unknown code
	}
	list struct{ items []any }
	dict struct {
		items  []any // keys and values in turn
		frozen bool  // a checked value keeps it: it must not change
	}
	set       struct{ items []any }
	frozenSet struct {
		items []any
		plain bool
	}
	global struct { // a class or function by its name
		index int       // in tracer.report.Imports
		known *callable // nil for an unknown global
	}
)

// An object is a value that a call made.
type object struct {
	kind  kind
	by    int   // the index of the global that was called, or that made the called value
	parts []any // its arguments, items and states

	// For a dtype, an array or a masked array:
	dtype  *dtype
	count  int64 // elements
	exact  bool  // its class is ndarray itself
	stated bool  // it has its state, and must not be given another
}

// A kind is the known kind of an object.
type kind uint8

const (
	unknown   kind = iota // nothing
	data                  // it takes no state and no items, and holds data only
	holder                // the same, but it may hold any plain values, or objects of an array
	delta                 // data: a datetime.timedelta
	zone                  // data: a datetime.timezone
	deque                 // items can be appended
	mapping               // items can be set
	exception             // takes a state of certain attributes
	uuidKind              // takes the state of a UUID
	dtypeKind             // numpy.dtype
	arrayKind             // an array of NumPy
	masked                // a masked array of NumPy
)

// shortText is the length of the longest str that is kept.
const shortText = 1 << 10

// textOf returns the value for a str.
func textOf(s string) any {
	if len(s) <= shortText {
		return s
	}
	return longText{latin1Length(s)}
}

// latin1Length returns the length of a str as Latin-1, -1 if it has other characters.
func latin1Length(s string) int64 {
	for _, r := range s {
		if r > 0xff {
			return -1
		}
	}
	return int64(utf8.RuneCountInString(s))
}

// blobOf returns the value for a bytes.
func blobOf(b []byte) blob {
	v := blob{n: int64(len(b))}
	if len(b) <= 16 {
		v.start = string(b)
	}
	return v
}

// valueOf returns the value for the argument of an opcode.
func valueOf(arg any) any {
	switch arg := arg.(type) {
	case string:
		return textOf(arg)
	case []byte:
		return blobOf(arg)
	case *big.Int:
		return bigInt{}
	}
	return arg // int64, bool, float64
}

// isLeaf reports whether v is of one of Python's own immutable types and contains no other values.
func isLeaf(v any) bool {
	return isNumber(v) || isText(v) || isBytes(v) || v == nil
}

func isNumber(v any) bool {
	switch v.(type) {
	case bool, int64, float64, bigInt, complexNumber:
		return true
	}
	return false
}

// isInt reports whether v is an int or a bool.
func isInt(v any) bool {
	switch v.(type) {
	case bool, int64, bigInt:
		return true
	}
	return false
}

func isText(v any) bool {
	switch v.(type) {
	case string, oldText, longText:
		return true
	}
	return false
}

func isOldText(v any) bool {
	_, ok := v.(oldText)
	return ok
}

func isBytes(v any) bool {
	_, ok := v.(blob)
	return ok
}

// word returns a short str or bytes.
func word(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case oldText:
		return string(v)
	case blob:
		return v.start
	}
	return ""
}

// sizeOf returns the length in bytes of a bytes, or of a str as Latin-1, which NumPy accepts as well. It returns -1 for
// other values.
func sizeOf(v any) int64 {
	switch v := v.(type) {
	case blob:
		return v.n
	case string:
		return latin1Length(v)
	case oldText:
		return latin1Length(string(v))
	case longText:
		return v.latin1
	}
	return -1
}

// itemsOf returns the items of a list or tuple.
func itemsOf(v any) ([]any, bool) {
	switch v := v.(type) {
	case *list:
		return v.items, true
	case *tuple:
		return v.items, true
	}
	return nil, false
}

// isPlain reports whether v can be hashed, and compared with another key, without running unknown code. Unhashable
// values are not plain, and neither are scalars of structs, which NumPy compares by their elements.
func isPlain(v any) bool {
	switch v := v.(type) {
	case *tuple:
		return v.plain
	case *frozenSet:
		return v.plain
	case *global:
		return v.known != nil
	case *object:
		switch v.kind {
		case data, delta, zone, exception, uuidKind, dtypeKind:
			return true
		}
		return false
	case *list, *dict, *set, *buffer:
		return false
	}
	return true
}

func arePlain(items []any) bool {
	for _, v := range items {
		if !isPlain(v) {
			return false
		}
	}
	return true
}
