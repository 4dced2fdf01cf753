package chunkgrid

import (
	"errors"
	"sync/atomic"
	"testing"
)

// Large chunks that are read in blocks are decoded once, and no more of them than fit are kept.
func TestLargeChunks(t *testing.T) {
	var l Cache
	var decoded atomic.Int32
	const size = keptChunks / 4
	fill := func(at uint64) func([]byte) error {
		return func(b []byte) error {
			decoded.Add(1)
			b[0], b[size-1] = byte(at), byte(at)
			return nil
		}
	}
	for _, x := range []struct {
		at      uint64
		decoded int32
	}{{1, 1}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {1, 4}, {5, 5}, {1, 5}, {2, 6}} {
		data, err := l.chunk(x.at, size, fill(x.at))
		if err != nil || data[0] != byte(x.at) || data[size-1] != byte(x.at) || decoded.Load() != x.decoded {
			t.Errorf("chunk %d: %d, %v, %d chunks decoded and not %d", x.at, data[0], err, decoded.Load(), x.decoded)
		}
		if l.bytes > keptChunks {
			t.Errorf("chunk %d: %d bytes are kept", x.at, l.bytes)
		}
	}
	failed := errors.New("damaged")
	if _, err := l.chunk(9, size, func([]byte) error { return failed }); err != failed {
		t.Error(err)
	}
	if data, err := l.chunk(9, size, fill(9)); err != nil || data[0] != 9 {
		t.Error("a chunk that could not be decoded is kept")
	}
}
