package spool

import (
	"bytes"
	"io"
	"os"
	"testing"
)

func TestSpool(t *testing.T) {
	for _, size := range []int{0, 100, maxMemory, maxMemory + 1} {
		var s Spool
		want := make([]byte, size)
		for i := range want {
			want[i] = byte(i * 7)
		}
		for b := want; len(b) > 0; {
			n := min(len(b), 5<<20)
			if _, err := s.Write(b[:n]); err != nil {
				t.Fatal(err)
			}
			b = b[n:]
		}
		got, err := io.ReadAll(io.NewSectionReader(&s, 0, s.Size()))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: %d bytes, error %v", size, len(got), err)
		}
		if n, err := s.ReadAt(make([]byte, 10), max(int64(size)-3, 0)); size > 3 && (n != 3 || err != io.EOF) {
			t.Errorf("%d bytes: the last 10 are %d, error %v", size, n, err)
		}
		file := s.file
		if (file != nil) != (size > maxMemory) {
			t.Errorf("%d bytes are in a file: %t", size, file != nil)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if file != nil {
			if _, err := os.Stat(file.Name()); err == nil {
				t.Errorf("%s is left", file.Name())
			}
		}
	}
}
