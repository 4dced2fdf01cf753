// Package mapping maps parts of files into memory: pages come from the page cache when they are touched, and processes
// that map the same file share them. A guard turns the faults of such memory into errors.
package mapping

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// Access says what may be done with the memory of a [Mapping].
type Access int

const (
	ReadOnly    Access = iota // writing faults
	ReadWrite                 // what is written is the file's
	CopyOnWrite               // what is written stays with this mapping
)

// A Mapping is part of a file in memory. It may be used by several goroutines.
type Mapping struct {
	path   string
	file   fs.FileInfo // to know it by, at the path
	offset int64       // of the part in the file
	access Access
	pages  []byte // whole pages, from the one before the part on
	part   []byte

	mu     sync.Mutex
	users  int // calls that need the memory
	closed bool
}

// Open maps size bytes of a file from offset on, which need not be the start of a page. The file may be closed
// afterwards, and moved to path if it was elsewhere: that is where it is looked at again after a fault. Where mapping is
// not possible the error wraps [errors.ErrUnsupported].
func Open(f *os.File, path string, offset, size int64, access Access) (*Mapping, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	m := &Mapping{path: path, file: info, offset: offset, access: access}
	if size == 0 {
		return m, nil // which no system maps
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

// Bytes returns the memory, nil after [Mapping.Close].
func (m *Mapping) Bytes() []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil
	}
	return m.part
}

// Close ends the mapping, at once or when the last [Mapping.Do] that runs has ended. The addresses stay reserved, see
// retire, so that touching them afterwards is a fault and never other memory. Closing again does nothing.
func (m *Mapping) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil
	}
	m.closed = true
	return m.retireUnused()
}

// retireUnused gives the memory up once it is closed and nobody uses it. The caller holds m.mu.
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

// Flush writes the bytes from low to high, and those around them on the same pages, to the file, and returns when they
// are there. Mappings that do not change their file have nothing to write.
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

// sync has the system write what it holds of the file to the disk.
func (m *Mapping) sync() error {
	f, err := m.reopen(os.O_RDWR)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// reopen opens the file that is mapped once more, if it is still at its path.
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

// Advise tells the system how the memory will be used. It is a hint: systems that do not take it do nothing.
func (m *Mapping) Advise(a Advice) error {
	return m.use(func() error {
		if len(m.pages) > 0 {
			advisePages(m.pages, a)
		}
		return nil
	})
}

// Advice is how memory will be used.
type Advice int

const (
	Normal     Advice = iota
	Sequential        // from the start to the end: read far ahead
	Random            // here and there: do not read ahead
	WillNeed          // soon: start reading
	HugePages         // in large parts: fewer, larger pages where the file system has them
)
