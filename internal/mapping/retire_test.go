//go:build unix && !purego

package mapping

import (
	"os"
	"path/filepath"
	"testing"
)

// The addresses of the last closed mappings are kept, up to the limit on their number.
func TestRetire(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, make([]byte, 100), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var last uintptr
	for range retiredRanges + 10 {
		m, err := Open(f, path, 0, 100, ReadOnly)
		if err != nil {
			t.Fatal(err)
		}
		last = addressOf(m.pages)
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
	retired.Lock()
	defer retired.Unlock()
	sum := 0
	for _, pages := range retired.ranges {
		sum += len(pages)
	}
	if len(retired.ranges) != retiredRanges || sum != retired.bytes {
		t.Errorf("%d ranges of %d bytes are kept, counted as %d; want %d ranges", len(retired.ranges), sum, retired.bytes, retiredRanges)
	}
	if newest := retired.ranges[len(retired.ranges)-1]; addressOf(newest) != last {
		t.Error("the mapping that was closed last is not among those kept")
	}
}

// At the limit on bytes, the oldest range is given back for a new one: here the new one itself.
func TestRetireBytes(t *testing.T) {
	retired.Lock()
	kept, bytes := retired.ranges, retired.bytes
	retired.ranges, retired.bytes = nil, retiredBytes // as if they were full
	retired.Unlock()
	defer func() {
		retired.Lock()
		retired.ranges, retired.bytes = kept, bytes
		retired.Unlock()
	}()
	f, err := os.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	pages, err := mapPages(f, 0, os.Getpagesize(), ReadOnly)
	if err != nil {
		t.Fatal(err)
	}
	if err := retire(pages); err != nil || len(retired.ranges) != 0 || retired.bytes != retiredBytes {
		t.Errorf("error %v, %d ranges of %d bytes are kept", err, len(retired.ranges), retired.bytes)
	}
}
