package machine

import (
	"errors"
	"slices"

	"github.com/npygo/npy/internal/bulk"
)

// The errors of a pickle that takes more than is on the stack.
var (
	ErrUnderflow = errors.New("the stack has too Few values")
	ErrNoMark    = errors.New("no MARK is on the stack")
)

// A stack holds values, and marks between them.
type stack struct {
	values []any
	marks  []int // positions on the stack
	hint   int   // the number of items expected in the outermost list
}

// fence is the height below which the stack must not be popped: the position of the last mark.
func (s *stack) fence() int {
	if len(s.marks) == 0 {
		return 0
	}
	return s.marks[len(s.marks)-1]
}

// Pop takes the last value.
func (s *stack) Pop() (any, error) {
	items, err := s.PopN(1)
	if err != nil {
		return nil, err
	}
	return items[0], nil
}

// PopN takes the last n values. They are valid until the next push.
func (s *stack) PopN(n int) ([]any, error) {
	at := len(s.values) - n
	if at < s.fence() {
		return nil, ErrUnderflow
	}
	items := s.values[at:]
	s.values = s.values[:at]
	return items, nil
}

// PopMark takes the last mark and the values after it. The values are valid until the next push.
func (s *stack) PopMark() ([]any, error) {
	if len(s.marks) == 0 {
		return nil, ErrNoMark
	}
	at := s.fence()
	s.marks = s.marks[:len(s.marks)-1]
	items := s.values[at:]
	s.values = s.values[:at]
	return items, nil
}

// Top returns the last value without taking it.
func (s *stack) Top() (any, error) {
	if len(s.values) <= s.fence() {
		return nil, ErrUnderflow
	}
	return s.values[len(s.values)-1], nil
}

// DropMark drops the mark on top of the stack, and reports whether there is one.
func (s *stack) DropMark() bool {
	if len(s.marks) == 0 || s.fence() != len(s.values) {
		return false
	}
	s.marks = s.marks[:len(s.marks)-1]
	return true
}

// Last takes the last n values, and returns them with the value below, which stays. They are valid until the next push.
func (s *stack) Last(n int) (below any, items []any, err error) { return s.from(len(s.values) - n) }

// Marked is Last for the last mark and the values after it.
func (s *stack) Marked() (below any, items []any, err error) {
	if len(s.marks) == 0 {
		return nil, nil, ErrNoMark
	}
	at := s.fence()
	s.marks = s.marks[:len(s.marks)-1]
	return s.from(at)
}

// from is Last for the values from a position.
func (s *stack) from(at int) (below any, items []any, err error) {
	if at <= s.fence() {
		return nil, nil, ErrUnderflow
	}
	items = s.values[at:]
	s.values = s.values[:at]
	return s.values[at-1], items, nil
}

// Picklers write the items of lists, dicts and sets in batches of 1000, so the stack is short. Only large tuples and
// frozensets are on the stack as a whole, and any container in a pickle that is made by hand: a few KB of compressed data
// may be a list of millions of None. The items are then held once: the stack grows with few copies, and its memory becomes
// the memory of the list.

const (
	ManyItems   = 1 << 14 // the number of values from which the stack is large
	stackGrowth = 4       // a large stack grows by this factor; new memory takes no pages before values are in it
)

// reserve makes the stack hold n more values, of at most most that follow. A large stack grows to the expected length of
// the outermost list, or by a factor by which all copies together are a third of the memory.
func (s *stack) reserve(n, most int) {
	need := len(s.values) + n
	if need <= cap(s.values) {
		return
	}
	size := max(need, Few, 2*len(s.values))
	if need > ManyItems {
		size = max(need, min(stackGrowth*len(s.values), len(s.values)+n+most))
		if expected := s.hint + Few; need <= expected {
			size = expected
		}
	}
	larger := bulk.MakeHuge[any](size)
	s.values = larger[:copy(larger, s.values)]
}

// Owned returns items that were just popped in memory that the stack does not use. If they are many, and most of the
// stack, they keep their memory and the stack gets a new one.
func (s *stack) Owned(items []any) []any {
	if len(items) < max(ManyItems, len(s.values)) {
		return slices.Clone(items)
	}
	below := s.values
	s.values = slices.Clone(below)
	clear(below)
	return items
}

// Append appends items that were just popped to a list, for which expected items are expected.
func (s *stack) Append(list, items []any, expected int) []any {
	if cap(list) == 0 && len(items) >= ManyItems {
		return s.Owned(items)
	}
	return append(grown(list, len(items), expected), items...)
}
