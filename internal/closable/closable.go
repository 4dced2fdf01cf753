// Package closable makes the use of what has been closed an error, whatever else would still answer: buffers, files that
// belong to the caller, arrays without bytes.
package closable

import (
	"fmt"
	"io"
	"io/fs"
	"sync/atomic"
)

// ErrClosed is the error of everything that is used after it was closed. It wraps [fs.ErrClosed].
var ErrClosed = fmt.Errorf("used after Close: %w", fs.ErrClosed)

// A ReaderAt is a source that several goroutines read until one of them closes it.
type ReaderAt struct {
	r      io.ReaderAt
	closed atomic.Bool
	closer io.Closer
}

// New returns a ReaderAt over r. Close closes closer, unless it is nil.
func New(r io.ReaderAt, closer io.Closer) *ReaderAt { return &ReaderAt{r: r, closer: closer} }

// Below returns the source itself.
func (r *ReaderAt) Below() io.ReaderAt { return r.r }

// Check returns ErrClosed after Close.
func (r *ReaderAt) Check() error {
	if r.closed.Load() {
		return ErrClosed
	}
	return nil
}

// ReadAt reads from the source.
func (r *ReaderAt) ReadAt(p []byte, off int64) (int, error) {
	if err := r.Check(); err != nil {
		return 0, err
	}
	return r.r.ReadAt(p, off)
}

// Close makes everything that follows fail. A call that runs at the same time ends as it would have or fails. Closing
// again does nothing.
func (r *ReaderAt) Close() error {
	if r.closed.Swap(true) || r.closer == nil {
		return nil
	}
	return r.closer.Close()
}
