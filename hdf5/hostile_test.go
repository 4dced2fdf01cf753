package hdf5

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/hdf5/internal/storage"
)

// allocated returns the bytes that a function allocates.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A file of a few kilobytes that describes exabytes takes memory only for the elements that are read.
func TestHuge(t *testing.T) {
	if storage.MaxInt>>32 == 0 {
		t.Skip("a machine of 32 bits cannot address these arrays")
	}
	r, err := Open("testdata/huge.h5")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	boundless := must(Decoder{MaxRatio: -1}.Open("testdata/huge.h5"))
	defer boundless.Close()
	two := func(n int) int { return 1 << n } // a constant would not fit 32 bits
	for _, tt := range []struct {
		path  string
		index []npy.Index
		want  byte
	}{
		{"contiguous", []npy.Index{npy.Span(two(59), two(59)+3)}, 7},
		{"chunked", []npy.Index{npy.At(two(20)), npy.Span(two(20), two(20)+1)}, 6},
		{"chunked", []npy.Index{npy.All().By(two(29)), npy.At(3)}, 5},
		{"small_chunks", []npy.Index{npy.Span(two(40), two(40)+1)}, 8},
		{"small_chunks", []npy.Index{npy.Span(0, two(57)).By(two(40))}, 8}, // one of 131,072 chunks exists
	} {
		src, err := r.Source(tt.path)
		if err != nil {
			t.Fatal(err)
		}
		took := allocated(func() {
			var over *npy.LimitError
			if _, err := src.ReadAll(context.Background()); !errors.As(err, &over) || over.Name != "MaxRatio" {
				t.Errorf("%s: the whole array: error %v", tt.path, err)
			}
			part, err := src.Select(tt.index...)
			if err != nil {
				t.Fatal(err)
			}
			a, err := part.ReadAll(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if got := a.Bytes(); !bytes.Contains(got, []byte{tt.want}) {
				t.Errorf("%s%v: %x, want %x", tt.path, tt.index, got[:min(8, len(got))], tt.want)
			}
			for _, err := range src.Blocks(context.Background(), 1<<16) {
				if !errors.As(err, &over) || over.Name != "MaxRatio" {
					t.Errorf("%s: the blocks: error %v", tt.path, err)
				}
			}
			regions, err := npy.RegionsOf(context.Background(), src)
			if err != nil || regions == nil {
				t.Fatalf("%s: no regions, error %v", tt.path, err)
			}
			n, size := 0, 0
			for x := range regions.All {
				n++
				size += x.Size()
			}
			if n > 10 || size != npy.HeaderOf(src).Size() {
				t.Errorf("%s: %d regions of %d elements", tt.path, n, size)
			}
			blocks := 0
			for b, err := range must(boundless.Source(tt.path)).Blocks(context.Background(), 1<<16) {
				if err != nil || b.NBytes() > 1<<16 {
					t.Fatalf("%s: a block of %d bytes, error %v", tt.path, b.NBytes(), err)
				}
				if blocks++; blocks == 3 {
					break
				}
			}
		})
		if took > 32<<20 {
			t.Errorf("%s: %d bytes allocated", tt.path, took)
		}
	}
	src, err := r.Source("objects")
	if err == nil {
		_, err = src.ReadAll(context.Background())
	}
	if !errors.Is(err, npy.ErrLimit) {
		t.Errorf("objects: error %v", err)
	}
}

// patched returns a Reader of a fixture with some of its bytes changed, checksums not being compared.
func patched(t *testing.T, name string, patch func(data []byte) bool) *Reader {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if !patch(data) {
		t.Fatalf("%s: nothing to change", name)
	}
	r, err := unsummed(data)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// each calls change for every place of a signature.
func each(data []byte, signature string, change func(at int) bool) (changed bool) {
	for at := 0; ; at++ {
		i := bytes.Index(data[at:], []byte(signature))
		if i < 0 {
			return changed
		}
		at += i
		changed = change(at) || changed
	}
}

// Structures that contain themselves end in an error or in their contents, in bounded time.
func TestLoops(t *testing.T) {
	put := func(data []byte, at int, address uint64) { binary.LittleEndian.PutUint64(data[at:], address) }
	for _, tt := range []struct {
		name, file, path, want string
		patch                  func(data []byte) bool
	}{
		{"node of a chunk's B-tree in itself", "layouts-earliest.h5", "layouts/many", "a node of level", func(data []byte) bool {
			return each(data, "TREE\x01\x01", func(at int) bool {
				for k := range int(data[at+6]) { // the levels below have its level, too
					put(data, at+24+24+k*32, uint64(at))
				}
				return true
			})
		}},
		{"node of a chunk's B-tree as its own leaf", "layouts-earliest.h5", "layouts/chunked", "", func(data []byte) bool {
			return each(data, "TREE\x01\x00", func(at int) bool { data[at+5] = 1; put(data, at+24+32, uint64(at)); return true })
		}},
		{"node of a group's B-tree in itself", "groups-earliest.h5", "groups/many/d03", "", func(data []byte) bool {
			return each(data, "TREE\x00\x00", func(at int) bool { data[at+5] = 3; put(data, at+24+8, uint64(at)); return true })
		}},
		{"leaf of a version 2 B-tree with another signature", "groups-latest.h5", "groups/many/d03", "BTLF", func(data []byte) bool {
			return each(data, "BTLF", func(at int) bool { data[at+2] = 'I'; return true })
		}},
		{"block of a fractal heap outside of the file", "groups-latest.h5", "groups/many/d03", "", func(data []byte) bool {
			return each(data, "FHIB", func(at int) bool { put(data, at+17, 1<<40); return true }) || each(data, "FRHP", func(at int) bool { put(data, at+132, 1<<40); return true })
		}},
		{"continuation of a header to its start", "groups-latest.h5", "groups/attributes", "", func(data []byte) bool {
			return each(data, "OCHK", func(at int) bool { copy(data[at:], "OHDR"); return true })
		}},
	} {
		r := patched(t, tt.file, tt.patch)
		readEverything(t, r)
		src, err := r.Source(tt.path)
		if err == nil {
			_, err = src.ReadAll(context.Background())
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
}

// A file that ends anywhere gives errors, or the contents that it has.
func TestCut(t *testing.T) {
	for _, name := range []string{"types-earliest.h5", "groups-latest.h5", "userblock.h5"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; n < len(data); n += 211 {
			r, err := small.NewReader(bytes.NewReader(data[:n]), int64(n))
			if err == nil {
				readEverything(t, r)
				continue
			}
			oneLine(t, err)
			if !errors.Is(err, ErrFormat) && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%s, %d bytes: error %v", name, n, err)
			}
		}
	}
}

// Elements of variable length that share one object take its memory once, or end at the bytes that the file has.
func TestSharedSequences(t *testing.T) {
	r, err := Open("testdata/types-earliest.h5")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	const n = 200_000
	for path, item := range map[string]int{"types/vlen_int": 0, "types/vlen_str": 3} {
		d, err := r.f.DatasetAt(path)
		if err != nil {
			t.Fatal(err)
		}
		one, err := r.f.Structure("elements", d.Layout.At+uint64(16*item), 16)
		if err != nil {
			t.Fatal(err)
		}
		data := bytes.Repeat(one, n)
		part := bytes.Clone(one)
		part[0]-- // one element less than the object has
		took := allocated(func() {
			if _, err := d.Coding.Array(context.Background(), r.f.Reading(), bytes.Repeat(part, n), []int{n}); !errors.Is(err, npy.ErrLimit) {
				t.Errorf("%s: parts of one object: error %v", path, err)
			}
			a, err := d.Coding.Array(context.Background(), r.f.Reading(), data, []int{n})
			if path == "types/vlen_int" && !errors.Is(err, npy.ErrLimit) {
				t.Errorf("%s: %v, error %v", path, a, err)
			} else if path == "types/vlen_str" && (err != nil || len(a.Object(n-1).(string)) != 5000) {
				t.Errorf("%s: error %v", path, err)
			}
		})
		if took > 128<<20 {
			t.Errorf("%s: %d bytes allocated", path, took)
		}
	}
}
