package sparse

import (
	"fmt"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/npz"
)

// A COO is a matrix of elements with their coordinates, scipy.sparse.coo_matrix: Data[k] is at Row[k], Col[k]. If
// coordinates occur more than once, the element is the sum.
type COO[T npy.Number] struct {
	Head
	Row, Col []int // as long as Data, from 0, in any order
	Data     []T   // the stored elements, which may be zeros
}

// ToCOO returns the stored elements of any matrix with their coordinates.
func ToCOO[T npy.Number](m Matrix[T]) *COO[T] {
	c := &COO[T]{Head: *m.head()}
	for e := range m.All() {
		c.Row, c.Col, c.Data = append(c.Row, e.Row), append(c.Col, e.Col), append(c.Data, e.Value)
	}
	return c
}

func (r *reader[T]) coo() *COO[T] {
	m := &COO[T]{Head: r.head, Row: r.ints("row"), Col: r.ints("col")}
	m.Data, _ = r.data(1)
	return m
}

// NNZ returns the number of stored elements.
func (m *COO[T]) NNZ() int { return len(m.Data) }

// All returns the stored elements.
func (m *COO[T]) All() iter.Seq[Entry[T]] {
	return func(yield func(Entry[T]) bool) {
		for k, v := range m.Data {
			if !yield(Entry[T]{m.Row[k], m.Col[k], v}) {
				return
			}
		}
	}
}

// Dense returns all elements in C order.
func (m *COO[T]) Dense() ([]T, error) { return dense(m) }

func (m *COO[T]) format() string { return "coo" }

func (m *COO[T]) check() error {
	if len(m.Row) != len(m.Data) || len(m.Col) != len(m.Data) {
		return fmt.Errorf("%d rows and %d columns for %d elements of data", len(m.Row), len(m.Col), len(m.Data))
	}
	if err := checkIndex("row", m.Row, m.Rows); err != nil {
		return err
	}
	return checkIndex("col", m.Col, m.Cols)
}

func (m *COO[T]) members() ([]npz.Member, error) {
	wide := isWide(m.Rows, m.Cols)
	row, err := indices("row", m.Row, wide)
	if err != nil {
		return nil, err
	}
	col, err := indices("col", m.Col, wide)
	return []npz.Member{row, col}, err
}

func (m *COO[T]) values() (*npy.Array, error) { return npy.FromSlice(m.Data) }
