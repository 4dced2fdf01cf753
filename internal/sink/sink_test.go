package sink

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// row is the header of rows of two 16-bit integers, 4 bytes.
var row = format.Header{DType: dtype.Int16, Shape: []int{2}}

// header returns the text of the header of an array with this number of rows.
func header(t *testing.T, rows int) string {
	t.Helper()
	h := format.Header{DType: dtype.Int16, Shape: []int{rows, 2}}
	head, err := h.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(head)
}

func write(t *testing.T, r *Rows, text string) {
	t.Helper()
	err := r.Begin(len(text) / 4)
	if err == nil {
		err = r.Write([]byte(text))
	}
	if err != nil {
		t.Fatal(err)
	}
	r.Done(len(text) / 4)
}

// The number of rows is promised, or written into the header at the end, wherever the array begins in the writer.
func TestRows(t *testing.T) {
	var b bytes.Buffer
	r, err := New(&b, row, 3)
	if err != nil {
		t.Fatal(err)
	}
	write(t, r, "aaaabbbb")
	write(t, r, "cccc")
	if err := errors.Join(r.Close(), r.Close()); err != nil || b.String() != header(t, 3)+"aaaabbbbcccc" {
		t.Errorf("promised: %q, error %v", &b, err)
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "a"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("before "); err != nil {
		t.Fatal(err)
	}
	if r, err = New(f, row, Unknown); err != nil {
		t.Fatal(err)
	}
	write(t, r, "aaaabbbb")
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if _, err := f.WriteString(" behind"); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(f.Name()); err != nil || string(got) != "before "+header(t, 2)+"aaaabbbb behind" {
		t.Errorf("counted: %q, error %v", got, err)
	}
}

func TestRefused(t *testing.T) {
	appending, err := os.OpenFile(filepath.Join(t.TempDir(), "a"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer appending.Close()
	for _, c := range []struct {
		name string
		w    io.Writer
		h    format.Header
		rows int
		want string
	}{
		{"fewer than none", io.Discard, row, -2, "-2 rows are promised"},
		{"unknown number, not seekable", new(bytes.Buffer), row, Unknown, "promise a number of rows"},
		{"unknown number, opened for appending", appending, row, Unknown, "promise a number of rows"},
		{"rows of any size", io.Discard, format.Header{DType: dtype.Int16, Shape: []int{math.MaxInt}}, 0, "shape"},
	} {
		if _, err := New(c.w, c.h, c.rows); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

// Writing fewer or more rows than promised is an error.
func TestPromise(t *testing.T) {
	r, err := New(io.Discard, row, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Begin(3); err == nil || !strings.Contains(err.Error(), "more than the 2 promised") {
		t.Errorf("too many: error %v", err)
	}
	write(t, r, "aaaa")
	if err := r.Close(); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("too few: error %v, want %v", err, io.ErrShortWrite)
	}
	if err := r.Begin(1); err != errClosed {
		t.Errorf("after Close: error %v, want %v", err, errClosed)
	}
	if r, err = New(io.Discard, row, math.MaxInt); err == nil {
		if err = r.Begin(math.MaxInt); err == nil {
			t.Error("more bytes than a file can hold are begun")
		}
	}
}

// A file appears at its path only after Close, and only without an error.
func TestCreate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	errWrite := errors.New("half a row")
	for _, end := range []struct {
		name string
		do   func(r *Rows) error
		want error
	}{
		{"Abort", func(r *Rows) error { r.Abort(); return r.Close() }, errAborted},
		{"a write that failed", func(r *Rows) error { _ = r.Fail(errWrite); _ = r.Fail(io.EOF); return r.Close() }, errWrite},
	} {
		r, err := Create(path, row, Unknown, false)
		if err != nil {
			t.Fatal(err)
		}
		write(t, r, "aaaa")
		if err := end.do(r); !errors.Is(err, end.want) {
			t.Errorf("%s: error %v, want %v", end.name, err, end.want)
		}
		if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 0 {
			t.Errorf("%s: %v is left, error %v", end.name, left, err)
		}
	}
	r, err := Create(path, row, Unknown, false)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Abort()
	write(t, r, "aaaa")
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before Close: error %v, want %v", err, fs.ErrNotExist)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != header(t, 1)+"aaaa" {
		t.Errorf("%q, error %v", got, err)
	}
}
