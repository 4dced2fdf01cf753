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

// What is wrong where memory faults.
var (
	ErrTruncated = errors.New("the file was truncated while it was mapped, or cannot be read")
	ErrReadOnly  = errors.New("written to a mapping that is read-only")
	ErrNoSpace   = errors.New("the file system has no room for this part of the file, which was never written")
)

// A FaultError says that memory of a mapping could not be used.
type FaultError struct {
	Path   string // of the file
	Offset int64  // of the byte, from the first one that is mapped; some machines tell only its page
	Err    error  // ErrTruncated, ErrReadOnly or ErrNoSpace
}

// Error returns one line with path and offset.
func (e *FaultError) Error() string {
	return fmt.Sprintf("mapping of %s: byte %d of the data: %v", e.Path, e.Offset, e.Err)
}

// Unwrap returns what is wrong.
func (e *FaultError) Unwrap() error { return e.Err }

// Do calls work and keeps the memory until it returns, whoever closes the mapping. A fault in this memory ends work and
// becomes a [*FaultError]; so does an error of the system that could not read it. Every other panic passes through, and so
// do faults on goroutines that work starts, other than those of package par. After
// Close the error wraps [fs.ErrClosed] and work is not called.
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

// afterSystem returns the error for one of the system, which was given memory that it could not read. If that is because
// the file is shorter than the mapping it is a fault as well.
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

// faultOf returns the error for a panic that is a fault in this mapping, nil for every other.
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
	case m.access == ReadOnly && readable(&m.pages[at]): // so it was a write
		e.Err = ErrReadOnly
	case m.inFile(e.Offset): // which is as long as ever
		e.Err = ErrNoSpace
	}
	return e
}

// inFile reports whether the file gives a byte of the part to those who read it without a mapping. A byte that it gives
// and the memory does not has never been written: there is no room for its page.
func (m *Mapping) inFile(offset int64) bool {
	f, err := m.reopen(os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = f.ReadAt(make([]byte, 1), m.offset+offset)
	return err == nil
}

// readable reports whether a byte can be read without a fault.
func readable(b *byte) (ok bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { ok = recover() == nil }()
	probe(b)
	return true
}

//go:noinline
func probe(b *byte) byte { return *b }

// addressOf returns where b lies, to compare with other addresses only.
func addressOf(b []byte) uintptr { return reflect.ValueOf(b).Pointer() }
