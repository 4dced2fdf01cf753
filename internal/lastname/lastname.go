// Package lastname finds texts in a list by their contents, with 8 bytes of memory for each. A map takes six times as much.
package lastname

import "hash/maphash"

// An Index finds the last of equal texts in a list that does not change.
type Index struct {
	text  func(i int) string
	table []int32 // positions plus one, at the hashes of their texts or after them; 0 for a free place
	seed  maphash.Seed
}

// Of returns an index of n texts, fewer than 1<<31.
func Of(n int, text func(i int) string) *Index {
	size := 8
	for size < n+n/2 {
		size *= 2
	}
	x := &Index{text: text, table: make([]int32, size), seed: maphash.MakeSeed()}
	for i := range n {
		*x.place(text(i)) = int32(i + 1)
	}
	return x
}

// Find returns the position of the last text that is equal to s, and false if there is none.
func (x *Index) Find(s string) (i int, ok bool) {
	i = int(*x.place(s)) - 1
	return i, i >= 0
}

// place returns the place of s: one with an equal text, or a free one.
func (x *Index) place(s string) *int32 {
	mask := uint64(len(x.table) - 1)
	for at := maphash.String(x.seed, s) & mask; ; at = (at + 1) & mask {
		if p := &x.table[at]; *p == 0 || x.text(int(*p)-1) == s {
			return p
		}
	}
}
