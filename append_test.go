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
		for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
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
