package npy_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
)

// A reordering is an array, a part of it, and a new shape and order for that part.
type reordering struct {
	Shape   []int     `json:"shape"`
	Fortran bool      `json:"fortran"`
	Steps   []int     `json:"steps"` // of a slice of each axis
	Axes    []int     `json:"axes"`
	To      []int     `json:"to"`    // another shape
	Order   npy.Order `json:"order"` // of Reshape
}

// randomReordering makes reorderings of few elements, with many axes of length 1 and some of length 0.
func randomReordering(r *rand.Rand) reordering {
	q := reordering{Shape: []int{}, Steps: []int{}, Fortran: r.IntN(2) == 0, Order: npy.Order(r.IntN(3))}
	size := 1
	for range r.IntN(5) {
		n, step := []int{0, 1, 1, 2, 3, 4, 6}[min(r.IntN(8)+r.IntN(2), 6)], 1
		if n == 0 && r.IntN(4) > 0 {
			n = 2
		}
		if r.IntN(3) == 0 {
			step = []int{2, -1, -2, 3}[r.IntN(4)]
		}
		q.Shape, q.Steps = append(q.Shape, n), append(q.Steps, step)
		s := max(step, -step)
		size *= (n + s - 1) / s
	}
	q.Axes = r.Perm(len(q.Shape))
	if r.IntN(2) == 0 {
		slices.Sort(q.Axes)
	}
	for rest := size; ; {
		divisors := []int{1}
		for d := 2; d <= rest; d++ {
			if rest%d == 0 {
				divisors = append(divisors, d)
			}
		}
		if len(q.To) > 5 || r.IntN(5) == 0 {
			q.To = append(q.To, rest)
			break
		}
		d := divisors[r.IntN(len(divisors))]
		q.To = append(q.To, d)
		if rest == 0 {
			q.To[len(q.To)-1] = r.IntN(3)
			q.To = append(q.To, 0)
			break
		}
		rest /= d
	}
	return q
}

func (q reordering) index() []npy.Index {
	index := make([]npy.Index, len(q.Steps))
	for i, step := range q.Steps {
		index[i] = npy.All().By(step)
	}
	return index
}

const askReordering = `
import base64, io
print(json.dumps(np.__version__))
def bytes_of(a):
    b = io.BytesIO()
    np.save(b, a)
    return base64.b64encode(b.getvalue()).decode()
for line in sys.stdin:
    q = json.loads(line)
    a = np.arange(np.prod(q['shape'], dtype=int), dtype='<i2').reshape(q['shape'])
    if q['fortran'] and q['shape']: # which asfortranarray gives an axis
        a = np.asfortranarray(a)
    view = a[(..., *(slice(None, None, s) for s in q['steps']))].transpose(*q['axes'])
    print(json.dumps([bytes_of(a), bytes_of(np.reshape(view, q['to'], order='KCF'[q['order']].replace('K', 'C')))]))
`

// Any part of an array with any new shape in either order has the bytes of np.save, in a file and in sequence.
func TestReshapeLive(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	var questions []reordering
	for range 3000 {
		questions = append(questions, randomReordering(r))
	}
	_, answers := oracle.Ask[reordering, [2][]byte](t, askReordering, questions)
	out := filepath.Join(t.TempDir(), "out.npy")
	for i, q := range questions {
		in, want := answers[i][0], answers[i][1]
		f := must(npy.OpenReaderAt(bytes.NewReader(in), int64(len(in))))
		c := npy.Copier{Axes: q.Axes, Shape: q.To, Order: q.Order}
		var b bytes.Buffer
		if err := c.Write(context.Background(), &b, must(f.Select(q.index()...))); err != nil || !bytes.Equal(b.Bytes(), want) {
			t.Fatalf("%+v: in sequence %q, %v, want %q", q, b.Bytes(), err, want)
		}
		if err := c.WriteFile(context.Background(), out, must(f.Select(q.index()...))); err != nil || !bytes.Equal(must(os.ReadFile(out)), want) {
			t.Fatalf("%+v: another file than NumPy's, %v", q, err)
		}
	}
}

// A joining is several arrays and the axis along which they are joined.
type joining struct {
	Shapes  [][]int `json:"shapes"`
	Fortran []bool  `json:"fortran"`
	Axis    int     `json:"axis"`
}

const askJoining = `
import base64, io
print(json.dumps(np.__version__))
def bytes_of(a):
    b = io.BytesIO()
    np.save(b, a)
    return base64.b64encode(b.getvalue()).decode()
for line in sys.stdin:
    q = json.loads(line)
    files, arrays = [], []
    for shape, fortran in zip(q['shapes'], q['fortran']):
        a = np.arange(np.prod(shape, dtype=int), dtype='<i2').reshape(shape)
        files.append(bytes_of(np.asfortranarray(a) if fortran else a))
        arrays.append(np.load(io.BytesIO(base64.b64decode(files[-1]))))
    print(json.dumps([*files, bytes_of(np.concatenate(arrays, axis=q['axis']))]))
`

// Joined arrays of any orders have the bytes of np.concatenate.
func TestConcatLive(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	questions := make([]joining, 1500)
	for i := range questions {
		q := &questions[i]
		shape := make([]int, 1+r.IntN(4))
		for axis := range shape {
			shape[axis] = []int{1, 2, 3, 1, 0}[min(r.IntN(9)/2, 4)]
		}
		q.Axis = r.IntN(len(shape))
		fortran := r.IntN(2) == 0
		for range 1 + r.IntN(4) {
			one := slices.Clone(shape)
			one[q.Axis] = r.IntN(4)
			q.Shapes, q.Fortran = append(q.Shapes, one), append(q.Fortran, fortran != (r.IntN(5) == 0))
		}
	}
	_, answers := oracle.Ask[joining, [][]byte](t, askJoining, questions)
	out := filepath.Join(t.TempDir(), "out.npy")
	fortran := 0
	for i, q := range questions {
		n := len(q.Shapes)
		var files []npy.Source
		for _, b := range answers[i][:n] {
			files = append(files, must(npy.OpenReaderAt(bytes.NewReader(b), int64(len(b)))))
		}
		if err := (npy.Copier{}).Concat(context.Background(), out, q.Axis, files...); err != nil || !bytes.Equal(must(os.ReadFile(out)), answers[i][n]) {
			t.Fatalf("%+v: %q, %v, want %q", q, must(os.ReadFile(out)), err, answers[i][n])
		}
		if bytes.Contains(answers[i][n], []byte("'fortran_order': True")) {
			fortran++
		}
	}
	if fortran < 100 {
		t.Error(fmt.Sprint(fortran, " results in Fortran order, want 100 or more"))
	}
}
