package npz_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/klauspost/compress/zstd"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/npz"
)

// Members are looked up as in NpzFile: the exact name first, then with .npy; of several members with the same name
// the last.
func TestLookup(t *testing.T) {
	z := open(t, archive(
		stored("a.npy", file[int32](t, 1)), stored("a", file[int32](t, 2)), stored("b.npy.npy", file[int32](t, 3)),
		stored("c.npy", file[int32](t, 4)), stored("c.npy", file[int32](t, 5)), stored(".npy", file[int32](t, 6)),
		stored("../x\\y.npy", file[int32](t, 7)), stored("nul\x00gone.npy", file[int32](t, 8)), stored("A.npy", file[int32](t, 9)),
	))
	if got, want := z.Names(), []string{"a", "a", "b.npy", "c", "c", "", "../x\\y", "nul", "A"}; !slices.Equal(got, want) {
		t.Errorf("Names is %q, want %q", got, want)
	}
	for name, n := range map[string]int{"a": 2, "a.npy": 1, "b.npy": 3, "b.npy.npy": 3, "c": 5, "c.npy": 5, "": 6, ".npy": 6, "../x\\y": 7, "nul": 8, "A": 9} {
		a, err := z.Array(name)
		if err != nil || a.Len() != n || !z.Has(name) {
			t.Errorf("Array(%q) is not the one of %d elements: %v", name, n, err)
		}
	}
	for _, name := range []string{"b", "d", "nul\x00gone", "B"} {
		if z.Has(name) {
			t.Errorf("Has(%q) is true", name)
		}
	}
	unsafe, want := 0, 1
	if runtime.GOOS == "windows" {
		want = 2 // where nul is a device
	}
	for _, e := range z.Entries() {
		if e.CheckName() != nil {
			unsafe++
		}
	}
	if unsafe != want {
		t.Errorf("%d names cannot be unpacked, want %d", unsafe, want)
	}
}

func TestLoad(t *testing.T) {
	fortran, err := npy.FromSlice([]int32{1, 2, 3, 4, 5, 6}, 3, 2)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := npy.Write(&b, fortran.T()); err != nil {
		t.Fatal(err)
	}
	z := open(t, archive(deflated(t, "a.npy", file[int32](t, 2, 3)), stored("f.npy", b.Bytes())))
	if data, shape, err := npz.Load[int32](z, "a"); err != nil || !slices.Equal(data, []int32{0, 1, 2, 3, 4, 5}) || !slices.Equal(shape, []int{2, 3}) {
		t.Errorf("Load[int32] is %v %v, %v", data, shape, err)
	}
	if data, shape, err := npz.Load[float64](z, "f"); err != nil || !slices.Equal(data, []float64{1, 3, 5, 2, 4, 6}) || !slices.Equal(shape, []int{2, 3}) {
		t.Errorf("Load[float64] of Fortran order is %v %v, %v", data, shape, err)
	}
	var te *npy.TypeError
	if _, _, err := npz.Load[int8](z, "a"); !errors.As(err, &te) || !strings.Contains(err.Error(), `"a.npy"`) {
		t.Errorf("Load[int8] of int32: %v", err)
	}
	if _, _, err := npz.Load[int8](z, "b"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Load of no member: %v", err)
	}
}

// noisy returns the .npy file of n float64 that compress a little.
func noisy(t testing.TB, n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(r.IntN(1000))
	}
	a, err := npy.FromSlice(values, n/8, 8)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := npy.Write(&b, a); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Large members are read in parts on several goroutines, and every slice equals the slice of the whole array.
func TestLargeMembers(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	data := noisy(t, 1<<20)
	z := open(t, archive(stored("stored.npy", data), deflated(t, "deflated.npy", data), inPieces("pieces.npy", data, 16), inPieces("whole.npy", data[:300_000], 17)))
	want, err := npy.Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range z.Entries() {
		if pieces := map[string]int{"pieces.npy": 129, "whole.npy": 3}[e.Name]; max(pieces, 1) != e.Pieces {
			t.Errorf("%s has %d pieces, want %d", e.Name, e.Pieces, pieces)
		}
		got, err := z.Bytes(e.Name)
		if err != nil || !bytes.Equal(got, data[:len(got)]) {
			t.Errorf("Bytes(%q): other bytes, %v", e.Name, err)
		}
	}
	indexed := open(t, archive(deflated(t, "indexed.npy", data)))
	if err := indexed.BuildIndex("indexed"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"stored", "deflated", "pieces", "indexed"} {
		if name == "indexed" {
			z = indexed
		}
		for _, text := range []string{"", "0", "-1", "5:6", "1000:60000", "::1000", "::-1, 2", "100000:120000, ::3", "7:7"} {
			index, err := npy.ParseIndex(text)
			if err != nil {
				t.Fatal(err)
			}
			part, err := want.Slice(index...)
			if err != nil {
				t.Fatal(err)
			}
			got, err := z.Slice(name, index...)
			if err != nil || !slices.Equal(got.Shape(), part.Shape()) || !bytes.Equal(got.Bytes(), part.Bytes()) {
				t.Errorf("Slice(%q, %s) is not that of the array: %v", name, text, err)
			}
		}
		if _, err := z.Slice(name, npy.At(1<<17)); err == nil || !strings.Contains(err.Error(), "out of bounds") {
			t.Errorf("Slice(%q) out of bounds: %v", name, err)
		}
	}
}

// Slice uses the index of BuildIndex: without it the slice would be decoded from the start, which is damaged.
func TestBuildIndex(t *testing.T) {
	data := noisy(t, 1<<20)
	all := archive(deflated(t, "a.npy", data), stored("b.npy", data[:200]))
	z := open(t, all)
	if err := z.BuildIndex("a"); err != nil {
		t.Fatal(err)
	}
	copy(all[2000:], make([]byte, 100))
	row := npy.At(1<<17 - 1)
	got, err := z.Slice("a", row)
	if err != nil || !bytes.Equal(got.Bytes(), data[len(data)-64:]) {
		t.Errorf("Slice of the last row: %v", err)
	}
	if _, err := open(t, all).Slice("a", row); err == nil {
		t.Error("the damage makes no difference without an index")
	}
	if err := z.BuildIndex("a"); err == nil {
		t.Error("no error for an index of damaged data")
	}
	if err := z.BuildIndex("b"); err != nil {
		t.Errorf("BuildIndex of a stored member: %v", err)
	}
	p := stored("z", zstdOf(t, data[:300]))
	p.method, p.size = npz.Zstd, 300
	if err := open(t, archive(p)).BuildIndex("z"); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("BuildIndex of a zstd member: %v", err)
	}
}

// A wrong index of pieces is an error or is not used; it never returns other bytes.
func TestPieceIndexIsNotTrusted(t *testing.T) {
	data := noisy(t, 40_000)
	good := inPieces("a.npy", data, 16)
	size := len(good.extra)
	for i := 4; i < size; i++ {
		for _, change := range []byte{1, 2, 0x80} {
			p := good
			p.extra = bytes.Clone(good.extra)
			p.extra[i] ^= change
			z := open(t, archive(p))
			if got, err := z.Bytes("a"); err == nil && !bytes.Equal(got, data) {
				t.Errorf("index with byte %d changed by %d: other bytes and no error", i, change)
			}
		}
	}
	// The sizes add up, but one boundary is a byte later.
	p := good
	p.extra = bytes.Clone(good.extra)
	p.extra[6]++
	if _, err := open(t, archive(p)).Bytes("a"); err == nil {
		t.Error("no error for a piece that begins within another")
	}
}

func TestMap(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npz")
	aligned := stored("aligned.npy", file[float64](t, 5000))
	aligned.name += strings.Repeat("x", 64-30-len(aligned.name)) // the member's header has 64 bytes
	data := archive(aligned, stored("b.npy", file[int32](t, 7)), deflated(t, "c.npy", file[int32](t, 7)), stored("cut.npy", file[int32](t, 70)[:200]))
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	z, err := npz.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := z.Map(aligned.name)
	if errors.Is(err, errors.ErrUnsupported) && runtime.GOOS != "linux" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	v, err := npy.As[float64](m.Array())
	if err != nil || v.At(4999) != 4999 {
		t.Errorf("the last element is not 4999: %v", err)
	}
	native := m.Array().DType().IsNative()
	if v.Shared() != (bulk.Shares && native) {
		t.Errorf("aligned elements are shared: %v", v.Shared())
	}
	for range 2 {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
	if z, err = npz.Open(path); err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if m, err = z.Map("b"); err != nil {
		t.Fatal(err)
	}
	if v, err := npy.As[int32](m.Array()); err != nil || v.At(6) != 6 {
		t.Errorf("unaligned elements: %v", err)
	}
	m.Close()
	if _, err := z.Map("c"); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("Map of a compressed member: %v", err)
	}
	if _, err := z.Map("cut"); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("Map of half an array: %v", err)
	}
	if _, err := open(t, data).Map("b"); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("Map of an archive in memory: %v", err)
	}
}

func TestFS(t *testing.T) {
	z := open(t, archive(
		stored("a.npy", file[int32](t, 4)), deflated(t, "layer/1/w.npy", file[float64](t, 30, 40)), stored("layer/1/b.npy", file[int32](t, 4)),
		stored("empty/", nil), stored("layer/notes.txt", []byte("hello")), stored("/absolute", nil), stored("../up", nil), stored("x//y", nil),
		stored("both", nil), stored("both/inside", nil), inPieces("big.npy", noisy(t, 40_000), 16),
	))
	if err := fstest.TestFS(z, "a.npy", "layer/1/w.npy", "layer/1/b.npy", "layer/notes.txt", "empty", "both/inside", "big.npy"); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"/absolute", "../up", "x//y"} {
		if _, err := z.Open(name); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("Open(%q): %v", name, err)
		}
		if _, err := z.Bytes(name); err != nil {
			t.Errorf("Bytes(%q): %v", name, err)
		}
	}
	if _, err := z.ReadDir("a.npy"); err == nil {
		t.Error("no error for ReadDir of a file")
	}
	if _, err := z.ReadFile("layer"); err == nil {
		t.Error("no error for ReadFile of a directory")
	}
}

// A file that is read to its end has been verified.
func TestFSChecks(t *testing.T) {
	data := file[int32](t, 100)
	for name, change := range map[string]func(*part){
		"CRC-32":    func(p *part) { p.crc++ },
		"more than": func(p *part) { p.size-- },
		"ends":      func(p *part) { p.size++ },
	} {
		p := deflated(t, "a.npy", data)
		change(&p)
		f, err := open(t, archive(p)).Open("a.npy")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(f); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("a file whose error is %q: %v", name, err)
		}
		f.Close()
	}
}

// All returns members in order, each with its error, and the loop may end early.
func TestAll(t *testing.T) {
	var parts []part
	for i := range 2000 {
		p := stored(fmt.Sprintf("a%d.npy", i), file[int32](t, i%50))
		if i%100 == 7 {
			p.crc++
		}
		parts = append(parts, p)
	}
	parts = append(parts, stored("text", []byte("text")), inPieces("big.npy", noisy(t, 1<<16), 16))
	for _, left := range []string{strings.Repeat("x", 100), ""} {
		z := open(t, append([]byte(left), archive(parts...)...))
		i := 0
		for m, err := range z.All() {
			if m.Name != strings.TrimSuffix(parts[i].name, ".npy") {
				t.Fatalf("member %d is %q, want %q", i, m.Name, parts[i].name)
			}
			switch {
			case i%100 == 7 && i < 2000:
				if err == nil || m.Array != nil {
					t.Errorf("%s: no error for its checksum", m.Name)
				}
			case err != nil:
				t.Error(err)
			case i == 2000:
				if string(m.Bytes) != "text" || m.Array != nil {
					t.Errorf("%s: %q", m.Name, m.Bytes)
				}
			case i < 2000 && m.Array.Len() != i%50:
				t.Errorf("%s has %d elements", m.Name, m.Array.Len())
			}
			i++
		}
		if i != len(parts) {
			t.Errorf("%d members, want %d", i, len(parts))
		}
		for m := range z.All() {
			if m.Name == "a500" {
				break
			}
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	data := noisy(t, 20_000)
	parts := []part{stored("s.npy", data), deflated(t, "d.npy", data), inPieces("p.npy", data, 14)}
	for i := range 300 {
		parts = append(parts, stored(fmt.Sprintf("%d.npy", i), file[int32](t, 400)))
	}
	z := open(t, archive(parts...))
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 60 {
				name := strings.TrimSuffix(parts[(g*31+i*7)%len(parts)].name, ".npy")
				a, err := z.Array(name)
				if err != nil {
					t.Error(err)
					continue
				}
				if _, err := z.Info(name); err != nil {
					t.Error(err)
				}
				b, err := z.Slice(name, npy.At(-1))
				if want, _ := a.Slice(npy.At(-1)); err != nil || !bytes.Equal(b.Bytes(), want.Bytes()) {
					t.Errorf("Slice(%q): %v", name, err)
				}
				if _, err := z.Stat(name + ".npy"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := npz.Open(filepath.Join(dir, "none.npz")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open of no file: %v", err)
	}
	if _, err := npz.Open(dir); err == nil || !strings.Contains(err.Error(), "directory") {
		t.Errorf("Open of a directory: %v", err)
	}
	path := filepath.Join(dir, "a.npy")
	if err := os.WriteFile(path, file[int32](t, 4), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := npz.Open(path); !errors.Is(err, npz.ErrArchive) || !strings.Contains(err.Error(), path) {
		t.Errorf("Open of an .npy file: %v", err)
	}
	if err := open(t, archive()).Close(); err != nil {
		t.Errorf("Close of a Reader without a file: %v", err)
	}
}

// A method of the caller is used, and its reader closed after use.
func TestMethods(t *testing.T) {
	data := file[int32](t, 1000)
	flipped := bytes.Clone(data)
	for i := range flipped {
		flipped[i] ^= 0xff
	}
	p := stored("a.npy", data)
	p.method, p.data = npz.LZMA, flipped
	all := archive(p)
	closed := 0
	d := npz.Decoder{Methods: map[npz.Method]npz.Decompressor{npz.LZMA: func(r io.Reader, size int64) (io.Reader, error) {
		if size != int64(len(data)) {
			return nil, fmt.Errorf("size is %d", size)
		}
		return &flipper{r, &closed}, nil
	}}}
	z, err := d.NewReader(bytes.NewReader(all), int64(len(all)))
	if err != nil {
		t.Fatal(err)
	}
	if a, err := z.Array("a"); err != nil || a.Len() != 1000 {
		t.Errorf("Array: %v", err)
	}
	if a, err := z.Slice("a", npy.SpanTo(3)); err != nil || a.Len() != 3 {
		t.Errorf("Slice: %v", err)
	}
	if closed != 3 {
		t.Errorf("%d readers closed, want 3", closed)
	}
}

type flipper struct {
	r      io.Reader
	closed *int
}

func (f *flipper) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	for i := range p[:n] {
		p[i] ^= 0xff
	}
	return n, err
}

func (f *flipper) Close() error {
	*f.closed++
	return nil
}

func zstdOf(t testing.TB, data []byte, options ...zstd.EOption) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil, options...)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(data, nil)
}

func TestZstd(t *testing.T) {
	data := noisy(t, 1<<17)
	zeros := make([]byte, 60<<20)
	member := func(name string, data []byte, options ...zstd.EOption) part {
		p := stored(name, data)
		p.method, p.data = npz.Zstd, zstdOf(t, data, options...)
		return p
	}
	long := member("long", data, zstd.WithSingleSegment(false))
	long.data[5] = 20 << 3 // a window of 1 GB
	short := member("short", data)
	short.size++
	more := member("more", data)
	more.size--
	z := open(t, archive(member("a.npy", data), member("zeros", zeros), long, short, more))
	if got, err := z.Bytes("a"); err != nil || !bytes.Equal(got, data) {
		t.Errorf("Bytes: %v", err)
	}
	if got, err := z.Bytes("zeros"); err != nil || !bytes.Equal(got, zeros) {
		t.Errorf("Bytes of zeros: %v", err)
	}
	if a, err := z.Slice("a", npy.At(-1)); err != nil || a.Len() != 8 {
		t.Errorf("Slice: %v", err)
	}
	for name, want := range map[string]string{"long": "window", "short": "ends after", "more": "more than"} {
		if _, err := z.Bytes(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Bytes(%q): %v, want an error with %q", name, err, want)
		}
	}
}
