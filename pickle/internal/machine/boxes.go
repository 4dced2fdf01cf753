package machine

import "github.com/npygo/npy/internal/bulk"

// New memory costs more than anything else when a large pickle is read, and growing slices are copied. So large slices
// are on huge pages, and all grow in one way: to the expected length, then by doubling.

// Few is the number of values up to which memory for the expected number is not allocated.
const Few = 32

// nextCap returns the capacity for need values, when a capacity for had values is full.
func nextCap(need, had, expected int) int {
	if Few < need && need <= expected {
		return expected
	}
	return max(need, 2*had)
}

// grown returns a list with capacity for n more values.
func grown(list []any, n, expected int) []any {
	need := len(list) + n
	if need <= cap(list) {
		return list
	}
	larger := bulk.MakeHuge[any](nextCap(need, len(list), expected))
	return larger[:copy(larger, list)]
}

// Boxes hold the values to which interfaces point, in shared blocks. A separate allocation for each value, as Go makes,
// would take most of the time. A block stays in memory as long as one of its values does.
type boxes struct {
	ints   block[int64]
	floats block[float64]
	texts  block[string]
	chars  block[byte] // the bytes of the texts
}

// newBoxes returns boxes for the expected number of values of each type.
func newBoxes(expected int) boxes {
	return boxes{ints: block[int64]{expected: expected}, floats: block[float64]{expected: expected}, texts: block[string]{expected: expected}}
}

// A block is memory for values of one type.
type block[T any] struct {
	values   []T // the free values
	made     int // the number of values in all blocks
	expected int
}

// free returns memory for least to most values.
func (b *block[T]) free(least, most int) []T {
	if len(b.values) < least {
		b.values = bulk.MakeHuge[T](max(Few, nextCap(b.made+least, b.made, b.expected)-b.made))
		b.made += len(b.values)
	}
	return b.values[:min(most, len(b.values))]
}

// take returns the first n free values.
func (b *block[T]) take(n int) []T {
	taken := b.values[:n]
	b.values = b.values[n:]
	return taken
}
