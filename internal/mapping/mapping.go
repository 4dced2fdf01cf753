// Package mapping maps parts of files into memory. Pages are loaded from the page cache when they are accessed, and
// processes that map the same file share them. A guard turns faults in mapped memory into errors.
//
// Faults in mapped memory are signals. guard.go asks the runtime to turn them into panics (debug.SetPanicOnFault) and
// takes the panics whose address lies in the mapping. Whether the byte can be read, and whether the file still has it,
// distinguishes a write to read-only memory, a full disk and a truncated file. The runtime's flag belongs to a
// goroutine, so package par sets it on each goroutine that it starts. retire.go keeps the addresses of closed mappings
// for a while, so that no other data is mapped there.
package mapping

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// Access is the permitted use of the memory of a [Mapping].
type Access int

const (
	ReadOnly    Access = iota // writing is a fault
	ReadWrite                 // writes change the file
	CopyOnWrite               // writes are private to this mapping
)

// A Mapping is a part of a file in memory. It may be used by several goroutines.
type Mapping struct {
	path   string
	file   fs.FileInfo // identifies the file at the path
	offset int64       // of the part in the file
	access Access
	pages  []byte // whole pages that contain the part
	part   []byte

	mu     sync.Mutex
	users  int // calls that use the memory now
	closed bool
}

// Open maps size bytes of a file from offset on; offset need not be a multiple of the page size. The file may be closed
// afterwards. path is where the file will be: it is opened again there after a fault. If mapping is not possible the
// error wraps [errors.ErrUnsupported].
func Open(f *os.File, path string, offset, size int64, access Access) (*Mapping, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	m := &Mapping{path: path, file: info, offset: offset, access: access}
	if size == 0 {
		return m, nil // no system maps 0 bytes
	}
	skip := offset % granularity()
	if size > maxInt-skip {
		return nil, fmt.Errorf("mapping %d bytes: more than this machine can address", size)
	}
	pages, err := mapPages(f, offset-skip, int(size+skip), access)
	if err != nil {
		return nil, &fs.PathError{Op: "map", Path: path, Err: err}
	}
	m.pages, m.part = pages, pages[skip:skip+size:skip+size]
	return m, nil
}

const maxInt = int64(^uint(0) >> 1)

// Bytes returns the memory, or nil after [Mapping.Close].
func (m *Mapping) Bytes() []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil
	}
	return m.part
}

// Close ends the mapping, at once or when the last running [Mapping.Do] returns. The addresses stay reserved (see
// retire), so that a later access is a fault and never reaches other memory. A second Close does nothing.
func (m *Mapping) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil
	}
	m.closed = true
	return m.retireUnused()
}

// retireUnused unmaps the memory if the mapping is closed and not in use. The caller holds m.mu.
func (m *Mapping) retireUnused() error {
	if !m.closed || m.users > 0 || m.pages == nil {
		return nil
	}
	pages := m.pages
	m.pages, m.part = nil, nil
	return retire(pages)
}

// use keeps the memory while work runs.
func (m *Mapping) use(work func() error) (err error) {
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return &fs.PathError{Op: "use mapping", Path: m.path, Err: fs.ErrClosed}
	}
	m.users++
	m.mu.Unlock()
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.users--
		if e := m.retireUnused(); e != nil {
			err = errors.Join(err, e)
		}
	}()
	return work()
}

// Flush writes the bytes from low to high, and their pages, to the file, and returns when they are written. A mapping
// that does not change its file has nothing to write.
func (m *Mapping) Flush(low, high int) error {
	return m.use(func() error {
		if m.access != ReadWrite || low >= high {
			return nil
		}
		skip := len(m.pages) - len(m.part)
		start := (low + skip) / int(granularity()) * int(granularity())
		err := flushPages(m.pages[start : high+skip])
		if err == nil && !flushSyncs {
			err = m.sync()
		}
		if err != nil {
			return &fs.PathError{Op: "flush", Path: m.path, Err: err}
		}
		return nil
	})
}

// sync makes the system write the cached data of the file to disk.
func (m *Mapping) sync() error {
	f, err := m.reopen(os.O_RDWR)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// reopen opens the mapped file again, if it is still at its path.
func (m *Mapping) reopen(flag int) (*os.File, error) {
	f, err := os.OpenFile(m.path, flag, 0)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !os.SameFile(info, m.file) {
		return nil, errors.Join(errors.New("another file has taken its place"), err, f.Close())
	}
	return f, nil
}

// Advise tells the system how the memory will be used. Systems that do not support the advice ignore it.
func (m *Mapping) Advise(a Advice) error {
	return m.use(func() error {
		if len(m.pages) > 0 {
			advisePages(m.pages, a)
		}
		return nil
	})
}

// An Advice is the expected use of memory.
type Advice int

const (
	Normal     Advice = iota
	Sequential        // from the start to the end: read far ahead
	Random            // in random places: do not read ahead
	WillNeed          // soon: start reading
	HugePages         // in large parts: use fewer, larger pages if the file system has them
)
