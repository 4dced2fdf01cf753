package convert

import (
	"io"
	"io/fs"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/atomicfile"
)

// Write writes a to w. Nothing is written if the format cannot hold a. The error for an element without text, a str
// with a number above the last code point, names the element; what stands before it may have been written by then.
func Write(w io.Writer, f Format, a *npy.Array, o WriteOptions) error {
	return Standard().Write(w, f, a, o)
}

// WriteObject writes a Python object, as package pickle or objects gives it, as JSON on a line: what [Write] makes of it as
// an element of an array. Dicts whose keys all are strings become objects, other dicts lists of pairs. MaxDepth and MaxShared
// of the options limit it. There is no way back, since JSON does not say which of Python's types is meant.
func WriteObject(w io.Writer, v any, o WriteOptions) error {
	a, err := npy.FromObjects([]any{v}, []int{}...)
	if err != nil {
		return err
	}
	return Write(w, JSON, a, o)
}

// Write is [Write] for these formats.
func (s Formats) Write(w io.Writer, f Format, a *npy.Array, o WriteOptions) error {
	if o.DType.IsValid() {
		var err error
		if a, err = as(a, o.DType); err != nil {
			return err
		}
	}
	return s.write(w, f, contentOf(a), o)
}

func (s Formats) write(w io.Writer, f Format, c Content, o WriteOptions) error {
	to, err := s.writer(f)
	if err != nil {
		return err
	}
	return to.Write(w, c, o)
}

// WriteFile writes a to a file. It writes a temporary file in the same folder and renames it at the end, so that path
// is never seen half-written and an error leaves the old file as it was.
func WriteFile(path string, f Format, a *npy.Array, o WriteOptions) error {
	return Standard().WriteFile(path, f, a, o)
}

// WriteFile is [WriteFile] for these formats.
func (s Formats) WriteFile(path string, f Format, a *npy.Array, o WriteOptions) error {
	if _, err := s.writer(f); err != nil {
		return err
	}
	return writeFile(path, o.Sync, func(w io.Writer) error { return s.Write(w, f, a, o) })
}

func writeFile(path string, sync bool, write func(io.Writer) error) error {
	file, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer file.Abort()
	if err := write(file); err != nil {
		return &fs.PathError{Op: "write", Path: path, Err: err}
	}
	return file.Commit(sync)
}
