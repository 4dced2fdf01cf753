// Package sparse reads and writes the sparse matrices of SciPy, archives that scipy.sparse.save_npz makes.
//
//	m, err := sparse.Load[float64]("graph.npz")
//	for e := range m.All() {
//		fmt.Println(e.Row, e.Col, e.Value)
//	}
//	csr, ok := m.(*sparse.CSR[float64]) // or *CSC, *COO, *BSR, *DIA: as it was saved
//	err = sparse.Save("copy.npz", m)
//
// A matrix from a stranger is checked as a whole when it is read: after that no index leads out of it.
package sparse

import (
	"errors"
	"fmt"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/npz"
)

// An Entry is a stored element and its place.
type Entry[T npy.Number] struct {
	Row, Col int // from 0
	Value    T   // zero if a zero is stored
}

// A Matrix is one of [*CSR], [*CSC], [*COO], [*BSR] and [*DIA].
type Matrix[T npy.Number] interface {
	// Shape returns the number of rows and columns.
	Shape() (rows, cols int)

	// NNZ returns the number of stored elements, including stored zeros, as scipy.sparse counts them.
	NNZ() int

	// All returns the stored elements in the order in which they are stored. If coordinates occur more than once, the
	// element is the sum.
	All() iter.Seq[Entry[T]]

	// Dense returns all elements in C order, toarray(). It needs memory for rows*cols elements.
	Dense() ([]T, error)

	format() string
	head() *Head
	check() error
	members() ([]npz.Member, error) // the members before format
	values() (*npy.Array, error)
}

// A Head is the common part of all formats.
type Head struct {
	Rows, Cols int // of the matrix, whatever is stored of it

	// IsArray tells SciPy's sparse arrays (csr_array) from its older matrices (csr_matrix).
	IsArray bool
}

// Shape returns the number of rows and columns.
func (h *Head) Shape() (rows, cols int) { return h.Rows, h.Cols }

func (h *Head) head() *Head { return h }

// Load reads a matrix from a file, scipy.sparse.load_npz. T must hold every element exactly, as for [npy.Load].
func Load[T npy.Number](path string) (Matrix[T], error) {
	z, err := npz.Open(path)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	m, err := Read[T](z)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// Read reads a matrix from an open archive. Errors of its members are of type [*npz.Error].
func Read[T npy.Number](z *npz.Reader) (Matrix[T], error) {
	format, err := readFormat(z)
	if err != nil {
		return nil, err
	}
	head, err := readHead(z)
	if err != nil {
		return nil, err
	}
	r := reader[T]{z: z, head: head}
	var m Matrix[T]
	switch format {
	case "csr":
		m = &CSR[T]{r.compressed()}
	case "csc":
		m = &CSC[T]{r.compressed()}
	case "coo":
		m = r.coo()
	case "bsr":
		m = r.bsr()
	case "dia":
		m = r.dia()
	default:
		return nil, diag.Errorf("sparse", "format %.20q is none of csr, csc, coo, bsr, dia: %w", format, errors.ErrUnsupported)
	}
	if r.err != nil {
		return nil, r.err
	}
	if err := m.check(); err != nil {
		return nil, diag.Errorf("sparse", "%s matrix: %w", format, err)
	}
	return m, nil
}

// readFormat returns the name of the format, which is an array of bytes, or of text in old files.
func readFormat(z *npz.Reader) (string, error) {
	if !z.Has("format") {
		return "", diag.New("sparse", "the archive has no member format, so it is not a sparse matrix; npz.Open reads it")
	}
	a, err := z.Array("format")
	if err != nil {
		return "", err
	}
	v, err := npy.As[string](a)
	if err != nil {
		return "", err
	}
	if a.Size() != 1 {
		return "", diag.Errorf("sparse", "member format has %d elements", a.Size())
	}
	return v.ToSlice()[0], nil
}

func readHead(z *npz.Reader) (Head, error) {
	shape, _, err := loadInts(z, "shape")
	if err != nil {
		return Head{}, err
	}
	if len(shape) != 2 {
		return Head{}, diag.Errorf("sparse", "%d dimensions, want 2: %w", len(shape), errors.ErrUnsupported)
	}
	h := Head{Rows: shape[0], Cols: shape[1], IsArray: z.Has("_is_array")}
	if h.Rows < 0 || h.Cols < 0 {
		return Head{}, diag.Errorf("sparse", "shape (%d, %d) is negative", h.Rows, h.Cols)
	}
	return h, nil
}

// A reader reads members until one fails.
type reader[T npy.Number] struct {
	z    *npz.Reader
	head Head
	err  error
}

// ints reads a member of one dimension with indices.
func (r *reader[T]) ints(name string) []int {
	if r.err != nil {
		return nil
	}
	data, shape, err := loadInts(r.z, name)
	if err == nil && len(shape) != 1 {
		err = diag.Errorf("sparse", "member %s has %d dimensions instead of 1", name, len(shape))
	}
	r.err = err
	return data
}

// loadInts reads a member of integers as int, which may have only 32 bits.
func loadInts(z *npz.Reader, name string) (data, shape []int, err error) {
	wide, shape, err := npz.Load[int64](z, name)
	if err != nil {
		return nil, nil, err
	}
	data = make([]int, len(wide))
	for i, v := range wide {
		if data[i] = int(v); int64(data[i]) != v {
			return nil, nil, diag.Wrap("sparse", bounded.Over("", 0, 0, "member %s: %d is more than this machine can address", name, v))
		}
	}
	return data, shape, nil
}

// data reads the elements, which must have ndim dimensions.
func (r *reader[T]) data(ndim int) (data []T, shape []int) {
	if r.err != nil {
		return nil, make([]int, ndim)
	}
	data, shape, r.err = npz.Load[T](r.z, "data")
	if r.err == nil && len(shape) != ndim {
		r.err = diag.Errorf("sparse", "member data has %d dimensions instead of %d", len(shape), ndim)
	}
	if r.err != nil {
		return nil, make([]int, ndim)
	}
	return data, shape
}

// Save writes a matrix to a compressed file, scipy.sparse.save_npz.
func Save[T npy.Number](path string, m Matrix[T]) error {
	w, err := npz.Create(path)
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := Write(w, m); err != nil {
		return err
	}
	return w.Close()
}

// Write adds the members of a matrix to an archive, in SciPy's order. It returns an error for an invalid matrix: an
// index out of range, or slices of different lengths.
func Write[T npy.Number](w *npz.Writer, m Matrix[T]) error {
	if err := m.check(); err != nil {
		return diag.Errorf("sparse", "%s matrix: %w", m.format(), err)
	}
	members, err := m.members()
	if err != nil {
		return err
	}
	format, err := npy.FromSliceAs(dtype.Bytes(3), [][]byte{[]byte(m.format())}, []int{}...)
	if err != nil {
		return err
	}
	h := m.head()
	shape, err := npy.FromSlice([]int64{int64(h.Rows), int64(h.Cols)})
	if err != nil {
		return err
	}
	data, err := m.values()
	if err != nil {
		return err
	}
	members = append(members, npz.Member{Name: "format", Array: format}, npz.Member{Name: "shape", Array: shape}, npz.Member{Name: "data", Array: data})
	if h.IsArray {
		yes, err := npy.FromSlice([]bool{true}, []int{}...)
		if err != nil {
			return err
		}
		members = append(members, npz.Member{Name: "_is_array", Array: yes})
	}
	for _, member := range members {
		if err := w.Add(member.Name, member.Array); err != nil {
			return err
		}
	}
	return nil
}

// indices makes a member of integers, of 32 bits if all indices of the matrix fit, as SciPy does.
func indices(name string, values []int, wide bool) (npz.Member, error) {
	a, err := npy.FromSlice(int64s(values))
	if err == nil && !wide {
		a, err = npy.FromSlice(int32s(values))
	}
	return npz.Member{Name: name, Array: a}, err
}

func int64s(values []int) []int64 {
	out := make([]int64, len(values))
	for i, v := range values {
		out[i] = int64(v)
	}
	return out
}

func int32s(values []int) []int32 {
	out := make([]int32, len(values))
	for i, v := range values {
		out[i] = int32(v)
	}
	return out
}

// isWide reports whether one of the numbers needs 64 bits.
func isWide(numbers ...int) bool {
	for _, n := range numbers {
		if int64(n) != int64(int32(n)) {
			return true
		}
	}
	return false
}

// dense adds the entries of m into a matrix of zeros.
func dense[T npy.Number](m Matrix[T]) ([]T, error) {
	rows, cols := m.Shape()
	n, ok := bounded.Count([]int{rows, cols}, 16)
	if !ok {
		return nil, diag.Wrap("sparse", bounded.Over("", 0, 0, "a dense matrix of shape (%d, %d) is more than this machine can address", rows, cols))
	}
	out := make([]T, n)
	for e := range m.All() {
		out[e.Row*cols+e.Col] += e.Value
	}
	return out, nil
}

// checkIndex returns an error if an index is not below n.
func checkIndex(name string, index []int, n int) error {
	for k, i := range index {
		if i < 0 || i >= n {
			return fmt.Errorf("%s[%d] is %d, outside of 0 to %d", name, k, i, n-1)
		}
	}
	return nil
}
