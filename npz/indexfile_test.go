package npz_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/npz"
)

// lastRow is the index for tests of index files: without an index the whole member is decoded for it.
var lastRow = npy.At(-1)

// openWithIndex opens an archive whose indices are kept in a file.
func openWithIndex(t testing.TB, data []byte, path string) *npz.Reader {
	t.Helper()
	return must(npz.Decoder{IndexFile: path}.NewReader(bytes.NewReader(data), int64(len(data))))
}

// indexed returns an archive, its index file, and the same archive with damage at the start of member a, which is
// noticed only when decoding from the start.
func indexed(t testing.TB) (all, damaged []byte, path string) {
	t.Helper()
	data := noisy(t, 1<<20)
	all = archive(deflated(t, "a.npy", data), deflated(t, "b.npy", data[:1000]), stored("c.npy", data[:200]))
	path = filepath.Join(t.TempDir(), "index")
	if err := openWithIndex(t, all, path).BuildIndex("a"); err != nil {
		t.Fatal(err)
	}
	damaged = bytes.Clone(all)
	copy(damaged[2000:], make([]byte, 100))
	return all, damaged, path
}

func TestIndexFile(t *testing.T) {
	all, damaged, path := indexed(t)
	want := must(open(t, all).Slice("a", lastRow))

	z := openWithIndex(t, damaged, path)
	if err := z.BuildIndex("a"); err != nil {
		t.Fatalf("the index is not taken from the file: %v", err)
	}
	if got, err := z.Slice("a", lastRow); err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("Slice by the index from the file: %v", err)
	}
	if _, err := z.Array("a"); err == nil {
		t.Error("a member that is read as a whole is not verified")
	}
	if err := z.BuildIndex("b"); err != nil {
		t.Fatal(err)
	}
	z = openWithIndex(t, damaged, path)
	if err := errors.Join(z.BuildIndex("a"), z.BuildIndex("b"), z.BuildIndex("c")); err != nil {
		t.Errorf("the file does not have both indices: %v", err)
	}
	missing := filepath.Join(filepath.Dir(path), "no", "index")
	z = openWithIndex(t, all, missing)
	if err := z.BuildIndex("a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("BuildIndex where no file can be: %v", err)
	}
	if got, err := z.Slice("a", lastRow); err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("Slice by the index that was not kept: %v", err)
	}
}

// resum returns an index file with a correct checksum.
func resum(b []byte) []byte {
	body := b[:len(b)-4]
	return binary.LittleEndian.AppendUint32(bytes.Clone(body), crc32.ChecksumIEEE(body))
}

// An invalid index file is not used, and is replaced: BuildIndex decodes, which fails for the damaged archive.
func TestIndexFileIsNotTrusted(t *testing.T) {
	all, damaged, path := indexed(t)
	good := readFile(t, path)
	change := func(at int, b ...byte) []byte {
		changed := bytes.Clone(good)
		copy(changed[at:], b)
		return resum(changed)
	}
	const entry, points = 20, 28 // offsets of the first entry and of its points
	second := points + 16
	most := bytes.Repeat([]byte{0xff}, 8)
	for name, bad := range map[string][]byte{
		"nothing":                    nil,
		"something else":             []byte("something else"),
		"cut short":                  good[:len(good)-1],
		"cut short with a checksum":  resum(good[:len(good)-1]),
		"cut in an entry":            resum(good[:entry+4+4]),
		"more behind":                resum(append(bytes.Clone(good), 1)),
		"another checksum":           append(bytes.Clone(good[:len(good)-1]), good[len(good)-1]^1),
		"another version":            change(7, 2),
		"an archive of another size": change(8, 1),
		"another directory":          change(16, good[16]^1),
		"a member that is not there": change(entry, most[:4]...),
		"a stored member":            change(entry, 2),
		"no points":                  change(entry+4, 0, 0, 0, 0),
		"too many points":            change(entry+4, most[:4]...),
		"a first point elsewhere":    change(points, 1),
		"a point at the first":       change(second, make([]byte, 16)...),
		"a point behind the data":    change(second, most...),
		"a point behind the array":   change(second+8, most...),
		"a member twice":             resum(append(bytes.Clone(good[:len(good)-4]), good[entry:]...)),
		"more than there can be":     append(bytes.Clone(good), make([]byte, 1<<20)...),
	} {
		if err := os.WriteFile(path, bad, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := openWithIndex(t, damaged, path).BuildIndex("a"); err == nil {
			t.Errorf("%s: the index file is used", name)
		}
		if err := openWithIndex(t, all, path).BuildIndex("a"); err != nil || !bytes.Equal(readFile(t, path), good) {
			t.Errorf("%s: the index file is not replaced: %v", name, err)
		}
	}
}

// For any index file, a slice has its size or an error, and a whole member is unchanged.
func FuzzIndexFile(f *testing.F) {
	data := noisy(f, 1<<10)
	all := archive(deflated(f, "a.npy", data))
	path := filepath.Join(f.TempDir(), "index")
	if err := openWithIndex(f, all, path).BuildIndex("a"); err != nil {
		f.Fatal(err)
	}
	good := readFile(f, path)
	header, size := good[:20], uint64(len(data))
	f.Add(good[20 : len(good)-4])
	f.Add(append(binary.LittleEndian.AppendUint64(append([]byte{0, 0, 0, 0, 2, 0, 0, 0}, make([]byte, 16+8)...), size), data...))
	f.Fuzz(func(t *testing.T, entries []byte) {
		b := append(bytes.Clone(header), entries...)
		if err := os.WriteFile(path, resum(append(b, 0, 0, 0, 0)), 0o666); err != nil {
			t.Fatal(err)
		}
		z := openWithIndex(t, all, path)
		if err := z.BuildIndex("a"); err != nil {
			t.Fatal(err)
		}
		for _, i := range []npy.Index{npy.At(0), npy.At(-1), npy.Span(3, 100)} {
			if a, err := z.Slice("a", i); err == nil && a.NBytes() == 0 {
				t.Fatal("the slice is empty")
			}
		}
		if got, err := z.Bytes("a"); err != nil || !bytes.Equal(got, data) {
			t.Fatalf("Bytes: %v", err)
		}
	})
}
