package npy

import (
	"io"
	"io/fs"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/atomicfile"
)

// An Encoder writes arrays with settings of the caller's choice. The zero Encoder is what [Save], [Write] and
// [WriteFile] use, and gives the bytes of np.save. An Encoder may be used by several goroutines.
type Encoder struct {
	// Version is the version of the format to write. The zero Version stands for the oldest that can hold the header,
	// NumPy's choice.
	Version format.Version

	// Sync makes WriteFile, the Close of a [RowWriter] and each Append of an [Appender] return only when the data is on
	// disk and would survive a power failure.
	Sync bool

	// Objects writes arrays of Python objects. Without one they are refused with [ErrObjects]; objects.Encoder writes
	// the pickle of np.save.
	Objects ObjectEncoder
}

// A Saver writes Go values of type T with settings of the caller's choice. The zero Saver is what [Save], [SaveTo],
// [NewRowWriter] and [CreateRows] use. A Saver may be used by several goroutines.
type Saver[T Element] struct {
	// DType is the dtype of the elements, one that [FromSliceAs] takes for T. The zero Type stands for what [FromSlice]
	// chooses.
	DType dtype.Type

	// Array has the settings for the file.
	Array Encoder
}

// Save writes data to a file, in C order: the bytes of np.save. Without a shape the array has one dimension; with one,
// the product of its dimensions must be len(data). See [FromSlice] for the dtype, and [Saver] for another.
func Save[T Element](path string, data []T, shape ...int) error {
	return Saver[T]{}.Save(path, data, shape...)
}

// SaveTo is [Save] to a stream.
func SaveTo[T Element](w io.Writer, data []T, shape ...int) error {
	return Saver[T]{}.SaveTo(w, data, shape...)
}

// Save is the function [Save] with the settings of s.
func (s Saver[T]) Save(path string, data []T, shape ...int) error {
	a, err := s.array(data, shape)
	if err != nil {
		return &fs.PathError{Op: "save", Path: path, Err: err}
	}
	return s.Array.WriteFile(path, a)
}

// SaveTo is the function [SaveTo] with the settings of s.
func (s Saver[T]) SaveTo(w io.Writer, data []T, shape ...int) error {
	a, err := s.array(data, shape)
	if err != nil {
		return err
	}
	return s.Array.Write(w, a)
}

func (s Saver[T]) array(data []T, shape []int) (*Array, error) {
	if s.DType.IsValid() {
		return FromSliceAs(s.DType, data, shape...)
	}
	return FromSlice(data, shape...)
}

// WriteFile writes a to a file: the bytes of np.save. It writes a temporary file in the same folder and renames it at
// the end, so that path is never seen half-written and an error leaves the old file as it was.
func WriteFile(path string, a *Array) error { return Encoder{}.WriteFile(path, a) }

// Write writes a to w: the bytes of np.save. An array in Fortran order is written so, every other layout in C order.
func Write(w io.Writer, a *Array) error { return Encoder{}.Write(w, a) }

// WriteFile is the function of the same name with the settings of e.
func (e Encoder) WriteFile(path string, a *Array) error {
	head, err := e.head(a)
	if err != nil {
		return &fs.PathError{Op: "write", Path: path, Err: err}
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	// All of it is reserved, the header too: on ext4 a single block that is not makes the rename wait until the whole
	// file is on its way to the disk.
	if err := f.Reserve(int64(len(head)) + e.payload(a)); err != nil {
		return &fs.PathError{Op: "write", Path: path, Err: err}
	}
	if err := e.write(f, a, head); err != nil {
		return &fs.PathError{Op: "write", Path: path, Err: err}
	}
	return f.Commit(e.Sync)
}

// Write is the function of the same name with the settings of e.
func (e Encoder) Write(w io.Writer, a *Array) error {
	head, err := e.head(a)
	if err != nil {
		return err
	}
	return e.write(w, a, head)
}

// write writes head and the elements behind it.
func (e Encoder) write(w io.Writer, a *Array, head []byte) error {
	if !a.dtype.HasObject() {
		return a.write(w, head)
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	return e.Objects.EncodeObjects(w, a)
}

// payload returns the number of bytes behind the header, as far as it is known beforehand.
func (e Encoder) payload(a *Array) int64 {
	if a.dtype.HasObject() {
		return 0
	}
	return int64(a.NBytes())
}

// head returns the header of a as it is written.
func (e Encoder) head(a *Array) ([]byte, error) {
	if e.Objects == nil {
		if err := noObjects(a.dtype, "; set Encoder.Objects to write it, npy.Encoder{Objects: objects.Encoder{}}"); err != nil {
			return nil, err
		}
	}
	h := a.header()
	if o, ok := a.origin.(storedOrigin); ok {
		if stored, ok := o.StoredAs(); ok {
			h = stored
		}
	}
	h.Version = e.Version
	return h.Append(nil)
}

// write writes head and the elements, in Fortran order if that is what the header says of a.
func (a *Array) write(w io.Writer, head []byte) error {
	if a.header().FortranOrder {
		a = a.T()
	}
	if data, ok := a.ViewBytes(); ok {
		return writeAll(w, head, data)
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	return a.writePieces(w)
}

// writePiece is the size of the pieces in which arrays without a simple order are gathered.
const writePiece = 1 << 20

// writeAll writes a header and data, with one call if they are small.
func writeAll(w io.Writer, head, data []byte) error {
	if len(data) <= 4*1024 {
		head, data = append(head, data...), nil
	}
	if _, err := w.Write(head); err != nil || len(data) == 0 {
		return err
	}
	_, err := w.Write(data)
	return err
}

// writePieces writes the elements in C order: rows of the first axis gathered into a buffer, as many as it holds, and
// rows that are larger by themselves piece by piece.
func (a *Array) writePieces(w io.Writer) error {
	if len(a.shape) == 0 || a.Size() == 0 {
		_, err := w.Write(a.Bytes())
		return err
	}
	row := a.NBytes() / a.shape[0]
	step := max(writePiece/max(row, 1), 1)
	for i := 0; i < a.shape[0]; i += step {
		part, err := a.Slice(Span(i, min(i+step, a.shape[0])))
		if err != nil {
			return err
		}
		if row > writePiece && len(a.shape) > 1 {
			if part, err = a.Slice(At(i)); err != nil {
				return err
			}
			if err := part.writePieces(w); err != nil {
				return err
			}
			continue
		}
		if _, err := w.Write(part.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
