package npyio

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/npygo/npy"
	"github.com/npygo/npy/connect/beam/local"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/parts"
)

// write writes a Dataset and returns the folder.
func write(t *testing.T, d Dataset, o Options) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	run(t, func(s beam.Scope) {
		if _, err := Write(s, d, dir, o); err != nil {
			t.Fatal(err)
		}
	})
	return dir
}

// listing returns the names of all files in a folder, also hidden ones.
func listing(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// What each option writes is what NumPy computes.
func TestWriteBesideNumPy(t *testing.T) {
	defer func(few, size int) { fewFromDisk, middleBytes = few, size }(fewFromDisk, middleBytes)
	fewFromDisk, middleBytes = 3, 1<<20
	dir := t.TempDir()
	oracle.NumPy(t, `
import os
os.chdir(sys.argv[1])
rng = np.random.default_rng(7)
a = rng.normal(size=(90000, 6)); b = rng.normal(size=(5, 6)); c = rng.normal(size=(30000, 6))
np.save('part-0.npy', a); np.save('part-1.npy', b); np.save('part-2.npy', np.asfortranarray(c))
`, nil, dir)
	whole, err := Open(t.Context(), filepath.Join(dir, "part-*.npy"))
	if err != nil {
		t.Fatal(err)
	}
	filtered, err := whole.Filter("x[2] > 0.5 and x[3] < 0")
	if err != nil {
		t.Fatal(err)
	}
	cast, err := whole.Cast(must(dtype.Parse(">f4")), npy.SameKindCasting)
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name string
		data Dataset
		o    Options
		want string // in Python
	}{
		{"reshard", whole, Options{Shards: 5}, "x"},
		{"concat", whole, Options{Shards: 1}, "x"},
		{"more shards than rows of a part", whole, Options{Shards: 40}, "x"},
		{"filter", filtered, Options{Shards: 3}, "x[(x[:, 2] > 0.5) & (x[:, 3] < 0)]"},
		{"cast", cast, Options{Shards: 2}, "x.astype('>f4')"},
		{"rechunk", whole, Options{Shards: 3, Axis: 1}, "x"},
		{"rechunk in stages", whole, Options{Shards: 6, Axis: 1}, "x"},
		{"rechunk and cast in stages", cast, Options{Shards: 5, Axis: -1}, "x.astype('>f4')"},
		{"transpose", whole, Options{Shards: 3, Axes: []int{1, 0}}, "x.T"},
		{"transpose in stages", whole, Options{Shards: 5, Axes: []int{1, 0}}, "x.T"},
		{"transpose, files of columns", whole, Options{Shards: 3, Axes: []int{1, 0}, Axis: -1}, "x.T"},
		{"shuffle", whole, Options{Shards: 3, Shuffle: true, Seed: 9}, "shuffled"},
	}
	type question struct {
		Want, Dir string
		Axis      int
		Shards    []string
	}
	var questions []question
	for _, c := range cases {
		out := write(t, c.data, c.o)
		j, err := newJob(c.data, out+"again", c.o)
		if staged := strings.HasSuffix(c.name, "in stages"); err != nil || staged != (j.Middle.blocks() > 4) {
			t.Errorf("%s: %d middle files, %v", c.name, j.Middle.blocks(), err)
		}
		m, err := parts.ReadFile(filepath.Join(out, ManifestName))
		if err != nil {
			t.Fatal(err)
		}
		q := question{Want: c.want, Dir: out, Axis: m.Axis}
		for _, p := range m.Parts {
			q.Shards = append(q.Shards, p.Path)
		}
		questions = append(questions, q)
		if got := listing(t, out); !slices.Equal(got, append([]string{ManifestName}, q.Shards...)) {
			t.Errorf("%s: the folder has %v", c.name, got)
		}
		if got := listing(t, filepath.Dir(out)); len(got) != 1 {
			t.Errorf("%s: beside the folder are %v", c.name, got)
		}
	}
	text, err := json.Marshal(questions)
	if err != nil {
		t.Fatal(err)
	}
	answer := oracle.NumPy(t, `
import os
os.chdir(sys.argv[1])
x = np.concatenate([np.load('part-%d.npy' % i) for i in range(3)])
out = []
for q in json.load(sys.stdin):
    got = np.concatenate([np.load(os.path.join(q['Dir'], p)) for p in q['Shards']], axis=q['Axis'])
    if q['Want'] == 'shuffled':
        moved = (got != x).any(axis=1).mean()
        byrow = lambda a: a[np.lexsort(a.T)]
        out.append('' if moved > 0.99 and np.array_equal(byrow(got), byrow(x)) else 'moved %g' % moved)
        continue
    want = eval(q['Want'])
    same = got.shape == want.shape and got.dtype.newbyteorder('=') == want.dtype.newbyteorder('=') and np.array_equal(got, want)
    out.append('' if same else 'shape %s dtype %s, want %s %s' % (got.shape, got.dtype, want.shape, want.dtype))
print(json.dumps(out))
`, text, dir)
	var wrong []string
	if err := json.Unmarshal(answer, &wrong); err != nil {
		t.Fatal(err)
	}
	for i, text := range wrong {
		if text != "" {
			t.Errorf("%s: %s", cases[i].name, text)
		}
	}
}

// The same job gives the same bytes, also a shuffle.
func TestWriteTwice(t *testing.T) {
	pattern, _ := saveSkewed(t, 200_000, 3)
	d, err := Open(t.Context(), pattern)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Shards: 3, Shuffle: true, Seed: 4}
	a, b := write(t, d, o), write(t, d, o)
	for _, name := range listing(t, a) {
		x, err := os.ReadFile(filepath.Join(a, name))
		if err != nil {
			t.Fatal(err)
		}
		if y, err := os.ReadFile(filepath.Join(b, name)); err != nil || !bytes.Equal(x, y) {
			t.Errorf("%s differs: %v", name, err)
		}
	}
}

// A job that fails leaves nothing that a reader takes for data, and the same job cleans up when it is run again.
func TestWriteAfterFailure(t *testing.T) {
	pattern, all := saveSkewed(t, 200_000, 50_000)
	d, err := Open(t.Context(), pattern)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "out")
	last := d.Parts[1].Path
	if err := os.Rename(last, last+".away"); err != nil {
		t.Fatal(err)
	}
	p, s := beam.NewPipelineWithRoot()
	if _, err := Write(s, d, dir, Options{Shards: 4}); err != nil {
		t.Fatal(err)
	}
	if _, err := local.Run(t.Context(), p); err == nil || !strings.Contains(err.Error(), filepath.Base(last)) {
		t.Fatalf("error %v, want one with the name of the file that is not there", err)
	}
	if found, err := Open(t.Context(), filepath.Join(filepath.Dir(dir), "*", "*.npy")); err == nil {
		t.Errorf("a job that failed left %v", found.Parts)
	}
	hidden := listing(t, filepath.Dir(dir))
	if len(hidden) != 1 {
		t.Fatalf("a job that failed left %v, want one hidden folder", hidden)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(dir), hidden[0], ".part-00002.npy.npy-7.tmp"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(last+".away", last); err != nil {
		t.Fatal(err)
	}
	run(t, func(s beam.Scope) {
		if _, err := Write(s, d, dir, Options{Shards: 4}); err != nil {
			t.Fatal(err)
		}
	})
	a, err := parts.OpenFile(filepath.Join(dir, ManifestName))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	got, err := a.ReadAll(t.Context())
	if err != nil || !bytes.Equal(got.Bytes(), all) {
		t.Errorf("the second run wrote other elements: %v", err)
	}
	if names := append(listing(t, filepath.Dir(dir)), listing(t, dir)...); len(names) != 1+5 {
		t.Errorf("the second run left %v", names)
	}
}

func TestWriteErrors(t *testing.T) {
	pattern, _ := saveSkewed(t, 10)
	d, err := Open(t.Context(), pattern)
	if err != nil {
		t.Fatal(err)
	}
	filtered, err := d.Filter("x[0] > 0")
	if err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(t.TempDir(), "new")
	for _, c := range []struct {
		name string
		data Dataset
		dir  string
		o    Options
		want string
	}{
		{"the folder has files", d, filepath.Dir(pattern), Options{}, "has files"},
		{"no such axis", d, empty, Options{Axis: 2}, "axis 2"},
		{"no such axes", d, empty, Options{Axes: []int{0, 0}}, "axes [0 0]"},
		{"negative shards", d, empty, Options{Shards: -1}, "-1 shards"},
		{"filter along columns", filtered, empty, Options{Axis: 1}, "files of rows"},
		{"shuffle along columns", d, empty, Options{Axis: 1, Shuffle: true}, "files of rows"},
	} {
		p := beam.NewPipeline()
		if _, err := Write(p.Root(), c.data, c.dir, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
	if _, err := d.Filter("y > 0"); err == nil {
		t.Error("a filter names a column that is not there")
	}
	if _, err := filtered.Filter("x[1] > 0"); err == nil {
		t.Error("a filter of a filter")
	}
}
