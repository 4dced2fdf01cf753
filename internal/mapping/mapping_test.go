package mapping_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy/internal/mapping"
)

func TestMapping(t *testing.T) {
	data := make([]byte, 300_000)
	for i := range data {
		data[i] = byte(i * i >> 5)
	}
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, part := range [][2]int64{{0, 300_000}, {0, 0}, {1, 1}, {4095, 2}, {65_537, 200_001}, {299_999, 1}, {300_000, 0}} {
		m, err := mapping.Open(f, path, part[0], part[1], mapping.ReadOnly)
		if errors.Is(err, errors.ErrUnsupported) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatalf("Open(%d, %d): %v", part[0], part[1], err)
		}
		if !bytes.Equal(m.Bytes(), data[part[0]:part[0]+part[1]]) {
			t.Errorf("Open(%d, %d): other bytes", part[0], part[1])
		}
		for range 2 {
			if err := m.Close(); err != nil || m.Bytes() != nil {
				t.Errorf("Close: %v, %d bytes left", err, len(m.Bytes()))
			}
		}
	}
}
