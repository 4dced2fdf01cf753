package pickle

import "fmt"

// A memo holds values by number. Consecutive numbers, which all picklers give, cost a slot of a slice; other numbers
// cost an entry of a map.
type memo struct {
	dense    []any
	sparse   map[uint64]any
	limit    int
	allowed  func() int // the limit by now
	expected int        // the largest number of values
}

// next returns the number that MEMOIZE gives: the number of values in the memo.
func (m *memo) next() uint64 { return uint64(len(m.dense) + len(m.sparse)) }

// put sets the value of a number.
func (m *memo) put(n uint64, v any) error {
	if n < uint64(len(m.dense)) {
		m.dense[n] = v
		return nil
	}
	if _, again := m.sparse[n]; !again && len(m.dense)+len(m.sparse) >= m.limit {
		if m.limit = m.allowed(); len(m.dense)+len(m.sparse) >= m.limit {
			return over("the number of memoised values is", int64(m.limit), "MaxMemo")
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

// get returns the value of a number.
func (m *memo) get(n uint64) (any, error) {
	if n < uint64(len(m.dense)) {
		return m.dense[n], nil
	}
	if v, ok := m.sparse[n]; ok {
		return v, nil
	}
	return nil, fmt.Errorf("nothing is memoised under %d", n)
}

// memoize puts the last value under a number.
func (m *machine) memoize(n uint64) error {
	v, err := m.top()
	if err != nil {
		return err
	}
	return m.memo.put(n, v)
}

// recall pushes the value of a number.
func (m *machine) recall(n uint64) error {
	v, err := m.memo.get(n)
	if err != nil {
		return err
	}
	return m.push(v)
}

// maxMemoDigits is the longest memo number in text that is read. Picklers write shorter ones.
const maxMemoDigits = 100

// memoText calls memoize or recall for a number in text.
func (m *machine) memoText(line []byte, do func(uint64) error) error {
	if len(line) <= maxMemoDigits {
		if n, _ := parseNumber(string(line), 10); n != nil {
			if n, ok := n.(int64); ok && n >= 0 {
				return do(uint64(n))
			}
		}
	}
	return fmt.Errorf("%s is not a memo number", quoted(line))
}
