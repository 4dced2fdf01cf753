package group

// A table numbers groups of rows with equal keys, in the order of their first rows.
type table struct {
	words int
	slots []uint32 // a hash table of the numbers of groups plus 1
	keys  []uint64 // words of each group
	items []byte   // the items of the keys of the first row of each group
	size  int      // bytes of these per group
	n     int
	aggs  []aggregate
}

// find returns the number of the group with a key, and adds a group if there is none.
func (t *table) find(key []uint64) (id int, added bool) {
	if 2*t.n >= len(t.slots) {
		t.grow()
	}
	mask := len(t.slots) - 1
	if len(key) == 1 { // the usual case, in half of the time
		for at := int(hashWord(key[0])) & mask; t.slots[at] != 0; at = (at + 1) & mask {
			if id := int(t.slots[at]) - 1; t.keys[id] == key[0] {
				return id, false
			}
		}
	}
search:
	for at := int(hashKey(key)) & mask; ; at = (at + 1) & mask {
		id := int(t.slots[at]) - 1
		if id < 0 {
			t.n++
			t.slots[at] = uint32(t.n)
			t.keys = append(t.keys, key...)
			return t.n - 1, true
		}
		for w, x := range key {
			if t.keys[id*t.words+w] != x {
				continue search
			}
		}
		return id, false
	}
}

func hashKey(key []uint64) uint64 {
	h := uint64(0)
	for _, x := range key {
		h = mix(h ^ x)
	}
	return h * 0xbf58476d1ce4e5b9 >> 20
}

// hashWord is hashKey for a key of one word.
func hashWord(x uint64) uint64 { return mix(x) * 0xbf58476d1ce4e5b9 >> 20 }

func mix(h uint64) uint64 {
	h *= 0x9e3779b97f4a7c15
	return h ^ h>>29
}

func (t *table) grow() {
	t.slots = make([]uint32, max(2*len(t.slots), 256))
	mask := len(t.slots) - 1
	for id := range t.n {
		at := int(hashKey(t.keys[id*t.words:(id+1)*t.words])) & mask
		for t.slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = uint32(id + 1)
	}
}

// merge adds the groups of a later chunk. It returns false if there are more than most groups.
func (t *table) merge(u *table, most int) bool {
	ids := make([]uint32, u.n)
	for i := range ids {
		id, added := t.find(u.keys[i*u.words : (i+1)*u.words])
		if added {
			if t.n > most {
				return false
			}
			t.items = append(t.items, u.items[i*t.size:(i+1)*t.size]...)
		}
		ids[i] = uint32(id)
	}
	for i, a := range t.aggs {
		a.merge(u.aggs[i], ids, t.n)
	}
	return true
}
