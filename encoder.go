package npy

import (
	"io"
	"io/fs"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/atomicfile"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/cast"
)

// An Encoder writes arrays with settings of the caller's choice. [Save], [Write] and [WriteFile] use the zero
// Encoder, which writes the bytes of np.save. An Encoder may be used by several goroutines.
type Encoder struct {
	// Version is the version of the format to write. The zero Version means the oldest that can hold the header, as
	// in NumPy.
	Version format.Version

	// Sync makes WriteFile, the Close of a [RowWriter] and each Append of an [Appender] return only when the data is on
	// disk and would survive a power failure.
	Sync bool

	// Casting selects the conversions of Go values to elements that are allowed where a [Saver] has a DType that is not T's. The
	// zero Casting is [SafeCasting], under which no value may change. [SameKindCasting] also rounds float64 to float32, and
	// refuses values out of range. [UnsafeCasting] makes every conversion that [Array.Cast] makes. Text is never cut.
	Casting Casting

	// Objects writes arrays of Python objects. Without it they are refused with [ErrObjects]. objects.Encoder writes
	// the pickle of np.save.
	Objects ObjectEncoder
}

// A Saver writes Go values of type T with settings of the caller's choice. [Save], [SaveTo], [NewRowWriter] and
// [CreateRows] use the zero Saver. A Saver may be used by several goroutines.
type Saver[T Element] struct {
	// DType is the dtype of the elements: one that [FromSliceAs] takes for T, or one that [Encoder.Casting] allows to convert
	// T's dtype to. The zero Type means the choice of [FromSlice].
	DType dtype.Type

	// Array has the settings for the file.
	Array Encoder
}

// Save writes data to a file in C order: the bytes of np.save. Without a shape the array has one dimension. With a
// shape, the product of its dimensions must be len(data). See [FromSlice] for the dtype, and [Saver] for a choice of
// dtype.
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
		return fromSlice(s.DType, data, shape, s.Array.Casting)
	}
	return FromSlice(data, shape...)
}

// encoderTo returns the encoder of T to t that a Casting allows: the exact one, or a conversion of T's own dtype.
func encoderTo[T Element](t dtype.Type, casting Casting) (encoder[T], error) {
	if encode, ok := encoderFor[T](t); ok {
		return encode, nil
	}
	from, convert, ok := casterFrom[T](t, casting)
	if !ok {
		return nil, cannotHold[T](t, casting)
	}
	encode, _ := encoderFor[T](from)
	return func(dst []byte, src []T) error {
		if raw, ok := bulk.Bytes(src); ok && sharesMemory[T](from) {
			return convert(dst, raw, len(src))
		}
		buf := make([]byte, len(src)*from.ItemSize())
		if err := encode(buf, src); err != nil {
			return err
		}
		return convert(dst, buf, len(src))
	}, nil
}

// casterFrom returns the dtype of T, and the caster from it to t that casting allows. Text has no length before it is seen, and
// times no unit: neither is converted.
func casterFrom[T Element](t dtype.Type, casting Casting) (dtype.Type, cast.Caster, bool) {
	from := DTypeOf[T]()
	if from.ItemSize() == 0 || needsStep(from) || t.HasObject() || t.IsStruct() || t.ItemSize() == 0 || needsStep(t) {
		return from, nil, false
	}
	convert, err := cast.For(from, t, cast.Casting(casting))
	return from, convert, err == nil
}

// cannotHold returns the error for a dtype that does not hold values of T, with the Casting that converts them if one does and the
// caller can choose it.
func cannotHold[T Element](t dtype.Type, casting Casting) error {
	hint := "the dtype of this Go type is " + DTypeOf[T]().Descr()
	for c := casting + 1; casting != exactly && c <= UnsafeCasting; c++ {
		if _, _, ok := casterFrom[T](t, c); ok {
			return typeError[T](t, hint+", or allow the change with Encoder.Casting: "+c.GoString())
		}
	}
	return typeError[T](t, hint)
}

// WriteFile writes a to a file: the bytes of np.save. It writes a temporary file in the same folder and renames it at
// the end: path is never seen half-written, and an error leaves the old file unchanged.
func WriteFile(path string, a *Array) error { return Encoder{}.WriteFile(path, a) }

// Write writes a to w: the bytes of np.save. An array in Fortran order stays in Fortran order; every other layout
// becomes C order.
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
	// All of the file is reserved, the header too: on ext4 a single block that is not reserved makes the rename wait
	// until the whole file is on its way to the disk.
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

// write writes head and the elements.
func (e Encoder) write(w io.Writer, a *Array, head []byte) error {
	if !a.nd.DType.HasObject() {
		return a.write(w, head)
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	return e.Objects.EncodeObjects(w, a)
}

// payload returns the number of bytes after the header, or 0 if it is not known beforehand.
func (e Encoder) payload(a *Array) int64 {
	if a.nd.DType.HasObject() {
		return 0
	}
	return int64(a.NBytes())
}

// head returns the bytes of the header of a.
func (e Encoder) head(a *Array) ([]byte, error) {
	if e.Objects == nil {
		if err := noObjects(a.nd.DType, "; set Encoder.Objects to write it, npy.Encoder{Objects: objects.Encoder{}}"); err != nil {
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

// write writes head and the elements, in Fortran order if the header of a is in Fortran order.
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

// writePiece is the size in bytes of the pieces in which arrays that are not contiguous are gathered.
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

// writePieces writes the elements in C order. It gathers as many rows of the first axis into a buffer as fit, and
// writes a larger row piece by piece.
func (a *Array) writePieces(w io.Writer) error {
	if len(a.nd.Shape) == 0 || a.Size() == 0 {
		_, err := w.Write(a.Bytes())
		return err
	}
	row := a.NBytes() / a.nd.Shape[0]
	step := max(writePiece/max(row, 1), 1)
	for i := 0; i < a.nd.Shape[0]; i += step {
		part, err := a.Slice(Span(i, min(i+step, a.nd.Shape[0])))
		if err != nil {
			return err
		}
		if row > writePiece && len(a.nd.Shape) > 1 {
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
