package hdf5

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
)

// A size of -1 means that there is no fill value, as some writers have it in messages that say there is one.
func TestFillOfNoSize(t *testing.T) {
	for _, tt := range []struct {
		data []byte
		want string
	}{
		{[]byte{2, 2, 2, 1, 0xff, 0xff, 0xff, 0xff}, ""},
		{[]byte{2, 2, 2, 1, 2, 0, 0, 0, 7, 8}, "\x07\x08"},
		{[]byte{2, 2, 2, 0}, ""},
		{[]byte{3, 0x29, 2, 0, 0, 0, 7, 8}, "\x07\x08"},
	} {
		h := &structure.Header{File: &structure.File{Input: &storage.Input{}}, Messages: []structure.Message{{Kind: structure.FillMessage, Data: tt.data}}}
		if b, err := h.Fill(2); string(b) != tt.want || err != nil {
			t.Errorf("the fill value of % x is %q, error %v, want %q", tt.data, b, err, tt.want)
		}
	}
}

// A name that cannot be read affects one entry. All others are listed.
func TestNameOutsideOfTheHeap(t *testing.T) {
	files, err := filepath.Glob("testdata/*.h5")
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		before := listed(t, data)
		at := bytes.Index(data, []byte("SNOD"))
		if at < 0 || before < 2 {
			continue
		}
		tried++
		data[at+8], data[at+9] = 0xff, 0xff // the place of the first name
		r, err := NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		faults := 0
		for e := range r.Entries() {
			if e.Err != nil && strings.Contains(e.Err.Error(), "a name at byte") {
				faults++
			}
		}
		if faults != 1 {
			t.Errorf("%s: %d entries with a name that cannot be read, want 1", path, faults)
		}
	}
	if tried == 0 {
		t.Error("no file has a symbol table")
	}
}

func listed(t *testing.T, data []byte) (n int) {
	t.Helper()
	r, err := NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return 0
	}
	for range r.Entries() {
		n++
	}
	return n
}
