package pickle

import "github.com/npygo/npy/internal/bulk"

// Memory that is new costs more than all else in reading a large pickle, and what grows is moved. So all that is large
// lies on huge pages, and grows in one way: to the size that is expected, and beyond it in steps of two.

// few values do not take the room of all that are expected.
const few = 32

// room returns for how many values to make room where had were not enough for those needed.
func room(need, had, expected int) int {
	if few < need && need <= expected {
		return expected
	}
	return max(need, 2*had)
}

// grown returns a list with room for n more values.
func grown(list []any, n, expected int) []any {
	need := len(list) + n
	if need <= cap(list) {
		return list
	}
	larger := bulk.MakeHuge[any](room(need, len(list), expected))
	return larger[:copy(larger, list)]
}

// Boxes are the memory of the values to which interfaces point. Blocks of it are shared: a piece of its own for each
// value, as Go gives them, would take most of the time. To keep one value is to keep its block.
type boxes struct {
	ints   block[int64]
	floats block[float64]
	texts  block[string]
	chars  block[byte] // of the texts
}

// newBoxes returns boxes for so many values of a kind.
func newBoxes(expected int) boxes {
	return boxes{ints: block[int64]{expected: expected}, floats: block[float64]{expected: expected}, texts: block[string]{expected: expected}}
}

// A block is memory for values of one type.
type block[T any] struct {
	values   []T // that are free
	made     int // how many there were, in all blocks
	expected int
}

// free returns memory for at least some values, and at most so many more.
func (b *block[T]) free(least, most int) []T {
	if len(b.values) < least {
		b.values = bulk.MakeHuge[T](max(few, room(b.made+least, b.made, b.expected)-b.made))
		b.made += len(b.values)
	}
	return b.values[:min(most, len(b.values))]
}

// take returns the first n values that were free.
func (b *block[T]) take(n int) []T {
	taken := b.values[:n]
	b.values = b.values[n:]
	return taken
}
