package npy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npytest"
)

// Copies equal NumPy's, byte for byte.
func TestCopierLive(t *testing.T) {
	dir := t.TempDir()
	oracle.NumPy(t, `
import os
os.chdir(sys.argv[1])
a = np.arange(2*3*5, dtype='<i2').reshape(2, 3, 5)
f = np.asfortranarray(a)
np.save('a', a), np.save('f', f)
np.save('a-f', f), np.save('f-c', a), np.save('a-f8', a.astype('>f8')), np.save('f-f8', f.astype('>f8'))
np.save('a-slice', a[::-1, 1:]), np.save('f-slice', f[:, :, 2:]), np.save('f-steps', f[::1, ::2])
for axis in range(3):
    for names in 'aaa', 'ff', 'fa':
        np.save('cat-%d-%s' % (axis, names), np.concatenate([{'a': a, 'f': f}[n] for n in names], axis))
`, nil, dir)
	open := func(name string) *npy.File {
		f, err := npy.Open(filepath.Join(dir, name+".npy"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	out := filepath.Join(dir, "out.npy")
	check := func(want string, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if got := must(os.ReadFile(out)); !bytes.Equal(got, must(os.ReadFile(filepath.Join(dir, want+".npy")))) {
			t.Errorf("%s: other bytes than NumPy's", want)
		}
	}
	a, f := open("a"), open("f")
	f8 := must(dtype.Parse(">f8"))
	check("a", npy.Copier{}.WriteFile(context.Background(), out, a))
	check("f", npy.Copier{}.WriteFile(context.Background(), out, f))
	check("a-f", npy.Copier{Order: npy.FortranOrder}.WriteFile(context.Background(), out, a))
	check("f-c", npy.Copier{Order: npy.COrder}.WriteFile(context.Background(), out, f))
	check("a-f8", npy.Copier{DType: f8}.WriteFile(context.Background(), out, a))
	check("f-f8", npy.Copier{DType: f8}.WriteFile(context.Background(), out, f))
	check("a-slice", npy.Copier{}.WriteFile(context.Background(), out, must(a.Select(npy.All().By(-1), npy.SpanFrom(1)))))
	check("f-slice", npy.Copier{}.WriteFile(context.Background(), out, must(f.Select(npy.All(), npy.All(), npy.SpanFrom(2)))))
	check("f-steps", npy.Copier{}.WriteFile(context.Background(), out, must(f.Select(npy.All(), npy.All().By(2)))))
	for axis := range 3 {
		for _, names := range []string{"aaa", "ff", "fa"} {
			var files []npy.Source
			for _, name := range names {
				files = append(files, open(string(name)))
			}
			check(fmt.Sprintf("cat-%d-%s", axis, names), npy.Copier{}.Concat(context.Background(), out, axis, files...))
		}
	}
}

// A failure of any read leaves no part of a copy, and the old file stays.
func TestCopierFaults(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.npy")
	if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	for fail := 1; fail <= 10; fail++ {
		f, m := openWith(t, npy.ReadOptions{Gap: -1}, fileOf(t, dtype.Int32, false, 20, 30))
		m.failAt = fail
		err := npy.Copier{Order: npy.FortranOrder}.WriteFile(context.Background(), path, must(f.Select(npy.All(), npy.Span(1, 9))))
		if !errors.Is(err, errBroken) || !strings.Contains(err.Error(), path) {
			t.Errorf("read %d fails: %v", fail, err)
		}
		if got := must(os.ReadFile(path)); string(got) != "old" {
			t.Fatalf("read %d fails: the old file is gone", fail)
		}
		if left := must(os.ReadDir(dir)); len(left) != 1 {
			t.Fatalf("read %d fails: %v left behind", fail, left)
		}
	}
	f, _ := openBytes(t, fileOf(t, dtype.Int32, true, 200, 300))
	if _, err := os.Stat("/dev/full"); err == nil && runtime.GOOS != "windows" {
		if err := (npy.Copier{Order: npy.COrder}).WriteFile(context.Background(), "/dev/full", f); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("a full disk: %v", err)
		}
	}
	if err := (npy.Copier{}).Write(context.Background(), brokenPipe{}, f); !errors.Is(err, errBroken) {
		t.Errorf("a broken pipe: %v", err)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errBroken }

func TestCopierErrors(t *testing.T) {
	a, _ := openBytes(t, fileOf(t, dtype.Float64, false, 2, 3))
	b, _ := openBytes(t, fileOf(t, dtype.Float64, false, 3, 2))
	c, _ := openBytes(t, fileOf(t, dtype.Int32, false, 2, 3))
	d, _ := openBytes(t, fileOf(t, dtype.Float64, false))
	path := filepath.Join(t.TempDir(), "none.npy")
	for _, x := range []struct {
		name, want string
		err        error
	}{
		{"a dtype that loses", "keeps every value", npy.Copier{DType: dtype.Float32}.WriteFile(context.Background(), path, a)},
		{"nothing", "no arrays", npy.Copier{}.Concat(context.Background(), path, 0)},
		{"an axis", "axis 2 is out of bounds for arrays of 2 dimensions", npy.Copier{}.Concat(context.Background(), path, 2, a)},
		{"no dimensions", "axis 0 is out of bounds for arrays of 0 dimensions", npy.Copier{}.Concat(context.Background(), path, 0, d)},
		{"shapes", "array 2 of 2: shape (3, 2) differs from the others", npy.Copier{}.Concat(context.Background(), path, 0, a, b)},
		{"dimensions", "array 2 of 2: shape () differs from the others", npy.Copier{}.Concat(context.Background(), path, 0, a, d)},
		{"dtypes", "i4, want ", npy.Copier{}.Concat(context.Background(), path, 0, a, c)},
		{"a pipe", "write to a file", npy.Copier{}.Concat(context.Background(), os.DevNull, 0, a, a)},
	} {
		if x.err == nil || !strings.Contains(x.err.Error(), x.want) {
			t.Errorf("%s: %v, want %q", x.name, x.err, x.want)
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an error left a file: %v", err)
	}
	if err := (npy.Copier{}).Write(context.Background(), io.Discard, d); err != nil {
		t.Error(err)
	}
}

// A file in Fortran order is copied to C order, and float32 to float64, at any size.
func ExampleCopier() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	from, to := filepath.Join(dir, "from.npy"), filepath.Join(dir, "to.npy")
	a, _ := npy.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	_ = npy.WriteFile(from, a.Fortran())

	f, err := npy.Open(from)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	c := npy.Copier{Order: npy.COrder, DType: dtype.Float64, Memory: 512 << 20}
	if err := c.WriteFile(context.Background(), to, f); err != nil {
		panic(err)
	}
	b, err := npy.ReadFile(to)
	fmt.Println(b.DType().Name(), b.IsC(), b.Shape(), err)
	// Output:
	// float64 true [2 3] <nil>
}

func ExampleCopier_Concat() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "a.npy")
	_ = npy.Save(path, []int32{1, 2, 3, 4}, 2, 2)
	f, err := npy.Open(path)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if err := (npy.Copier{}).Concat(context.Background(), filepath.Join(dir, "b.npy"), 1, f, f); err != nil {
		panic(err)
	}
	b, err := npy.ReadFile(filepath.Join(dir, "b.npy"))
	fmt.Println(b, err)
	// Output:
	// [[1 2 1 2]
	//  [3 4 3 4]] <nil>
}

// The sum of an array of any size, piece by piece.
func ExampleFile_Blocks() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "a.npy")
	_ = npy.Save(path, []int64{1, 2, 3, 4})
	f, err := npy.Open(path)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	sum := int64(0)
	for block, err := range f.Blocks(context.Background(), 64<<20) {
		if err != nil {
			panic(err)
		}
		v, _ := npy.As[int64](block)
		for x := range v.Values() {
			sum += x
		}
	}
	fmt.Println(sum)
	// Output:
	// 10
}

// A process that is killed leaves the old file or the new one, never a part.
func TestCopierKilled(t *testing.T) {
	const child = "NPY_TEST_COPIER"
	if dir := os.Getenv(child); dir != "" {
		for order := npy.COrder; ; order = npy.COrder + npy.FortranOrder - order {
			f := must(npy.Open(filepath.Join(dir, "from.npy")))
			if err := (npy.Copier{Order: order}).WriteFile(context.Background(), filepath.Join(dir, "to.npy"), f); err != nil {
				t.Fatal(err)
			}
			f.Close()
		}
	}
	if oracle.Emulated || runtime.GOOS == "windows" {
		t.Skip("no programs to be started under the emulator, no signals")
	}
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from.npy"), filepath.Join(dir, "to.npy")
	data := fileOf(t, dtype.Float64, false, 500, 1000)
	if err := errors.Join(os.WriteFile(from, data, 0o666), os.WriteFile(to, data, 0o666)); err != nil {
		t.Fatal(err)
	}
	want := must(npy.ReadFile(from)).Bytes()
	for i := range 8 {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestCopierKilled$")
		cmd.Env = append(os.Environ(), child+"="+dir)
		if err := cmd.Start(); err != nil {
			t.Skip(err)
		}
		time.Sleep(time.Duration(20+7*i) * time.Millisecond) // the moment of the kill
		_ = cmd.Process.Kill()
		if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() > 0 {
			t.Fatalf("the copier ended by itself: %v", err)
		}
		if a, err := npy.ReadFile(to); err != nil || !bytes.Equal(a.Bytes(), want) {
			t.Fatalf("killed after %d ms: %v", 20+7*i, err)
		}
	}
}

var (
	transposes = [][]int{{2, 1, 0}, {0, 1, 2}, {1, 0, 2}, {-1, 0, 1}, {0, 2, 1}}
	reshapes   = [][]int{{-1}, {5, 6}, {2, 3, 5}, {2, 1, 3, 5}, {3, -1, 2}, {30, 1}, {6, 5, 1}}
)

// Axes and shapes equal NumPy's, byte for byte, from files in both orders.
func TestCopierAxesAndShapeLive(t *testing.T) {
	dir := t.TempDir()
	oracle.NumPy(t, fmt.Sprintf(`
import os
os.chdir(sys.argv[1])
a = np.arange(2*3*5, dtype='>i2').reshape(2, 3, 5)
for name, x in ('C', a), ('F', np.asfortranarray(a)):
    np.save(name, x)
    for i, axes in enumerate(%s):
        np.save(f'{name}-t{i}', x.transpose(axes))
        np.save(f'{name}-t{i}-s', x[:, 1:].transpose(axes).reshape(4, -1))
    for i, shape in enumerate(%s):
        np.save(f'{name}-r{i}', x.reshape(shape))
        np.save(f'{name}-r{i}-F', np.reshape(x, shape, order='F'))
np.save('line', np.arange(6.)), np.save('line-F', np.reshape(np.arange(6.), (2, 3), order='F'))
np.save('one', np.array([7])), np.save('one-0', np.array(7))
`, python(transposes), python(reshapes)), nil, dir)
	check := func(want, from string, c npy.Copier, index ...npy.Index) {
		t.Helper()
		f, err := npy.Open(filepath.Join(dir, from+".npy"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		file, err := os.ReadFile(filepath.Join(dir, want+".npy"))
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(dir, "out.npy")
		if err := c.WriteFile(context.Background(), out, must(f.Select(index...))); err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		if !bytes.Equal(must(os.ReadFile(out)), file) {
			t.Errorf("%s: other bytes than NumPy's", want)
		}
		var b bytes.Buffer
		if err := c.Write(context.Background(), &b, must(f.Select(index...))); err != nil || !bytes.Equal(b.Bytes(), file) {
			t.Errorf("%s: other bytes than NumPy's in sequence, %v", want, err)
		}
	}
	for _, name := range []string{"C", "F"} {
		for i, axes := range transposes {
			check(fmt.Sprintf("%s-t%d", name, i), name, npy.Copier{Axes: axes})
			check(fmt.Sprintf("%s-t%d-s", name, i), name, npy.Copier{Axes: axes, Shape: []int{4, -1}}, npy.All(), npy.SpanFrom(1))
		}
		for i, shape := range reshapes {
			check(fmt.Sprintf("%s-r%d", name, i), name, npy.Copier{Shape: shape})
			check(fmt.Sprintf("%s-r%d-F", name, i), name, npy.Copier{Shape: shape, Order: npy.FortranOrder})
		}
	}
	check("line-F", "line", npy.Copier{Shape: []int{2, 3}, Order: npy.FortranOrder})
	check("one-0", "one", npy.Copier{Shape: []int{}})
	check("one", "one-0", npy.Copier{Shape: []int{-1}})
}

// python writes lists as Python does.
func python(lists [][]int) string {
	text := "["
	for _, list := range lists {
		text += "("
		for _, n := range list {
			text += fmt.Sprint(n, ",")
		}
		text += "),"
	}
	return text + "]"
}

// An impossible copy is an error before anything is written.
func TestCopierAxesAndShapeRefused(t *testing.T) {
	f, err := npy.Open("testdata/numpy-2.3.5/order-f.npy")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := filepath.Join(t.TempDir(), "out.npy")
	for _, tt := range []struct {
		c    npy.Copier
		want string
	}{
		{npy.Copier{Axes: []int{0}}, "1 axes given to transpose an array of 2 dimensions"},
		{npy.Copier{Axes: []int{0, 0}}, "axis 0 is out of range or repeated"},
		{npy.Copier{Shape: []int{5, -1}}, "array of size 12 cannot be reshaped to (5, -1)"},
		{npy.Copier{Shape: []int{13}}, "array of size 12 cannot be reshaped to (13,)"},
		{npy.Copier{Shape: []int{1 << 30, 1 << 30}}, "shape"},
	} {
		err := tt.c.WriteFile(context.Background(), out, f)
		if err == nil || !bytes.Contains([]byte(err.Error()), []byte(tt.want)) {
			t.Errorf("%v %v: %v, want %q", tt.c.Axes, tt.c.Shape, err, tt.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%v %v: there is a file", tt.c.Axes, tt.c.Shape)
		}
	}
	if err := (npy.Copier{Shape: []int{12}}).Concat(context.Background(), out, 0, f, f); err == nil {
		t.Error("Concat takes a Shape")
	}
}

// Picked and renamed fields equal NumPy's, byte for byte.
func TestCopierFieldsLive(t *testing.T) {
	dir := t.TempDir()
	oracle.NumPy(t, `
import os
import numpy.lib.recfunctions as rfn
os.chdir(sys.argv[1])
t = np.dtype({'names': ['a', 'b', 'c', 'n'], 'formats': ['u1', '>i4', ('<f2', (3,)), [('x', '<i2'), ('y', 'S3')]], 'offsets': [0, 4, 8, 15], 'itemsize': 24})
a = np.frombuffer(bytes(range(240)), dtype=t).reshape(2, 5)
for name, x in ('C', a), ('F', np.asfortranarray(a)):
    np.save(name, x)
    for fields in 'ab', 'ba', 'n', 'cna', 'abcn':
        np.save(f'{name}-{fields}', rfn.repack_fields(x[list(fields)]))
    np.save(f'{name}-renamed', rfn.rename_fields(rfn.repack_fields(x), {'a': 'id', 'n': 'a'}))
    np.save(f'{name}-t', rfn.repack_fields(x[['c', 'b']]).transpose().reshape(-1))
`, nil, dir)
	for _, name := range []string{"C", "F"} {
		f, err := npy.Open(filepath.Join(dir, name+".npy"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for want, c := range map[string]npy.Copier{
			"ab": {Fields: []string{"a", "b"}}, "ba": {Fields: []string{"b", "a"}}, "n": {Fields: []string{"n"}},
			"cna": {Fields: []string{"c", "n", "a"}}, "abcn": {Fields: []string{"a", "b", "c", "n"}},
			"renamed": {Rename: map[string]string{"a": "id", "n": "a"}},
			"t":       {Fields: []string{"c", "b"}, Axes: []int{1, 0}, Shape: []int{-1}},
		} {
			out := filepath.Join(dir, "out.npy")
			if err := c.WriteFile(context.Background(), out, f); err != nil {
				t.Fatalf("%s-%s: %v", name, want, err)
			}
			if !bytes.Equal(must(os.ReadFile(out)), must(os.ReadFile(filepath.Join(dir, name+"-"+want+".npy")))) {
				t.Errorf("%s-%s: other bytes than NumPy's", name, want)
			}
		}
	}
}

func TestCopierFieldsRefused(t *testing.T) {
	records := must(npy.New(parse("[('a', '<i4'), ('b', '|u1')]"), 3))
	f, _ := openBytes(t, fileOfArray(t, records))
	plain, _ := openBytes(t, fileOfArray(t, must(npy.New(dtype.Int8, 3))))
	out := filepath.Join(t.TempDir(), "out.npy")
	for _, tt := range []struct {
		f    *npy.File
		c    npy.Copier
		want string
	}{
		{f, npy.Copier{Fields: []string{"z"}}, `no field "z", want one of ["a" "b"]`},
		{f, npy.Copier{Fields: []string{"a", "a"}}, "already used"},
		{f, npy.Copier{Rename: map[string]string{"a": "b"}}, "already used"},
		{f, npy.Copier{Fields: []string{"a"}, Rename: map[string]string{"b": "c"}}, `no field "b" to rename among ["a"]`},
		{f, npy.Copier{Fields: []string{"a"}, DType: dtype.Int8}, "cannot be combined with DType"},
		{plain, npy.Copier{Fields: []string{"a"}}, "has no fields"},
	} {
		if err := tt.c.WriteFile(context.Background(), out, tt.f); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v %v: %v, want %q", tt.c.Fields, tt.c.Rename, err, tt.want)
		}
		if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%v %v: there is a file", tt.c.Fields, tt.c.Rename)
		}
	}
}

func fileOfArray(t *testing.T, a *npy.Array) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := npy.Write(&b, a); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

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

// A copy with holes has the bytes of a copy without, whatever the copy changes.
func TestCopyHoles(t *testing.T) {
	rng := oracle.Rand(t)
	dir := t.TempDir()
	for i := range oracle.Cases(t, 16) {
		shape := [][]int{{1500, 1000}, {1 << 20, 1}, {1 << 21}, {50, 200, 130}}[rng.IntN(4)]
		a := must(npy.New([]dtype.Type{dtype.Int32, dtype.Float64, must(dtype.Parse("i4,f4"))}[rng.IntN(3)], shape...))
		data, _ := a.ViewBytes()
		for range rng.IntN(4) {
			at := rng.IntN(len(data))
			data[at] = 1
		}
		c := npy.Copier{Order: npy.Order(rng.IntN(3))}
		switch {
		case a.DType().IsStruct() && rng.IntN(2) == 0:
			c.Fields = []string{"f1"}
		case !a.DType().IsStruct() && rng.IntN(2) == 0:
			c.DType, c.Casting = dtype.Float32, npy.UnsafeCasting
		}
		switch rng.IntN(4) {
		case 0:
			c.Axes = rng.Perm(len(shape))
		case 1:
			c.Shape = []int{-1}
		case 2:
			c.Shape = slices.Clone(shape)
			slices.Reverse(c.Shape)
		}
		got, want := filepath.Join(dir, "got.npy"), filepath.Join(dir, "want.npy")
		src := npytest.Regioned(a, 1<<62)
		ctx := context.Background()
		write := func(path string, src npy.Source) error {
			if c.Shape == nil && i%3 == 0 {
				return c.Concat(ctx, path, i%len(shape), src, src)
			}
			return c.WriteFile(ctx, path, src)
		}
		if err := errors.Join(write(got, src), write(want, struct{ npy.Source }{a})); err != nil {
			t.Fatalf("case %d: %v", i, err)
		}
		if !bytes.Equal(must(os.ReadFile(got)), must(os.ReadFile(want))) {
			t.Fatalf("case %d: %+v of shape %v and dtype %s: the files differ", i, c, shape, a.DType())
		}
	}
}

// Zeros that a source knows to be zeros are holes, which take no space and are known as such when the file is read. All else has
// to be allowed.
func TestSparseCopy(t *testing.T) {
	const n = 16 << 20
	a := must(npy.New(dtype.Uint8, n))
	data, _ := a.ViewBytes()
	for i := range 5000 {
		data[n/2+i] = 7
	}
	ctx := context.Background()
	src := npytest.Regioned(a, 2<<20)
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := (npy.Copier{}).WriteFile(ctx, path, src); err != nil {
		t.Fatal(err)
	}
	if on, ok := onDisk(path); ok && on < n/4 { // some file systems have no holes
		f := must(npy.Open(path))
		defer f.Close()
		r := must(npy.RegionsOf(ctx, f))
		if r == nil || r.Constant < n-(2<<20) {
			t.Errorf("%d bytes are on disk, and the regions are %+v", on, r)
		}
		if again := must(f.ReadAll(ctx)); !bytes.Equal(again.Bytes(), data) {
			t.Error("other elements")
		}
		part := must(f.Select(npy.SpanFrom(n/2 - 10)))
		checkRegions(t, part)
	}
	var over *npy.LimitError
	for what, err := range map[string]error{
		"a stream":      npy.Copier{}.Write(ctx, new(bytes.Buffer), src),
		"elements":      npy.Copier{}.WriteData(ctx, new(bytes.Buffer), src),
		"other numbers": npy.Copier{}.WriteFile(ctx, path, npytest.Regioned(must(a.AsType(dtype.Int16)), 4<<10)),
	} {
		if !errors.As(err, &over) || over.Name != "MaxRatio" {
			t.Errorf("%s: error %v", what, err)
		}
	}
}

// checkRegions compares the regions of src with its elements.
func checkRegions(t *testing.T, src npy.Source) {
	t.Helper()
	whole := must(src.ReadAll(context.Background()))
	r := must(npy.RegionsOf(context.Background(), src))
	if r == nil {
		t.Error("no regions")
		return
	}
	n := 0
	for x := range r.All {
		n += x.Size()
		part := must(whole.Slice(x.Index()...)).Bytes()
		if x.Value != nil && !bytes.Equal(part, bytes.Repeat(x.Value.Bytes(), x.Size())) {
			t.Errorf("the region at %v has other elements than %v", x.Origin, x.Value)
		}
	}
	if n != whole.Size() {
		t.Errorf("regions of %d elements, want %d", n, whole.Size())
	}
}

// Holes of files in C order and Fortran order are regions of their axes.
func TestSparseFiles(t *testing.T) {
	for _, fortran := range []bool{false, true} {
		shape := []int{60, 70, 1000}
		path := filepath.Join(t.TempDir(), "a.npy")
		f := must(os.Create(path))
		head := fmt.Sprintf("{'descr': '<i4', 'fortran_order': %s, 'shape': (60, 70, 1000), }", map[bool]string{true: "True", false: "False"}[fortran])
		head += string(bytes.Repeat([]byte{' '}, 117-len(head))) + "\n"
		must(f.WriteString("\x93NUMPY\x01\x00\x76\x00" + head))
		for _, at := range []int64{128 + 4*1_000_001, 128 + 4*3_123_456} {
			must(f.WriteAt(bytes.Repeat([]byte{1, 2, 3}, 20000), at))
		}
		if err := errors.Join(f.Truncate(128+4*60*70*1000), f.Close()); err != nil {
			t.Fatal(err)
		}
		if on, ok := onDisk(path); !ok || on > 2<<20 {
			t.Skip("this file system has no holes that are known")
		}
		a := must(npy.Open(path))
		defer a.Close()
		checkRegions(t, a)
		if !fortran {
			checkRegions(t, must(a.Select(npy.Span(6, 58))))
		}
		n := 0
		for range must(npy.RegionsOf(context.Background(), a)).All {
			n++
		}
		if n > 40 {
			t.Errorf("%d regions of an array of shape %v", n, shape)
		}
	}
}

// onDisk returns the bytes that a file takes on disk, on Linux.
func onDisk(path string) (int64, bool) {
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "linux" {
		return 0, false
	}
	blocks := reflect.ValueOf(info.Sys()).Elem().FieldByName("Blocks") // of syscall.Stat_t
	return blocks.Int() * 512, true
}
