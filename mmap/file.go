package mmap

import (
	"errors"
	"fmt"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/mapping"
)

// A File is an array in a file that is mapped into memory: numpy.memmap.
type File struct {
	header  format.Header
	array   *npy.Array
	source  *npy.File // the elements, read through the mapping with a guard
	mapping *mapping.Mapping
	casting npy.Casting // of Load
}

// Header returns the header of the file.
func (f *File) Header() format.Header {
	h := f.header
	h.Shape = slices.Clone(h.Shape)
	return h
}

// DType returns the type of the elements.
func (f *File) DType() dtype.Type { return f.header.DType }

// Shape returns the number of elements along each axis. The slice is a copy.
func (f *File) Shape() []int { return slices.Clone(f.header.Shape) }

// Do calls work with the array in the file's memory, and keeps the mapping until work returns. A fault in this memory
// ends work, with its deferred calls, and becomes a [*FaultError]; every other panic passes through. After
// [File.Close] the error wraps [ErrClosed] and work is not called. Calls may be nested and run at the same time.
//
// Accesses to the memory after work has returned, or by goroutines that work starts, are not guarded.
func (f *File) Do(work func(a *npy.Array) error) error {
	return guard(f.mapping, func() error { return work(f.array) })
}

// Array returns the array in the file's memory, without a guard: see the package's documentation. After [File.Close]
// the error wraps [ErrClosed].
func (f *File) Array() (a *npy.Array, err error) {
	err = f.Do(func(inside *npy.Array) error {
		a = inside
		return nil
	})
	return a, err
}

// ViewOf returns the elements of f as T in the file's memory, without a copy and without a guard. If this is
// impossible because the elements have another type or byte order or are not aligned, the error wraps
// [errors.ErrUnsupported]; [Load] copies such elements. For types that cannot be converted at all it is a
// [*npy.TypeError].
func ViewOf[T npy.Element](f *File) (v npy.View[T], err error) {
	err = f.Do(func(a *npy.Array) error {
		v, err = npy.ViewOf[T](a)
		return err
	})
	return v, err
}

// Load copies elements of f in C order, all or the ones that an index selects, and returns them with their shape. T
// may be any type that [npy.Load] accepts under the Casting of [Options]. The errors are the errors of [File.Do],
// [npy.Array.Slice] and [npy.As].
func Load[T npy.Element](f *File, index ...npy.Index) (data []T, shape []int, err error) {
	err = f.Do(func(a *npy.Array) error {
		part, err := a.Slice(index...)
		if err != nil {
			return err
		}
		v, err := npy.Loader[T]{Casting: f.casting}.As(part)
		if err != nil {
			return err
		}
		shape = v.Shape()
		if v.Shared() {
			data = v.ToSlice()
			return nil
		}
		data, _ = v.ViewSlice() // already a copy, in C order
		return nil
	})
	return data, shape, err
}

// Flush writes all changes to the file and returns when they are on disk: numpy.memmap.flush. Without it the system
// writes them in its own time; other processes see them at once either way. Files of [Open] and [OpenCopy] have
// nothing to write. On Windows the file must still be at its path, where it is opened again to flush it to disk.
func (f *File) Flush() error { return f.mapping.Flush(0, int(f.header.NBytes())) }

// FlushRows is [File.Flush] for the rows from low up to, but not including, high along the first axis. It panics if
// they are out of range. In Fortran order rows are not contiguous, and everything is written.
func (f *File) FlushRows(low, high int) error {
	rows := 1
	if len(f.header.Shape) > 0 {
		rows = f.header.Shape[0]
	}
	if low < 0 || low > high || high > rows {
		panic(fmt.Sprintf("mmap: rows %d to %d are out of range for shape %v", low, high, f.header.Shape))
	}
	if f.header.FortranOrder {
		return f.Flush()
	}
	size := int(f.header.NBytes()) / max(1, rows)
	return f.mapping.Flush(low*size, high*size)
}

// Advise tells the system how the memory will be used from now on.
func (f *File) Advise(a Advice) error { return f.mapping.Advise(mapping.Advice(a)) }

// Close releases the memory, at once or when the last running [File.Do] has ended. It does not wait, so it may be
// called within Do. Changes need no [File.Flush] before it. Closing again does nothing.
func (f *File) Close() error { return errors.Join(f.source.Close(), f.mapping.Close()) }
