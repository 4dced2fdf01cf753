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
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/scalar"
)

// readers lists sources that differ in how much is known of them.
var readers = []struct {
	name string
	open func(t *testing.T, data []byte) io.Reader
}{
	{"bytes", func(_ *testing.T, data []byte) io.Reader { return bytes.NewReader(data) }},
	{"stream", func(_ *testing.T, data []byte) io.Reader { return iotest.HalfReader(bytes.NewReader(data)) }},
	{"file", func(t *testing.T, data []byte) io.Reader {
		path := filepath.Join(t.TempDir(), "rows.npy")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		f := must(os.Open(path))
		t.Cleanup(func() { f.Close() })
		return f
	}},
}

// rowsEqualLoad reads two arrays in a row as rows of T, in every way, and compares with Load. It reports whether T
// can hold their elements.
func rowsEqualLoad[T npy.Element](t *testing.T, name string, data []byte) bool {
	t.Helper()
	want, shape, err := npy.LoadFrom[T](bytes.NewReader(data))
	open := npy.NewRowReader[T]
	if _, err2 := open(bytes.NewReader(data)); errors.Is(err2, npy.ErrFortranOrder) {
		open = npy.NewColumnReader[T]
		a := must(npy.Read(bytes.NewReader(data))).T()
		if shape = a.Shape(); err == nil {
			want = must(npy.As[T](a)).ToSlice()
		}
	}
	twice := slices.Concat(data, data)
	for _, source := range readers {
		r := source.open(t, twice)
		if err != nil {
			if _, err2 := open(r); fmt.Sprint(err2) != fmt.Sprint(err) {
				t.Errorf("%s, %s: %v, want %v", name, source.name, err2, err)
			}
			continue
		}
		for _, collect := range []func(*npy.RowReader[T]) ([]T, error){byNext[T], byRows[T]} {
			rows, err := open(r)
			if err != nil {
				t.Errorf("%s, %s: %v", name, source.name, err)
				return true
			}
			got, err := collect(rows)
			if err != nil || fmt.Sprint(got) != fmt.Sprint(want) || !slices.Equal(rows.Shape(), shape) {
				t.Errorf("%s, %s: %v, %v, %v, want %v, %v", name, source.name, got, rows.Shape(), err, want, shape)
			}
		}
		if _, err := open(r); err != io.EOF {
			t.Errorf("%s, %s: behind the last array: %v, want io.EOF", name, source.name, err)
		}
		rows := must(open(source.open(t, twice)))
		if got, err := byBlocks(rows); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s, %s, blocks: %v, %v, want %v", name, source.name, got, err, want)
		}
	}
	return err == nil
}

func byNext[T npy.Element](r *npy.RowReader[T]) ([]T, error) {
	all, dst := []T{}, make([]T, 2*r.RowLen()+1)
	for {
		n, err := r.Next(dst)
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, dst[:n*r.RowLen()]...)
	}
}

func byRows[T npy.Element](r *npy.RowReader[T]) ([]T, error) {
	all, n := []T{}, 0
	for row, err := range r.Rows() {
		if err != nil {
			return nil, err
		}
		if len(row) != r.RowLen() || cap(row) > len(row) {
			return nil, fmt.Errorf("a row has %d elements and room for %d", len(row), cap(row))
		}
		all, n = append(all, row...), n+1
	}
	if shape := r.Shape(); len(shape) > 0 && n != shape[0] {
		return nil, fmt.Errorf("%d rows of shape %v", n, shape)
	}
	return all, nil
}

func byBlocks[T npy.Element](r *npy.RowReader[T]) ([]T, error) {
	all := []T{}
	for block, err := range r.Blocks(2) {
		if err != nil {
			return nil, err
		}
		all = append(all, block...)
	}
	return all, nil
}

func TestRowsOfVectors(t *testing.T) {
	for _, v := range vectors(t) {
		if v.HasObject() || v.DType.IsStruct() {
			continue // package record reads rows of structs
		}
		data := must(os.ReadFile(v.Path))
		held := false
		for _, read := range []func(*testing.T, string, []byte) bool{
			rowsEqualLoad[bool], rowsEqualLoad[int8], rowsEqualLoad[int64], rowsEqualLoad[uint64], rowsEqualLoad[float32], rowsEqualLoad[float64],
			rowsEqualLoad[complex128], rowsEqualLoad[string], rowsEqualLoad[[]byte], rowsEqualLoad[scalar.Datetime64],
			rowsEqualLoad[scalar.Timedelta64], rowsEqualLoad[scalar.LongDouble], rowsEqualLoad[scalar.LongComplex],
		} {
			held = read(t, v.Path, data) || held
		}
		if !held {
			t.Errorf("%s, dtype %s: no Go type of this test holds it", v.Path, v.DType)
		}
	}
}

// rowsOf returns an .npy file of the numbers 0, 1, 2 … as dtype f8.
func rowsOf(t testing.TB, shape ...int) []byte {
	n := 1
	for _, d := range shape {
		n *= d
	}
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(i)
	}
	var buf bytes.Buffer
	if err := npy.Write(&buf, must(npy.FromSlice(values, shape...))); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// Blocks of a file that are large enough for several goroutines, native, swapped, and widened.
func TestRowsLarge(t *testing.T) {
	const rows, cols = 1 << 15, 100
	ints := make([]int32, rows*cols)
	for i := range ints {
		ints[i] = int32(i)
	}
	for _, descr := range []string{"<f8", ">f8", "<i4"} {
		a := must(npy.FromSlice(ints, rows, cols))
		if descr != "<i4" {
			a = must(a.AsType(parse(descr)))
		}
		var buf bytes.Buffer
		if err := npy.Write(&buf, a); err != nil {
			t.Fatal(err)
		}
		for _, source := range readers {
			r := must(npy.NewRowReader[float64](source.open(t, buf.Bytes())))
			next := 0.0
			for block, err := range r.Blocks(20000) {
				if err != nil {
					t.Fatal(err)
				}
				for _, x := range block {
					if x != next {
						t.Fatalf("%s, %s: element %v is %v", descr, source.name, next, x)
					}
					next++
				}
			}
			if next != rows*cols {
				t.Errorf("%s, %s: %v elements", descr, source.name, next)
			}
		}
	}
}

func TestRowsCutShort(t *testing.T) {
	data := rowsOf(t, 5, 3)
	for _, cut := range []int{1, 24, 25, 5 * 24} {
		short := data[:len(data)-cut]
		r, err := npy.NewRowReader[float64](iotest.OneByteReader(bytes.NewReader(short)))
		for dst := make([]float64, 3); err == nil; {
			_, err = r.Next(dst)
		}
		var fe *format.Error
		if !errors.Is(err, io.ErrUnexpectedEOF) || !errors.As(err, &fe) || fe.Offset != int64(len(short)) {
			t.Errorf("without the last %d bytes: %v, want the offset %d", cut, err, len(short))
		}
		if _, err := npy.NewRowReader[float64](bytes.NewReader(short)); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("of known length without the last %d bytes: %v", cut, err)
		}
	}
}

func TestRowReaderRefuses(t *testing.T) {
	data := rowsOf(t, 4, 3)
	r := must(npy.NewRowReader[float64](bytes.NewReader(data)))
	if _, err := r.Next(make([]float64, 2)); !errors.Is(err, io.ErrShortBuffer) {
		t.Errorf("a slice that is too short: %v", err)
	}
	for _, err := range r.Blocks(0) {
		if err == nil || !strings.Contains(err.Error(), "want 1 or more") {
			t.Errorf("blocks of 0 rows: %v", err)
		}
	}
	if n, err := r.Next(make([]float64, 12)); n != 4 || err != nil {
		t.Errorf("after calls that could not be done: %d rows, %v", n, err)
	}
	if _, err := (npy.Loader[float64]{MaxBytes: 23}).NewRowReader(bytes.NewReader(data)); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("a row over MaxBytes: %v", err)
	}
	if _, err := (npy.Loader[float64]{MaxBytes: 24}).NewRowReader(bytes.NewReader(data)); err != nil {
		t.Errorf("a row of MaxBytes: %v", err)
	}
	if _, err := npy.NewColumnReader[float64](bytes.NewReader(data)); !errors.Is(err, npy.ErrCOrder) {
		t.Errorf("columns in C order: %v", err)
	}
	objects := arrayBytes(t, "|O", false, []int{1}, nil)
	if _, err := npy.NewRowReader[float64](bytes.NewReader(objects)); !errors.Is(err, npy.ErrObjects) {
		t.Errorf("objects: %v", err)
	}
	for name, empty := range map[string][]byte{
		"rows of no elements": arrayBytes(t, "<f8", false, []int{1 << 26, 0}, nil),
		"elements of 0 bytes": arrayBytes(t, "|S0", false, []int{1, 1 << 21}, nil),
	} {
		if _, err := npy.NewRowReader[string](bytes.NewReader(empty)); name[0] == 'e' && !errors.Is(err, npy.ErrLimit) {
			t.Errorf("%s: %v, want ErrLimit", name, err)
		}
		if _, err := npy.NewRowReader[float64](bytes.NewReader(empty)); name[0] == 'r' && !errors.Is(err, npy.ErrLimit) {
			t.Errorf("%s: %v, want ErrLimit", name, err)
		}
	}
}

func TestCastingOfFloats(t *testing.T) {
	values := []float64{0.1, -1e300, 1 + 1.0/(1<<24), math.Inf(1), 1e-50}
	want := []float32{0.1, float32(math.Inf(-1)), 1, float32(math.Inf(1)), 0}
	for _, descr := range []string{"<f8", ">f8"} {
		var buf bytes.Buffer
		if err := npy.Write(&buf, must(npy.FromSliceAs(parse(descr), values))); err != nil {
			t.Fatal(err)
		}
		if _, err := npy.NewRowReader[float32](bytes.NewReader(buf.Bytes())); err == nil {
			t.Error("values change without being asked for")
		}
		r := must(npy.Loader[float32]{Casting: npy.UnsafeCasting}.NewRowReader(bytes.NewReader(buf.Bytes())))
		if got, err := byNext(r); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v, want %v", descr, got, err, want)
		}
		got, _, err := npy.Loader[float32]{Casting: npy.UnsafeCasting}.LoadFrom(bytes.NewReader(buf.Bytes()))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: LoadFrom gives %v, %v, want %v", descr, got, err, want)
		}
		if _, _, err := (npy.Loader[int32]{Casting: npy.SameKindCasting}).LoadFrom(bytes.NewReader(buf.Bytes())); err == nil || !strings.Contains(err.Error(), "npy.UnsafeCasting") {
			t.Errorf("floats as integers: %v, want an error that names npy.UnsafeCasting", err)
		}
		if _, _, err := (npy.Loader[float32]{Casting: npy.SameKindCasting}).LoadFrom(bytes.NewReader(buf.Bytes())); err == nil || !strings.Contains(err.Error(), "element 1") {
			t.Errorf("-1e300 as float32: %v, want an error that names element 1", err)
		}
	}
	var buf bytes.Buffer
	if err := npy.Write(&buf, must(npy.FromSlice([]complex128{0.1 + 1e300i}))); err != nil {
		t.Fatal(err)
	}
	got, _, err := npy.Loader[complex64]{Casting: npy.UnsafeCasting}.LoadFrom(&buf)
	if err != nil || real(got[0]) != 0.1 || !math.IsInf(float64(imag(got[0])), 1) {
		t.Errorf("complex: %v, %v", got, err)
	}
}

// A header can claim any size for a stream: rows take memory as they arrive.
func TestRowsMemoryFollowsTheData(t *testing.T) {
	for _, descr := range []string{"<f8", ">i2", "<U16"} {
		dt := parse(descr)
		data := arrayBytes(t, descr, false, []int{2, 1 << 29 / dt.ItemSize()}, make([]byte, 1000))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var err error
		if dt.ItemSize() == 64 {
			_, err = byRows(must(npy.NewRowReader[string](struct{ io.Reader }{bytes.NewReader(data)})))
		} else if dt.ItemSize() == 2 {
			_, err = byRows(must(npy.NewRowReader[int64](struct{ io.Reader }{bytes.NewReader(data)})))
		} else {
			_, err = byRows(must(npy.NewRowReader[float64](struct{ io.Reader }{bytes.NewReader(data)})))
		}
		runtime.ReadMemStats(&after)
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %v", descr, err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 16<<20 {
			t.Errorf("%s: %d bytes taken for 1000", descr, n)
		}
	}
}

func TestRowsDoNotAllocate(t *testing.T) {
	data := rowsOf(t, 2000, 4)
	for _, source := range readers[:2] {
		r := must(npy.NewRowReader[float64](source.open(t, data)))
		dst := make([]float64, 4)
		if n := testing.AllocsPerRun(1000, func() {
			if _, err := r.Next(dst); err != nil {
				t.Fatal(err)
			}
		}); n > 0 {
			t.Errorf("%s: a row takes %v allocations", source.name, n)
		}
	}
}

func FuzzRowReader(f *testing.F) {
	for _, name := range must(filepath.Glob("testdata/numpy-2.3.5/*.npy")) {
		f.Add(must(os.ReadFile(name)), uint8(3))
	}
	f.Fuzz(func(t *testing.T, data []byte, rows uint8) {
		fuzzRows[float64](t, data, rows)
		fuzzRows[string](t, data, rows)
	})
}

// fuzzRows checks that rows equal the result of Load, or that neither can be read.
func fuzzRows[T npy.Element](t *testing.T, data []byte, rows uint8) {
	want, _, wantErr := npy.LoadFrom[T](bytes.NewReader(data))
	r, err := npy.NewRowReader[T](struct{ io.Reader }{bytes.NewReader(data)})
	if errors.Is(err, npy.ErrFortranOrder) || errors.Is(err, npy.ErrLimit) {
		return
	}
	got := []T{}
	if err == nil {
		for block, e := range r.Blocks(1 + int(rows)) {
			got, err = append(got, block...), e
		}
	}
	if (err == nil) != (wantErr == nil) || err == nil && fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("rows: %v, %v; Load: %v, %v", got, err, want, wantErr)
	}
}

func BenchmarkRows(b *testing.B) {
	data := rowsOf(b, 1<<15, 256) // 64 MB
	stream := func() io.Reader { return struct{ io.Reader }{bytes.NewReader(data)} }
	b.Run("Load", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			if _, _, err := npy.LoadFrom[float64](stream()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Next", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		dst := make([]float64, 128*256)
		for b.Loop() {
			r := must(npy.NewRowReader[float64](stream()))
			for n := 1; n > 0; n, _ = r.Next(dst) {
			}
		}
	})
	b.Run("Rows", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			for _, err := range must(npy.NewRowReader[float64](stream())).Rows() {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
