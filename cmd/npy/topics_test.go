package main

import (
	"bytes"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
)

// Every command in 'npy help slices' succeeds and prints something.
func TestSlicesTopic(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{
		{"create", "--shape", "24,3,4", "a.npy"},
		{"create", "--shape", "6", "--dtype", "[('lat', '<f4'), ('lon', '<f4')]", "r.npy"},
		{"pack", "m.npz", "layer1/w=a.npy", "layer1/b=r.npy"},
		{"pack", "data.h5", "run1/x=a.npy"},
	} {
		if code := run(args, nil, io.Discard, io.Discard); code != exitDone {
			t.Fatalf("npy %q: exit code %d", args, code)
		}
	}
	ran := 0
	for line := range strings.Lines(slicesTopic) {
		command, ok := strings.CutPrefix(line, "  npy ")
		if !ok {
			continue
		}
		command, _, _ = strings.Cut(command, "   ")
		var out, talk bytes.Buffer
		if code := run(shellWords(command), nil, &out, &talk); code != exitDone || out.Len() == 0 {
			t.Errorf("npy %s: exit code %d, prints %q, says %q", command, code, &out, &talk)
		}
		ran++
	}
	if ran < 8 {
		t.Errorf("%d examples ran, want 8 or more", ran)
	}
}

// Every name in 'npy help dtypes', and every name that shells complete, is a dtype.
func TestDtypesTopic(t *testing.T) {
	names := slices.Clone(dtypeNames)
	for line := range strings.Lines(dtypesTopic) {
		if row, ok := strings.CutPrefix(line, "  "); ok {
			names = append(names, shellWords(regexp.MustCompile(` {2,}`).Split(row, 2)[0])...)
		}
	}
	if len(names) < 40 {
		t.Errorf("%d names, want 40 or more", len(names))
	}
	for _, name := range names {
		if _, err := dtype.Parse(name); err != nil {
			t.Errorf("%s is no dtype: %v", name, err)
		}
	}
}

// 'npy help formats' lists every format of package convert.
func TestFormatsTopic(t *testing.T) {
	for _, ending := range slices.Concat(convert.Endings(), input.FormatEndings(false), []string{".npy", ".raw"}) {
		if !strings.Contains(formatsTopic(), ending) {
			t.Errorf("npy help formats says nothing of %s", ending)
		}
	}
}
