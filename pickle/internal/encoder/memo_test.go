package encoder

import "testing"

// TestMemo compares the table with a map, for addresses that are near each other, far from each other, and the
// same.
func TestMemo(t *testing.T) {
	const n = 5000
	for name, key := range map[string]func(i int) Key{
		"bytes of one string": func(i int) Key { return Key{uintptr(0xc000_0001) + uintptr(i), 2} },
		"short strings":       func(i int) Key { return Key{uintptr(0xc000_0000) + uintptr(8*i), 2 + i%20} },
		"tuples":              func(i int) Key { return Key{uintptr(0xc000_0000) + uintptr(32*i), KindPointer} },
		"pages":               func(i int) Key { return Key{uintptr(0xc0_0000) + uintptr(4096*i), KindPointer} },
		"stretches":           func(i int) Key { return Key{uintptr(i%1000)<<20 + 16, i / 1000} },
		"a single address":    func(i int) Key { return Key{0xc000_0000, 2 * (i + 1)} },
		"characters":          func(i int) Key { return Key{uintptr(i%257 + 1), kindChar - i/257} },
	} {
		var table memo
		want := map[Key]uint32{}
		for i := range n {
			if i == n/2 {
				table.reserve(n)
			}
			if _, ok := table.find(key(i)); ok {
				t.Fatalf("%s: key %d is found before it was added", name, i)
			}
			want[key(i)] = table.add(key(i))
		}
		for k, number := range want {
			if got, ok := table.find(k); !ok || got != number {
				t.Fatalf("%s: find(%v) = %d, %v, want %d", name, k, got, ok, number)
			}
		}
		if len(want) != n || 2*n > len(table.slots) {
			t.Errorf("%s: %d keys in %d slots, want %d keys and half of the slots free", name, len(want), len(table.slots), n)
		}
	}
}
