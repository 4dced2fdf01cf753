package container_test

import (
	"bytes"
	"os"
	"testing"
)

// Elements that an entry says are at an offset of the file are the bytes there.
func TestEntryAt(t *testing.T) {
	placed := map[string]int{}
	for _, path := range committed(t) {
		file, err := os.ReadFile(path)
		must(t, err)
		c, err := allFormats.Open(path)
		must(t, err)
		for e := range c.Entries() {
			if e.At == 0 || e.Err != nil {
				continue
			}
			src, err := c.Source(e.Path)
			must(t, err)
			a, err := src.ReadAll(t.Context())
			must(t, err)
			placed[c.Format()]++
			if at := e.At; at < 0 || at+e.Stored > int64(len(file)) || !bytes.Equal(file[at:at+e.Stored], a.Bytes()) {
				t.Errorf("%s: %s: the elements are not the %d bytes at %d", path, e.Path, e.Stored, at)
			}
		}
		must(t, c.Close())
	}
	if len(placed) < 2 {
		t.Errorf("arrays have places in %v", placed)
	}
	t.Log(placed)
}
