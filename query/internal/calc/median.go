package calc

import (
	"context"
	"math"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/par"
)

// A median keeps all values of each cell.
type median struct {
	onePass
	reader
	all   []float64
	cells int
	count int // of each
}

func medians(t dtype.Type, _ float64) cells {
	if !isReal(t) && !isCount(t) {
		return nil
	}
	return &median{reader: newReader(t)}
}

func (m *median) width(each int) int { return 8 + 8*each }

func (m *median) start(n, each int) { m.all, m.cells, m.count = make([]float64, n*each), n, each }

func (m *median) one(s *scratch, cell, at int, data []byte) {
	to := m.all[cell*m.count+at:]
	m.pieces(data, func(items []byte) { to = to[copy(to, m.reals(&s.buffers[0], items)):] })
}

func (m *median) rows(s *scratch, cell, at int, values matrix) {
	for r := range values.rows {
		for i, x := range m.reals(&s.buffers[0], values.row(r)) {
			m.all[(cell+i)*m.count+at+r] = x
		}
	}
}

func (m *median) array(ctx context.Context, shape []int) (*npy.Array, error) {
	out := make([]float64, m.cells)
	err := par.Split(ctx, len(out), 1, 8*len(m.all), func(low, high int) error {
		for i := low; i < high; i++ {
			out[i] = middle(m.all[i*m.count : (i+1)*m.count])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return floatArray(floatResult(m.t), out, shape)
}

// middle returns the median of values, which it sorts.
func middle(xs []float64) float64 {
	slices.Sort(xs) // NaN comes first
	switch n := len(xs); {
	case n == 0 || xs[0] != xs[0]:
		return math.NaN()
	case n%2 == 1:
		return xs[n/2]
	default:
		return (xs[n/2-1] + xs[n/2]) / 2
	}
}
