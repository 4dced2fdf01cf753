package pickle

import (
	"math/bits"
	"reflect"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/npygo/npy/internal/bulk"
)

// A memoKey identifies a value: its address, and its kind, since a struct begins at the same address as its first
// field. The zero key belongs to values without an identity, to which nothing can refer.
type memoKey struct {
	address uintptr
	kind    int // twice the length of a str, or of bytes plus 1; negative for other kinds
}

// The kinds of memoTable, except for strings longer than one character.
const (
	kindChar    = -1 - iota // equal strs are one object: see singleChar
	kindSecond              // the second object of such a str: see secondChar
	kindByte                // bytes of length 0 or 1, where equal bytes are one object
	kindComplex             // a complex number in an interface
	kindPointer             // types of this package count down from here,
	kindForeign = -1000     // other types count down from here

	addressEmpty = 256 // in place of the character, for empty strs and bytes
)

// memoKeyOf returns the key of a value.
func memoKeyOf(v any) memoKey {
	switch s := v.(type) {
	case string:
		address := reflect.ValueOf(v).Pointer()
		c, ok := singleChar(s)
		switch {
		case !ok:
			return memoKey{address, 2 * len(s)}
		case address-secondChars() < 2*256:
			return memoKey{c, kindSecond}
		}
		return memoKey{c, kindChar}
	case []byte:
		switch {
		case len(s) == 0:
			return memoKey{addressEmpty, kindByte}
		case len(s) == 1 && !isApart(s):
			return memoKey{uintptr(s[0]), kindByte}
		}
		return memoKey{reflect.ValueOf(v).Pointer(), 2*len(s) + 1}
	case complex128:
		if address := bulk.BoxAddress(v); address != 0 {
			return memoKey{address, kindComplex}
		}
		return memoKey{}
	}
	kind := kindPointer
	switch v.(type) {
	case *List:
	case *Tuple:
		kind -= 1
	case *Dict:
		kind -= 2
	case *Set:
		kind -= 3
	case *FrozenSet:
		kind -= 4
	case *ByteArray:
		kind -= 5
	case *Object:
		kind -= 6
	case *Global:
		kind -= 7
	case *Slice, *Range, *OrderedDict, *DefaultDict, *Counter,
		*Datetime, *Date, *Time, *Timedelta, *TimeZone, *Decimal, *Fraction, *UUID:
		kind -= 8 // these are never at an address inside one another
	default:
		return memoKey{}
	}
	return memoKey{reflect.ValueOf(v).Pointer(), kind}
}

// singleChar returns the character of a str that CPython has only once: the empty str or one character below 256.
func singleChar(s string) (char uintptr, ok bool) {
	switch {
	case len(s) == 0:
		return addressEmpty, true
	case len(s) == 1:
		return uintptr(s[0]), s[0] < utf8.RuneSelf
	case len(s) == 2 && (s[0] == 0xc2 || s[0] == 0xc3):
		return uintptr(s[0]&3)<<6 | uintptr(s[1]&0x3f), true
	}
	return 0, false
}

// seconds holds the characters that singleChar knows, two bytes for each. CPython 3.11 has two objects for some of
// them, one for the names of attributes: a string in this memory is the second object of a pickle.
var seconds = sync.OnceValue(func() string {
	var b strings.Builder
	for c := range rune(256) {
		b.WriteRune(c)
		if c < utf8.RuneSelf {
			b.WriteByte(0)
		}
	}
	return b.String()
})

// secondChars returns the address of seconds.
func secondChars() uintptr { return reflect.ValueOf(seconds()).Pointer() }

// secondChar returns the second string object of a character.
func secondChar(c uintptr) string {
	_, size := utf8.DecodeRuneInString(seconds()[2*c:])
	return seconds()[2*c:][:size]
}

// apart returns bytes of length 1 that are a different object than equal bytes. CPython has one object for each such
// value, except in bytes that it has read from a pickle. A mark in the spare capacity says so.
func apart(c byte) []byte { return append([]byte{c}, apartMark...)[:1] }

func isApart(b []byte) bool {
	n := 1 + len(apartMark)
	return cap(b) >= n && string(b[1:n]) == apartMark
}

const apartMark = "another"

// foreignKey returns the key of a value of a type that only Reduce knows. Only pointers have a key.
func (p *pickler) foreignKey(v any) memoKey {
	t := reflect.TypeOf(v)
	if t.Kind() != reflect.Pointer {
		return memoKey{}
	}
	kind, ok := p.foreign[t]
	if !ok {
		kind = kindForeign - len(p.foreign)
		p.foreign[t] = kind
	}
	return memoKey{reflect.ValueOf(v).Pointer(), kind}
}

// A memoTable numbers the written values, and finds them again by key. It is a hash table with open addressing:
// encoding strings spends most of its time here.
type memoTable struct {
	slots []slot // the length is a power of two
	used  int
	count uint32 // the next number; values without a key take a number too
}

type slot struct {
	key    memoKey
	number uint32
}

// find returns the number of a key.
func (m *memoTable) find(key memoKey) (number uint32, ok bool) {
	if key == (memoKey{}) || m.used == 0 {
		return 0, false
	}
	s := m.slot(key)
	return s.number, s.key == key
}

// add takes the next number, and enters it under key unless key is zero.
func (m *memoTable) add(key memoKey) uint32 {
	number := m.count
	m.count++
	if key != (memoKey{}) {
		m.set(key, number)
	}
	return number
}

// set enters a number under a key.
func (m *memoTable) set(key memoKey, number uint32) {
	m.reserve(1)
	s := m.slot(key)
	if s.key != key {
		m.used++
	}
	*s = slot{key, number}
}

// reserve makes capacity for n more keys. Half of the slots stay free.
func (m *memoTable) reserve(n int) {
	if 2*(m.used+n) <= len(m.slots) {
		return
	}
	old := m.slots
	m.slots = bulk.MakeHuge[slot](max(64, 1<<bits.Len(uint(2*(m.used+n)-1))))
	for _, s := range old {
		if s.key != (memoKey{}) {
			*m.slot(s.key) = s
		}
	}
}

// expect makes capacity for the keys of a list of strings.
func (m *memoTable) expect(items []any) {
	if len(items) > 0 {
		if _, ok := items[0].(string); ok {
			m.reserve(len(items))
		}
	}
}

// slot returns the slot of a key: the slot that holds it, or the free slot for it. Values that are neighbours in memory
// are neighbours in the table, so that writing values in the order in which they were allocated hits the cache. Ranges
// of 1 MB are shifted against each other, for addresses that are all multiples of a large number, and so are lengths,
// for strings that begin at one address.
func (m *memoTable) slot(key memoKey) *slot {
	const stretch, offset = 20, 40503
	mask := len(m.slots) - 1
	for i := int(key.address + (key.address>>stretch+uintptr(key.kind>>7))*offset); ; i++ {
		if s := &m.slots[i&mask]; s.key == key || s.key == (memoKey{}) {
			return s
		}
	}
}
