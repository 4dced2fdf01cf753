//go:build unix

package source

import (
	"io"
	"io/fs"
	"os"
	"sync"

	"github.com/npygo/npy/format"
	"golang.org/x/sys/unix"
)

// A file is a file that is open for one call. It avoids an os.File, which registers with the poller and the garbage
// collector, and buffers its start: a small file is read with one call.
type file struct {
	fd   int
	head *[headBytes]byte
	have int      // bytes of head
	os   *os.File // instead of fd, if it is no regular file
}

const headBytes = 4 << 10

var heads = sync.Pool{New: func() any { return new([headBytes]byte) }}

// OpenFile opens a file, which the caller closes, and reads its header.
func OpenFile(path string, d format.Decoder) (io.Closer, *Source, error) {
	fd, err := retry(func() (int, error) { return unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0) })
	if err != nil {
		return nil, nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	f := &file{fd: fd, head: heads.Get().(*[headBytes]byte)}
	s, err := f.source(path, d)
	if err = notEmpty(err); err != nil {
		f.Close()
		return nil, nil, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return f, s, nil
}

// source reads the start of the file. If the array ends within it there is no need to ask for the size.
func (f *file) source(path string, d format.Decoder) (*Source, error) {
	n, err := f.pread(f.head[:], 0)
	if err == nil {
		f.have = n
	}
	if 0 < f.have && f.have < headBytes {
		if s, err := openAt(f, f.head[:n], 0, int64(n), d); err == nil {
			return s, nil
		}
	}
	var stat unix.Stat_t
	if err := unix.Fstat(f.fd, &stat); err != nil || stat.Mode&unix.S_IFMT != unix.S_IFREG || stat.Size == 0 {
		f.os = os.NewFile(uintptr(f.fd), path) // files of /proc report the size 0, whatever their contents
		return Open(f.os, d)
	}
	return openAt(f, f.head[:f.have], 0, stat.Size, d)
}

// Close closes the file.
func (f *file) Close() error {
	heads.Put(f.head)
	f.head = nil
	if f.os != nil {
		return f.os.Close()
	}
	return unix.Close(f.fd)
}

// ReadAt implements io.ReaderAt.
func (f *file) ReadAt(b []byte, offset int64) (have int, err error) {
	if offset < int64(f.have) {
		have = copy(b, f.head[offset:f.have])
	}
	for have < len(b) {
		n, err := f.pread(b[have:], offset+int64(have))
		if err != nil {
			return have, err
		}
		if n == 0 {
			return have, io.EOF
		}
		have += n
	}
	return have, nil
}

// pread reads by one system call.
func (f *file) pread(b []byte, offset int64) (int, error) {
	const most = 1 << 30 // every system accepts this length
	return retry(func() (int, error) { return unix.Pread(f.fd, b[:min(len(b), most)], offset) })
}

// retry calls do again while a signal interrupts it.
func retry(do func() (int, error)) (int, error) {
	for {
		n, err := do()
		if err != unix.EINTR {
			return n, err
		}
	}
}
