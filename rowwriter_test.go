package npy_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/scalar"
)

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
	_, err = npy.Saver[float32]{DType: parse("<f8")}.NewRowWriter(&buf, 1)
	refused(err, "dtype <f8 and Go type float32 do not fit")
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
