package pickle

import (
	"slices"

	"github.com/npygo/npy/internal/bulk"
)

// Picklers write the items of lists, dicts and sets in batches of 1000, so the stack is short. Only large tuples and
// frozensets are on the stack as a whole, and any container in a pickle that is made by hand: a few KB of compressed data
// may be a list of millions of None. The items are then held once: the stack grows with few copies, and its memory becomes
// the memory of the list.

const (
	manyItems   = 1 << 14 // the number of values from which the stack is large
	stackGrowth = 4       // a large stack grows by this factor; new memory takes no pages before values are in it
)

// reserve makes the stack hold n more values. A large stack grows to the expected length of the outermost list, or by a
// factor by which all copies together are a third of the memory.
func (m *machine) reserve(n int) {
	need := len(m.stack) + n
	if need <= cap(m.stack) {
		return
	}
	size := max(need, few, 2*len(m.stack))
	if need > manyItems {
		size = max(need, min(stackGrowth*len(m.stack), len(m.stack)+n+m.nodes))
		if expected := m.hint + few; need <= expected {
			size = expected
		}
	}
	larger := bulk.MakeHuge[any](size)
	m.stack = larger[:copy(larger, m.stack)]
}

// owned returns items that were just popped in memory that the stack does not use. If they are many, and most of the
// stack, they keep their memory and the stack gets a new one.
func (m *machine) owned(items []any) []any {
	if len(items) < max(manyItems, len(m.stack)) {
		return slices.Clone(items)
	}
	below := m.stack
	m.stack = slices.Clone(below)
	clear(below)
	return items
}
