package npz_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/npz"
)

// named returns an archive of empty members.
func named(t *testing.T, names ...string) *npz.Reader {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		if _, err := w.CreateHeader(&zip.FileHeader{Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	z, err := npz.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// tree lists directories as a map of all their names would: a directory goes before a file of its name.
func tree(names []string) map[string][]string {
	isDir := map[string]bool{".": true}
	for _, name := range names {
		for dir := path.Dir(strings.TrimSuffix(name, "/") + "/x"); dir != "."; dir = path.Dir(dir) {
			isDir[dir] = isDir[dir] || strings.HasPrefix(name, dir+"/")
		}
	}
	found := map[string]map[string]bool{}
	for _, name := range names {
		for p := strings.TrimSuffix(name, "/"); p != "."; p = path.Dir(p) {
			dir := path.Dir(p)
			if found[dir] == nil {
				found[dir] = map[string]bool{}
			}
			found[dir][path.Base(p)] = isDir[p]
		}
	}
	lists := map[string][]string{}
	for dir, children := range found {
		for name, folder := range children {
			lists[dir] = append(lists[dir], fmt.Sprintf("%s %v", name, folder))
		}
		slices.Sort(lists[dir])
	}
	return lists
}

// Directories follow from the names of the members, in any order and of any form.
func TestDirectories(t *testing.T) {
	for _, names := range [][]string{
		{"a.npy", "b/", "b/c.npy", "b/c/d.npy", "b.npy", "b-x/y.npy", "b/c"},
		{"x/", "x/", "x/", "x"},
		{"x", "x/y", "x/y/", "x/y/z"},
		{"a0", "a/", "a/b", "a-", "a!", "a"},
		{"é/1.npy", "e/1.npy", "é.npy"},
	} {
		for range len(names) {
			names = append(names[1:], names[0])
			z := named(t, names...)
			for dir, want := range tree(names) {
				var got []string
				list, err := z.ReadDir(dir)
				for _, e := range list {
					got = append(got, fmt.Sprintf("%s %v", e.Name(), e.IsDir()))
				}
				slices.Sort(got)
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%q: ReadDir(%q) = %q, %v, want %q", names, dir, got, err, want)
				}
			}
		}
	}
}

// A name with many slashes costs time and memory in proportion to its length.
func TestDeepNames(t *testing.T) {
	for _, n := range []int{5000, 10000, 20000} {
		z := named(t, strings.Repeat("a/", n)+"b.npy")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		info, err := fs.Stat(z, strings.TrimSuffix(strings.Repeat("a/", n), "/"))
		if err != nil || !info.IsDir() {
			t.Fatalf("%d directories: %v, %v", n, info, err)
		}
		list, err := fs.ReadDir(z, ".")
		if err != nil || len(list) != 1 {
			t.Fatalf("%d directories: %v, %v", n, list, err)
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > uint64(20*n+10000) {
			t.Errorf("%d directories: %d bytes", n, took)
		}
	}
}

// Entry finds the same member as NumPy, without reading the other members.
func TestEntry(t *testing.T) {
	z := named(t, "a", "a.npy", "b.npy", "c", "c")
	for name, want := range map[string]string{"a": "a", "a.npy": "a.npy", "b": "b.npy", "c": "c", "d": ""} {
		e, ok := z.Entry(name)
		if e.Name != want || ok != (want != "") || ok != z.Has(name) {
			t.Errorf("Entry(%q) = %q, %v, want %q", name, e.Name, ok, want)
		}
	}
	if e, _ := z.Entry("c"); e != z.Entries()[4] {
		t.Errorf("Entry(%q) is not the last of that name", "c")
	}
	for _, n := range []int{1000, 4000} {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprint(i)
		}
		z := named(t, names...)
		z.Entry("0")
		if allocs := testing.AllocsPerRun(10, func() { z.Entry("none"); z.Entry("7") }); allocs > 2 {
			t.Errorf("of %d members: Entry allocates %v times", n, allocs)
		}
		if _, err := z.Array("none"); err == nil || len(err.Error()) > 200 {
			t.Errorf("of %d members: error %v", n, err)
		}
	}
}

// By default all members of an archive together may exceed MaxRatio by 256 MiB.
func TestFreeRatio(t *testing.T) {
	bomb := func(members int, size uint64) []byte {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for i := range members {
			f, err := w.CreateRaw(&zip.FileHeader{Name: fmt.Sprint(i, ".npy"), Method: uint16(npz.Zstd), CompressedSize64: 100, UncompressedSize64: size})
			if err == nil {
				_, err = f.Write(make([]byte, 100))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for _, tt := range []struct {
		members int
		size    uint64
		ratio   int
		refused int
	}{
		{10, 100 * 1032, 0, 0},
		{10, 100 << 20, 0, 8},
		{10, 100 << 20, 2 << 20, 0},
		{10, 100 << 20, 1032, 10},
		{10, 100 << 20, -1, 0},
		{1, 300 << 20, 0, 1},
	} {
		data := bomb(tt.members, tt.size)
		z, err := npz.Decoder{MaxRatio: tt.ratio}.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		refused := 0
		for _, e := range z.Entries() {
			if errors.Is(e.Err, npy.ErrLimit) {
				refused++
			}
		}
		if refused != tt.refused {
			t.Errorf("%d members of %d bytes with MaxRatio %d: %d are refused, want %d", tt.members, tt.size, tt.ratio, refused, tt.refused)
		}
	}
}
