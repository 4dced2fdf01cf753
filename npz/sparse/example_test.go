package sparse_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/npygo/npy/npz/sparse"
)

func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "graph.npz")

	// Two edges in a graph of three nodes. scipy.sparse.load_npz reads it as a coo_matrix.
	graph := &sparse.COO[float32]{
		Head: sparse.Head{Rows: 3, Cols: 3},
		Row:  []int{0, 2}, Col: []int{1, 0}, Data: []float32{0.5, 2},
	}
	if err := sparse.Save(path, graph); err != nil {
		log.Fatal(err)
	}

	m, err := sparse.Load[float64](path)
	if err != nil {
		log.Fatal(err)
	}
	for e := range m.All() {
		fmt.Println(e.Row, e.Col, e.Value)
	}
	dense, err := m.Dense()
	fmt.Println(dense, err)
	// Output:
	// 0 1 0.5
	// 2 0 2
	// [0 0.5 0 0 0 0 2 0 0] <nil>
}
