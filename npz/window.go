package npz

import (
	"fmt"
	"io"
	"sync"

	"github.com/npygo/npy/internal/closable"
)

const (
	windowFirst = 4 << 10   // the least that is read
	windowSize  = 256 << 10 // the least that is read if the last read was continued
)

// A window is the part of an archive that was read last. Members that follow each other share it, so that small ones do
// not cost a read each. It may be used by several goroutines.
type window struct {
	r    *closable.ReaderAt
	size int64 // of the archive

	mu     sync.Mutex
	b      []byte // never written to once it is here
	offset int64
}

// at returns n bytes of the archive or more. They must not be changed.
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

// readAt fills b. The archive said that it has so much.
func readAt(r io.ReaderAt, b []byte, offset int64) error {
	n, err := r.ReadAt(b, offset)
	if n == len(b) {
		return nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("npz: reading %d bytes at byte %d of the archive: %w", len(b), offset, err)
}
