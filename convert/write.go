package convert

import (
	"context"
	"io"
	"io/fs"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/atomicfile"
)

// Write writes src to w, an array of any size, wherever it is: memory does not grow with it, unless it is one of Python
// objects, which is read as a whole. Nothing is written if the format cannot hold src. The error for an element without
// text, a str with a number above the last code point, names the element; the elements before it may have been written
// by then.
func Write(ctx context.Context, w io.Writer, f Format, src npy.Source, o WriteOptions) error {
	return Standard().Write(ctx, w, f, src, o)
}

// WriteObject writes a Python object, as package pickle or objects gives it, as JSON on a line: what [Write] makes of
// it as an element of an array. Dicts whose keys all are strings become objects, other dicts lists of pairs. MaxDepth
// and MaxShared of the options limit it. There is no way back, since JSON does not say which of Python's types is
// meant.
func WriteObject(w io.Writer, v any, o WriteOptions) error {
	a, err := npy.FromObjects([]any{v}, []int{}...)
	if err != nil {
		return err
	}
	return Write(context.Background(), w, JSON, a, o)
}

// Write is [Write] for these formats.
func (s Formats) Write(ctx context.Context, w io.Writer, f Format, src npy.Source, o WriteOptions) error {
	to, err := s.writer(f)
	if err != nil {
		return err
	}
	if o.DType.IsValid() && !o.DType.Equal(src.DType()) {
		if src, err = castTo(ctx, src, o.DType); err != nil {
			return err
		}
	}
	return to.Write(ctx, w, src, o)
}

// WriteFile writes src to a file. It writes a temporary file in the same folder and renames it at the end, so that path
// is never seen half-written and an error leaves the old file as it was.
func WriteFile(ctx context.Context, path string, f Format, src npy.Source, o WriteOptions) error {
	return Standard().WriteFile(ctx, path, f, src, o)
}

// WriteFile is [WriteFile] for these formats.
func (s Formats) WriteFile(ctx context.Context, path string, f Format, src npy.Source, o WriteOptions) error {
	if _, err := s.writer(f); err != nil {
		return err
	}
	return writeFile(path, o.Sync, func(w io.Writer) error { return s.Write(ctx, w, f, src, o) })
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
