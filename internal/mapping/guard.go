package mapping

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"syscall"
)

// The causes of a memory fault.
var (
	ErrTruncated = errors.New("the file was truncated while it was mapped, or cannot be read")
	ErrReadOnly  = errors.New("write to a read-only mapping")
	ErrNoSpace   = errors.New("the file system has no space for this part of the file, which was never written")
)

// A FaultError reports that memory of a mapping could not be accessed.
type FaultError struct {
	Path   string // of the file
	Offset int64  // of the byte, from the start of the mapping; some machines report only its page
	Err    error  // ErrTruncated, ErrReadOnly or ErrNoSpace
}

// Error returns one line with path and offset.
func (e *FaultError) Error() string {
	return fmt.Sprintf("mapping of %s: byte %d of the data: %v", e.Path, e.Offset, e.Err)
}

// Unwrap returns e.Err.
func (e *FaultError) Unwrap() error { return e.Err }

// Do calls work and keeps the memory mapped until work returns, even if the mapping is closed meanwhile. A fault in
// this memory ends work and becomes a [*FaultError]; so does a system call that fails because it cannot read the
// memory. Any other panic passes through, and so do faults on goroutines that work starts, except goroutines of package
// par. After Close the error wraps [fs.ErrClosed] and work is not called.
func (m *Mapping) Do(work func() error) error {
	return m.use(func() error { return m.guard(work) })
}

func (m *Mapping) guard(work func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			fault := m.faultOf(p)
			if fault == nil {
				panic(p)
			}
			err = fault
		}
	}()
	if err = work(); errors.Is(err, syscall.EFAULT) {
		err = m.afterSystem(err)
	}
	return err
}

// afterSystem returns the error for a failed system call on memory of the mapping. If the call failed because the file
// is shorter than the mapping, the error is a fault.
func (m *Mapping) afterSystem(err error) error {
	f, openErr := m.reopen(os.O_RDONLY)
	if openErr != nil {
		return err
	}
	defer f.Close()
	info, statErr := f.Stat()
	if end := m.offset + int64(len(m.part)); statErr != nil || info.Size() >= end {
		return err
	}
	return &FaultError{Path: m.path, Offset: max(info.Size()-m.offset, 0), Err: fmt.Errorf("%w (%w)", ErrTruncated, err)}
}

// faultOf returns the error for a panic that is a fault in this mapping, nil for any other panic.
func (m *Mapping) faultOf(p any) error {
	fault, ok := p.(interface {
		runtime.Error
		Addr() uintptr
	})
	if !ok || len(m.pages) == 0 {
		return nil
	}
	at := fault.Addr() - addressOf(m.pages) // wraps around to a large number below the mapping
	if at >= uintptr(len(m.pages)) {
		return nil
	}
	skip := uintptr(len(m.pages) - len(m.part))
	e := &FaultError{Path: m.path, Offset: int64(max(at, skip) - skip), Err: ErrTruncated}
	switch {
	case m.access == ReadOnly && readable(&m.pages[at]): // the byte is readable, so the access was a write
		e.Err = ErrReadOnly
	case m.inFile(e.Offset): // the file is not truncated
		e.Err = ErrNoSpace
	}
	return e
}

// inFile reports whether the byte at offset can be read from the file without a mapping. A byte that the file has but
// the memory faults on was never written: the file system has no space for its page.
func (m *Mapping) inFile(offset int64) bool {
	f, err := m.reopen(os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = f.ReadAt(make([]byte, 1), m.offset+offset)
	return err == nil
}

// readable reports whether the byte can be read without a fault.
func readable(b *byte) (ok bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { ok = recover() == nil }()
	probe(b)
	return true
}

//go:noinline
func probe(b *byte) byte { return *b }

// addressOf returns the address of b, only to compare it with other addresses.
func addressOf(b []byte) uintptr { return reflect.ValueOf(b).Pointer() }
