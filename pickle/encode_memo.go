package pickle

import (
	"math/bits"
	"reflect"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/npygo/npy/internal/bulk"
)

// A memoKey is what makes a value the same value again: where it lies in memory, and what it is taken for there, since
// a struct begins at the same address as its first field. The zero key is that of values that have none, or to
// which nothing can refer.
type memoKey struct {
	address uintptr
	kind    int // twice the size of a str, or of bytes plus 1; negative for the rest
}

// The kinds of memoTable that are not those of longer strings.
const (
	kindChar    = -1 - iota // a str that is equal is the same: see singleChar
	kindSecond              // likewise, but for another of the same character: see secondChar
	kindByte                // likewise bytes, of one byte or none
	kindComplex             // a complex number in an interface
	kindPointer             // types of this package count down from here,
	kindForeign = -1000     // others from here

	addressEmpty = 256 // in place of the character, for those that are empty
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
		kind -= 8 // these never lie inside one another
	default:
		return memoKey{}
	}
	return memoKey{reflect.ValueOf(v).Pointer(), kind}
}

// singleChar returns the character of a str of which CPython has one only: of a character below 256, or none.
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

// seconds has the characters that singleChar knows, two bytes for each. CPython 3.11 has some of them twice, of which one is for the
// names of attributes: a string that lies here is the second one that a pickle has.
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

// secondChars returns where they begin.
func secondChars() uintptr { return reflect.ValueOf(seconds()).Pointer() }

// secondChar returns the second string of a character.
func secondChar(c uintptr) string {
	_, size := utf8.DecodeRuneInString(seconds()[2*c:])
	return seconds()[2*c:][:size]
}

// apart returns bytes of one byte that are another object than those that are equal. CPython has one of each but for those it has
// read from a pickle. A mark in their spare capacity says so.
func apart(c byte) []byte { return append([]byte{c}, apartMark...)[:1] }

func isApart(b []byte) bool {
	n := 1 + len(apartMark)
	return cap(b) >= n && string(b[1:n]) == apartMark
}

const apartMark = "another"

// foreignKey returns the key of a value of a type that only Reduce knows. Only pointers have one.
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

// A memoTable numbers what is written, and finds it again by its key. It is a hash table with open addressing: a
// pickle of strings does little else than fill it.
type memoTable struct {
	slots []slot // as many as a power of two
	used  int
	count uint32 // the next number; what has no key takes one, too
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

// add takes the next number, and finds it again under the key if that is one.
func (m *memoTable) add(key memoKey) uint32 {
	number := m.count
	m.count++
	if key != (memoKey{}) {
		m.set(key, number)
	}
	return number
}

// set lets the key be found under the number.
func (m *memoTable) set(key memoKey, number uint32) {
	m.reserve(1)
	s := m.slot(key)
	if s.key != key {
		m.used++
	}
	*s = slot{key, number}
}

// reserve makes room for n more keys. Half of the slots stay free.
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

// expect makes room for the keys of a list of strings.
func (m *memoTable) expect(items []any) {
	if len(items) > 0 {
		if _, ok := items[0].(string); ok {
			m.reserve(len(items))
		}
	}
}

// slot returns the slot of a key: the one it is in, or where it is to be put. Neighbours in memory are neighbours in the
// table, so that values which are written in the order in which they were made do not wait for memory. Stretches of
// 1 MB are set off against each other, for addresses that are all multiples of a large number, and so are sizes, for
// strings that begin at one place.
func (m *memoTable) slot(key memoKey) *slot {
	const stretch, offset = 20, 40503
	mask := len(m.slots) - 1
	for i := int(key.address + (key.address>>stretch+uintptr(key.kind>>7))*offset); ; i++ {
		if s := &m.slots[i&mask]; s.key == key || s.key == (memoKey{}) {
			return s
		}
	}
}
