package npz

import (
	"errors"
	"fmt"
	"os"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/mapping"
)

// A Mapped is an array in a file that is mapped into memory. Its bytes are read on access, and shared through the
// page cache with every process that maps the same file. A write to them, or a read after another process has
// truncated the file, is an error within [Mapped.Do], and ends the program elsewhere.
type Mapped struct {
	array   *npy.Array
	mapping *mapping.Mapping
	member  string
	offset  int64 // of the member's data in the file
}

// Map maps a stored member into memory without reading it, as np.load(mmap_mode='r') does for .npy files but not for
// archives. Checksums are not verified. The archive must be a file, given by [Open] or as an *os.File. Compressed
// members, archives elsewhere, and systems without such mappings are errors that wrap [errors.ErrUnsupported].
//
// The member may be at any offset, but [npy.As] shares memory only if the elements are aligned, and copies them
// otherwise. NumPy does not align members; see [Encoder] for this package's alignment.
func (z *Reader) Map(name string) (*Mapped, error) {
	e, err := z.find(name)
	if err != nil {
		return nil, err
	}
	offset, h, err := z.readHeader(e, false)
	if err != nil {
		return nil, err
	}
	f, ok := z.r.Below().(*os.File)
	switch {
	case Method(e.Method) != Store:
		return nil, errorf(e, "compressed with %s, so it cannot be mapped; read it with Array or Slice: %w", Method(e.Method), errors.ErrUnsupported)
	case !ok:
		return nil, errorf(e, "the archive is not in a file, so it cannot be mapped; read it with Array or Slice: %w", errors.ErrUnsupported)
	}
	m, err := mapping.Open(f, f.Name(), offset, e.Size, mapping.ReadOnly)
	if err != nil {
		return nil, about(e, err)
	}
	a, err := npy.FromHeader(h, m.Bytes()[h.DataOffset:])
	if err != nil {
		m.Close()
		return nil, about(e, fmt.Errorf("mapping it: %w", err))
	}
	return &Mapped{a, m, e.Name, offset}, nil
}

// Array returns the array. It and all views of it are invalid after [Mapped.Close]: access to their elements then
// ends the program.
func (m *Mapped) Array() *npy.Array { return m.array }

// Do calls work with the array and keeps the mapping until work returns. If the file has been truncated, or work
// writes to the array, work ends and Do returns an [*Error] that wraps [ErrTruncated] or [ErrReadOnly]. After
// [Mapped.Close] the error wraps [fs.ErrClosed]. Goroutines that work starts are not guarded: each must call Do
// itself.
func (m *Mapped) Do(work func(a *npy.Array) error) error {
	err := m.mapping.Do(func() error { return work(m.array) })
	var fault *mapping.FaultError
	if errors.As(err, &fault) {
		return &Error{Member: m.member, Offset: m.offset + fault.Offset, Err: fault.Err}
	}
	return err
}

// Errors of [Mapped.Do].
var (
	ErrTruncated = mapping.ErrTruncated
	ErrReadOnly  = mapping.ErrReadOnly
)

// Close releases the memory after the last [Mapped.Do] has ended. Closing again does nothing. It is independent of
// [Reader.Close].
func (m *Mapped) Close() error { return m.mapping.Close() }
