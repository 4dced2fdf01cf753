package npy_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

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
