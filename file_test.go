package npy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// A meter is a ReaderAt that counts reads and bytes, and fails on request.
type meter struct {
	io.ReaderAt
	mu     sync.Mutex
	reads  int
	bytes  int64
	failAt int // the read that fails, from 1; 0 for none
}

var errBroken = errors.New("the cable is out")

func (m *meter) ReadAt(b []byte, at int64) (int, error) {
	m.mu.Lock()
	m.reads++
	m.bytes += int64(len(b))
	fail := m.reads == m.failAt
	m.mu.Unlock()
	if fail {
		return len(b) / 2, errBroken
	}
	return m.ReaderAt.ReadAt(b, at)
}

// fileOf returns the bytes of a file with counted elements.
func fileOf(t testing.TB, dt dtype.Type, fortran bool, shape ...int) []byte {
	t.Helper()
	h := format.Header{DType: dt, Shape: shape, FortranOrder: fortran}
	b, err := h.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range int(h.NBytes()) {
		b = append(b, byte(i*7+i>>8))
	}
	return b
}

func openBytes(t testing.TB, b []byte) (*npy.File, *meter) {
	t.Helper()
	return openWith(t, npy.ReadOptions{}, b)
}

func openWith(t testing.TB, o npy.ReadOptions, b []byte) (*npy.File, *meter) {
	t.Helper()
	m := &meter{ReaderAt: bytes.NewReader(b)}
	f, err := npy.Decoder{ReadOptions: o}.OpenReaderAt(m, int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	m.reads, m.bytes = 0, 0
	return f, m
}

// randomIndex returns an index for a shape: integers, slices in both directions, an ellipsis.
func randomIndex(r *rand.Rand, shape []int) []npy.Index {
	var index []npy.Index
	for _, n := range shape {
		switch k := r.IntN(8); {
		case k == 0:
			return append(index, npy.Ellipsis())
		case k == 1 && n > 0:
			index = append(index, npy.At(r.IntN(2*n)-n))
		case k == 2:
			index = append(index, npy.All())
		default:
			index = append(index, npy.Span(r.IntN(2*n+3)-n-1, r.IntN(2*n+3)-n-1).By([]int{1, 1, 2, 3, 7, -1, -2}[r.IntN(7)]))
		}
	}
	return index
}

var fileTypes = []string{"<f8", ">i4", "|u1", "<U3", "|S5", "<c16", "|V0", "[('a', '<i2'), ('b', '>f8', (2, 3)), ('c', '|S3')]"}

// A slice of a file is the slice of the array in it. It reads the bytes of the slice, and gaps of the allowed size.
func TestFileSliceIsSlice(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		dt := must(dtype.Parse(fileTypes[r.IntN(len(fileTypes))]))
		shape := make([]int, r.IntN(5))
		for i := range shape {
			shape[i] = r.IntN(12)
		}
		data := fileOf(t, dt, r.IntN(2) == 0, shape...)
		o := npy.ReadOptions{Gap: []int64{-1, 0, 1, 40, 300}[r.IntN(5)], Workers: r.IntN(4)}
		f, m := openWith(t, o, data)
		whole, err := npy.Read(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		index := randomIndex(r, shape)
		if dt.IsStruct() && r.IntN(2) == 0 {
			index = append(index, npy.Named([]string{"a", "b", "c"}[r.IntN(3)]))
		}
		want, wantErr := whole.Slice(index...)
		got, err := f.Slice(index...)
		what := fmt.Sprintf("%v of shape %v%v, gap %d", dt, shape, index, o.Gap)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("%s: error %v, want %v", what, err, wantErr)
		}
		if err != nil {
			continue
		}
		if !got.DType().Equal(want.DType()) || !slices.Equal(got.Shape(), want.Shape()) || !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Fatalf("%s: another array than Slice of the whole", what)
		}
		checkReads(t, what, f, o, m, int64(want.NBytes()), index)
	}
}

// checkReads compares the reads with the announced ranges, and the ranges with the wanted bytes.
func checkReads(t *testing.T, what string, f *npy.File, o npy.ReadOptions, m *meter, wanted int64, index []npy.Index) {
	t.Helper()
	p, err := npy.PartOf(f.Header(), index...)
	if err != nil {
		t.Fatal(err)
	}
	reads, total, last := 0, int64(0), p.Start
	for r := range p.Ranges(o) {
		if r.Start < last || r.End <= r.Start || r.End > p.End {
			t.Fatalf("%s: read %v after byte %d of %d to %d", what, r, last, p.Start, p.End)
		}
		reads, total, last = reads+1, total+r.End-r.Start, r.End
	}
	if reads != m.reads || total != m.bytes {
		t.Fatalf("%s: %d reads of %d bytes announced, %d of %d made", what, reads, total, m.reads, m.bytes)
	}
	if o.Gap < 0 && total != wanted {
		t.Fatalf("%s: %d bytes read of %d wanted, and no gap allowed", what, total, wanted)
	}
	if o.Gap == 0 && wanted > 0 && p.End-p.Start < 4<<10 && reads != 1 {
		t.Fatalf("%s: %d reads for a small file", what, reads)
	}
}

// The numbers of reads and bytes of typical slices.
func TestFileReadsLittle(t *testing.T) {
	const n = 1000
	for _, fortran := range []bool{false, true} {
		rows, column := []npy.Index{npy.Span(10, 20)}, []npy.Index{npy.All(), npy.At(-1)}
		if fortran {
			rows, column = []npy.Index{npy.All(), npy.Span(10, 20)}, []npy.Index{npy.At(-1)}
		}
		for _, x := range []struct {
			name  string
			index []npy.Index
			gap   int64
			reads int
			bytes int64
		}{
			{"a run", rows, -1, 1, 10 * n * 4},
			{"a column without gaps", column, -1, n, n * 4},
			{"a column with gaps too small", column, n*4 - 5, n, n * 4},
			{"a column with gaps", column, n*4 - 4, 4, ((n-1)*n+1)*4 - 3*(n-1)*4},
			{"a corner", []npy.Index{npy.Span(1, 3), npy.Span(1, 3)}, 1 << 20, 1, (n + 2) * 4},
			{"nothing", []npy.Index{npy.Span(3, 3)}, 0, 0, 0},
			{"all", nil, 0, 4, n * n * 4},
		} {
			f, m := openWith(t, npy.ReadOptions{Gap: x.gap}, fileOf(t, dtype.Float32, fortran, n, n))
			if _, err := f.Slice(x.index...); err != nil {
				t.Fatal(err)
			}
			if m.reads != x.reads || m.bytes != x.bytes {
				t.Errorf("fortran %v, %s: %d reads of %d bytes, want %d of %d", fortran, x.name, m.reads, m.bytes, x.reads, x.bytes)
			}
		}
	}
}

// All files that NumPy wrote, read as a File.
func TestFileVectors(t *testing.T) {
	for _, v := range vectors(t) {
		f, err := npy.Open(v.Path)
		if err != nil {
			t.Fatal(err)
		}
		if v.HasObject() {
			if _, err := f.Slice(); !errors.Is(err, npy.ErrObjects) {
				t.Errorf("%s: a slice of objects: %v", v.Path, err)
			}
			continue
		}
		for _, read := range []func() (*npy.Array, error){func() (*npy.Array, error) { return f.ReadAll(t.Context()) }, func() (*npy.Array, error) { return f.Slice() }} {
			a, err := read()
			if err != nil {
				t.Fatal(err)
			}
			if err := v.Check(a); err != nil {
				t.Error(err)
			}
		}
		if !f.DType().Equal(v.DType) || !slices.Equal(f.Shape(), v.Shape) {
			t.Errorf("%s: %v of shape %v", v.Path, f.DType(), f.Shape())
		}
		if err := errors.Join(f.Close(), f.Close()); err != nil {
			t.Error(err)
		}
		if _, err := f.Slice(); v.Size > f.Header().DataOffset && !errors.Is(err, os.ErrClosed) && f.Header().NBytes() > 0 {
			t.Errorf("%s: after Close: %v", v.Path, err)
		}
	}
}

// A read large enough for several goroutines, and many such reads at once.
func TestFileConcurrent(t *testing.T) {
	data := fileOf(t, dtype.Uint16, true, 3000, 2000)
	whole, err := npy.Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	f, _ := openBytes(t, data)
	var wg sync.WaitGroup
	for k := range 4 {
		wg.Go(func() {
			index := []npy.Index{npy.SpanFrom(k), npy.All().By(-1 - k)}
			want, _ := whole.Slice(index...)
			got, err := f.Slice(index...)
			if err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("goroutine %d: another array, %v", k, err)
			}
		})
	}
	wg.Wait()
}

// If any read fails, the error reports it, and there is no array.
func TestFileFaults(t *testing.T) {
	data := fileOf(t, dtype.Int32, false, 40, 50)
	for fail := 1; fail <= 40; fail++ {
		f, m := openWith(t, npy.ReadOptions{Gap: -1, Workers: fail % 5}, data)
		m.failAt = fail
		a, err := f.Slice(npy.All(), npy.Span(3, 9))
		if a != nil || !errors.Is(err, errBroken) {
			t.Fatalf("read %d fails: %v, %v", fail, a, err)
		}
	}
	f, m := openBytes(t, data)
	m.ReaderAt = bytes.NewReader(data[:len(data)-1]) // cut short after the header was read
	if _, err := f.Slice(npy.At(-1)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a file that became shorter: %v", err)
	}
}

// Sizes that are too large for the file are found before anything is allocated.
func TestOpenErrors(t *testing.T) {
	h := format.Header{DType: dtype.Float64, Shape: []int{1 << 27}}
	giant, err := h.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	small := fileOf(t, dtype.Float64, false, 10)
	for _, x := range []struct {
		name string
		data []byte
		size int64
		want error
	}{
		{"empty", nil, 0, io.ErrUnexpectedEOF},
		{"negative", small, -1, io.ErrUnexpectedEOF},
		{"cut in the header", small[:40], 40, io.ErrUnexpectedEOF},
		{"cut in the data", small[:len(small)-1], int64(len(small)) - 1, io.ErrUnexpectedEOF},
		{"giant", giant, int64(len(giant)), io.ErrUnexpectedEOF},
		{"header is not there", small[:40], int64(len(small)), io.ErrUnexpectedEOF},
	} {
		if _, err := npy.OpenReaderAt(bytes.NewReader(x.data), x.size); !errors.Is(err, x.want) {
			t.Errorf("%s: %v", x.name, err)
		}
	}
	f, err := npy.Decoder{MaxBytes: 16}.OpenReaderAt(bytes.NewReader(small), int64(len(small)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Slice(npy.Span(0, 2)); err != nil {
		t.Errorf("16 bytes of MaxBytes 16: %v", err)
	}
	if _, err := f.Slice(npy.Span(0, 3)); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("24 bytes of MaxBytes 16: %v", err)
	}
	if _, err := npy.Open(t.TempDir()); err == nil {
		t.Error("a folder was opened")
	}
	if _, err := npy.Open(filepath.Join(t.TempDir(), "none.npy")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// Reading a part of a file of 100 GB takes memory for the part only.
func TestFileSparse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sparse.npy")
	head, err := format.Header{DType: dtype.Int64, Shape: []int{100 << 30 / 8 / 1000, 1000}}.Append(nil)
	if err != nil {
		t.Skip(err) // more than this machine can address
	}
	if err := os.WriteFile(path, head, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, int64(len(head))+100<<30); err != nil {
		t.Skip(err) // no sparse files here
	}
	f, err := npy.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a, err := f.Slice(npy.Span(5_000_000, -1).By(2_000_000), npy.At(-1))
	if err != nil || fmt.Sprint(a) != "[0 0 0 0 0]" {
		t.Errorf("%v, %v", a, err)
	}
}

// A few rows of a remote file: only the header and the rows are fetched.
func ExampleOpenReaderAt() {
	var file bytes.Buffer
	a, _ := npy.FromSlice(make([]float32, 1_000_000), 1000, 1000)
	_ = npy.Write(&file, a)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "a.npy", time.Time{}, bytes.NewReader(file.Bytes()))
	}))
	defer server.Close()

	remote := &httpFile{url: server.URL}
	d := npy.Decoder{ReadOptions: npy.ReadOptions{Gap: 1 << 20, Workers: 16}} // a request takes as long as a megabyte
	f, err := d.OpenReaderAt(remote, int64(file.Len()))                       // the size comes from a HEAD request
	if err != nil {
		panic(err)
	}
	rows, err := f.Slice(npy.Span(10, 20))
	if err != nil {
		panic(err)
	}
	fmt.Println(rows.Shape(), remote.fetched, "bytes of", file.Len())
	// Output:
	// [10 1000] 41024 bytes of 4000128
}

// An httpFile is a ReaderAt over requests for ranges.
type httpFile struct {
	url     string
	mu      sync.Mutex
	fetched int
}

func (f *httpFile) ReadAt(b []byte, at int64) (int, error) {
	request, err := http.NewRequest(http.MethodGet, f.url, nil)
	if err != nil {
		return 0, err
	}
	request.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", at, at+int64(len(b))-1))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusPartialContent {
		return 0, fmt.Errorf("%s: %s", f.url, response.Status)
	}
	n, err := io.ReadFull(response.Body, b)
	f.mu.Lock()
	f.fetched += n
	f.mu.Unlock()
	return n, err
}

// One column of a file of any size.
func ExampleFile_Slice() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "a.npy")
	_ = npy.Save(path, []int64{1, 2, 3, 4, 5, 6}, 2, 3)

	f, err := npy.Open(path)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	column, err := f.Slice(npy.All(), npy.At(-1))
	if err != nil {
		panic(err)
	}
	v, err := npy.As[int64](column)
	fmt.Println(f.DType().Name(), f.Shape(), v.ToSlice(), err)
	// Output:
	// int64 [2 3] [3 6] <nil>
}

// The bytes of one field of records, with and without gaps.
func ExamplePart_Ranges() {
	h := format.Header{DType: must(dtype.Parse("[('time', '<i8'), ('mag', '<f4')]")), Shape: []int{3}, DataOffset: 128}
	p, err := npy.PartOf(h, npy.Named("mag"))
	if err != nil {
		panic(err)
	}
	for r := range p.Ranges(npy.ReadOptions{}) {
		fmt.Println(r)
	}
	for r := range p.Ranges(npy.ReadOptions{Gap: -1}) {
		fmt.Println(r)
	}
	// Output:
	// {8 36}
	// {8 12}
	// {20 24}
	// {32 36}
}

func ExamplePart_Read() {
	h := format.Header{DType: dtype.Uint8, Shape: []int{2, 4}}
	p, err := npy.PartOf(h, npy.All(), npy.At(1))
	if err != nil {
		panic(err)
	}
	a, err := p.Read(context.Background(), strings.NewReader("headABCDEFGH"), 4, npy.ReadOptions{})
	fmt.Printf("%s %v\n", a.Bytes(), err)
	// Output:
	// BF <nil>
}

// For any file, its parts are parts of the whole array, or the whole is an error too.
func FuzzFile(f *testing.F) {
	for _, v := range vectors(f) {
		if data, err := os.ReadFile(v.Path); err == nil && len(data) < 4<<10 {
			f.Add(data, "0:2, ..., ::-1", int64(7))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, text string, gap int64) {
		d := npy.Decoder{ReadOptions: npy.ReadOptions{Gap: gap}}
		file, err := d.OpenReaderAt(bytes.NewReader(data), int64(len(data)))
		if err != nil || file.DType().HasObject() {
			return
		}
		whole, err := file.ReadAll(context.Background())
		if err != nil {
			t.Fatalf("it was opened, and cannot be read: %v", err)
		}
		index, err := npy.ParseIndex(text)
		if err != nil {
			return
		}
		want, wantErr := whole.Slice(index...)
		got, err := file.Slice(index...)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("error %v, want %v", err, wantErr)
		}
		if err != nil {
			return
		}
		if !slices.Equal(got.Shape(), want.Shape()) || !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Fatal("another array than Slice of the whole")
		}
		var bytesWant, bytesGot bytes.Buffer
		if err := errors.Join(npy.Write(&bytesWant, want), npy.Copier{}.Write(context.Background(), &bytesGot, must(file.Select(index...)))); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(bytesGot.Bytes(), bytesWant.Bytes()) {
			t.Fatal("a copy has other bytes")
		}
		if err := errors.Join(npy.Printer{}.Print(io.Discard, want), npy.Printer{}.Print(io.Discard, must(file.Select(index...)))); err != nil {
			t.Fatal(err)
		}
	})
}
