package container

import (
	"context"
	"errors"
	"path/filepath"
	"syscall"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/atomicfile"
	"github.com/npygo/npy/internal/diag"
)

// A Writer writes a container, one entry after the other. It is for one goroutine. After an error the file is not
// complete, and the only thing to do is to remove it.
type Writer interface {
	// Begin starts an array, or adds a group, with its attributes. Groups that lead to an entry need not be added. The
	// path "" gives attributes to the root. Of the entry, Path, Group, DType, Shape and all features of the format are
	// used; nil Chunks leave the choice to the format. A group gives a nil ArrayWriter. Begin returns an error, and writes
	// nothing of the entry, if the format cannot hold the array or the path was written before.
	//
	// Losses go to Lost of the [WriteOptions], at the latest by Close.
	//
	// The ArrayWriter of an array must be closed before the next Begin.
	Begin(e Entry, attributes []Attribute) (ArrayWriter, error)

	// Close completes the file.
	Close() error
}

// A FortranWriter is a Writer that can keep Fortran order. If FortranOrder of the entry is set, the ArrayWriter takes the
// blocks of the transposed array, whose axes are the entry's in reverse order. Other Writers take
// blocks in C order, and report that the order is lost.
type FortranWriter interface {
	Writer
	KeepsFortran()
}

// An ArrayWriter takes the elements of an array.
type ArrayWriter interface {
	// Write takes the next elements in C order, in blocks as [npy.Source.Blocks] yields them. An array with Python
	// objects comes in one block. The block is not used after Write has returned. The error is an [UnfitError] if the elements
	// are such as the format cannot hold.
	Write(block *npy.Array) error

	// Close ends the array. It is an error if elements are missing.
	Close() error
}

// WriteOptions are the wishes of a program that writes a container. A format ignores features that it lacks.
type WriteOptions struct {
	Store   bool // no compression
	Level   int  // of compression, 1 to 9; 0 for the default
	Zstd    bool // compresses with Zstandard if the format has it
	Workers int  // goroutines that compress; 0 for the limit of [npy.SetWorkers]

	// Lost is called with everything that the file does not hold of an entry that is written. nil leaves it unsaid.
	Lost func(Loss) `json:"-"`
}

// blockBytes is the memory for the blocks of an array that is copied.
const blockBytes = 16 << 20

// Put writes an array with its attributes. The entry gets the dtype, shape and order of src. Errors of writing are a
// [WriteError].
func Put(ctx context.Context, w Writer, e Entry, attributes []Attribute, src npy.Source) error {
	e.DType, e.Shape, e.FortranOrder = src.DType(), src.Shape(), npy.HeaderOf(src).FortranOrder
	if _, ok := w.(FortranWriter); ok && e.FortranOrder {
		src, e.FortranOrder = npy.StoredOrder(src)
	}
	to, err := w.Begin(e, attributes)
	if err != nil {
		return &WriteError{err, isOfSystem(err)}
	}
	if err := put(ctx, to, src); err != nil {
		to.Close() // the first error is the one to know
		return err
	}
	return writeError(to.Close())
}

// An UnfitError is the error of an [ArrayWriter] that learns from the elements that its format cannot hold the array: Python
// objects, for example. Nothing of the array is in the file, the ArrayWriter is closed, and other entries can follow.
type UnfitError struct {
	Err error // what of the array the format cannot hold
}

// Error implements error.
func (e *UnfitError) Error() string { return e.Err.Error() }

// Fault returns the message without the name of the package, and without the path of the array if name ends with it.
func (e *UnfitError) Fault(name string) string { return diag.Fault(e.Err, name) }

// Unwrap returns e.Err.
func (e *UnfitError) Unwrap() error { return e.Err }

// A WriteError is an error of a Writer that [Put] returns. Every other error is of the array that is read.
type WriteError struct {
	Err   error // of the Writer or of the file below it
	Begun bool  // part of the array was written, so that the file is not complete; otherwise the next entry can follow
}

// Error implements error.
func (e *WriteError) Error() string { return e.Err.Error() }

// Fault returns the message without the name of the package, and without the path of the array if name ends with it.
func (e *WriteError) Fault(name string) string { return diag.Fault(e.Err, name) }

// Unwrap returns e.Err.
func (e *WriteError) Unwrap() error { return e.Err }

// isOfSystem reports whether the operating system gave an error: the disk is full, for example. Nothing can follow it, while
// an array that a format cannot hold leaves the file as it was.
func isOfSystem(err error) bool {
	var errno syscall.Errno
	return errors.As(err, &errno)
}

// writeError returns err as the error of an array that has begun.
func writeError(err error) error {
	if err == nil {
		return nil
	}
	var unfit *UnfitError
	return &WriteError{err, !errors.As(err, &unfit)}
}

func put(ctx context.Context, to ArrayWriter, src npy.Source) error {
	a, inMemory := src.(*npy.Array)
	if src.DType().HasObject() || inMemory && a.Size() > 0 && a.NBytes() <= blockBytes {
		a, err := src.ReadAll(ctx)
		if err != nil {
			return err
		}
		return writeError(to.Write(a.Contiguous()))
	}
	w, runs, err := copiesOf(ctx, to, src)
	if err != nil {
		return err
	}
	if runs != nil {
		return putRuns(w, src, runs)
	}
	for block, err := range src.Blocks(ctx, blockBytes) {
		if err == nil {
			err = writeError(to.Write(block))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Create writes a container to path in the format that its ending names, by calling write. The file is a temporary one in
// the same folder until write has returned without an error; then it takes the place of an old file.
func (s Formats) Create(path string, o WriteOptions, write func(Writer) error) error {
	format, ok := s.ForName(path)
	if !ok {
		return diag.Errorf("container", "no known format has files named *%s", filepath.Ext(path))
	}
	return format.Create(path, o, write)
}

// Create is [Formats.Create] for a path with any ending.
func (f Format) Create(path string, o WriteOptions, write func(Writer) error) error {
	if f.New == nil {
		return diag.Errorf("container", "%s files can only be read", f.Name)
	}
	file, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer file.Abort()
	w, err := f.New(file, o)
	if err != nil {
		return err
	}
	if err := write(w); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return file.Commit(false)
}
