package convert_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/npytest"
)

// Every file that NumPy wrote, and every part of a file, gives the same text when it is written piece by piece.
func TestCopyIsWrite(t *testing.T) {
	written := 0
	for _, dir := range []string{"../testdata/numpy-1.24.2", "../testdata/numpy-2.3.5", "../testdata/numpy-2.5.2"} {
		vectors, err := npytest.Vectors(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range vectors {
			file, err := npy.Open(v.Path)
			if err != nil {
				t.Fatal(err)
			}
			if v.HasObject() {
				if err := convert.Write(context.Background(), io.Discard, convert.JSON, file, convert.WriteOptions{}); !errors.Is(err, npy.ErrObjects) {
					t.Errorf("%s: %v", v.Path, err)
				}
				continue
			}
			for _, text := range []string{"...", "0", "::-1", "..., ::2"} {
				index, err := npy.ParseIndex(text)
				if err != nil {
					t.Fatal(err)
				}
				a, err := file.Slice(index...)
				if err != nil {
					continue
				}
				for _, f := range []convert.Format{convert.CSV, convert.JSON, convert.NDJSON} {
					var want, got bytes.Buffer
					wantErr := convert.Write(context.Background(), &want, f, a, convert.WriteOptions{})
					part, err := file.Select(index...)
					if err == nil {
						err = convert.Write(context.Background(), &got, f, part, convert.WriteOptions{})
					}
					if fmt.Sprint(err) != fmt.Sprint(wantErr) || !bytes.Equal(got.Bytes(), want.Bytes()) {
						t.Errorf("%s[%s] as %s: other text, %v, want %v", v.Path, text, f, err, wantErr)
					}
					written++
				}
			}
			file.Close()
		}
	}
	if written < 500 {
		t.Errorf("only %d texts were written", written)
	}
}

// Errors, lines and brackets get the right element numbers, in whichever piece the element is.
func TestCopyInPieces(t *testing.T) {
	const rows, columns = 250_000, 5 // 40 MB, several pieces
	for _, fortran := range []bool{false, true} {
		a, err := npy.New(dtype.Str(8).WithByteOrder(dtype.LittleEndian), rows, columns)
		if err != nil {
			t.Fatal(err)
		}
		a.Item(rows-2, 3)[2] = 0x11 // above the last code point
		if fortran {
			a = a.Fortran()
		}
		path := filepath.Join(t.TempDir(), "a.npy")
		if err := npy.WriteFile(path, a); err != nil {
			t.Fatal(err)
		}
		file, err := npy.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		calls := 0
		o := convert.WriteOptions{Memory: 1, Progress: func(done, total int64) { calls++ }}
		err = convert.Write(context.Background(), io.Discard, convert.CSV, file, o)
		if want := fmt.Sprintf("[%d][3]", rows-2); err == nil || !bytes.Contains([]byte(err.Error()), []byte(want)) {
			t.Errorf("fortran %v: %v, want element %s", fortran, err, want)
		}
		if calls < 2 {
			t.Errorf("fortran %v: only %d pieces", fortran, calls)
		}
		var want, got bytes.Buffer
		part := []npy.Index{npy.SpanTo(rows - 2)}
		b, err := a.Slice(part...)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []convert.Format{convert.CSV, convert.JSON} {
			if err := errors.Join(convert.Write(context.Background(), &want, f, b, o), convert.Write(context.Background(), &got, f, must(file.Select(part...)), o)); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("fortran %v: other text as %s", fortran, f)
			}
		}
	}
}

func ExampleWriteFile_file() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	_ = npy.Save(filepath.Join(dir, "a.npy"), []int{1, 2, 3, 4}, 2, 2)
	src, err := npy.Open(filepath.Join(dir, "a.npy")) // of any size
	if err != nil {
		panic(err)
	}
	defer src.Close()
	if err := convert.WriteFile(context.Background(), filepath.Join(dir, "a.csv"), src, convert.WriteOptions{}); err != nil {
		panic(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "a.csv"))
	fmt.Print(string(text), err)
	// Output:
	// 1,2
	// 3,4
	// <nil>
}
