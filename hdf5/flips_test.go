package hdf5

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy/hdf5/internal/reading"
	"github.com/npygo/npy/internal/chunkgrid"
	"github.com/npygo/npy/internal/flips"
)

// A changed bit in a chunk is noticed if the entry of the dataset names a checksum. If it names none, another program must
// notice as little.
func TestFlips(t *testing.T) {
	paths, err := filepath.Glob("testdata/flips/*.h5")
	if err != nil || len(paths) < 20 {
		t.Fatal(paths, err)
	}
	checked := 0
	var all []flips.Format
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".h5")
		x := flips.Format{Name: "HDF5, " + strings.ReplaceAll(name, "_", ", "), File: data, Spans: chunkSpans(t, data), Read: flips.Contents(Format(Decoder{}, Encoder{})), Unchecked: checksumOf(t, data) == ""}
		if !x.Unchecked {
			checked++
		}
		x.Other = libhdf5
		for _, filter := range []string{"lz4", "zstd", "bitshuffle"} {
			if strings.HasPrefix(name, filter) {
				x.Other = h5wasm()
			}
		}
		all = append(all, x)
	}
	if checked != 6 { // gzip, bzip2 and fletcher32
		t.Errorf("%d files have a checksum, want 6", checked)
	}
	flips.Test(t, all...)
}

// openFile returns the dataset a of a file.
func openFile(t *testing.T, data []byte) *reading.Dataset {
	t.Helper()
	r, err := NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	d, err := r.f.DatasetAt("a")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func checksumOf(t *testing.T, data []byte) string {
	return openFile(t, data).Entry(context.Background()).Checksum
}

// chunkSpans returns where the chunks of the dataset are in the file.
func chunkSpans(t *testing.T, data []byte) [][2]int {
	t.Helper()
	index, err := openFile(t, data).Index()
	if err != nil {
		t.Fatal(err)
	}
	var spans [][2]int
	err = index.All(context.Background(), func(_ []int, c chunkgrid.Chunk) error {
		spans = append(spans, [2]int{int(c.At), int(c.At + c.Size)})
		return nil
	})
	if err != nil || len(spans) != 2 {
		t.Fatal(spans, err)
	}
	return spans
}

// libhdf5 reads a file with h5py. With PyTables it has more filters.
var libhdf5 = flips.Python("libhdf5 (h5py)", "tables", ".h5", `
import h5py, tables
def contents(path):
    with h5py.File(path, 'r') as f:
        return 'a ' + line(f['a'][()])
`)

var wasm = &flips.Program{Name: "libhdf5 (h5wasm)", Read: readByH5wasm}

// h5wasm returns the reader of the filters that libhdf5 lacks, nil if it is not installed.
func h5wasm() *flips.Program {
	if os.Getenv("NPY_H5WASM") == "" {
		return nil
	}
	return wasm
}

func readByH5wasm(t testing.TB, files [][]byte) []string {
	dir := t.TempDir()
	for i, data := range files {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i, ".h5")), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command("node", "testdata/flips/read.mjs", dir).Output()
	var texts []string
	if err == nil {
		err = json.Unmarshal(out, &texts)
	}
	if err != nil || len(texts) != len(files) {
		t.Fatalf("%d answers about %d files: %v", len(texts), len(files), err)
	}
	return texts
}
