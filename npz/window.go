package npz

import (
	"io"
	"sync"

	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/diag"
)

const (
	windowFirst = 4 << 10   // least number of bytes per read
	windowSize  = 256 << 10 // least number of bytes if the read continues the last one
)

// A window is the part of an archive that was read last. Neighbouring small members share one read through it. It may
// be used by several goroutines.
type window struct {
	r    *closable.ReaderAt
	size int64 // of the archive

	mu     sync.Mutex
	b      []byte // never changed after it is set
	offset int64
}

// at returns at least n bytes of the archive. They must not be changed.
func (w *window) at(offset int64, n int) ([]byte, error) {
	if err := w.r.Check(); err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	end := w.offset + int64(len(w.b))
	if offset >= w.offset && offset+int64(n) <= end {
		return w.b[offset-w.offset:], nil
	}
	want := max(n, windowFirst)
	if offset >= w.offset && offset <= end+windowSize {
		want = max(n, windowSize)
	}
	b := make([]byte, max(min(int64(want), w.size-offset), int64(n)))
	if err := readAt(w.r, b, offset); err != nil {
		return nil, err
	}
	w.b, w.offset = b, offset
	return b, nil
}

// readAt fills b. The archive is known to have this many bytes.
func readAt(r io.ReaderAt, b []byte, offset int64) error {
	n, err := r.ReadAt(b, offset)
	if n == len(b) {
		return nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return diag.Errorf("npz", "reading %d bytes at byte %d of the archive: %w", len(b), offset, err)
}
