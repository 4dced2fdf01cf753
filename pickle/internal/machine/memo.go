package machine

import (
	"fmt"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/pickle/internal/literal"
	"github.com/npygo/npy/pickle/internal/opcode"
)

// A Memo holds values by number. Consecutive numbers, which all picklers give, cost a slot of a slice; other numbers
// cost an entry of a map.
type Memo struct {
	dense    []any
	sparse   map[uint64]any
	limit    int
	allowed  func() int // the limit by now
	expected int        // the largest number of values
}

// NewMemo returns an empty memo. allowed returns how many values it may hold by now.
func NewMemo(allowed func() int, expected int) Memo {
	return Memo{limit: allowed(), allowed: allowed, expected: expected}
}

// Next returns the number that MEMOIZE gives: the number of values in the memo.
func (m *Memo) Next() uint64 { return uint64(len(m.dense) + len(m.sparse)) }

// Put sets the value of a number.
func (m *Memo) Put(n uint64, v any) error {
	if n < uint64(len(m.dense)) {
		m.dense[n] = v
		return nil
	}
	if _, again := m.sparse[n]; !again && len(m.dense)+len(m.sparse) >= m.limit {
		if m.limit = m.allowed(); len(m.dense)+len(m.sparse) >= m.limit {
			return bounded.Over("MaxMemo", m.limit, 0, "the number of memoised values is over MaxMemo %d", m.limit)
		}
	}
	if n == uint64(len(m.dense)) {
		m.dense = append(grown(m.dense, 1, m.expected), v)
		delete(m.sparse, n)
		return nil
	}
	if m.sparse == nil {
		m.sparse = map[uint64]any{}
	}
	m.sparse[n] = v
	return nil
}

// Get returns the value of a number.
func (m *Memo) Get(n uint64) (any, error) {
	if n < uint64(len(m.dense)) {
		return m.dense[n], nil
	}
	if v, ok := m.sparse[n]; ok {
		return v, nil
	}
	return nil, fmt.Errorf("nothing is memoised under %d", n)
}

// Number returns the number that an opcode puts or gets.
func (m *Memo) Number(code byte, arg *opcode.Operand) (uint64, error) {
	switch code {
	case opcode.Memoize:
		return m.Next(), nil
	case opcode.Put, opcode.Get:
		return literal.MemoNumber(arg.Data)
	}
	return arg.N, nil
}
