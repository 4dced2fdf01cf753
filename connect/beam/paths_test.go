package npyio

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/npygo/npy"
)

// Relative paths mean the files of the process that builds the pipeline, whatever the working directory of a worker is.
func TestRelativePaths(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[1]") // which is no pattern
	if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, name := range []string{"x-1.npy", "x-2.npy"} {
		if err := npy.Save(name, []float64{1, 2, 3}, 3); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir("sub")
	for i, in := range []string{"../x-?.npy", "../out-0", "../out-1/data.npy.json"} {
		t.Chdir(filepath.Join(dir, "sub"))
		d := done(Open(t.Context(), in))
		for _, p := range d.Parts {
			if !filepath.IsAbs(p.Path) {
				t.Errorf("%s: part %s", in, p.Path)
			}
		}
		out := fmt.Sprintf("../out-%d", i)
		j := done(newJob(d, out, Options{Shards: 2}))
		t.Chdir(t.TempDir()) // the path on a worker
		if err := j.finish(t.Context(), whole(t, j)); err != nil {
			t.Fatalf("%s: %v", in, err)
		}
		t.Chdir(dir)
		if d := done(Open(t.Context(), filepath.Base(out))); d.Shape[0] != 6 {
			t.Errorf("%s: shape %v", in, d.Shape)
		}
	}
	t.Chdir(dir)
	p, s := beam.NewPipelineWithRoot()
	done(WriteFile(s, done(Open(t.Context(), "x-*.npy")), "one.npy"))
	edges, _, err := p.Build()
	if err != nil {
		t.Fatal(err)
	}
	paths := 0
	for _, e := range edges {
		if e.DoFn == nil {
			continue
		}
		switch fn := e.DoFn.Recv.(type) {
		case *beginFn:
			paths++
			if fn.Path != filepath.Join(dir, "one.npy") {
				t.Errorf("the file begins at %s", fn.Path)
			}
		case *commitFn:
			paths++
			if fn.Path != filepath.Join(dir, "one.npy") {
				t.Errorf("the file ends at %s", fn.Path)
			}
		}
	}
	if paths != 2 {
		t.Errorf("%d DoFns have paths, want 2", paths)
	}
}
