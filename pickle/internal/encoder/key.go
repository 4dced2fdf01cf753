package encoder

import (
	"reflect"

	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/pickle/internal/interned"
)

// A Key identifies a value: its address, and its kind, since a struct begins at the same address as its first field. The
// zero Key belongs to values without an identity, to which nothing can refer.
type Key struct {
	Address uintptr
	Kind    int // twice the length of a str, or of bytes plus 1; negative for other kinds
}

// The kinds of keys, except for strings longer than one character.
const (
	kindChar    = -1 - iota // equal strs are one object: see interned.SingleChar
	kindSecond              // the second object of such a str: see interned.SecondChar
	kindByte                // bytes of length 0 or 1, where equal bytes are one object
	kindComplex             // a complex number in an interface
	KindPointer             // pointers to other types count down from here
)

// KeyOf returns the key of a str, bytes or a complex number, and false for other values.
func KeyOf(v any) (Key, bool) {
	switch s := v.(type) {
	case string:
		address := reflect.ValueOf(v).Pointer()
		c, ok := interned.SingleChar(s)
		switch {
		case !ok:
			return Key{address, 2 * len(s)}, true
		case interned.IsSecond(address):
			return Key{c, kindSecond}, true
		}
		return Key{c, kindChar}, true
	case []byte:
		switch {
		case len(s) == 0:
			return Key{interned.Empty, kindByte}, true
		case len(s) == 1 && !interned.IsApart(s):
			return Key{uintptr(s[0]), kindByte}, true
		}
		return Key{reflect.ValueOf(v).Pointer(), 2*len(s) + 1}, true
	case complex128:
		if address := bulk.BoxAddress(v); address != 0 {
			return Key{address, kindComplex}, true
		}
		return Key{}, true
	}
	return Key{}, false
}
