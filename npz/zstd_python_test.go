package npz_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/npygo/npy/npz"
)

// runPython314 runs a script in CPython 3.14, the first whose zipfile has Zstandard. It is the CPython of npm's
// package pyodide, in node. NPY_PYODIDE is the folder of this package. The script finds dir as /dir.
func runPython314(t *testing.T, dir, script string) []byte {
	t.Helper()
	folder := os.Getenv("NPY_PYODIDE")
	if folder == "" && os.Getenv("CI") == "" {
		t.Skip("NPY_PYODIDE is not set: npm install pyodide@314 makes the folder node_modules/pyodide")
	}
	const node = `
import { join } from "node:path";
import { pathToFileURL } from "node:url";
const [folder, dir, script] = process.argv.slice(1);
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")));
const python = await loadPyodide();
python.mountNodeFS("/dir", dir);
python.runPython(script);
`
	cmd := exec.Command("node", "--input-type=module", "-e", node, folder, dir, script)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s%s", err, out, &stderr)
	}
	return out
}

const zstdScript = `
import glob, hashlib, io, json, os, zipfile
os.chdir('/dir')
for path in sorted(glob.glob('ours-*.npz')):
    with zipfile.ZipFile(path) as z:
        assert z.testzip() is None, path
        for i in z.infolist():
            print(json.dumps([path, i.filename, i.compress_type, hashlib.sha256(z.read(i)).hexdigest()]))
class Sink(io.RawIOBase):
    def __init__(self): self.b = io.BytesIO()
    def writable(self): return True
    def write(self, b): return self.b.write(b)
    def seekable(self): return False
    def tell(self): raise io.UnsupportedOperation
sink = Sink()
for to, level in ('theirs-1.npz', 1), ('theirs-19.npz', 19), (sink, 3):
    with zipfile.ZipFile(to, 'w', zipfile.ZIP_ZSTANDARD, compresslevel=level) as z:
        for path in sorted(glob.glob('*.npy')): z.write(path)
open('theirs-stream.npz', 'wb').write(sink.b.getvalue())
`

// Python's zipfile reads our members in Zstandard, and we read its members.
func TestZstdAndPython(t *testing.T) {
	dir := t.TempDir()
	members := variety(t)
	type line [4]any
	var want []line
	for _, c := range []struct {
		name string
		e    npz.Encoder
	}{{"ours-1.npz", npz.Encoder{Zstd: true, Level: 1}}, {"ours-default.npz", npz.Encoder{Zstd: true}}} {
		path := filepath.Join(dir, c.name)
		if err := c.e.Save(path, members...); err != nil {
			t.Fatal(err)
		}
		z := must(npz.Open(path))
		for _, e := range z.Entries() {
			data := must(z.Bytes(e.Name))
			want = append(want, line{c.name, e.Name, float64(npz.Zstd), fmt.Sprintf("%x", sha256.Sum256(data))})
		}
		z.Close()
	}
	plain := map[string][]byte{"a.npy": noisy(t, 200_000), "b.npy": file[int32](t, 3, 4), "c.npy": make([]byte, 3<<20)}
	for name, data := range plain {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}

	d := json.NewDecoder(bytes.NewReader(runPython314(t, dir, zstdScript)))
	for _, w := range want {
		var got line
		if err := d.Decode(&got); err != nil || got != w {
			t.Fatalf("Python reads %v, want %v, %v", got, w, err)
		}
	}
	for _, name := range []string{"theirs-1.npz", "theirs-19.npz", "theirs-stream.npz"} {
		z := must(npz.Open(filepath.Join(dir, name)))
		for _, e := range z.Entries() {
			if e.Method != npz.Zstd {
				t.Errorf("%s: %s is compressed with %v", name, e.Name, e.Method)
			}
			if got, err := z.Bytes(e.Name); err != nil || !bytes.Equal(got, plain[e.Name]) {
				t.Errorf("%s: %s has other bytes: %v", name, e.Name, err)
			}
		}
		if z.Len() != len(plain) {
			t.Errorf("%s: %d members, want %d", name, z.Len(), len(plain))
		}
		z.Close()
	}
}
