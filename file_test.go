package npy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npytest"
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
	p, err := npy.SelectionOf(f.Header(), index...)
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
func ExampleSelection_Ranges() {
	h := format.Header{DType: must(dtype.Parse("[('time', '<i8'), ('mag', '<f4')]")), Shape: []int{3}, DataOffset: 128}
	p, err := npy.SelectionOf(h, npy.Named("mag"))
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

func ExampleSelection_Read() {
	h := format.Header{DType: dtype.Uint8, Shape: []int{2, 4}}
	p, err := npy.SelectionOf(h, npy.All(), npy.At(1))
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

// An open file keeps its position, is in the errors, and can be read as something else if it is no array.
func TestOpenFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := npy.Save(path, []int32{1, 2, 3}); err != nil {
		t.Fatal(err)
	}
	f := must(os.Open(path))
	must(f.Seek(2, io.SeekStart))
	file, err := npy.Decoder{}.OpenFile(f)
	if err != nil {
		t.Fatal(err)
	}
	if at := must(f.Seek(0, io.SeekCurrent)); at != 2 {
		t.Errorf("the position is %d after OpenFile, want 2", at)
	}
	if got := must(file.Slice(npy.At(1))).String(); got != "2" {
		t.Errorf("element 1 is %s, want 2", got)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Read(make([]byte, 1)); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("after Close of the result a read of the file gives %v, want %v", err, fs.ErrClosed)
	}
}

func TestOpenFileOfSomethingElse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(path, []byte("a text"), 0o666); err != nil {
		t.Fatal(err)
	}
	f := must(os.Open(path))
	defer f.Close()
	_, err := npy.Decoder{}.OpenFile(f)
	if pe := new(fs.PathError); !errors.As(err, &pe) || pe.Path != path {
		t.Errorf("OpenFile of a text gives %v, want an error with the path %s", err, path)
	}
	if text, err := io.ReadAll(f); string(text) != "a text" {
		t.Errorf("after the error the file reads as %q, %v", text, err)
	}
}

func TestOpenFileOfPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if _, err := (npy.Decoder{}).OpenFile(r); !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "pipe") {
		t.Errorf("OpenFile of a pipe gives %v, want an error that wraps %v", err, errors.ErrUnsupported)
	}
}

// A part that is read from its own bytes only equals Slice of the whole array.
func TestSelectionOfIsSlice(t *testing.T) {
	indices := []string{"", "...", "1", "-1", "0:2", "::-1", "1, 1", "..., 0", ":, 1:2", "::2, ::-1", "5:", "1:1", "'a'", "0, 'b'", "'z', ..., 0"}
	tried := 0
	for _, v := range vectors(t) {
		if v.HasObject() {
			continue
		}
		file, err := os.ReadFile(v.Path)
		if err != nil {
			t.Fatal(err)
		}
		h, err := format.ParseHeader(file)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := npy.FromHeader(h, file[h.DataOffset:])
		if err != nil {
			t.Fatal(err)
		}
		if err := v.Check(whole); err != nil {
			t.Error(err)
		}
		for _, text := range indices {
			index, err := npy.ParseIndex(text)
			if err != nil {
				t.Fatal(err)
			}
			want, wantErr := whole.Slice(index...)
			p, err := npy.SelectionOf(h, index...)
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("%s[%s]: SelectionOf says %v, Slice %v", v.Path, text, err, wantErr)
			}
			if err != nil {
				continue
			}
			got, err := p.Array(bytes.Clone(file[h.DataOffset+p.Start : h.DataOffset+p.End]))
			if err != nil {
				t.Fatal(err)
			}
			if !got.DType().Equal(want.DType()) || fmt.Sprint(got.Shape()) != fmt.Sprint(want.Shape()) || !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("%s[%s]: the part is another array than the slice", v.Path, text)
			}
			tried++
		}
	}
	if tried < 500 {
		t.Errorf("only %d indices fitted an array", tried)
	}
}

func TestPartErrors(t *testing.T) {
	h := format.Header{DType: dtype.Int32, Shape: []int{4}, DataOffset: 128}
	if _, err := npy.FromHeader(h, make([]byte, 15)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("15 bytes for 4 int32: %v", err)
	}
	if a, err := npy.FromHeader(h, make([]byte, 17)); err != nil || a.NBytes() != 16 {
		t.Errorf("17 bytes for 4 int32: %v", err)
	}
	p, err := npy.SelectionOf(h, npy.At(2))
	if err != nil || p.Start != 8 || p.End != 12 {
		t.Errorf("SelectionOf(2) is %d to %d, %v", p.Start, p.End, err)
	}
	if _, err := p.Slice(npy.At(0)); err == nil {
		t.Error("no error for an index into a part without dimensions")
	}
	if _, err := p.Array(make([]byte, 5)); err == nil {
		t.Error("no error for a part of another length")
	}
	h.DType = dtype.Object
	if _, err := npy.SelectionOf(h); !errors.Is(err, npy.ErrObjects) {
		t.Errorf("a part of objects: %v", err)
	}
	if _, err := npy.FromHeader(h, nil); !errors.Is(err, npy.ErrObjects) {
		t.Errorf("objects: %v", err)
	}
	h.Shape = []int{-1}
	if _, err := npy.FromHeader(h, nil); err == nil {
		t.Error("no error for a negative dimension")
	}
}

// A few rows of a large file, wherever it lies, need only their own bytes.
func ExampleSelectionOf() {
	h := format.Header{DType: dtype.Float32, Shape: []int{1_000_000, 512}, DataOffset: 128}
	p, err := npy.SelectionOf(h, npy.Span(1000, 1010))
	if err != nil {
		panic(err)
	}
	fmt.Printf("bytes %d to %d of the file\n", h.DataOffset+p.Start, h.DataOffset+p.End)
	// Output:
	// bytes 2048128 to 2068608 of the file
}

// A part of a part is the result of both indices, one after the other, and only its bytes are read.
func ExampleFile_Select() {
	path := filepath.Join(os.TempDir(), "npy-example-select.npy")
	defer os.Remove(path)
	if err := npy.Save(path, []int16{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 3, 4); err != nil {
		panic(err)
	}
	f, err := npy.Open(path)
	if err != nil {
		panic(err)
	}
	defer f.Close()

	rows, err := f.Select(npy.SpanFrom(1))
	if err != nil {
		panic(err)
	}
	corners, err := rows.Select(npy.All(), npy.All().By(rows.Shape()[1]-1))
	if err != nil {
		panic(err)
	}
	a, err := corners.ReadAll(context.Background())
	if err != nil {
		panic(err)
	}
	fmt.Println(a)
	// Output:
	// [[ 4  7]
	//  [ 8 11]]
}

// sparseIndices select few of many bytes, from the first to the last.
var sparseIndices = []string{":, 0", ":, -1", "::-1, ::-700", "::5000, ::300", "-7:, :", ":, 3:900"}

// Parts of a stream with many bytes between their elements are the same as of an array in memory, and take memory for the
// elements.
func TestSparseParts(t *testing.T) {
	const rows, columns = 40_000, 1000
	data := make([]byte, rows*columns)
	for i := range data {
		data[i] = byte(i*i>>9 ^ i)
	}
	for _, fortran := range []bool{false, true} {
		h := format.Header{DType: npy.DTypeOf[uint8](), Shape: []int{rows, columns}, FortranOrder: fortran}
		a, err := npy.FromHeader(h, data)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range sparseIndices {
			index, err := npy.ParseIndex(text)
			if err != nil {
				t.Fatal(err)
			}
			want, err := a.Slice(index...)
			if err != nil {
				t.Fatal(err)
			}
			checkSparse(t, h, data, text, index, want)
		}
	}
}

func checkSparse(t *testing.T, h format.Header, data []byte, text string, index []npy.Index, want *npy.Array) {
	open := func(r io.Reader) npy.Source {
		s, err := npy.NewStream(h, r)
		if err != nil {
			t.Fatal(err)
		}
		part, err := s.Select(index...)
		if err != nil {
			t.Fatal(err)
		}
		return part
	}
	var got *npy.Array
	var err error
	took := allocated(func() { got, err = open(iotest.HalfReader(bytes.NewReader(data))).ReadAll(t.Context()) })
	if err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("[%s], Fortran order %t: error %v, or other elements", text, h.FortranOrder, err)
	}
	if most := uint64(18<<20 + 4*want.NBytes()); took > most {
		t.Errorf("[%s], Fortran order %t: %d bytes allocated for %d", text, h.FortranOrder, took, want.NBytes())
	}
	part, err := npy.SelectionOf(h, index...)
	if err != nil {
		t.Fatal(err)
	}
	_, err = open(bytes.NewReader(data[:part.End-1])).ReadAll(t.Context())
	var early *format.Error
	if !errors.As(err, &early) || !errors.Is(err, io.ErrUnexpectedEOF) || early.Offset != part.End-1 {
		t.Errorf("[%s], Fortran order %t: data that ends a byte early is %v", text, h.FortranOrder, err)
	}
	failed := errors.New("the connection is lost")
	_, err = open(io.MultiReader(strings.NewReader("12345"), iotest.ErrReader(failed))).ReadAll(t.Context())
	if !errors.Is(err, failed) {
		t.Errorf("[%s], Fortran order %t: %v", text, h.FortranOrder, err)
	}
}

// fileAfterClose lists every method that reads a File, with its result after Close.
var fileAfterClose = map[string]func(f *npy.File) error{
	"ReadAll": func(f *npy.File) error { _, err := f.ReadAll(context.Background()); return err },
	"Slice":   func(f *npy.File) error { _, err := f.Slice(npy.All()); return err },
	"Select":  func(f *npy.File) error { _, err := f.Select(npy.All()); return err },
	"Blocks": func(f *npy.File) error {
		for _, err := range f.Blocks(context.Background(), 0) {
			return err
		}
		return nil
	},
	"Print":   func(f *npy.File) error { return npy.Printer{}.Print(io.Discard, f) },
	"Copy":    func(f *npy.File) error { return npy.Copier{}.Write(context.Background(), io.Discard, f) },
	"Regions": func(f *npy.File) error { _, err := f.Regions(context.Background()); return err },
	"Data": func(f *npy.File) error {
		data, _ := f.Data()
		_, err := io.ReadAll(data)
		if f.Header().NBytes() == 0 {
			return fs.ErrClosed // there is nothing to read
		}
		return err
	},
}

// After Close every read of a File is an error, also of an array without elements and of a reader that the caller owns.
func TestFileClosed(t *testing.T) {
	headerMethods := []string{"Header", "DType", "Shape", "StoredOrder", "Close"}
	file := reflect.TypeFor[*npy.File]()
	for i := range file.NumMethod() {
		m := file.Method(i)
		if fileAfterClose[m.Name] == nil && !slices.Contains(headerMethods, m.Name) {
			t.Errorf("File.%s: what it does after Close is not tested", m.Name)
		}
	}
	for _, shape := range [][]int{{3}, {0, 2}, {}, {300, 400}} {
		data := fileOf(t, dtype.Int16, false, shape...)
		path := filepath.Join(t.TempDir(), "a.npy")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		for how, f := range map[string]*npy.File{
			"Open":         must(npy.Open(path)),
			"OpenReaderAt": must(npy.OpenReaderAt(bytes.NewReader(data), int64(len(data)))),
		} {
			if err := errors.Join(f.Close(), f.Close()); err != nil {
				t.Errorf("%s: closing twice: %v", how, err)
			}
			for name, use := range fileAfterClose {
				if err := use(f); !errors.Is(err, fs.ErrClosed) {
					t.Errorf("%s, shape %v: %s after Close: error %v, want fs.ErrClosed", how, shape, name, err)
				}
			}
			if !slices.Equal(f.Shape(), f.Header().Shape) || !f.DType().Equal(dtype.Int16) {
				t.Errorf("%s: after Close the header is gone", how)
			}
		}
	}
}

// Every writer refuses data after Close.
func TestWritersClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := npy.Save(path, []int16{1, 2, 3}); err != nil {
		t.Fatal(err)
	}
	a := must(npy.OpenAppend(path))
	if err := errors.Join(a.Close(), a.Close()); err != nil {
		t.Errorf("closing twice: %v", err)
	}
	for _, err := range []error{a.Append(must(npy.FromSlice([]int16{4}))), a.Append(must(npy.FromSlice([]int16{}))), npy.AppendRows(a, []int16{4})} {
		if !errors.Is(err, fs.ErrClosed) {
			t.Errorf("Append after Close: error %v, want fs.ErrClosed", err)
		}
	}
	for _, w := range []*npy.RowWriter[int16]{
		must(npy.CreateRows[int16](path, npy.UnknownRows)),
		must(npy.NewRowWriter[int16](new(bytes.Buffer), 1)),
	} {
		w.Abort()
		if err := w.Close(); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("Close after Abort: error %v, want fs.ErrClosed", err)
		}
		for _, data := range [][]int16{{1}, {}} {
			if err := w.Write(data); !errors.Is(err, fs.ErrClosed) {
				t.Errorf("Write of %d rows after the end: error %v, want fs.ErrClosed", len(data), err)
			}
		}
	}
	if got, _, err := npy.Load[int16](path); err != nil || !slices.Equal(got, []int16{1, 2, 3}) {
		t.Errorf("the file holds %v, %v", got, err)
	}
}

// A writer that was given up says so, and one that has failed does not succeed when it is closed again.
func TestAbortedRows(t *testing.T) {
	npytest.TestAbort(t, func(t *testing.T) (npytest.Aborter, func() error, func() bool) {
		path := filepath.Join(t.TempDir(), "a.npy")
		w := must(npy.CreateRows[int16](path, npy.UnknownRows))
		return w, func() error { return w.Write([]int16{1}) }, func() bool { return exists(path) }
	})
	w := must(npy.CreateRows[int16](filepath.Join(t.TempDir(), "a.npy"), 2))
	first := w.Close()
	if again := w.Close(); !errors.Is(first, io.ErrShortWrite) || !errors.Is(again, io.ErrShortWrite) {
		t.Errorf("Close of too few rows: error %v, then %v", first, again)
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
