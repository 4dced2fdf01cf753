// Package closable makes every use after Close an error, including uses that could still succeed: buffers, files of the
// caller, arrays without bytes.
package closable

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync/atomic"
)

// ErrClosed is the error for any use after Close. It wraps [fs.ErrClosed].
var ErrClosed = fmt.Errorf("used after Close: %w", fs.ErrClosed)

// ErrAborted is the error of Close, and of any other use, of a writer after Abort. It wraps [fs.ErrClosed].
var ErrAborted = fmt.Errorf("given up by Abort, so that its file is not complete: %w", fs.ErrClosed)

// A ReaderAt is a source that several goroutines may read until it is closed.
type ReaderAt struct {
	r      io.ReaderAt
	closed atomic.Bool
	closer io.Closer
}

// New returns a ReaderAt over r. Close closes closer unless it is nil.
func New(r io.ReaderAt, closer io.Closer) *ReaderAt { return &ReaderAt{r: r, closer: closer} }

// Open opens a file for the reader that use makes of it and of its size, and closes it if use fails. The error names the file.
func Open[T any](path string, use func(r *ReaderAt, size int64) (T, error)) (T, error) {
	var none T
	f, err := os.Open(path)
	if err != nil {
		return none, err
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = errors.New("it is a directory")
	}
	var opened T
	if err == nil {
		opened, err = use(New(f, f), info.Size())
	}
	if err != nil {
		f.Close()
		return none, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return opened, nil
}

// Below returns the wrapped source.
func (r *ReaderAt) Below() io.ReaderAt { return r.r }

// Check returns ErrClosed after Close, otherwise nil. If the wrapped source has a method Check, closing that counts too.
func (r *ReaderAt) Check() error {
	if r.closed.Load() {
		return ErrClosed
	}
	if below, ok := r.r.(interface{ Check() error }); ok {
		return below.Check()
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

// Close makes later reads fail. A concurrent read completes or fails. A second Close does nothing.
func (r *ReaderAt) Close() error {
	if r.closed.Swap(true) || r.closer == nil {
		return nil
	}
	return r.closer.Close()
}
