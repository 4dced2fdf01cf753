package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
)

// Results are printed by a worker only where it is this process.
func TestWhereWorkersAre(t *testing.T) {
	defer func(a, b, c string) {
		*runners.Runner, *jobopts.Endpoint, *jobopts.EnvironmentType = a, b, c
	}(*runners.Runner, *jobopts.Endpoint, *jobopts.EnvironmentType)
	for _, c := range []struct {
		runner, endpoint, environment string
		here                          bool
	}{
		{"", "", "", true}, {"prism", "", "", true}, {"direct", "", "", true}, {"", "localhost:1", "LOOPBACK", true}, {"flink", "localhost:1", "loopback", true},
		{"", "localhost:1", "", false}, {"", "localhost:1", "PROCESS", false}, {"", "", "DOCKER", false}, {"dataflow", "", "", false},
	} {
		*runners.Runner, *jobopts.Endpoint, *jobopts.EnvironmentType = c.runner, c.endpoint, c.environment
		if got := workersAreHere(); got != c.here {
			t.Errorf("%+v: workers are here: %v", c, got)
		}
	}
}

// What a worker with another working directory writes is where the user is, or on standard output.
func TestResult(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		out, path string
		here      bool
	}{{"a.txt", filepath.Join(dir, "a.txt"), false}, {"../b.txt", filepath.Join(filepath.Dir(dir), "b.txt"), true}, {"s3://b/c.txt", "s3://b/c.txt", false}, {"", "", true}} {
		if r, err := newResult(c.out, c.here); err != nil || r != (result{path: c.path}) {
			t.Errorf("%+v: %+v, %v", c, r, err)
		}
	}
	r, err := newResult("", false)
	if err != nil || !filepath.IsAbs(r.path) {
		t.Fatalf("%+v, %v", r, err)
	}
	var text bytes.Buffer
	if err := r.print(&text); err == nil {
		t.Error("a result that no worker wrote is no error")
	}
	o := output{Out: r.path}
	if err := o.put(t.Context(), []byte("mean 3\n")); err != nil {
		t.Fatal(err)
	}
	if err := r.print(&text); err != nil || text.String() != "mean 3\n" {
		t.Errorf("printed %q, %v", text.String(), err)
	}
	if r.remove(); fileExists(r.path) {
		t.Error("the temporary file stays")
	}
}

func fileExists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
