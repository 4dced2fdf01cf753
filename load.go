package npy

import (
	"io"
	"io/fs"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/source"
)

// Load reads the elements of a file in C order, whatever its byte order and memory order are, and its shape. There are
// as many elements as the product of the shape, one if the shape is empty.
//
// T must hold every value of the file's dtype exactly. The element type itself always does; so do wider integers,
// floats of enough precision (float32 for up to 24 bits, float64 for up to 53), and complex numbers for reals. Strings
// load as string, bytes as string or []byte without the NULs that pad them, void as []byte. [GoTypes] lists the choices.
// Times load as [scalar.Datetime64] and [scalar.Timedelta64], whose unit only the file says: [LoadTimes], [LoadDurations] and
// [LoadTicks] take it into account.
// Everything else is a [*TypeError]: nothing is rounded or cut, unless [Decoder.Narrow] asks for it.
func Load[T Element](path string) (data []T, shape []int, err error) { return LoadInto[T](nil, path) }

// LoadInto is [Load] into the memory of dst, whatever its length, if its capacity holds all elements, and into new memory
// if not. Who loads one file after the other gives back what came before and spares the garbage collector the work:
//
//	buf, shape, err = npy.LoadInto(buf, path)
//
// Python objects come in new memory always. After an error dst may hold anything.
func LoadInto[T Element](dst []T, path string) (data []T, shape []int, err error) {
	f, s, err := source.OpenFile(path, format.Decoder{})
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if data, err = loadFrom(Decoder{}, dst, s); err != nil {
		return nil, nil, &fs.PathError{Op: "load", Path: path, Err: err}
	}
	return data, slices.Clone(s.Header.Shape), nil
}

// LoadFrom is [Load] from a stream, with the limits of d: a service that takes arrays from others should set MaxBytes.
// It reads one array and not one byte more, so that it can be called again for the next; at the end of r it returns
// io.EOF.
func LoadFrom[T Element](r io.Reader, d Decoder) (data []T, shape []int, err error) {
	s, err := source.Open(r, d.Format())
	if err != nil {
		return nil, nil, err
	}
	if data, err = loadFrom[T](d, nil, s); err != nil {
		return nil, nil, err
	}
	return data, slices.Clone(s.Header.Shape), s.Finish()
}

func loadFrom[T Element](d Decoder, dst []T, s *source.Source) ([]T, error) {
	if err := d.check(s); err != nil {
		return nil, err
	}
	t := s.Header.DType
	if t.HasObject() {
		return loadObjects[T](d, s)
	}
	decode, err := decoderOf[T](d, s.Header)
	if err != nil {
		return nil, err
	}
	if sharesMemory[T](t.WithByteOrder(dtype.NativeEndian)) {
		return source.Shared(s, dst, swapWidth(t))
	}
	return source.Load(s, dst, decode)
}

// decoderOf returns the way from the elements of h to T, as a source takes it.
func decoderOf[T Element](d Decoder, h format.Header) (source.Decode[T], error) {
	decode, ok := decoderFor[T](h.DType)
	if !ok && d.Narrow {
		decode, ok = narrowingDecoder[T](h.DType)
	}
	if !ok {
		return nil, doesNotFit[T](h.DType)
	}
	if err := checkEmptyItems(h.Size(), h.DType.ItemSize()); err != nil {
		return nil, err
	}
	return func(dst []T, src []byte, first int) error {
		return locate(h, decodeBlocks(decode, dst, src, first))
	}, nil
}

// loadObjects reads an array of Python objects, each of which has to be a T.
func loadObjects[T Element](d Decoder, s *source.Source) ([]T, error) {
	a, err := d.objects(s)
	if err != nil {
		return nil, err
	}
	v, err := As[T](a)
	if err != nil {
		return nil, err
	}
	s.Header.Shape = a.shape
	return v.ToSlice(), nil
}

// swapWidth returns how many bytes change places to make elements native, 1 if none do. The parts of a complex number
// do so by themselves.
func swapWidth(t dtype.Type) int {
	switch {
	case t.IsNative():
		return 1
	case t.Kind() == dtype.KindComplex:
		return t.ItemSize() / 2
	}
	return t.ItemSize()
}

// locate says where in the file an element is that cannot be decoded.
func locate(h format.Header, err error) error {
	e, ok := err.(*elementError)
	if !ok {
		return err
	}
	return &format.Error{Offset: h.DataOffset + int64(e.Index)*int64(h.DType.ItemSize()), Err: e.Err}
}
