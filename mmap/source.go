package mmap

import (
	"io"

	"github.com/npygo/npy"
)

// Source returns the array as a [npy.Source], for packages stats, diff and convert, [npy.Printer] and [npy.Copier].
// Reads copy elements out of the memory of the file, each guarded as by [File.Do]: if the file has been truncated, the
// error wraps a [*FaultError], on whatever goroutine the read was made. After [File.Close] reads wrap [ErrClosed].
func (f *File) Source() npy.Source { return f.source }

// A guarded is a file whose elements are read from its mapping. It has no header.
type guarded struct{ f *File }

// ReadAt implements [io.ReaderAt].
func (g guarded) ReadAt(p []byte, at int64) (n int, err error) {
	err = guard(g.f.mapping, func() error {
		data := g.f.mapping.Bytes()
		if at -= g.f.header.DataOffset; at >= 0 && at <= int64(len(data)) {
			n = copy(p, data[at:])
		}
		if n < len(p) {
			return io.EOF
		}
		return nil
	})
	if err != nil && err != io.EOF {
		n = 0
	}
	return n, err
}
