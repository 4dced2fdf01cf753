package npy_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/oracle"
)

// whole returns the file that np.save would write for an array.
func whole(t *testing.T, a *npy.Array) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := npy.Write(&buf, a); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// A file that is appended to piece by piece is the file that np.save writes for the whole array.
func TestAppend(t *testing.T) {
	for _, descr := range []string{"<f8", ">f8", "<i4", "[('a','<i2'),('b','<U3')]"} {
		for _, fortran := range []bool{false, true} {
			dt := parse(descr)
			data := make([]byte, 12*3*dt.ItemSize())
			for i := range data {
				data[i] = byte(i % 7)
			}
			if strings.Contains(descr, "U") {
				clear(data)
			}
			all := must(npy.FromBytes(dt, data, 12, 3))
			part := func(low, high int) *npy.Array { return must(all.Slice(npy.Span(low, high))) }
			if fortran {
				all = must(npy.FromBytes(dt, data, 12, 3)).T()
				part = func(low, high int) *npy.Array { return must(all.Slice(npy.All(), npy.Span(low, high))) }
			}
			path := filepath.Join(t.TempDir(), "a.npy")
			if err := npy.WriteFile(path, part(0, 9)); err != nil {
				t.Fatal(err)
			}
			a := must(npy.Encoder{Sync: fortran}.OpenAppend(path))
			for _, p := range []*npy.Array{part(9, 10), part(10, 10), part(10, 12).Clone()} {
				if err := a.Append(p); err != nil {
					t.Fatal(err)
				}
			}
			if err := errors.Join(a.Close(), a.Close()); err != nil {
				t.Fatal(err)
			}
			if got := must(os.ReadFile(path)); !bytes.Equal(got, whole(t, all)) {
				t.Errorf("%s, Fortran %v: other bytes than np.save", descr, fortran)
			}
			if err := a.Append(part(0, 1)); err == nil {
				t.Error("Append after Close")
			}
		}
	}
}

func TestAppendRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	for _, a := range []*npy.Array{must(npy.FromSlice([]float64{0, 1, 2, 3}, 2, 2)), must(npy.FromSlice([]float64{0, 1, 2, 3}, 2, 2)).T()} {
		if err := npy.WriteFile(path, a); err != nil {
			t.Fatal(err)
		}
		w := must(npy.OpenAppend(path))
		if err := errors.Join(npy.AppendRows(w, []float64{4, 5}), npy.AppendRows(w, []float32{6, 7})); err != nil {
			t.Fatal(err)
		}
		if err := npy.AppendRows(w, []float64{1}); err == nil {
			t.Error("half a row is appended")
		}
		if err := npy.AppendRows(w, []int64{1, 2}); err == nil {
			t.Error("int64 is appended to float64")
		}
		w.Close()
		b := must(npy.ReadFile(path))
		if !a.IsC() {
			b = b.T()
		}
		if text := strings.Join(strings.Fields(b.String()), " "); text != "[[0. 1.] [2. 3.] [4. 5.] [6. 7.]]" {
			t.Errorf("the file holds %v", text)
		}
	}
}

// A header without space for a longer shape is written anew, and NumPy reads the result.
func TestAppendToForeignHeader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "old.npy")
	text := "{'descr': '<i4', 'fortran_order': False, 'shape': (2,)}\n"
	old := fmt.Sprintf("\x93NUMPY\x01\x00%c\x00%s", len(text), text) + "\x01\x00\x00\x00\x02\x00\x00\x00left by a kill"
	if err := os.WriteFile(path, []byte(old), 0o666); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		if _, err := npy.OpenAppend(path); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("error %v, want %v", err, errors.ErrUnsupported)
		}
		return
	}
	a := must(npy.OpenAppend(path))
	if err := npy.AppendRows(a, []int32{3}); err != nil {
		t.Fatal(err)
	}
	a.Close()
	if got, want := must(os.ReadFile(path)), whole(t, must(must(npy.FromSlice([]int32{1, 2, 3})).AsType(parse("<i4")))); !bytes.Equal(got, want) {
		t.Errorf("the file is %q, want %q", got, want)
	}
	out := oracle.NumPy(t, `print(np.load(sys.argv[1]).tolist())`, nil, path)
	if strings.TrimSpace(string(out)) != "[1, 2, 3]" {
		t.Errorf("NumPy reads %s", out)
	}
}

func TestOpenAppendRefuses(t *testing.T) {
	one := rowsOf(t, 2, 3)
	var te *npy.TypeError
	for _, test := range []struct {
		name string
		data []byte
		want error
		text string
	}{
		{"two arrays", append(bytes.Clone(one), one...), nil, "another array, which begins at byte 176"},
		{"cut short", one[:len(one)-1], io.ErrUnexpectedEOF, ""},
		{"objects", arrayBytes(t, "|O", false, []int{0}, nil), npy.ErrObjects, ""},
		{"no dimensions", arrayBytes(t, "<f8", false, nil, make([]byte, 8)), nil, "without dimensions"},
		{"empty", nil, io.ErrUnexpectedEOF, ""},
	} {
		path := filepath.Join(t.TempDir(), "a.npy")
		if err := os.WriteFile(path, test.data, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := npy.OpenAppend(path)
		if err == nil || test.want != nil && !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%s: %v", test.name, err)
		}
		if !bytes.Equal(must(os.ReadFile(path)), test.data) {
			t.Errorf("%s: the file is changed", test.name)
		}
	}
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := os.WriteFile(path, one, 0o666); err != nil {
		t.Fatal(err)
	}
	a := must(npy.OpenAppend(path))
	defer a.Close()
	if err := a.Append(must(npy.FromSlice([]float64{1, 2}, 1, 2))); err == nil || !strings.Contains(err.Error(), "along axis 0") {
		t.Errorf("another shape: %v", err)
	}
	if err := npy.AppendRows(a, []string{"a", "b", "c"}); err == nil || errors.As(err, &te) {
		t.Errorf("another dtype: %v", err)
	}
	if _, err := npy.OpenAppend(path); err == nil || !strings.Contains(err.Error(), "is being appended to") {
		t.Errorf("a second Appender: %v", err)
	}
}

// appending is set for the child process of TestAppendKilled.
const appending = "NPY_TEST_APPEND_FOREVER"

// TestAppendForever is the child. It appends rows of one number, a different one for each row.
func TestAppendForever(t *testing.T) {
	path := os.Getenv(appending)
	if path == "" {
		t.Skip("the child process of TestAppendKilled")
	}
	a := must(npy.OpenAppend(path))
	for i := a.Header().Shape[0]; ; i++ {
		row := make([]int64, 1000)
		for k := range row {
			row[k] = int64(i)
		}
		if err := npy.AppendRows(a, row); err != nil {
			t.Fatal(err)
		}
	}
}

// A process that appends is killed again and again. The file always opens, and holds whole rows. While the process
// lives, no other Appender can open the file.
func TestAppendKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := npy.Save(path, []int64{}, 0, 1000); err != nil {
		t.Fatal(err)
	}
	rows, locked := 0, false
	for range 8 {
		child := exec.Command(os.Args[0], "-test.run=^TestAppendForever$")
		child.Env = append(os.Environ(), appending+"="+path)
		if err := child.Start(); err != nil {
			t.Skip("no child processes:", err)
		}
		for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) { // another process makes the file longer, which has no event to wait for
			if _, shape, err := npy.Load[int64](path); err == nil && shape[0] > rows+20 {
				break
			}
		}
		if a, err := npy.OpenAppend(path); err == nil {
			a.Close()
		} else {
			locked = true
		}
		_ = child.Process.Kill()
		_ = child.Wait()
		data, shape, err := npy.Load[int64](path)
		if err != nil || shape[0] < rows {
			t.Fatalf("after a kill: shape %v where there were %d rows, %v", shape, rows, err)
		}
		for i, x := range data {
			if x != int64(i/1000) {
				t.Fatalf("after a kill: row %d holds %d", i/1000, x)
			}
		}
		rows = shape[0]
	}
	if !locked || rows == 0 {
		t.Errorf("a second process can append: %v; rows in the end: %d", !locked, rows)
	}
}

func ExampleOpenAppend() {
	dir := must(os.MkdirTemp("", "npy"))
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "log.npy")
	if err := npy.Save(path, []float32{1, 2}, 1, 2); err != nil {
		panic(err)
	}
	a, err := npy.OpenAppend(path)
	if err != nil {
		panic(err)
	}
	defer a.Close()
	if err := npy.AppendRows(a, []float32{3, 4, 5, 6}); err != nil {
		panic(err)
	}
	fmt.Println(npy.Load[float32](path))
	// Output: [1 2 3 4 5 6] [3 2] <nil>
}

// NumPy writes files, an Appender appends to them, and NumPy writes the whole. The bytes are the same, with the space
// in the header that NumPy leaves for a longer shape, also where the number of rows gets longer.
func TestAppendIsWhatNumPyWrites(t *testing.T) {
	dir := t.TempDir()
	oracle.NumPy(t, `
for order in 'CF':
    a = np.arange(12 * 3, dtype='>i4').reshape(12, 3)
    if order == 'F': a = a.T
    np.save(sys.argv[1] + '/' + order + '.npy', a[:9] if order == 'C' else a[:, :9])
    np.save(sys.argv[1] + '/' + order + '-whole.npy', a)`, nil, dir)
	for _, order := range []string{"C", "F"} {
		path := filepath.Join(dir, order+".npy")
		before := must(os.ReadFile(path))
		a := must(npy.OpenAppend(path))
		for row := range 3 {
			start := int32(27 + 3*row)
			if err := npy.AppendRows(a, []int32{start, start + 1, start + 2}); err != nil {
				t.Fatal(err)
			}
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		got, want := must(os.ReadFile(path)), must(os.ReadFile(filepath.Join(dir, order+"-whole.npy")))
		if string(got) != string(want) || len(got) != len(before)+3*3*4 {
			t.Errorf("order %s: %q, want %q", order, got[:128], want[:128])
		}
	}
	out := oracle.NumPy(t, `
a = np.load(sys.argv[1] + '/C.npy'); b = np.load(sys.argv[1] + '/F.npy', mmap_mode='r')
print((a == np.arange(36).reshape(12, 3)).all() and (b == a.T).all())`, nil, dir)
	if string(out) != "True\n" {
		t.Errorf("NumPy reads what we have appended: %s", out)
	}
}

// damagedFile writes the first n bytes of a file of shape (4, 3), int16.
func damagedFile(t testing.TB, fortran bool, change func([]byte) []byte) string {
	t.Helper()
	a, err := npy.FromSliceAs(dtype.Int16.WithByteOrder(dtype.LittleEndian), []int16{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 4, 3)
	if err != nil {
		t.Fatal(err)
	}
	if fortran {
		a = a.Fortran()
	}
	var b bytes.Buffer
	if err := npy.Write(&b, a); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "damaged.npy")
	if err := os.WriteFile(path, change(b.Bytes()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRepair(t *testing.T) {
	cut := func(n int) func([]byte) []byte { return func(b []byte) []byte { return b[:len(b)-n] } }
	more := func(text string) func([]byte) []byte { return func(b []byte) []byte { return append(b, text...) } }
	empty := func(b []byte) []byte { return bytes.Replace(b, []byte("(4, 3)"), []byte("(0, 3)"), 1) }
	foreign := func(b []byte) []byte {
		head := "{\"descr\": \"<i2\", \"shape\": (4L, 3L), \"fortran_order\": False}\n"
		return append([]byte("\x93NUMPY\x01\x00"+string([]byte{byte(len(head)), 0})+head), b[128:]...)
	}
	for _, test := range []struct {
		name    string
		fortran bool
		longer  bool
		change  func([]byte) []byte
		want    string // the array
		repair  string // lost, found, cut, behind, respelt
	}{
		{"whole", false, false, cut(0), "[[1 2 3] [4 5 6] [7 8 9] [10 11 12]]", "0 0 0 0 false"},
		{"a byte", false, false, cut(1), "[[1 2 3] [4 5 6] [7 8 9]]", "1 0 5 0 false"},
		{"two rows", false, false, cut(12), "[[1 2 3] [4 5 6]]", "2 0 0 0 false"},
		{"all", false, false, cut(24), "[]", "4 0 0 0 false"},
		{"a column", true, false, cut(3), "[[1 2] [4 5] [7 8] [10 11]]", "1 0 5 0 false"},
		{"data behind", false, false, more("\x0d\x00\x0e\x00\x0f\x00\x10"), "[[1 2 3] [4 5 6] [7 8 9] [10 11 12]]", "0 0 0 7 false"},
		{"rows behind", false, true, more("\x0d\x00\x0e\x00\x0f\x00\x10"), "[[1 2 3] [4 5 6] [7 8 9] [10 11 12] [13 14 15]]", "0 1 1 0 false"},
		{"an array behind", false, true, more(format.Magic), "[[1 2 3] [4 5 6] [7 8 9] [10 11 12]]", "0 0 0 6 false"},
		{"none but rows behind", false, true, empty, "[[1 2 3] [4 5 6] [7 8 9] [10 11 12]]", "0 4 0 0 false"},
		{"none and data behind", false, false, empty, "[]", "0 0 0 24 false"},
		{"another header", false, false, foreign, "[[1 2 3] [4 5 6] [7 8 9] [10 11 12]]", "0 0 0 0 true"},
	} {
		from := damagedFile(t, test.fortran, test.change)
		to := filepath.Join(t.TempDir(), "whole.npy")
		r, err := npy.Repairer{Longer: test.longer}.RepairFile(from, to)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := fmt.Sprint(r.Lost, r.Found, r.Cut, r.Trailing, r.Respelt); got != test.repair || r.Whole() != (test.name == "whole") {
			t.Errorf("%s: repair %s, whole %v, want %s", test.name, got, r.Whole(), test.repair)
		}
		a, err := npy.ReadFile(to)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		got := strings.Join(strings.Fields(strings.NewReplacer("[ ", "[", "\n", " ").Replace(a.String())), " ")
		if got = strings.ReplaceAll(got, "[ ", "["); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
		var again bytes.Buffer
		if err := npy.Write(&again, a); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(to); err != nil || !bytes.Equal(b, again.Bytes()) {
			t.Errorf("%s: the file is not as Write makes it, %v", test.name, err)
		}
	}
}

func TestRepairErrors(t *testing.T) {
	folder := t.TempDir()
	write := func(name, data string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	header := func(text string) string { return "\x93NUMPY\x01\x00" + string([]byte{byte(len(text)), 0}) + text }
	whole := damagedFile(t, false, func(b []byte) []byte { return b })
	for _, test := range []struct {
		from, to string
		want     error
	}{
		{write("text.npy", "hello"), "out.npy", format.ErrMagic},
		{write("one.npy", header("{'descr': '<f8', 'fortran_order': False, 'shape': ()}\n")+"1234"), "out.npy", io.ErrUnexpectedEOF},
		{write("object.npy", header("{'descr': '|O', 'fortran_order': False, 'shape': (2,)}\n")+"1234"), "out.npy", npy.ErrObjects},
		{filepath.Join(folder, "none.npy"), "out.npy", os.ErrNotExist},
		{whole, whole, nil},
	} {
		to := test.to
		if to == "out.npy" {
			to = filepath.Join(folder, to)
		}
		_, err := npy.RepairFile(test.from, to)
		if err == nil || test.want != nil && !errors.Is(err, test.want) {
			t.Errorf("%s: error %v, want %v", test.from, err, test.want)
		}
		if _, err := os.Stat(filepath.Join(folder, "out.npy")); err == nil {
			t.Errorf("%s: there is a new file", test.from)
		}
	}
}

func ExampleRepairFile() {
	dir, err := os.MkdirTemp("", "npy")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "log.npy")
	if err := npy.Save(path, []int32{1, 2, 3, 4, 5, 6}, 3, 2); err != nil {
		panic(err)
	}
	if err := os.Truncate(path, 128+20); err != nil { // the transfer broke off
		panic(err)
	}

	r, err := npy.RepairFile(path, filepath.Join(dir, "rows.npy"))
	fmt.Println(r.New.Shape, r.Lost, "row lost", err)
	// Output: [2 2] 1 row lost <nil>
}

func FuzzRepair(f *testing.F) {
	for _, cut := range []int{0, 1, 12, 24} {
		b, err := os.ReadFile(damagedFile(f, cut == 12, func(b []byte) []byte { return b[:len(b)-cut] }))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, cut == 1)
	}
	f.Fuzz(func(t *testing.T, data []byte, longer bool) {
		folder := t.TempDir()
		from, to := filepath.Join(folder, "from.npy"), filepath.Join(folder, "to.npy")
		if err := os.WriteFile(from, data, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := (npy.Repairer{Longer: longer}).RepairFile(from, to); err != nil {
			return
		}
		a, err := npy.Decoder{MaxBytes: 1 << 24}.ReadFile(to)
		if err != nil && !errors.Is(err, npy.ErrLimit) {
			t.Fatalf("what was repaired cannot be read: %v", err)
		}
		if err == nil && a.NBytes() > len(data) {
			t.Fatalf("%d bytes of elements out of %d", a.NBytes(), len(data))
		}
	})
}
