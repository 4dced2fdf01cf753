package along

import "github.com/npygo/npy/internal/moments"

// missing counts the NaN or NaT of each cell. It takes no memory before there is one.
type missing struct {
	counts moments.Sparse[int64]
	cells  int
}

func (m *missing) grow(n, most int) {
	m.cells = n
	m.counts.Grow(n, most)
}

func (m *missing) add(i int, n int64) {
	if n != 0 {
		*m.counts.At(i) += n
	}
}

func (m *missing) of(i int) int64 {
	if n := m.counts.Of(i); n != nil {
		return *n
	}
	return 0
}

func (m *missing) merge(o *missing) {
	for i := range m.cells {
		m.add(i, o.of(i))
	}
}
