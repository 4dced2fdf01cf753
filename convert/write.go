package convert

import (
	"context"
	"io"
	"io/fs"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/atomicfile"
)

// Write writes src, an array of any size, to w. Memory does not grow with src, except for Python objects, which are
// read as a whole. Nothing is written if the format cannot hold src. If an element has no text, such as a str with a
// number above the last code point, the error names the element. The elements before it may have been written by then.
func Write(ctx context.Context, w io.Writer, f Format, src npy.Source, o WriteOptions) error {
	return Standard().Write(ctx, w, f, src, o)
}

// WriteObject writes a Python object, as returned by package pickle or objects, as JSON on one line: the same text that
// [Write] makes of it as an element of an array. Dicts whose keys are all strings become objects, other dicts become
// lists of pairs. MaxDepth and MaxShared of the options limit it. The JSON cannot be read back, since it does not tell
// Python's types apart.
func WriteObject(ctx context.Context, w io.Writer, v any, o WriteOptions) error {
	a, err := npy.FromObjects([]any{v}, []int{}...)
	if err != nil {
		return err
	}
	return Write(ctx, w, JSON, a, o)
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

// WriteFile writes src to a file, in the format of its extension. It writes a temporary file in the same folder and renames
// it at the end, so path never holds a partial file and an error leaves the old file unchanged.
func WriteFile(ctx context.Context, path string, src npy.Source, o WriteOptions) error {
	return Standard().WriteFile(ctx, path, src, o)
}

// WriteFile is [WriteFile] for these formats.
func (s Formats) WriteFile(ctx context.Context, path string, src npy.Source, o WriteOptions) error {
	to, err := s.ofFile(path)
	if err != nil {
		return err
	}
	return to.WriteFile(ctx, path, src, o)
}

// WriteFile is [WriteFile] for a file of this format, whatever its name is.
func (c Converter) WriteFile(ctx context.Context, path string, src npy.Source, o WriteOptions) error {
	only := Formats{c}
	if _, err := only.writer(c.Format); err != nil {
		return err
	}
	return writeFile(path, o.Sync, func(w io.Writer) error { return only.Write(ctx, w, c.Format, src, o) })
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
