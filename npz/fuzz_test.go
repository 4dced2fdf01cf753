package npz_test

import (
	"bytes"
	"io"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/npz"
)

// For any archive, nothing panics, memory is limited, and all ways to read a member agree.
func FuzzReader(f *testing.F) {
	f.Add(archive(stored("a.npy", file[int32](f, 4)), deflated(f, "b.npy", file[float64](f, 20, 5)), stored("c/d", []byte("text"))))
	f.Add(archive(inPieces("a.npy", file[float64](f, 300), 9), part{name: "z", method: npz.Zstd, data: zstdOf(f, make([]byte, 500)), size: 500}))
	paths, err := filepath.Glob("../testdata/*/*.npz")
	if err != nil || len(paths) == 0 {
		f.Fatal("no archives found")
	}
	for _, path := range paths {
		f.Add(readFile(f, path))
	}
	d := npz.Decoder{Array: npy.Decoder{MaxBytes: 1 << 20}}
	f.Fuzz(func(t *testing.T, data []byte) {
		z, err := d.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		names := z.Names()
		i := 0
		for m, err := range z.All() {
			if m.Name != names[i] || err == nil && m.Array == nil && m.Bytes == nil {
				t.Fatalf("member %d of All is %q, want %q", i, m.Name, names[i])
			}
			i++
		}
		for _, name := range names {
			compareWays(t, z, name)
		}
		end := int64(0)
		unclaimed, err := z.Unclaimed()
		if err != nil {
			t.Fatalf("Unclaimed of an archive in memory: %v", err)
		}
		for _, u := range unclaimed {
			if u.Start < end || u.End <= u.Start || u.End > int64(len(data)) {
				t.Fatalf("Unclaimed = %v of %d bytes", unclaimed, len(data))
			}
			end = u.End
		}
		for _, e := range z.Entries() {
			if stat, err := z.Stat(e.Name); err == nil && !stat.IsDir() {
				f, err := z.Open(e.Name)
				if err != nil {
					continue
				}
				streamed, err := io.ReadAll(io.LimitReader(f, 2<<20))
				if whole, wholeErr := z.ReadFile(e.Name); err == nil && wholeErr == nil && !bytes.Equal(streamed, whole) {
					t.Fatalf("Open(%q) gives other bytes than ReadFile", e.Name)
				}
				f.Close()
			}
		}
	})
}

func compareWays(t *testing.T, z *npz.Reader, name string) {
	raw, err := z.Bytes(name)
	if err != nil {
		return
	}
	a, err := z.Array(name)
	want, wantErr := (npy.Decoder{MaxBytes: 1 << 20}).Read(bytes.NewReader(raw))
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("Array(%q) says %v, npy.Read of its bytes %v", name, err, wantErr)
	}
	if err != nil {
		return
	}
	info, err := z.Info(name)
	if err != nil || !info.Header.DType.Equal(want.DType()) {
		t.Fatalf("Info(%q): %v", name, err)
	}
	part, err := z.Slice(name, npy.Ellipsis())
	if err != nil || !bytes.Equal(part.Bytes(), a.Bytes()) || !bytes.Equal(a.Bytes(), want.Bytes()) {
		t.Fatalf("Slice(%q) and Array differ: %v", name, err)
	}
}
