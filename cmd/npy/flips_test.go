package main

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/internal/flips"
	"github.com/npygo/npy/npz"
)

// A file that verify finds sound has the same values as before, for every format with checksums, and can be converted.
func TestFlips(t *testing.T) {
	files := compressedFiles(t)
	var all []flips.Format
	for _, name := range slices.Sorted(maps.Keys(files)) {
		all = append(all, flips.Format{Name: "npy verify and convert: " + name, File: files[name], Read: verifyAndConvert(t, name)})
	}
	flips.Test(t, all...)
}

// compressedFiles are files with checksums, by their names.
func compressedFiles(t *testing.T) map[string][]byte {
	t.Helper()
	const folder = "../../"
	files := map[string][]byte{}
	for name, path := range map[string]string{
		"bzip2.npz": "npz/testdata/flips/bzip2.npz", "lzma.npz": "npz/testdata/flips/lzma.npz",
		"text.mat": "matlab/testdata/text.mat", "sparse.mat": "matlab/testdata/sparse.mat", "nested.mat": "matlab/testdata/nested_other.mat",
	} {
		data, err := os.ReadFile(folder + path)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = data
	}
	numbers := make([]float64, 40)
	for i := range numbers {
		numbers[i] = float64(i*i%17) / 8
	}
	a, err := npy.FromSlice(numbers, 5, 8)
	if err != nil {
		t.Fatal(err)
	}
	for name, e := range map[string]npz.Encoder{"store.npz": {Store: true}, "deflate.npz": {}, "zstd.npz": {Zstd: true}} {
		files[name] = written(t, func(w io.Writer) (io.WriteCloser, error) {
			z, err := e.NewWriter(w)
			if err == nil {
				err = errors.Join(z.Add("a", a), z.Close())
			}
			return nil, err
		}, nil)
	}
	var plain bytes.Buffer
	if err := npy.Write(&plain, a); err != nil {
		t.Fatal(err)
	}
	for _, ending := range []string{".gz", ".zst", ".xz"} {
		c, _ := input.CompressionOf("x" + ending)
		files["a.npy"+ending] = written(t, c.NewWriter, plain.Bytes())
		files["a.csv"+ending] = written(t, c.NewWriter, []byte("time,mag,place\n1,2.5,Oslo\n2,3.25,Rome\n"))
	}
	if files["a.npy.bz2"], err = os.ReadFile("testdata/containers/a.npy.bz2"); err != nil {
		t.Fatal(err)
	}
	return files
}

// written returns data as written by a writer.
func written(t *testing.T, create func(w io.Writer) (io.WriteCloser, error), data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := create(&b)
	if err == nil && w != nil {
		_, err = w.Write(data)
		err = errors.Join(err, w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// verifyAndConvert returns a reader of files by the command. The contents of a file are the contents of the archive that
// it is converted to, or the error of convert if verify finds the file sound.
func verifyAndConvert(t *testing.T, name string) func(file []byte) (string, error) {
	dir := t.TempDir()
	path, out := filepath.Join(dir, name), filepath.Join(dir, "out.npz")
	return func(file []byte) (string, error) {
		os.Remove(out)
		if err := os.WriteFile(path, file, 0o666); err != nil {
			return "", err
		}
		var talk bytes.Buffer
		verified := !strings.HasPrefix(name, "a.csv") && run([]string{"verify", path}, nil, io.Discard, io.Discard) == exitDone
		converted := run([]string{"convert", path, out}, nil, io.Discard, &talk) == exitDone
		switch {
		case !verified && !converted:
			return "", errors.New(strings.ReplaceAll(talk.String(), dir, ""))
		case !converted: // but verified
			return "verify finds no fault, but " + talk.String(), nil
		}
		data, err := os.ReadFile(out)
		if err != nil {
			return "", err
		}
		return flips.Contents(container.NPZ(npz.Decoder{}, npz.Encoder{}))(data)
	}
}
