package storage

import (
	"errors"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/closable"
)

// An Input is the bytes of a file, with the sizes of its addresses and lengths. Structures are read through a cache of
// pages; elements are not. All addresses count from base.
type Input struct {
	Reader *closable.ReaderAt
	Size   int64 // of the bytes from base on
	Base   int64 // the end of the user block

	OffsetSize, LengthSize int // bytes of an address and of a length

	Unsummed bool // checksums are not compared, so that fuzzing reaches protected structures

	mu    sync.Mutex
	pages map[int64][]byte // by their number
	order []int64          // the numbers of the pages, as they were read
	last  int64            // the page that was read last
	ahead int64            // pages that the last sequential read took
}

const (
	pageSize = 4 << 10
	pagesMax = 4 << 10 // 16 MiB of structures
	aheadMax = 16      // pages of one read, when pages are read in sequence

	// Undefined is the address of nothing.
	Undefined uint64 = math.MaxUint64
)

// Structure returns n bytes at an address. They may be shared and must not be changed.
func (f *Input) Structure(what string, at uint64, n int) ([]byte, error) {
	if err := f.Check(what, at, uint64(n)); err != nil {
		return nil, err
	}
	if first := int64(at) / pageSize; (int64(at)+int64(n)-1)/pageSize == first && n > 0 {
		page, err := f.page(first)
		if err != nil {
			return nil, f.Failed(what, at, err)
		}
		from := int(int64(at) - first*pageSize)
		if from+n > len(page) {
			return nil, f.Failed(what, at, io.ErrUnexpectedEOF)
		}
		return page[from : from+n : from+n], nil
	}
	b := make([]byte, n) // the file has these bytes
	if n >= aheadMax*pageSize {
		return b, f.Failed(what, at, f.ReadFull(b, int64(at)))
	}
	for done := 0; done < n; {
		page, err := f.page((int64(at) + int64(done)) / pageSize)
		if err != nil {
			return nil, f.Failed(what, at, err)
		}
		from := int((int64(at) + int64(done)) % pageSize)
		if from >= len(page) {
			return nil, f.Failed(what, at, io.ErrUnexpectedEOF)
		}
		done += copy(b[done:], page[from:])
	}
	return b, nil
}

// Check returns an error unless the file has n bytes at an address.
func (f *Input) Check(what string, at, n uint64) error {
	switch {
	case at == Undefined:
		return fault.Invalid(what, -1, "its address is undefined")
	case at > uint64(f.Size) || n > uint64(f.Size)-at:
		return &fault.Error{Structure: what, Offset: f.Offset(at), Err: fmt.Errorf("its %d bytes leave the file of %d bytes: %w", n, f.Size+f.Base, io.ErrUnexpectedEOF)}
	case n > math.MaxInt:
		return &fault.Error{Structure: what, Offset: f.Offset(at), Err: fmt.Errorf("%d bytes are more than this machine can address", n)}
	}
	return nil
}

// Offset returns the offset in the file of an address, for errors. An address that leaves every file has none.
func (f *Input) Offset(at uint64) int64 {
	if at > uint64(math.MaxInt64-f.Base) {
		return -1
	}
	return int64(at) + f.Base
}

// Failed returns err as an [Error] about a structure. nil stays nil.
func (f *Input) Failed(what string, at uint64, err error) error {
	if err == nil {
		return nil
	}
	return &fault.Error{Structure: what, Offset: f.Offset(at), Err: err}
}

// page returns a page, which is short at the end of the file.
func (f *Input) page(i int64) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.Reader.Check(); err != nil {
		return nil, err
	}
	if p, ok := f.pages[i]; ok {
		return p, nil
	}
	if i == f.last+1 {
		f.ahead = min(2*max(f.ahead, 1), aheadMax)
	} else {
		f.ahead = 1
	}
	n := min(f.ahead*pageSize, f.Size-i*pageSize)
	b := make([]byte, n)
	if err := f.ReadFull(b, i*pageSize); err != nil {
		return nil, err
	}
	if f.pages == nil {
		f.pages = map[int64][]byte{}
	}
	for k := range (n + pageSize - 1) / pageSize {
		f.keep(i+k, b[k*pageSize:min((k+1)*pageSize, n)])
	}
	f.last = i + f.ahead - 1
	return f.pages[i], nil
}

// keep puts a page into the cache, and removes the oldest if it is full.
func (f *Input) keep(i int64, page []byte) {
	if _, ok := f.pages[i]; ok {
		return
	}
	if len(f.order) >= pagesMax {
		delete(f.pages, f.order[0])
		f.order = f.order[1:]
	}
	f.pages[i] = page
	f.order = append(f.order, i)
}

// ReadFull fills b with the bytes at an address.
func (f *Input) ReadFull(b []byte, at int64) error {
	n, err := f.Reader.ReadAt(b, f.Base+at)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// Bytes reads n bytes at an address to memory of their own, which grows as the bytes arrive.
func (f *Input) Bytes(what string, at, n uint64) ([]byte, error) {
	if err := f.Check(what, at, n); err != nil {
		return nil, err
	}
	b, err := bounded.ReadAll(io.NewSectionReader(f.Reader, f.Base+int64(at), int64(n)), int(n))
	return b, f.Failed(what, at, err)
}
