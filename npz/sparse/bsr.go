package sparse

import (
	"fmt"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/npz"
)

// A BSR is a matrix of dense blocks compressed by rows of blocks, scipy.sparse.bsr_matrix. Data holds the blocks one
// after another, each in C order.
type BSR[T npy.Number] struct {
	Head
	BlockRows, BlockCols int   // of each block; they divide Rows and Cols
	Indices, Indptr      []int // of blocks, as in [Compressed]
	Data                 []T   // BlockRows*BlockCols elements for each index
}

func (r *reader[T]) bsr() *BSR[T] {
	m := &BSR[T]{Head: r.head, Indices: r.ints("indices"), Indptr: r.ints("indptr")}
	data, shape := r.data(3)
	m.Data, m.BlockRows, m.BlockCols = data, shape[1], shape[2]
	return m
}

// NNZ returns the number of stored elements.
func (m *BSR[T]) NNZ() int {
	if len(m.Indptr) == 0 {
		return 0
	}
	return m.Indptr[len(m.Indptr)-1] * m.BlockRows * m.BlockCols
}

// All returns the stored elements block by block.
func (m *BSR[T]) All() iter.Seq[Entry[T]] {
	return func(yield func(Entry[T]) bool) {
		size := m.BlockRows * m.BlockCols
		for i := range len(m.Indptr) - 1 {
			for k := m.Indptr[i]; k < m.Indptr[i+1]; k++ {
				for n, v := range m.Data[k*size : (k+1)*size] {
					if !yield(Entry[T]{i*m.BlockRows + n/m.BlockCols, m.Indices[k]*m.BlockCols + n%m.BlockCols, v}) {
						return
					}
				}
			}
		}
	}
}

// Dense returns all elements in C order.
func (m *BSR[T]) Dense() ([]T, error) { return dense(m) }

func (m *BSR[T]) format() string { return "bsr" }

func (m *BSR[T]) check() error {
	if m.BlockRows < 1 || m.BlockCols < 1 || m.Rows%m.BlockRows != 0 || m.Cols%m.BlockCols != 0 {
		return fmt.Errorf("blocks of shape (%d, %d) do not fill shape (%d, %d)", m.BlockRows, m.BlockCols, m.Rows, m.Cols)
	}
	if err := checkIndptr(m.Indptr, m.Rows/m.BlockRows, len(m.Indices)); err != nil {
		return err
	}
	blocks := m.Indptr[len(m.Indptr)-1]
	if need, ok := bounded.Count([]int{blocks, m.BlockRows, m.BlockCols}, 1); !ok || len(m.Data) < need {
		return fmt.Errorf("%d elements of data for %d blocks of shape (%d, %d)", len(m.Data), blocks, m.BlockRows, m.BlockCols)
	}
	return checkIndex("indices", m.Indices[:blocks], m.Cols/m.BlockCols)
}

func (m *BSR[T]) members() ([]npz.Member, error) {
	wide := isWide(m.Rows, m.Cols, len(m.Indices))
	index, err := indices("indices", m.Indices, wide)
	if err != nil {
		return nil, err
	}
	ptr, err := indices("indptr", m.Indptr, wide)
	return []npz.Member{index, ptr}, err
}

func (m *BSR[T]) values() (*npy.Array, error) {
	return npy.FromSlice(m.Data, len(m.Data)/(m.BlockRows*m.BlockCols), m.BlockRows, m.BlockCols)
}
