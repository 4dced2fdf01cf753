package sparse

import (
	"fmt"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/npz"
)

// A DIA is a matrix of diagonals, scipy.sparse.dia_matrix. Data has len(Offsets) rows of Width elements; element j of
// the row for offset d is in column j and row j-d.
type DIA[T npy.Number] struct {
	Head
	Offsets []int // 0 for the main diagonal, above it positive, in any order
	Width   int   // of each row of Data; elements outside of the matrix have no meaning
	Data    []T   // len(Offsets)*Width elements
}

func (r *reader[T]) dia() *DIA[T] {
	m := &DIA[T]{Head: r.head, Offsets: r.ints("offsets")}
	data, shape := r.data(2)
	m.Data, m.Width = data, shape[1]
	return m
}

// span returns the columns of a diagonal that lie within the matrix.
func (m *DIA[T]) span(offset int) (from, to int) {
	to = min(m.Cols, m.Width)
	if offset < to-m.Rows { // the diagonal ends at the last row; offset + m.Rows may overflow
		to = m.Rows + offset
	}
	return max(offset, 0), max(to, max(offset, 0))
}

// NNZ returns the number of elements of the diagonals that lie within the matrix.
func (m *DIA[T]) NNZ() int {
	n := 0
	for _, d := range m.Offsets {
		from, to := m.span(d)
		n += to - from
	}
	return n
}

// All returns the elements of the diagonals that lie within the matrix, diagonal by diagonal.
func (m *DIA[T]) All() iter.Seq[Entry[T]] {
	return func(yield func(Entry[T]) bool) {
		for k, d := range m.Offsets {
			from, to := m.span(d)
			for j := from; j < to; j++ {
				if !yield(Entry[T]{j - d, j, m.Data[k*m.Width+j]}) {
					return
				}
			}
		}
	}
}

// Dense returns all elements in C order.
func (m *DIA[T]) Dense() ([]T, error) { return dense(m) }

func (m *DIA[T]) format() string { return "dia" }

func (m *DIA[T]) check() error {
	if need, ok := bounded.Count([]int{len(m.Offsets), max(m.Width, 0)}, 1); !ok || m.Width < 0 || len(m.Data) != need {
		return fmt.Errorf("%d elements of data for %d diagonals of %d", len(m.Data), len(m.Offsets), m.Width)
	}
	return nil
}

func (m *DIA[T]) members() ([]npz.Member, error) {
	offsets, err := indices("offsets", m.Offsets, isWide(m.Rows, m.Cols))
	return []npz.Member{offsets}, err
}

func (m *DIA[T]) values() (*npy.Array, error) { return npy.FromSlice(m.Data, len(m.Offsets), m.Width) }
