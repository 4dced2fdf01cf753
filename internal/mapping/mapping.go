// Package mapping maps parts of files into memory, read-only: pages come from the page cache when they are touched, and
// processes that map the same file share them.
package mapping

import (
	"fmt"
	"os"
	"sync"
)

// A Mapping is part of a file in memory. Writing to it faults. So does reading where the file has been cut short.
type Mapping struct {
	pages []byte // whole pages, from the one before the part on
	part  []byte

	close sync.Once
	err   error
}

// Open maps size bytes of a file from offset on, which need not be the start of a page. The file may be closed
// afterwards. Where mapping is not possible the error wraps [errors.ErrUnsupported].
func Open(f *os.File, offset, size int64) (*Mapping, error) {
	if size == 0 {
		return &Mapping{}, nil // which no system maps
	}
	skip := offset % granularity()
	if size > maxInt-skip {
		return nil, fmt.Errorf("mapping %d bytes: more than this machine can address", size)
	}
	pages, err := mapPages(f, offset-skip, int(size+skip))
	if err != nil {
		return nil, &os.PathError{Op: "map", Path: f.Name(), Err: err}
	}
	return &Mapping{pages: pages, part: pages[skip : skip+size : skip+size]}, nil
}

const maxInt = int64(^uint(0) >> 1)

// Bytes returns the memory, which is gone after [Mapping.Close].
func (m *Mapping) Bytes() []byte { return m.part }

// Close unmaps the memory: touching it afterwards ends the program. Closing again does nothing.
func (m *Mapping) Close() error {
	m.close.Do(func() {
		if m.pages != nil {
			m.err = unmapPages(m.pages)
		}
		m.pages, m.part = nil, nil
	})
	return m.err
}
