//go:build unix

package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"golang.org/x/sys/unix"
)

// A source that is not a regular file is read in sequence, without losing data.
func TestOpenFileOfAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Skip("no pipes here: ", err)
	}
	h := format.Header{DType: dtype.Uint8, Shape: []int{5}}
	file, err := h.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = os.WriteFile(path, append(file, "hello"...), 0o600) }()
	f, s, err := OpenFile(path, format.Decoder{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if data, err := s.Bytes(); err != nil || string(data) != "hello" {
		t.Errorf("got %q, %v", data, err)
	}
}

// Headers and data end before, at and after the end of the first read.
func TestOpenFileOfAnyLength(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	for _, name := range []int{1, 900, 3700, 3900, 4500, 20000} {
		record, err := dtype.Struct(1, dtype.Field{Name: strings.Repeat("x", name), DType: dtype.Uint8})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, 1, 100, 3968, 3969, 5000} {
			header, err := format.Header{DType: record, Shape: []int{n}}.Append(nil)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Repeat("abcdefg", n)[:n]
			if err := os.WriteFile(path, append(header, want...), 0o600); err != nil {
				t.Fatal(err)
			}
			f, s, err := OpenFile(path, format.Decoder{})
			if err != nil {
				t.Fatal(err)
			}
			if data, err := s.Bytes(); err != nil || string(data) != want {
				t.Errorf("name of %d, %d elements: got %d bytes, %v", name, n, len(data), err)
			}
			f.Close()
			if n == 0 {
				continue
			}
			if err := os.Truncate(path, int64(len(header)+n-1)); err != nil {
				t.Fatal(err)
			}
			if _, _, err := OpenFile(path, format.Decoder{}); err == nil || !strings.Contains(err.Error(), "the data ends after") {
				t.Errorf("name of %d, %d elements, cut short: %v", name, n, err)
			}
		}
	}
}
