package sparse_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/npz/sparse"
)

// matrices returns nearly the same matrix in every format. It is random with the given seed.
func matrices(seed uint64) []sparse.Matrix[float64] {
	r := rand.New(rand.NewPCG(seed, 1))
	head := sparse.Head{Rows: 2 * (1 + r.IntN(5)), Cols: 3 * (1 + r.IntN(5)), IsArray: seed%2 == 1}
	coo := &sparse.COO[float64]{Head: head}
	csr := &sparse.CSR[float64]{Compressed: sparse.Compressed[float64]{Head: head, Indptr: []int{0}}}
	for i := range head.Rows {
		for j := range head.Cols {
			if v := r.NormFloat64(); r.IntN(3) == 0 {
				coo.Row, coo.Col, coo.Data = append(coo.Row, i), append(coo.Col, j), append(coo.Data, v)
				csr.Indices, csr.Data = append(csr.Indices, j), append(csr.Data, v)
			}
		}
		csr.Indptr = append(csr.Indptr, len(csr.Indices))
	}
	csc := &sparse.CSC[float64]{Compressed: sparse.Compressed[float64]{Head: head, Indptr: []int{0}}}
	for j := range head.Cols {
		for k := range coo.Data {
			if coo.Col[k] == j {
				csc.Indices, csc.Data = append(csc.Indices, coo.Row[k]), append(csc.Data, coo.Data[k])
			}
		}
		csc.Indptr = append(csc.Indptr, len(csc.Indices))
	}
	bsr := &sparse.BSR[float64]{Head: head, BlockRows: 2, BlockCols: 3, Indptr: []int{0}}
	for range head.Rows / 2 {
		for j := range head.Cols / 3 {
			if r.IntN(2) == 0 {
				bsr.Indices = append(bsr.Indices, j)
				for range 6 {
					bsr.Data = append(bsr.Data, r.NormFloat64())
				}
			}
		}
		bsr.Indptr = append(bsr.Indptr, len(bsr.Indices))
	}
	dia := &sparse.DIA[float64]{Head: head, Width: 1 + r.IntN(head.Cols)}
	for d := -head.Rows - 1; d <= head.Cols+1; d++ {
		if r.IntN(2) == 0 {
			dia.Offsets = append(dia.Offsets, d)
			for range dia.Width {
				dia.Data = append(dia.Data, r.NormFloat64())
			}
		}
	}
	return []sparse.Matrix[float64]{csr, csc, coo, bsr, dia}
}

// A saved matrix loads unchanged, and equals its dense form and its coordinate form.
func TestRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.npz")
	for seed := range uint64(50) {
		for _, m := range matrices(seed) {
			if err := sparse.Save(path, m); err != nil {
				t.Fatalf("%T: %v", m, err)
			}
			got, err := sparse.Load[float64](path)
			if err != nil {
				t.Fatalf("%T: %v", m, err)
			}
			if want, got := slices.Collect(m.All()), slices.Collect(got.All()); !slices.Equal(got, want) {
				t.Fatalf("%T: got %v, want %v", m, got, want)
			}
			if n := len(slices.Collect(m.All())); n != got.NNZ() {
				t.Errorf("%T: NNZ is %d, there are %d", m, got.NNZ(), n)
			}
			dense, err := got.Dense()
			again, err2 := sparse.ToCOO(got).Dense()
			if err != nil || err2 != nil || !slices.Equal(dense, again) {
				t.Errorf("%T: dense is %v, %v; through coordinates %v, %v", m, dense, err, again, err2)
			}
		}
	}
}

// SciPy reads our files to the same dense matrix, and writes the same bytes from it.
func TestBesideSciPy(t *testing.T) {
	dir := t.TempDir()
	var questions []string
	var want [][]float64
	for seed := range uint64(20) {
		for _, m := range matrices(seed) {
			name := filepath.Join(dir, fmt.Sprint(formatOf(m), seed, ".npz"))
			w, err := npz.Encoder{Store: true, Align: -1}.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := sparse.Write(w, m); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			dense, err := m.Dense()
			if err != nil {
				t.Fatal(err)
			}
			questions, want = append(questions, name), append(want, dense)
		}
	}
	_, answers := oracle.Ask[string, []float64](t, `
import sys, json
import numpy
print(json.dumps(numpy.__version__))
try:
    import scipy.sparse
except ImportError:
    print("null\n" * sys.stdin.read().count("\n"), end="")
for line in sys.stdin:
    name = json.loads(line)
    m = scipy.sparse.load_npz(name)
    scipy.sparse.save_npz(name + '.again.npz', m, compressed=False)
    scipy.sparse.save_npz(name + '.small.npz', m)
    print(json.dumps(m.toarray().ravel().tolist()))
`, questions)
	if answers[0] == nil && (os.Getenv("CI") == "" || os.Getenv("NPY_PYTHON") != "") { // CI must have SciPy beside Debian's NumPy
		t.Skip("SciPy is not installed")
	}
	for i, name := range questions {
		if !slices.Equal(answers[i], want[i]) {
			t.Errorf("%s: SciPy has %v, we %v", name, answers[i], want[i])
		}
		ours, theirs := contents(t, name), contents(t, name+".again.npz")
		if strings.Contains(ours, "_is_array") {
			ours = ours[:strings.Index(ours, "_is_array")] // SciPy 1.10 lacks this member
		}
		if ours != theirs {
			t.Errorf("%s: SciPy writes other members", name)
		}
		m, err := sparse.Load[float64](name + ".small.npz")
		if err != nil {
			t.Fatal(err)
		}
		if dense, _ := m.Dense(); !slices.Equal(dense, want[i]) {
			t.Errorf("%s: compressed by SciPy it is another", name)
		}
	}
}

// contents returns the names and bytes of an archive's members, in order.
func contents(t *testing.T, path string) string {
	z, err := npz.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var out strings.Builder
	for _, name := range z.Names() {
		data, err := z.Bytes(name)
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString(name)
		out.Write(data)
	}
	return out.String()
}

func formatOf(v any) string {
	switch v.(type) {
	case *sparse.CSR[float64]:
		return "csr"
	case *sparse.CSC[float64]:
		return "csc"
	case *sparse.COO[float64]:
		return "coo"
	case *sparse.BSR[float64]:
		return "bsr"
	}
	return "dia"
}

// An archive that is not a matrix, or a matrix with indices out of range, is an error.
func TestBadMatrices(t *testing.T) {
	ints := func(v ...int64) *npy.Array { a, _ := npy.FromSlice(v); return a }
	floats := func(shape []int, v ...float64) *npy.Array { a, _ := npy.FromSlice(v, shape...); return a }
	text := func(s string) *npy.Array { a, _ := npy.FromSlice([][]byte{[]byte(s)}, []int{}...); return a }
	csr := map[string]*npy.Array{"format": text("csr"), "shape": ints(2, 2), "indices": ints(0, 1), "indptr": ints(0, 1, 2), "data": floats(nil, 1, 2)}
	bsr := map[string]*npy.Array{"format": text("bsr"), "shape": ints(2, 2), "indices": ints(0), "indptr": ints(0, 1), "data": floats([]int{1, 2, 2}, 1, 2, 3, 4)}
	coo := map[string]*npy.Array{"format": text("coo"), "shape": ints(2, 2), "row": ints(0), "col": ints(1), "data": floats(nil, 1)}
	dia := map[string]*npy.Array{"format": text("dia"), "shape": ints(2, 2), "offsets": ints(0), "data": floats([]int{1, 2}, 1, 2)}
	for _, c := range []struct {
		name, member string
		base         map[string]*npy.Array
		value        *npy.Array // nil to leave out the member
		want         string
	}{
		{"no format", "format", csr, nil, "no member format"},
		{"unknown format", "format", csr, text("lil"), "none of csr"},
		{"format of many", "format", csr, func() *npy.Array { a, _ := npy.FromSlice([]string{"csr", "csc"}); return a }(), "2 elements"},
		{"no shape", "shape", csr, nil, "shape"},
		{"three dimensions", "shape", csr, ints(2, 2, 2), "3 dimensions"},
		{"negative shape", "shape", csr, ints(-2, 2), "negative"},
		{"shape of floats", "shape", csr, floats(nil, 2, 2), "do not fit"},
		{"too few rows", "shape", csr, ints(1, 2), "3 elements of indptr for 1"},
		{"index out of range", "indices", csr, ints(0, 2), "indices[1] is 2"},
		{"negative index", "indices", csr, ints(0, -1), "indices[1] is -1"},
		{"indptr starts late", "indptr", csr, ints(1, 1, 2), "begins with 1"},
		{"indptr falls", "indptr", csr, ints(0, 2, 1), "less than the 2"},
		{"indptr too far", "indptr", csr, ints(0, 1, 3), "ends with 3"},
		{"indptr empty", "indptr", csr, ints(), "0 elements of indptr"},
		{"data short", "data", csr, floats(nil, 1), "1 elements of data"},
		{"data of two dimensions", "data", csr, floats([]int{1, 2}, 1, 2), "2 dimensions instead of 1"},
		{"no data", "data", csr, nil, "data"},
		{"blocks do not fill", "shape", bsr, ints(3, 2), "do not fill"},
		{"blocks of nothing", "data", bsr, floats([]int{1, 0, 2}), "do not fill"},
		{"block out of range", "indices", bsr, ints(1), "indices[0] is 1"},
		{"rows out of range", "row", coo, ints(2), "row[0] is 2"},
		{"columns short", "col", coo, ints(), "0 columns"},
		{"diagonals of nothing", "offsets", dia, ints(0, 1), "2 diagonals"},
	} {
		t.Run(c.name, func(t *testing.T) {
			members := map[string]*npy.Array{}
			for name, a := range c.base {
				members[name] = a
			}
			delete(members, c.member)
			if c.value != nil {
				members[c.member] = c.value
			}
			path := filepath.Join(t.TempDir(), "bad.npz")
			if err := npz.SaveMap(path, members); err != nil {
				t.Fatal(err)
			}
			_, err := sparse.Load[float64](path)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want it to say %q", err, c.want)
			}
		})
	}
	huge := &sparse.COO[float64]{Head: sparse.Head{Rows: 1 << 30, Cols: int(^uint(0) >> 1)}}
	if _, err := huge.Dense(); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("a dense matrix that cannot be: %v", err)
	}
	extreme := &sparse.DIA[float64]{Head: sparse.Head{Rows: 3, Cols: 3}, Width: 3, Offsets: []int{int(^uint(0) >> 1), -int(^uint(0)>>1) - 1}, Data: make([]float64, 6)}
	if n := extreme.NNZ(); n != 0 {
		t.Errorf("diagonals far outside have %d elements", n)
	}
	broken := &sparse.COO[float64]{Head: sparse.Head{Rows: 1, Cols: 1}, Row: []int{1}, Col: []int{0}, Data: []float64{1}}
	if err := sparse.Save(filepath.Join(t.TempDir(), "x.npz"), broken); err == nil {
		t.Error("a matrix with an index outside of it was saved")
	}
}

func FuzzRead(f *testing.F) {
	for _, m := range matrices(3) {
		var b bytes.Buffer
		w, err := npz.NewWriter(&b)
		if err != nil {
			f.Fatal(err)
		}
		if err := sparse.Write(w, m); err != nil {
			f.Fatal(err)
		}
		if err := w.Close(); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		z, err := npz.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		m, err := sparse.Read[float64](z)
		if err != nil {
			return
		}
		rows, cols := m.Shape()
		n := 0
		for e := range m.All() {
			if e.Row < 0 || e.Row >= rows || e.Col < 0 || e.Col >= cols {
				t.Fatalf("an element at (%d, %d) of shape (%d, %d)", e.Row, e.Col, rows, cols)
			}
			if n++; n > 1<<16 {
				return
			}
		}
	})
}
