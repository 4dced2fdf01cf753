package npy_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
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

// readMixed reads all rows by calls in random order. Loops are left at random places.
func readMixed[T npy.Element](random *rand.Rand, r *npy.RowReader[T]) ([]T, error) {
	all := []T{}
	for {
		left := random.IntN(4) // rows that a loop reads before it is left
		switch random.IntN(3) {
		case 0:
			dst := make([]T, (1+random.IntN(1<<random.IntN(14)))*r.RowLen()+random.IntN(2))
			n, err := r.Next(dst)
			if err != nil {
				return all, err
			}
			all = append(all, dst[:n*r.RowLen()]...)
		case 1:
			for row, err := range r.Rows() {
				if err != nil {
					return all, err
				}
				all = append(all, row...)
				if left--; left < 0 {
					break
				}
			}
		case 2:
			for block, err := range r.Blocks(1 + random.IntN(5000)) {
				if err != nil {
					return all, err
				}
				all = append(all, block...)
				if left--; left < 0 {
					break
				}
			}
		}
	}
}

// Any mixture of Next, Rows and Blocks, with loops that are left anywhere, reads all elements once and in order, and
// then the next array.
func TestRowsMixed(t *testing.T) {
	for _, shape := range [][]int{{40_000}, {9_000, 3}, {5, 3_000, 2}, {3, 30_000}, {0, 3}, {3, 0}, {}} {
		t.Run(fmt.Sprint(shape), func(t *testing.T) {
			data := rowsOf(t, shape...)
			for _, source := range readers {
				for seed := range uint64(8) {
					random := rand.New(rand.NewPCG(seed, 1))
					mixedEqualsLoad[float64](t, random, source.open(t, slices.Concat(data, data)), data)
				}
			}
			values := must(npy.As[float64](must(npy.Read(bytes.NewReader(data))))).ToSlice()
			texts := make([]string, len(values))
			ints := make([]int32, len(values))
			for i, x := range values {
				texts[i], ints[i] = fmt.Sprint(int(x)), int32(x)
			}
			random := rand.New(rand.NewPCG(9, 1))
			for _, a := range []*npy.Array{must(npy.FromSliceAs(parse(">f8"), values, shape...)), must(npy.FromSlice(ints, shape...))} {
				other := npyOf(t, a)
				mixedEqualsLoad[float64](t, random, bytes.NewReader(slices.Concat(other, other)), other)
			}
			other := npyOf(t, must(npy.FromSliceAs(parse("<U6"), texts, shape...)))
			mixedEqualsLoad[string](t, random, struct{ io.Reader }{bytes.NewReader(slices.Concat(other, other))}, other)
		})
	}
}

// npyOf returns the bytes of an .npy file.
func npyOf(t *testing.T, a *npy.Array) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := npy.Write(&file, a); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// mixedEqualsLoad reads two arrays from r and compares each with data.
func mixedEqualsLoad[T interface {
	npy.Element
	comparable
}](t *testing.T, random *rand.Rand, r io.Reader, data []byte) {
	t.Helper()
	want, _, err := npy.LoadFrom[T](bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		rows := must(npy.NewRowReader[T](r))
		got, err := readMixed(random, rows)
		if err != io.EOF || !slices.Equal(got, want) {
			t.Fatalf("%d elements, error %v, want %d and io.EOF, or they are others", len(got), err, len(want))
		}
	}
	if _, err := npy.NewRowReader[T](r); err != io.EOF {
		t.Errorf("after the last array: %v, want io.EOF", err)
	}
}

// The rows read from a truncated array are its beginning, and the error stays.
func TestRowsMixedCutShort(t *testing.T) {
	data := rowsOf(t, 20_000, 2)
	want, _, err := npy.LoadFrom[float64](bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 2))
		short := data[:len(data)-1-random.IntN(len(data)-200)]
		r := must(npy.NewRowReader[float64](struct{ io.Reader }{bytes.NewReader(short)}))
		got, err := readMixed(random, r)
		if !errors.Is(err, io.ErrUnexpectedEOF) || len(got) >= len(want) || !slices.Equal(got, want[:len(got)]) {
			t.Fatalf("seed %d: %d elements of %d bytes, or others, error %v", seed, len(got), len(short), err)
		}
		if n, again := r.Next(make([]float64, 2)); n != 0 || fmt.Sprint(again) != fmt.Sprint(err) {
			t.Errorf("seed %d: after %q: %d rows, %v", seed, err, n, again)
		}
	}
}

// The rows that a loop read ahead come before the following error.
func TestRowsAheadBeforeError(t *testing.T) {
	data := rowsOf(t, 20_000)
	short := data[:len(data)-8]
	r := must(npy.NewRowReader[float64](struct{ io.Reader }{bytes.NewReader(short)}))
	for range r.Rows() {
		break
	}
	n, err := r.Next(make([]float64, 20_000))
	if n == 0 || n >= 19_999 || err != nil {
		t.Errorf("%d rows, %v, want those that were read ahead", n, err)
	}
	if n, err := r.Next(make([]float64, 20_000)); n != 0 || err == nil || !strings.Contains(err.Error(), "byte") {
		t.Errorf("then %d rows, %v, want an error that says where", n, err)
	}
}

// Rows written in any portions give the bytes of np.save, whether their number is promised or not.
func TestRowsWrittenAreNumPys(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		rows, shape := rng.IntN(1200), []int{1 + rng.IntN(5), 1 + rng.IntN(9)}[:rng.IntN(3)]
		rowsEqualWrite(t, rng, "<f8", func() float64 { return rng.Float64() }, rows, shape)
		rowsEqualWrite(t, rng, ">f4", func() float32 { return rng.Float32() }, rows, shape)
		rowsEqualWrite(t, rng, "|b1", func() bool { return rng.IntN(2) > 0 }, rows, shape)
		rowsEqualWrite(t, rng, "<U4", func() string { return "äbcd"[:2+rng.IntN(3)] }, rows, shape)
		rowsEqualWrite(t, rng, ">M8[s]", func() scalar.Datetime64 { return scalar.Datetime64{Ticks: rng.Int64()} }, rows, shape)
	}
	rowsEqualWrite(t, rng, "<f4", func() float32 { return 1 }, 1<<17, []int{3})
	rowsEqualWrite(t, rng, "<f4", func() float32 { return 1 }, 0, []int{0})
}

func rowsEqualWrite[T npy.Element](t *testing.T, rng *rand.Rand, descr string, value func() T, rows int, shape []int) {
	t.Helper()
	rowLen := 1
	for _, n := range shape {
		rowLen *= n
	}
	data := make([]T, rows*rowLen)
	for i := range data {
		data[i] = value()
	}
	var want, promised bytes.Buffer
	if err := npy.Write(&want, must(npy.FromSliceAs(parse(descr), data, append([]int{rows}, shape...)...))); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "rows.npy")
	seekable := must(os.Create(filepath.Join(t.TempDir(), "seek.npy")))
	defer seekable.Close()
	seekable.WriteString("before")
	for _, w := range []*npy.RowWriter[T]{
		must(npy.Saver[T]{DType: parse(descr)}.NewRowWriter(&promised, rows, shape...)),
		must(npy.Saver[T]{DType: parse(descr)}.NewRowWriter(seekable, npy.UnknownRows, shape...)),
		must(npy.Saver[T]{DType: parse(descr)}.CreateRows(path, npy.UnknownRows, shape...)),
	} {
		for left := data; len(left) > 0; {
			n := min(len(left), rowLen*(1+rng.IntN(max(rows/3, 1))))
			if err := w.Write(left[:n]); err != nil {
				t.Fatal(err)
			}
			left = left[n:]
		}
		if err := errors.Join(w.Close(), w.Close()); err != nil {
			t.Fatal(err)
		}
		if err := w.Write(data[:rowLen]); err == nil && rowLen > 0 && rows > 0 {
			t.Error("rows can be written after Close")
		}
	}
	seekable.WriteString("after")
	sought := must(os.ReadFile(seekable.Name()))
	sought = bytes.TrimSuffix(bytes.TrimPrefix(sought, []byte("before")), []byte("after"))
	for name, got := range map[string][]byte{"promised": promised.Bytes(), "in a file": sought, "created": must(os.ReadFile(path))} {
		if !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%d rows %v of %s, %s: other bytes than Write", rows, shape, descr, name)
		}
	}
}

func TestRowWriterRefuses(t *testing.T) {
	var buf bytes.Buffer
	refused := func(err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q in it", err, want)
		}
	}
	_, err := npy.NewRowWriter[float64](&buf, npy.UnknownRows)
	refused(err, "promise a number of rows")
	_, err = npy.NewRowWriter[float64](&buf, -2)
	refused(err, "want 0 or more")
	_, err = npy.NewRowWriter[string](&buf, 1)
	refused(err, "dtype.Str(n)")
	_, err = npy.NewRowWriter[scalar.Datetime64](&buf, 1)
	refused(err, "the step is not known")
	_, err = npy.Saver[float32]{DType: parse("<i4")}.NewRowWriter(&buf, 1)
	refused(err, "dtype <i4 and Go type float32 do not fit")
	_, err = npy.Saver[[]byte]{DType: parse("|O")}.NewRowWriter(&buf, 1)
	refused(err, npy.ErrObjects.Error())
	if buf.Len() > 0 {
		t.Errorf("%d bytes are written all the same", buf.Len())
	}
	appending := must(os.OpenFile(filepath.Join(t.TempDir(), "a"), os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o666))
	defer appending.Close()
	_, err = npy.NewRowWriter[float64](appending, npy.UnknownRows)
	refused(err, "cannot seek")

	w := must(npy.NewRowWriter[int8](&buf, 2, 3))
	refused(w.Write(make([]int8, 4)), "4 elements is not a multiple of the row length 3")
	refused(w.Write(make([]int8, 9)), "more than the 2 promised")
	if err := w.Write(make([]int8, 3)); err != nil {
		t.Errorf("after refusals: %v", err)
	}
	if err := w.Close(); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("1 of 2 rows: %v", err)
	}
}

// A full disk, or a value that does not fit the dtype, leaves no new file and the old file unchanged.
func TestCreateRowsFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.npy")
	if err := npy.Save(path, []int8{7}); err != nil {
		t.Fatal(err)
	}
	old := must(os.ReadFile(path))
	w := must(npy.Saver[string]{DType: parse("<U2")}.CreateRows(path, npy.UnknownRows))
	if err := w.Write([]string{"ab", "abc"}); err == nil || !strings.Contains(err.Error(), "element 1") {
		t.Errorf("a string that is too long: %v", err)
	}
	if w.Write([]string{"a"}) == nil || w.Close() == nil {
		t.Error("the array goes on after an error")
	}
	w = must(npy.Saver[string]{DType: parse("<U2")}.CreateRows(path, npy.UnknownRows))
	w.Abort()
	if names := must(os.ReadDir(dir)); len(names) != 1 || !bytes.Equal(must(os.ReadFile(path)), old) {
		t.Errorf("files are left or changed: %v", names)
	}
	b := must(npy.NewRowWriter[int8](&failingWriter{130}, 10))
	if err := b.Write(make([]int8, 8)); !errors.Is(err, errFull) || !errors.Is(b.Close(), errFull) {
		t.Errorf("a full disk: %v", err)
	}
}

func TestWritingRowsDoesNotAllocate(t *testing.T) {
	w := must(npy.NewRowWriter[float64](io.Discard, 2000, 4))
	row := make([]float64, 4)
	if n := testing.AllocsPerRun(1000, func() {
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
	}); n > 1 { // encoding, where memory is not shared
		t.Errorf("a row takes %v allocations", n)
	}
}
