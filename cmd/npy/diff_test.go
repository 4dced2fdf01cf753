package main

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
)

// The exit code is that of diff: 0 if equal, 1 if not, 2 if there is trouble.
func TestDiffExitCodes(t *testing.T) {
	dir := t.TempDir()
	a, b, none := filepath.Join(dir, "a.npy"), filepath.Join(dir, "b.npy"), filepath.Join(dir, "none.npy")
	if err := npy.Save(a, []int32{1, 2}); err != nil {
		t.Fatal(err)
	}
	if err := npy.Save(b, []int32{1, 3}); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args string
		want int
	}{
		{a + " " + a, 0},
		{a + " " + b, 1},
		{"-q " + a + " " + b, 1},
		{"--json " + a + " " + b, 1},
		{"--atol 1 " + a + " " + b, 0},
		{a + " " + none, 2},
		{none + " " + none, 2},
		{a + "[9] " + b, 2},
		{a + " " + b + ":x", 2},
		{"--rtol -1 " + a + " " + b, 2},
		{a, 2},
	} {
		if got := run(append([]string{"diff"}, strings.Fields(test.args)...), nil, io.Discard, io.Discard); got != test.want {
			t.Errorf("diff %s: exit code %d, want %d", test.args, got, test.want)
		}
	}
}
