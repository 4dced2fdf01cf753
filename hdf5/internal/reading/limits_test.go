package reading

import "testing"

// A chunk of any size is allowed if the file has a byte for each 64 of it.
func TestCheckChunk(t *testing.T) {
	l := Limits{Chunk: 1000}
	for stored, fits := range map[uint64]bool{1: false, 31: false, 32: true, 1000: true} {
		if err := l.checkChunk(freeRatio*32, stored); (err == nil) != fits {
			t.Errorf("%d bytes in the file: %v", stored, err)
		}
	}
}
