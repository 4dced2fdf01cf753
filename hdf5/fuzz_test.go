package hdf5

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/hdf5/internal/reading"
	"github.com/npygo/npy/internal/closable"
)

// small are limits that make every read end soon.
var small = Decoder{MaxBytes: 1 << 20, MaxEntries: 1 << 10, MaxHeader: 1 << 16}

// unsummed opens a file whose checksums may be wrong.
func unsummed(data []byte) (*Reader, error) {
	l := small.limits()
	l.Unsummed = true
	f, err := reading.Open(closable.New(bytes.NewReader(data), nil), int64(len(data)), l)
	return &Reader{f}, err
}

// readEverything uses a file as a program would that trusts it. Blocks are read until there are enough.
func readEverything(t *testing.T, r *Reader) {
	ctx := context.Background()
	n := 0
	for e := range r.Entries() {
		if n++; n > 2000 {
			break
		}
		oneLine(t, e.Err)
		attributes, err := r.Attributes(e.Path)
		oneLine(t, err)
		for _, a := range attributes {
			oneLine(t, a.Err)
			if (a.Value == nil) == (a.Err == nil) {
				t.Fatalf("%s: attribute %s has the value %v and the error %v", e.Path, a.Name, a.Value, a.Err)
			}
		}
		src, err := r.Source(e.Path)
		oneLine(t, err)
		if err != nil {
			continue
		}
		a, err := src.ReadAll(ctx)
		oneLine(t, err)
		if err == nil && a.Size() != npySize(src) {
			t.Fatalf("%s: %d elements of %v", e.Path, a.Size(), src.Shape())
		}
		blocks := 0
		for _, err := range src.Blocks(ctx, 1<<14) {
			oneLine(t, err)
			if blocks++; blocks > 4 {
				break
			}
		}
		if shape := src.Shape(); len(shape) > 0 && shape[0] > 0 {
			part, err := src.Select(npy.At(shape[0]-1), npy.Ellipsis())
			if err != nil {
				t.Fatal(err)
			}
			if npySize(part) < 1<<20 {
				_, err = part.ReadAll(ctx)
				oneLine(t, err)
			}
		}
	}
}

func npySize(src npy.Source) int {
	n := 1
	for _, d := range src.Shape() {
		n *= d
	}
	return n
}

// oneLine checks an error: it is one line, and of a kind that programs know.
func oneLine(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	text := err.Error()
	if text == "" || len(text) > 2000 || strings.ContainsAny(text, "\n\x00") {
		t.Fatalf("error %q", text)
	}
	var at *Error
	if !errors.As(err, &at) && !errors.Is(err, npy.ErrLimit) && !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("error %v is of type %T", err, err)
	}
}

func seeds(f *testing.F, most int) {
	names, err := filepath.Glob("testdata/*.h5")
	if err != nil || len(names) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) <= most {
			f.Add(data)
		}
	}
}

// No file makes the reader panic, hang or take much memory, whatever its structures say.
func FuzzFile(f *testing.F) {
	seeds(f, 64<<10)
	f.Fuzz(func(t *testing.T, data []byte) {
		if r, err := unsummed(data); err == nil {
			readEverything(t, r)
		}
		if r, err := small.NewReader(bytes.NewReader(data), int64(len(data))); err == nil {
			readEverything(t, r)
		}
	})
}
