package encoder

import (
	"math/bits"

	"github.com/npygo/npy/internal/bulk"
)

// A memo numbers the written values, and finds them again by key. It is a hash table with open addressing:
// encoding strings spends most of its time here.
type memo struct {
	slots []slot // the length is a power of two
	used  int
	count uint32 // the next number; values without a key take a number too
}

type slot struct {
	key    Key
	number uint32
}

// find returns the number of a key.
func (m *memo) find(key Key) (number uint32, ok bool) {
	if key == (Key{}) || m.used == 0 {
		return 0, false
	}
	s := m.slot(key)
	return s.number, s.key == key
}

// add takes the next number, and enters it under key unless key is zero.
func (m *memo) add(key Key) uint32 {
	number := m.count
	m.count++
	if key != (Key{}) {
		m.set(key, number)
	}
	return number
}

// set enters a number under a key.
func (m *memo) set(key Key, number uint32) {
	m.reserve(1)
	s := m.slot(key)
	if s.key != key {
		m.used++
	}
	*s = slot{key, number}
}

// reserve makes capacity for n more keys. Half of the slots stay free.
func (m *memo) reserve(n int) {
	if 2*(m.used+n) <= len(m.slots) {
		return
	}
	old := m.slots
	m.slots = bulk.MakeHuge[slot](max(64, 1<<bits.Len(uint(2*(m.used+n)-1))))
	for _, s := range old {
		if s.key != (Key{}) {
			*m.slot(s.key) = s
		}
	}
}

// expect makes capacity for the keys of a list of strings.
func (m *memo) expect(items []any) {
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
func (m *memo) slot(key Key) *slot {
	const stretch, offset = 20, 40503
	mask := len(m.slots) - 1
	for i := int(key.Address + (key.Address>>stretch+uintptr(key.Kind>>7))*offset); ; i++ {
		if s := &m.slots[i&mask]; s.key == key || s.key == (Key{}) {
			return s
		}
	}
}
