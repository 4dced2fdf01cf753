package mapping

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
)

// What is wrong where memory faults.
var (
	ErrTruncated = errors.New("the file was cut short, or cannot be read, behind the mapping")
	ErrReadOnly  = errors.New("written to a mapping that is read-only")
	ErrNoSpace   = errors.New("the file system has no room for what was written")
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
// becomes a [*FaultError]. Every other panic passes through, and so do faults on goroutines that work starts. After
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
	return work()
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
	e := &FaultError{Path: m.name, Offset: max(0, int64(at)-int64(len(m.pages)-len(m.part))), Err: ErrTruncated}
	if readable(&m.pages[at]) { // so it was a write
		e.Err = ErrReadOnly
		if m.access != ReadOnly {
			e.Err = ErrNoSpace
		}
	}
	return e
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
