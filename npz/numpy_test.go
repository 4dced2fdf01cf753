package npz_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npz"
)

// Archives in every form that NumPy and Python's zipfile write. Each printed line has the name of the file,
// NpzFile.files and, for each of these names, the bytes of np.save for an array or the contents of another member, in
// hexadecimal.
const liveArchives = `
import io, os, zipfile
os.chdir(sys.argv[1])
arrays = {'x': np.arange(12.).reshape(3, 4), 'f': np.asfortranarray(np.arange(6, dtype='>i2').reshape(2, 3)), 'é': np.array('y'), 'empty': np.zeros((0, 3)),
    'r': np.zeros(3, [('a', 'i4'), ('b', 'U3')]), 'big': np.random.default_rng(1).integers(0, 9, 100_000)}
files = []
def add(name, make):
    make(name)
    files.append(name)
class Sink(io.RawIOBase):
    def __init__(self): self.b = io.BytesIO()
    def writable(self): return True
    def read(self, *a): raise OSError
    def write(self, b): return self.b.write(b)
    def seekable(self): return False
    def tell(self): raise io.UnsupportedOperation
def unseekable(save):
    def make(name):
        s = Sink()
        save(s, **arrays)
        open(name, 'wb').write(s.b.getvalue())
    return make
def raw(a):
    b = io.BytesIO()
    np.save(b, a)
    return b.getvalue()
def plain(method, force64=False, comment=b'', before=b'', after=b'', many=0):
    def make(name):
        b = io.BytesIO()
        b.write(before)
        with zipfile.ZipFile(b, 'w', method) as z:
            for k, a in arrays.items():
                with z.open(k + '.npy', 'w', force_zip64=force64) as f: f.write(raw(a))
            for i in range(many): z.writestr('n%d.npy' % i, raw(np.array(i)))
            z.writestr('dir/', b'')
            z.writestr('notes', b'not an array')
            z.comment = comment
        open(name, 'wb').write(b.getvalue() + after)
    return make
def zip64end(name):
    zipfile.ZIP_FILECOUNT_LIMIT = 3
    plain(0)(name)
    zipfile.ZIP_FILECOUNT_LIMIT = 65535
def zip64sizes(name):
    zipfile.ZIP64_LIMIT = 50
    plain(8, force64=True)(name)
    zipfile.ZIP64_LIMIT = (1 << 31) - 1
add('savez.npz', lambda n: np.savez(n, **arrays))
add('deflated.npz', lambda n: np.savez_compressed(n, **arrays))
add('none.npz', lambda n: np.savez(n))
add('unseekable.npz', unseekable(np.savez))
add('unseekable-deflated.npz', unseekable(np.savez_compressed))
for name, method in ('store', 0), ('deflate', 8), ('bzip2', 12):
    add('zip-%s.npz' % name, plain(method))
    add('zip-%s-force64.npz' % name, plain(method, force64=True))
add('comment.npz', plain(8, comment=b'PK' * 1000))
add('long-comment.npz', plain(8, comment=b'c' * 65535))
add('junk-behind.npz', plain(8, after=b'junk' * 100))
add('zip64-end.npz', zip64end)
add('zip64-sizes.npz', zip64sizes)
add('many.npz', plain(0, many=3000))
for name in files:
    with np.load(name) as z:
        values = [z[k] for k in z.files]
        print(json.dumps({'file': name, 'names': z.files, 'values': [(v if isinstance(v, bytes) else raw(v)).hex() for v in values]}))
plain(8, before=b'#!/bin/sh\n' * 50)('prefixed.npz')
plain(0, before=b'x')('prefixed-stored.npz')
`

// A loaded is an array that NumPy found in an archive.
type loaded struct {
	File   string
	Names  []string
	Values []string
}

// Files that NumPy writes and reads in one process are read the same here.
func TestLiveNumPy(t *testing.T) {
	dir := t.TempDir()
	d := json.NewDecoder(bytes.NewReader(oracle.NumPy(t, liveArchives, nil, dir)))
	var last loaded
	n := 0
	for d.More() {
		var l loaded
		if err := d.Decode(&l); err != nil {
			t.Fatal(err)
		}
		checkLoaded(t, filepath.Join(dir, l.File), l)
		if l.File == "zip-store.npz" {
			last = l
		}
		n++
	}
	if n != 17 {
		t.Errorf("%d archives compared, want 17", n)
	}
	// np.load does not accept these archives, but zipfile does.
	checkLoaded(t, filepath.Join(dir, "prefixed.npz"), last)
	checkLoaded(t, filepath.Join(dir, "prefixed-stored.npz"), last)
}

func checkLoaded(t *testing.T, path string, want loaded) {
	t.Helper()
	z, err := npz.Open(path)
	if err != nil {
		t.Error(err)
		return
	}
	defer z.Close()
	if got := z.Names(); !slices.Equal(got, want.Names) {
		t.Errorf("%s: Names is %q, NumPy has %q", path, got, want.Names)
		return
	}
	for i, name := range want.Names {
		got, err := z.Bytes(name)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if fmt.Sprintf("%x", got) != want.Values[i] {
			t.Errorf("%s: member %q has other bytes than in NumPy", path, name)
		}
	}
	for m, err := range z.All() {
		if err != nil || m.Array == nil && m.Name != "notes" && m.Name != "dir/" {
			t.Errorf("%s: %s in All: %v", path, m.Name, err)
		}
	}
}

// Archives of other programs hold the original data; unknown compression methods are rejected by number.
func TestOtherWriters(t *testing.T) {
	dir := t.TempDir()
	want := map[string][]byte{"a.npy": noisy(t, 20_000), "b.npy": file[int32](t, 3, 4), "c.npy": file[float64](t, 0)}
	for name, data := range want {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		command string
		refused string // the error for the large member; "" if it is read
	}{
		{command: "zip -q deflate.npz"},
		{command: "zip -q -0 store.npz"},
		{command: "zip -q -Z bzip2 bzip2.npz"},
		{command: "zip -q -fz zip64.npz"},
		{command: "zip -q -fz- no-zip64.npz"},
		{command: "zip -q -"}, // streams: descriptors follow the data
		{command: "zip -q -fz- -"},
		{command: "7z a -tzip 7z-deflate.npz"},
		{command: "7z a -tzip -mx=9 7z-best.npz"},
		{command: "7z a -tzip -mm=Copy 7z-copy.npz"},
		{command: "7z a -tzip -mm=BZip2 7z-bzip2.npz"},
		{command: "7z a -tzip -mm=Deflate64 7z-deflate64.npz", refused: "method 9"},
		{command: "7z a -tzip -mm=PPMd 7z-ppmd.npz", refused: "method 98"},
		{command: "7z a -tzip -psecret 7z-encrypted.npz", refused: "encrypted"},
	} {
		args := append(strings.Fields(c.command), "a.npy", "b.npy", "c.npy")
		if _, err := exec.LookPath(args[0]); err != nil && os.Getenv("CI") == "" {
			t.Logf("no %s here to write archives", args[0])
			continue
		}
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		data, err := cmd.Output()
		if err != nil {
			t.Errorf("%s: %v", c.command, err)
			continue
		}
		if to := args[len(args)-4]; to != "-" {
			data = readFile(t, filepath.Join(dir, to))
		}
		z := open(t, data)
		for name, content := range want {
			got, err := z.Bytes(name)
			if c.refused != "" && name == "a.npy" {
				if err == nil || !strings.Contains(err.Error(), c.refused) {
					t.Errorf("%s: member %s: %v, want an error with %q", c.command, name, err, c.refused)
				}
				continue
			}
			if c.refused == "" && (err != nil || !bytes.Equal(got, content)) {
				t.Errorf("%s: member %s has other bytes: %v", c.command, name, err)
			}
		}
	}
}

// static-frame writes headers with double quotes, which NumPy reads.
func TestDoubleQuotes(t *testing.T) {
	text := `{"descr":"<i4","fortran_order":False,"shape":(3,)}`
	text += strings.Repeat(" ", 117-len(text)) + "\n"
	data := append([]byte("\x93NUMPY\x01\x00\x76\x00"+text), 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0)
	z := open(t, archive(stored("__blocks_0__.npy", data), deflated(t, "b.npy", data)))
	for _, name := range z.Names() {
		got, shape, err := npz.Load[int32](z, name)
		if err != nil || !slices.Equal(got, []int32{1, 2, 3}) || len(shape) != 1 {
			t.Errorf("%s: %v %v, %v", name, got, shape, err)
		}
		if a, err := z.Slice(name, npy.SpanFrom(2)); err != nil || a.Len() != 1 {
			t.Errorf("a slice of %s: %v", name, err)
		}
	}
}

// LZMA needs a decompressor. Here it is Python, which gets exactly the bytes in the archive.
func TestLZMA(t *testing.T) {
	dir := t.TempDir()
	oracle.Python(t, `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1] + '/a.npz', 'w', 14) as z: z.writestr('a.npy', sys.stdin.buffer.read())
`, noisy(t, 8000), dir)
	d := npz.Decoder{Methods: map[npz.Method]npz.Decompressor{npz.LZMA: func(r io.Reader, _ int64) (io.Reader, error) {
		src, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		return bytes.NewReader(oracle.Python(t, `
import sys, zipfile
sys.stdout.buffer.write(zipfile.LZMADecompressor().decompress(sys.stdin.buffer.read()))
`, src)), nil
	}}}
	z, err := d.Open(filepath.Join(dir, "a.npz"))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if got, err := z.Bytes("a"); err != nil || !bytes.Equal(got, noisy(t, 8000)) {
		t.Errorf("Bytes: %v", err)
	}
}
