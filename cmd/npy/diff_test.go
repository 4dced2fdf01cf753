package main

import (
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/pictures"
)

// The exit codes are the ones of diff: 0 if equal, 1 if not, 2 for trouble.
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

// A picture shows a single different element among a million, wherever it is.
func TestDiffPicture(t *testing.T) {
	const rows, columns = 3000, 500
	a := make([]float32, 2*rows*columns)
	b := slices.Clone(a)
	b[rows*columns+2900*columns+77] = 5
	b[3] = float32(math.NaN())
	dir := t.TempDir()
	pathA, pathB, out := filepath.Join(dir, "a.npy"), filepath.Join(dir, "b.npy"), filepath.Join(dir, "gap.png")
	for path, data := range map[string][]float32{pathA: a, pathB: b} {
		if err := npy.Save(path, data, 2, rows, columns); err != nil {
			t.Fatal(err)
		}
	}
	if code := run([]string{"diff", "-q", "-o", out, pathA, pathB}, nil, io.Discard, io.Discard); code != 1 {
		t.Fatalf("exit code %d", code)
	}
	f, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if size := m.Bounds().Size(); size != image.Pt(columns/2, rows/2) {
		t.Errorf("the picture is of %v", size)
	}
	colors := pictures.Colormaps[0]
	for _, test := range []struct {
		x, y int
		want color.NRGBA
	}{{38, 1450, colors.At(1)}, {100, 100, colors.At(0)}, {1, 0, pictures.NaNColor}} {
		if got := color.NRGBAModel.Convert(m.At(test.x, test.y)); got != test.want {
			t.Errorf("pixel %d, %d is %v, want %v", test.x, test.y, got, test.want)
		}
	}
}
