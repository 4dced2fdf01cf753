package sparse

import (
	"fmt"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/npz"
)

// Compressed is the common part of [CSR] and [CSC]. The stored elements of row (or column) i are
// Data[Indptr[i]:Indptr[i+1]], and Indices has their columns (or rows) at the same positions.
type Compressed[T npy.Number] struct {
	Head
	Indices []int // of the stored elements, in any order within a row or column
	Indptr  []int // from 0, and one longer than there are rows or columns; what follows the last is not used
	Data    []T   // the stored elements, which may be zeros
}

// A CSR is a matrix compressed by rows, scipy.sparse.csr_matrix.
type CSR[T npy.Number] struct{ Compressed[T] }

// A CSC is a matrix compressed by columns, scipy.sparse.csc_matrix.
type CSC[T npy.Number] struct{ Compressed[T] }

func (r *reader[T]) compressed() Compressed[T] {
	c := Compressed[T]{Head: r.head, Indices: r.ints("indices"), Indptr: r.ints("indptr")}
	c.Data, _ = r.data(1)
	return c
}

// NNZ returns the number of stored elements.
func (c *Compressed[T]) NNZ() int {
	if len(c.Indptr) == 0 {
		return 0
	}
	return c.Indptr[len(c.Indptr)-1]
}

// Row returns the columns of the stored elements of a row, and the elements. They share the memory of m. It panics if i
// is out of range.
func (m *CSR[T]) Row(i int) (cols []int, data []T) { return m.part(i) }

// Col returns the rows of the stored elements of a column, and the elements. They share the memory of m. It panics if i
// is out of range.
func (m *CSC[T]) Col(i int) (rows []int, data []T) { return m.part(i) }

func (c *Compressed[T]) part(i int) ([]int, []T) {
	from, to := c.Indptr[i], c.Indptr[i+1]
	return c.Indices[from:to:to], c.Data[from:to:to]
}

// All returns the stored elements row by row.
func (m *CSR[T]) All() iter.Seq[Entry[T]] {
	return func(yield func(Entry[T]) bool) {
		for i := range m.Rows {
			cols, data := m.Row(i)
			for k, j := range cols {
				if !yield(Entry[T]{i, j, data[k]}) {
					return
				}
			}
		}
	}
}

// All returns the stored elements column by column.
func (m *CSC[T]) All() iter.Seq[Entry[T]] {
	return func(yield func(Entry[T]) bool) {
		for j := range m.Cols {
			rows, data := m.Col(j)
			for k, i := range rows {
				if !yield(Entry[T]{i, j, data[k]}) {
					return
				}
			}
		}
	}
}

// Dense returns all elements in C order.
func (m *CSR[T]) Dense() ([]T, error) { return dense(m) }

// Dense returns all elements in C order.
func (m *CSC[T]) Dense() ([]T, error) { return dense(m) }

func (m *CSR[T]) format() string { return "csr" }
func (m *CSC[T]) format() string { return "csc" }
func (m *CSR[T]) check() error   { return m.checkParts(m.Rows, m.Cols) }
func (m *CSC[T]) check() error   { return m.checkParts(m.Cols, m.Rows) }

// checkParts checks that there are exactly parts parts, with indices below n.
func (c *Compressed[T]) checkParts(parts, n int) error {
	if err := checkIndptr(c.Indptr, parts, len(c.Indices)); err != nil {
		return err
	}
	if used := c.NNZ(); len(c.Data) < used {
		return fmt.Errorf("%d elements of data for %d indices", len(c.Data), used)
	}
	return checkIndex("indices", c.Indices[:c.NNZ()], n)
}

// checkIndptr checks that indptr divides at most n elements into parts.
func checkIndptr(indptr []int, parts, n int) error {
	if len(indptr)-1 != parts {
		return fmt.Errorf("%d elements of indptr for %d rows or columns", len(indptr), parts)
	}
	if indptr[0] != 0 {
		return fmt.Errorf("indptr begins with %d, not 0", indptr[0])
	}
	for i := range parts {
		if indptr[i+1] < indptr[i] {
			return fmt.Errorf("indptr[%d] is %d, less than the %d before it", i+1, indptr[i+1], indptr[i])
		}
	}
	if last := indptr[parts]; last > n {
		return fmt.Errorf("indptr ends with %d, but there are %d indices", last, n)
	}
	return nil
}

func (c *Compressed[T]) members() ([]npz.Member, error) {
	wide := isWide(c.Rows, c.Cols, len(c.Indices))
	index, err := indices("indices", c.Indices, wide)
	if err != nil {
		return nil, err
	}
	ptr, err := indices("indptr", c.Indptr, wide)
	return []npz.Member{index, ptr}, err
}

func (c *Compressed[T]) values() (*npy.Array, error) { return npy.FromSlice(c.Data) }
