package npy_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
)

// An open file keeps its position, is in the errors, and can be read as something else if it is no array.
func TestOpenFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := npy.Save(path, []int32{1, 2, 3}); err != nil {
		t.Fatal(err)
	}
	f := must(os.Open(path))
	must(f.Seek(2, io.SeekStart))
	file, err := npy.Decoder{}.OpenFile(f)
	if err != nil {
		t.Fatal(err)
	}
	if at := must(f.Seek(0, io.SeekCurrent)); at != 2 {
		t.Errorf("the position is %d after OpenFile, want 2", at)
	}
	if got := must(file.Slice(npy.At(1))).String(); got != "2" {
		t.Errorf("element 1 is %s, want 2", got)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Read(make([]byte, 1)); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("after Close of the result a read of the file gives %v, want %v", err, fs.ErrClosed)
	}
}

func TestOpenFileOfSomethingElse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(path, []byte("a text"), 0o666); err != nil {
		t.Fatal(err)
	}
	f := must(os.Open(path))
	defer f.Close()
	_, err := npy.Decoder{}.OpenFile(f)
	if pe := new(fs.PathError); !errors.As(err, &pe) || pe.Path != path {
		t.Errorf("OpenFile of a text gives %v, want an error with the path %s", err, path)
	}
	if text, err := io.ReadAll(f); string(text) != "a text" {
		t.Errorf("after the error the file reads as %q, %v", text, err)
	}
}

func TestOpenFileOfPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if _, err := (npy.Decoder{}).OpenFile(r); !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "pipe") {
		t.Errorf("OpenFile of a pipe gives %v, want an error that wraps %v", err, errors.ErrUnsupported)
	}
}
