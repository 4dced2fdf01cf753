package npy_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/mmap"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/scalar"
)

// file writes a file with a header as NumPy writes it and returns its path.
func file(t testing.TB, descr string, fortran bool, shape []int, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := os.WriteFile(path, arrayBytes(t, descr, fortran, shape, data), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func arrayBytes(t testing.TB, descr string, fortran bool, shape []int, data []byte) []byte {
	t.Helper()
	dt, err := dtype.Parse(descr)
	if err != nil {
		t.Fatal(err)
	}
	b, err := format.Header{DType: dt, FortranOrder: fortran, Shape: shape}.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return append(b, data...)
}

func TestLoadConverts(t *testing.T) {
	check(t, "bool, any byte but 0 is true", "|b1", []byte{0, 1, 2, 255}, []bool{false, true, true, true})
	check(t, "bool as a number", "|b1", []byte{0, 1, 2}, []int8{0, 1, 1})
	check(t, "big-endian", ">i2", []byte{1, 2, 255, 254}, []int16{0x102, -2})
	check(t, "wider integer", "<u2", []byte{255, 255}, []int32{65535})
	check(t, "Go int", "<i4", []byte{254, 255, 255, 255}, []int{-2})
	check(t, "integer as float", ">i4", []byte{0, 0, 0, 7}, []float64{7})
	check(t, "float16", "<f2", []byte{0, 0x3e}, []float32{1.5})
	check(t, "float32 as float64", ">f4", []byte{0x3f, 0xc0, 0, 0}, []float64{1.5})
	check(t, "real as complex", "|i1", []byte{254}, []complex64{-2})
	check(t, "complex64 as complex128", ">c8", []byte{0x3f, 0xc0, 0, 0, 0xbf, 0x80, 0, 0}, []complex128{1.5 - 1i})
	check(t, "characters", ">U2", []byte{0, 0, 0, 'a', 0, 0, 0, 0, 0, 1, 0xf6, 0, 0, 0, 0, 'b'}, []string{"a", "😀b"})
	check(t, "bytes as string", "|S3", []byte("ab\x00\x00c\x00"), []string{"ab", "\x00c"})
	check(t, "datetime", "<M8[s]", []byte{1, 0, 0, 0, 0, 0, 0, 0}, scalar.Datetime64s(1))
	check(t, "float8_e5m2", "<f1", []byte{0x3e}, []float32{1.5})
	if dtype.NativeEndian == dtype.LittleEndian { // the name has no byte order
		check(t, "bfloat16", "bfloat16", []byte{0xc0, 0x3f}, []float32{1.5}, "'bfloat16'")
	}
	check(t, "no elements", "<f8", nil, []float64{})
}

// check loads data as T in every way. The descr in the file may be spelled differently from a written descr.
func check[T npy.Element](t *testing.T, name, descr string, data []byte, want []T, spelled ...string) {
	t.Helper()
	b := arrayBytes(t, descr, false, []int{len(want)}, data)
	if len(spelled) > 0 {
		b = bytes.Replace(b, []byte("'<V2'"), []byte(spelled[0]), 1)
		b[8] += byte(len(spelled[0]) - len("'<V2'"))
	}
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	got, shape, err := npy.Load[T](path)
	if err != nil || !slices.Equal(shape, []int{len(want)}) || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: Load gives %v, %v, %v, want %v", name, got, shape, err, want)
	}
	for _, r := range []io.Reader{bytes.NewReader(b), iotest.OneByteReader(bytes.NewReader(b))} {
		if got, _, err := npy.LoadFrom[T](r); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: LoadFrom gives %v, %v, want %v", name, got, err, want)
		}
	}
}

func TestLoadRefusesLoss(t *testing.T) {
	path := file(t, "<i8", false, []int{1}, make([]byte, 8))
	_, _, err := npy.Load[float64](path)
	var te *npy.TypeError
	if !errors.As(err, &te) || te.DType.Descr() != "<i8" || te.GoType.String() != "float64" {
		t.Fatalf("int64 as float64: %v", err)
	}
	if want := "dtype <i8 and Go type float64 do not fit: values could change; ask for int64"; !strings.Contains(err.Error(), want) {
		t.Errorf("text is %q, want %q in it", err, want)
	}
}

// Every order, shape and width of a file in Fortran order becomes C order.
func TestLoadFortran(t *testing.T) {
	for _, shape := range [][]int{{3, 4}, {1, 5}, {5, 1}, {2, 3, 4}, {4, 1, 3, 2}, {0, 3}, {7}, {}, {300, 700}, {3, 2, 50000}, {90000, 2, 3}} {
		n := format.Header{DType: dtype.Int32, Shape: shape}.Size()
		want := make([]int32, n)
		for i := range want {
			want[i] = int32(i * 7)
		}
		a, err := npy.FromSlice(want, shape...)
		if len(shape) == 0 {
			a, err = npy.FromSlice(want, 1)
			a, _ = a.Reshape()
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, descr := range []string{"<i4", ">i4"} {
			dt, _ := dtype.Parse(descr)
			b, err := a.AsType(dt)
			if err != nil {
				t.Fatal(err)
			}
			data := b.T().Bytes() // the elements in Fortran order
			path := file(t, descr, true, shape, data)
			got, _, err := npy.Load[int32](path)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%v %s: Load differs: %v", shape, descr, err)
			}
			wide, _, err := npy.LoadFrom[float64](iotest.HalfReader(bytes.NewReader(arrayBytes(t, descr, true, shape, data))))
			if err != nil || len(wide) != n || n > 0 && wide[n-1] != float64(want[n-1]) {
				t.Errorf("%v %s: LoadFrom differs: %v", shape, descr, err)
			}
		}
	}
}

// Arrays large enough for several goroutines and pieces.
func TestLoadLarge(t *testing.T) {
	want := make([]float64, 3<<20+17)
	for i := range want {
		want[i] = float64(i) + 0.5
	}
	path := filepath.Join(t.TempDir(), "a.npy")
	for _, descr := range []string{"<f8", ">f8"} {
		dt, _ := dtype.Parse(descr)
		a, err := npy.FromSliceAs(dt, want)
		if err != nil {
			t.Fatal(err)
		}
		if err := npy.WriteFile(path, a); err != nil {
			t.Fatal(err)
		}
		got, _, err := npy.Load[float64](path)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: Load differs: %v", descr, err)
		}
		wide, _, err := npy.Load[complex128](path)
		if err != nil || wide[len(wide)-1] != complex(want[len(want)-1], 0) {
			t.Errorf("%s: Load as complex differs: %v", descr, err)
		}
		if err := os.Truncate(path, 20<<20); err != nil {
			t.Fatal(err)
		}
		if _, _, err := npy.Load[float64](path); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: a file cut short gives %v", descr, err)
		}
	}
}

func TestLoadNamesTheBadElement(t *testing.T) {
	data := make([]byte, 4*70000)
	copy(data[4*65000:], []byte{0, 0, 0x11, 0}) // the first code point that is not valid
	path := file(t, "<U1", false, []int{70000}, data)
	_, _, err := npy.Load[string](path)
	var fe *format.Error
	if !errors.As(err, &fe) || fe.Offset != 128+4*65000 {
		t.Errorf("error is %v, want one at byte %d", err, 128+4*65000)
	}
	if _, err := npy.ReadFile(path); err != nil {
		t.Errorf("ReadFile looks at characters: %v", err)
	}
}

func TestDecoderLimits(t *testing.T) {
	b := arrayBytes(t, "<f8", false, []int{100}, make([]byte, 800))
	if _, err := (npy.Decoder{MaxBytes: 799}).Read(bytes.NewReader(b)); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("800 bytes pass MaxBytes 799: %v", err)
	}
	if _, err := (npy.Decoder{MaxBytes: 800}).Read(bytes.NewReader(b)); err != nil {
		t.Errorf("800 bytes do not pass MaxBytes 800: %v", err)
	}
	if _, _, err := (npy.Loader[float64]{MaxBytes: 799}).LoadFrom(bytes.NewReader(b)); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("800 bytes load with MaxBytes 799: %v", err)
	}
	if _, err := (npy.Decoder{MaxHeader: 117}).Read(bytes.NewReader(b)); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("header of 118 bytes passes MaxHeader 117: %v", err)
	}
}

// lies are headers that claim far more data than there is.
var lies = []struct {
	name, descr string
	shape       []int
}{
	{"64 GiB, or all that 32 bits can address", "<f8", []int{1 << 20, min(1<<13, math.MaxInt>>24)}},
	{"4 EiB", "<f8", []int{math.MaxInt / 16}},
	{"a Fortran giant", "<i2", []int{1 << 20, 1 << 8, 2}},
	{"long items", "|V600000000", []int{3}},
	{"long strings", "<U500000000", []int{1}},
}

// The cost of a header with a false size is measured: all memory that reading allocates, freed or not.
func TestMemoryFollowsTheData(t *testing.T) {
	for _, lie := range lies {
		for _, fortran := range []bool{false, true} {
			b := arrayBytes(t, lie.descr, fortran, lie.shape, make([]byte, 22))
			path := filepath.Join(t.TempDir(), "lie.npy")
			if err := os.WriteFile(path, b, 0o666); err != nil {
				t.Fatal(err)
			}
			for name, read := range map[string]func() error{
				"ReadFile": func() error { _, err := npy.ReadFile(path); return err },
				"bytes":    func() error { _, err := npy.Read(bytes.NewReader(b)); return err },
				"stream":   func() error { _, err := npy.Read(struct{ io.Reader }{bytes.NewReader(b)}); return err },
				"Load as itself": func() error {
					_, _, err := npy.LoadFrom[float64](struct{ io.Reader }{bytes.NewReader(b)})
					return err
				},
				"Load as bytes": func() error {
					_, _, err := npy.LoadFrom[[]byte](struct{ io.Reader }{bytes.NewReader(b)})
					return err
				},
				"Load as strings": func() error {
					_, _, err := npy.LoadFrom[string](struct{ io.Reader }{bytes.NewReader(b)})
					return err
				},
				"Load wider": func() error {
					_, _, err := npy.LoadFrom[complex128](struct{ io.Reader }{bytes.NewReader(b)})
					return err
				},
			} {
				var err error
				used := allocated(func() { err = read() })
				if err == nil {
					t.Errorf("%s, %s: no error", lie.name, name)
				}
				if used > 8<<20 {
					t.Errorf("%s, %s: %d bytes allocated for a file of %d", lie.name, name, used, len(b))
				}
			}
		}
	}
}

func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestElementsWithoutBytes(t *testing.T) {
	b := arrayBytes(t, "|S0", false, []int{1 << 30}, nil)
	a, err := npy.Read(bytes.NewReader(b))
	if err != nil || a.Size() != 1<<30 {
		t.Fatalf("Read gives %v", err)
	}
	if _, _, err := npy.LoadFrom[string](bytes.NewReader(b)); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("a billion empty strings load: %v", err)
	}
	if _, err := npy.As[[]byte](a); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("a billion empty elements become slices: %v", err)
	}
}

func TestReadErrors(t *testing.T) {
	failing := errors.New("the cable is cut")
	b := arrayBytes(t, "<f8", false, []int{4}, make([]byte, 32))
	for _, n := range []int{0, 5, 60, 130} {
		r := io.MultiReader(bytes.NewReader(b[:n]), iotest.ErrReader(failing))
		if _, err := npy.Read(r); !errors.Is(err, failing) {
			t.Errorf("after %d bytes: error %v does not wrap the reader's", n, err)
		}
	}
	if _, err := npy.ReadFile(filepath.Join(t.TempDir(), "none.npy")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	empty := filepath.Join(t.TempDir(), "empty.npy")
	if err := os.WriteFile(empty, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := npy.ReadFile(empty); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "empty.npy") {
		t.Errorf("empty file: %v", err)
	}
	if _, err := npy.ReadFile(t.TempDir()); err == nil {
		t.Error("a folder can be read")
	}
}

func TestSmallFileAllocations(t *testing.T) {
	path := file(t, "<f8", false, []int{16}, make([]byte, 128))
	if n := testing.AllocsPerRun(100, func() {
		if _, _, err := npy.Load[float64](path); err != nil {
			t.Fatal(err)
		}
	}); n > 15 {
		t.Errorf("loading a small file takes %v allocations", n)
	}
}

func FuzzRead(f *testing.F) {
	for _, dir := range []string{"testdata/numpy-1.24.2", "testdata/numpy-2.3.5", "testdata/numpy-2.5.2"} {
		names, err := filepath.Glob(dir + "/*.npy")
		if err != nil || len(names) == 0 {
			f.Fatal("no vectors", err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := npy.Read(bytes.NewReader(data))
		b, err2 := npy.Read(struct{ io.Reader }{bytes.NewReader(data)})
		if (err == nil) != (err2 == nil) {
			t.Fatalf("with known length: %v; without: %v", err, err2)
		}
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\x1b") || len(err.Error()) > 600 {
				t.Errorf("error text %q", err)
			}
			return
		}
		var first, second bytes.Buffer
		if err := npy.Write(&first, a); err != nil {
			t.Fatalf("an array that was read cannot be written: %v", err)
		}
		if err := npy.Write(&second, b); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("two ways to read give different arrays (%v)", err)
		}
		c, err := npy.Read(&second)
		if err != nil {
			t.Fatalf("an array that was written cannot be read: %v", err)
		}
		if !bytes.Equal(c.Bytes(), a.Bytes()) || !c.DType().Equal(a.DType()) || !slices.Equal(c.Shape(), a.Shape()) {
			t.Fatal("writing and reading changes the array")
		}
		if a.Size() < 1<<16 {
			_, _ = npy.As[string](a)
			_, _ = npy.As[float64](a)
		}
	})
}

// NumPy's own tests read an element larger than its buffer and an array beyond 4 GiB in a file.
func TestLoadLargeElement(t *testing.T) {
	const n = 262145
	data := make([]byte, 2*4*n)
	for i := range 2 * n {
		data[4*i] = byte('a' + i%26)
	}
	b := arrayBytes(t, fmt.Sprintf("<U%d", n), false, []int{2}, data)
	for name, r := range map[string]io.Reader{"known length": bytes.NewReader(b), "stream": iotest.HalfReader(bytes.NewReader(b))} {
		got, _, err := npy.LoadFrom[string](r)
		if err != nil || len(got) != 2 || len(got[0]) != n || got[1][n-1] != byte('a'+(2*n-1)%26) {
			t.Errorf("%s: %d strings, %v", name, len(got), err)
		}
	}
}

func TestReadFarIntoAFile(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a sparse file of 5 GB")
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "far.npy"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const far = 5 << 30
	if _, err := f.Seek(far, io.SeekStart); err != nil {
		t.Skip("no sparse files here: ", err)
	}
	want := []int16{1, 2, 3}
	for range 2 {
		if err := npy.Write(f, must(npy.FromSlice(want))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.Seek(far, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got, _, err := npy.LoadFrom[int16](f); err != nil || !slices.Equal(got, want) {
			t.Errorf("got %v, %v", got, err)
		}
	}
	if _, err := npy.Read(f); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

// Files in Fortran order that are read in boxes by several goroutines.
func TestLoadLargeFortran(t *testing.T) {
	for _, shape := range [][]int{{2500, 1300}, {3, 1200, 900}, {1, 70000, 1, 40}, {300, 5, 7, 300}, {500000, 7}, {6, 500000}} {
		want := make([]uint32, shape[0])
		for _, n := range shape[1:] {
			want = slices.Repeat(want, n)
		}
		for i := range want {
			want[i] = uint32(i) * 2654435761
		}
		for _, descr := range []string{"<u4", ">u4"} {
			dt, _ := dtype.Parse(descr)
			a, err := npy.FromSliceAs(dt, want, shape...)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "a.npy")
			if err := npy.WriteFile(path, a.Fortran()); err != nil {
				t.Fatal(err)
			}
			got, _, err := npy.Load[uint32](path)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%v %s: Load differs: %v", shape, descr, err)
			}
			wide, _, err := npy.Load[float64](path)
			if err != nil || !slices.EqualFunc(wide, want, func(x float64, y uint32) bool { return x == float64(y) }) {
				t.Errorf("%v %s: Load as float64 differs: %v", shape, descr, err)
			}
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			got, _, err = npy.LoadFrom[uint32](iotest.HalfReader(f))
			f.Close()
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%v %s: LoadFrom of a stream differs: %v", shape, descr, err)
			}
		}
	}
}

func TestLoadInto(t *testing.T) {
	write := func(a *npy.Array) string {
		path := filepath.Join(t.TempDir(), "a.npy")
		if err := npy.WriteFile(path, a); err != nil {
			t.Fatal(err)
		}
		return path
	}
	want := []float64{1, 2, 3, 4, 5, 6}
	a, err := npy.FromSlice(want, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	narrow, err := npy.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"C order": write(a), "Fortran order": write(a.Fortran()), "float32": write(narrow)} {
		buf := make([]float64, 2, 7)
		got, shape, err := npy.LoadInto(buf, path)
		if err != nil || !slices.Equal(got, want) || !slices.Equal(shape, []int{2, 3}) || &got[0] != &buf[0] || buf[:7][6] != 0 {
			t.Errorf("%s: got %v %v %v, want them in the memory given", name, got, shape, err)
		}
		got, _, err = npy.LoadInto(buf[:0:5], path)
		if err != nil || !slices.Equal(got, want) || &got[0] == &buf[0] {
			t.Errorf("%s: got %v %v, want them in new memory", name, got, err)
		}
	}
	words := []string{"b", "a", "c"}
	s, err := npy.FromSlice([]string{"x", "yy"})
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := npy.LoadInto(words, write(s)); err != nil || !slices.Equal(got, []string{"x", "yy"}) || words[0] != "x" {
		t.Errorf("strings: got %q, %v", got, err)
	}
	empty, err := npy.New(dtype.Float64, 0, 3)
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := npy.LoadInto([]float64{1}, write(empty)); err != nil || len(got) != 0 {
		t.Errorf("an empty array: got %v, %v", got, err)
	}
}

// Reading one file after another allocates no new memory for the data.
func TestLoadIntoAllocations(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	buf := make([]float64, 1<<17)
	if err := npy.Save(path, buf); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 100 {
		var err error
		if buf, _, err = npy.LoadInto(buf, path); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / 100; each > 300<<10 { // a buffer for conversions, in a build without unsafe
		t.Errorf("%d bytes are allocated for each file of 1 MB", each)
	}
}

// Every way to Go values obeys the Casting of a Decoder: it gives the values of Array.Cast, or fails as Cast does.
func TestLoaderCasting(t *testing.T) {
	t.Parallel()
	arrays := map[string]*npy.Array{
		"floats":    must(npy.FromSlice([]float64{0.1, -1.5, 3, 1e-50})),
		"too large": must(npy.FromSliceAs(parse(">f8"), []float64{1, 1e300})),
		"integers":  must(npy.FromSliceAs(parse(">i4"), []int32{0, -1, 127, 128, 1 << 30})),
		"unsigned":  must(npy.FromSlice([]uint64{0, 1, 1 << 63})),
		"bools":     must(npy.FromSlice([]bool{true, false})),
		"complex":   must(npy.FromSlice([]complex128{1 + 2i, 3})),
		"text":      must(npy.FromSlice([]string{"1", "-2"})),
		"no number": must(npy.FromSlice([]string{"x"})),
		"times":     must(npy.FromSliceAs(parse("<M8[s]"), scalar.Datetime64s(1, scalar.NaT))),
		"halves":    must(npy.FromSlice([]scalar.Float16{{Bits: 0x3c00}, {Bits: 0x7c00}})),
		"bfloat16":  must(npy.FromSliceAs(parse("bfloat16"), []scalar.BFloat16{{Bits: 0x3f80}})),
	}
	for name, a := range arrays {
		for casting := npy.SafeCasting; casting <= npy.UnsafeCasting; casting++ {
			t.Run(fmt.Sprintf("%s %s", name, casting), func(t *testing.T) {
				t.Parallel()
				casts[float32](t, a, casting)
				casts[int8](t, a, casting)
				casts[uint16](t, a, casting)
				casts[bool](t, a, casting)
				casts[complex64](t, a, casting)
				casts[string](t, a, casting)
				casts[scalar.Float16](t, a, casting)
				casts[scalar.BFloat16](t, a, casting)
				casts[scalar.LongDouble](t, a, casting)
			})
		}
	}
}

// casts loads a as T in every way.
func casts[T npy.Element](t *testing.T, a *npy.Array, casting npy.Casting) {
	t.Helper()
	var want []T
	v, wantErr := npy.As[T](a) // values that T holds need no casting
	if wantErr != nil && casting > npy.SafeCasting {
		b, err := a.Cast(npy.DTypeOf[T](), casting)
		if err == nil {
			v, err = npy.As[T](b)
		}
		wantErr = err
	}
	if wantErr == nil {
		want = v.ToSlice()
	}
	var file bytes.Buffer
	if err := npy.Write(&file, a); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path, archive := filepath.Join(dir, "a.npy"), filepath.Join(dir, "a.npz")
	if err := errors.Join(npy.WriteFile(path, a), npz.Save(archive, npz.Member{Name: "a", Array: a})); err != nil {
		t.Fatal(err)
	}
	d := npy.Decoder{Casting: casting}
	if a.DType().Name() == "bfloat16" {
		d.VoidAs = a.DType()
	}
	l := npy.Loader[T](d)
	for way, load := range map[string]func() ([]T, error){
		"As":       func() ([]T, error) { v, err := l.As(a); return sliceOf(v, err) },
		"Load":     func() ([]T, error) { x, _, err := l.Load(path); return x, err },
		"LoadInto": func() ([]T, error) { x, _, err := l.LoadInto(make([]T, 9), path); return x, err },
		"LoadFrom": func() ([]T, error) { x, _, err := l.LoadFrom(bytes.NewReader(file.Bytes())); return x, err },
		"rows": func() ([]T, error) {
			r, err := l.NewRowReader(bytes.NewReader(file.Bytes()))
			if err != nil {
				return nil, err
			}
			x := make([]T, a.Len())
			_, err = r.Next(x)
			return x, err
		},
		"npz.Load": func() ([]T, error) {
			z := must(npz.Decoder{Array: d}.Open(archive))
			defer z.Close()
			x, _, err := npz.Load[T](z, "a")
			return x, err
		},
		"mmap.Load": func() ([]T, error) {
			f := must(mmap.Options{Array: d}.Open(path))
			defer f.Close()
			x, _, err := mmap.Load[T](f)
			return x, err
		},
		"record.LoadFrom": func() ([]T, error) { return throughRecord[T](a, d) },
	} {
		got, err := load()
		switch {
		case way == "record.LoadFrom" && npy.DTypeOf[T]().ItemSize() == 0 && wantErr != nil: // text has another length there
		case (err == nil) != (wantErr == nil):
			t.Errorf("%s as %T with %s: %v, want %v", way, *new(T), casting, err, wantErr)
		case err == nil && fmt.Sprint(got) != fmt.Sprint(want):
			t.Errorf("%s as %T with %s: %v, want %v", way, *new(T), casting, got, want)
		}
	}
}

func sliceOf[T npy.Element](v npy.View[T], err error) ([]T, error) {
	if err != nil {
		return nil, err
	}
	return v.ToSlice(), nil
}

// throughRecord reads the elements of a as the only field of records.
func throughRecord[T npy.Element](a *npy.Array, d npy.Decoder) ([]T, error) {
	type one struct{ X T }
	records := must(npy.FromBytes(must(dtype.Struct(a.DType().ItemSize(), dtype.Field{Name: "X", DType: a.DType()})), a.Bytes(), a.Len()))
	x, err := record.Loader[one]{Array: d}.ToSlice(records)
	out := make([]T, len(x))
	for i := range x {
		out[i] = x[i].X
	}
	return out, err
}

// The error for a conversion that is not allowed names the strictest casting that allows it.
func TestErrorsNameTheCasting(t *testing.T) {
	t.Parallel()
	floats := must(npy.FromSlice([]float64{1}))
	_, sameKind := npy.As[float32](floats)
	_, unsafe := npy.As[int32](floats)
	_, still := npy.Loader[int32]{Casting: npy.SameKindCasting}.As(floats)
	_, _, inRecords := record.LoadFrom[struct {
		F float32 `npy:"f"`
	}](bytes.NewReader(must(structBytes(floats))))
	for _, c := range []struct {
		err  error
		want string
	}{{sameKind, "Casting: npy.SameKindCasting"}, {unsafe, "Casting: npy.UnsafeCasting"}, {still, "Casting: npy.UnsafeCasting"}, {inRecords, "Casting: npy.SameKindCasting"}} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want one that names %s", c.err, c.want)
		}
	}
}

// structBytes returns a file of records with the elements of a as their field f.
func structBytes(a *npy.Array) ([]byte, error) {
	r, err := npy.FromBytes(must(dtype.Struct(a.DType().ItemSize(), dtype.Field{Name: "f", DType: a.DType()})), a.Bytes(), a.Len())
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = npy.Write(&b, r)
	return b.Bytes(), err
}

func ExampleLoader() {
	var file bytes.Buffer
	if err := npy.SaveTo(&file, []float64{0.5, 1.25}); err != nil {
		panic(err)
	}
	weights, _, err := npy.Loader[float32]{MaxBytes: 1 << 20, Casting: npy.SameKindCasting}.LoadFrom(&file)
	fmt.Println(weights, err)
	// Output:
	// [0.5 1.25] <nil>
}

func ExampleSaver() {
	var file bytes.Buffer
	bigEndian := npy.Saver[int16]{DType: dtype.Int16.WithByteOrder(dtype.BigEndian)}
	if err := bigEndian.SaveTo(&file, []int16{1, 2}); err != nil {
		panic(err)
	}
	a, err := npy.Read(&file)
	fmt.Println(a.DType(), a.Bytes(), err)
	// Output:
	// >i2 [0 1 0 2] <nil>
}

// An index out of bounds is an IndexError in memory and in a file.
func TestIndexError(t *testing.T) {
	a := must(npy.FromSlice([]int8{1, 2, 3, 4, 5, 6}, 2, 3))
	var b bytes.Buffer
	if err := npy.Write(&b, a); err != nil {
		t.Fatal(err)
	}
	f := must(npy.OpenReaderAt(bytes.NewReader(b.Bytes()), int64(b.Len())))
	want := npy.IndexError{Index: -4, Axis: 1, Size: 3}
	for name, slice := range map[string]func(...npy.Index) (*npy.Array, error){"Array": a.Slice, "File": f.Slice} {
		_, err := slice(npy.At(0), npy.At(-4))
		var outside *npy.IndexError
		if !errors.As(err, &outside) || *outside != want {
			t.Errorf("%s: error %v, want %v", name, err, &want)
		}
	}
}

// A limit reports its name, its value and the refused value, at every depth of calls.
func TestLimitError(t *testing.T) {
	var b bytes.Buffer
	if err := npy.Write(&b, must(npy.FromSlice(make([]int8, 100)))); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		d    npy.Decoder
		want npy.LimitError
	}{
		"header": {npy.Decoder{MaxHeader: 5}, npy.LimitError{Name: "MaxHeader", Limit: 5, Got: 118, What: "header of 118 bytes is over MaxHeader 5"}},
		"bytes":  {npy.Decoder{MaxBytes: 9}, npy.LimitError{Name: "MaxBytes", Limit: 9, Got: 100, What: "100 bytes of elements are over MaxBytes 9"}},
	} {
		_, err := test.d.Read(bytes.NewReader(b.Bytes()))
		var over *npy.LimitError
		if !errors.As(err, &over) || *over != test.want || !errors.Is(err, npy.ErrLimit) {
			t.Errorf("%s: error %v, want %v", name, err, &test.want)
		}
	}
}

func BenchmarkParseHeader(b *testing.B) {
	var buf bytes.Buffer
	if err := npy.Write(&buf, must(npy.FromSlice(make([]float64, 12), 3, 4))); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := format.ParseHeader(buf.Bytes()); err != nil {
			b.Fatal(err)
		}
	}
}

// The types of package scalar, a megabyte of each: read from both byte orders, and written to them.
func BenchmarkScalars(b *testing.B) {
	benchScalar[scalar.Float16](b, "float16", dtype.Float16)
	benchScalar[scalar.BFloat16](b, "bfloat16", parse("bfloat16"))
	benchScalar[scalar.Float8E4M3FN](b, "float8", parse("float8_e4m3fn"))
	benchScalar[scalar.Int4](b, "int4", parse("int4"))
	benchScalar[scalar.Datetime64](b, "datetime64", parse("M8[us]"))
	benchScalar[scalar.Complex32](b, "complex32", parse("complex32"))
}

func benchScalar[T npy.Element](b *testing.B, name string, t dtype.Type) {
	const size = 1 << 20
	for _, order := range []dtype.ByteOrder{dtype.LittleEndian, dtype.BigEndian} {
		t := t.WithByteOrder(order)
		a := must(npy.New(t, size/t.ItemSize()))
		b.Run(fmt.Sprintf("read %s %v", name, order), func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				must(npy.As[T](a)).ToSlice()
			}
		})
		values := must(npy.As[T](a)).ToSlice()
		b.Run(fmt.Sprintf("write %s %v", name, order), func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				must(npy.FromSliceAs(t, values))
			}
		})
	}
}
