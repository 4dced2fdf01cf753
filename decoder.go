package npy

import (
	"context"
	"io"
	"io/fs"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/cast"
	"github.com/npygo/npy/internal/source"
)

// A Decoder reads arrays with limits of the caller's choice. [Load], [Read] and [ReadFile] use the zero Decoder,
// which is safe for untrusted input. A Decoder may be used by several goroutines.
type Decoder struct {
	// MaxHeader limits the length of the header in bytes. 0 means [format.DefaultMaxHeader], a negative number no
	// limit.
	MaxHeader int

	// MaxBytes limits the size of the elements in bytes. 0 and negative numbers mean no limit. Memory is only
	// allocated for data that is present, so the limit matters for endless streams and for services that share a
	// machine. MaxBytes also limits the size of the pickle of Python objects.
	MaxBytes int64

	// Objects reads arrays of Python objects. Without it they are refused with [ErrObjects]. objects.Decoder reads
	// them as data; nothing in a file is ever executed.
	Objects ObjectDecoder

	// Casting selects the conversions of elements to Go values that are allowed, in this package and in npz, mmap and
	// record. The zero Casting is [SafeCasting], under which no value may change. [SameKindCasting] also rounds
	// float64 to float32, and refuses values out of range. [UnsafeCasting] makes every conversion that [Array.Cast]
	// does. An [Array] keeps the dtype of the file.
	Casting Casting

	// VoidAs, unless it is the zero Type, is the dtype of void elements of the same item size: bfloat16 for <V2, a
	// type of one byte such as float8_e4m3fn or int4 for <V1. NumPy writes the types of ml_dtypes as void. See
	// [format.Decoder].
	VoidAs dtype.Type

	// ReadOptions configures the reads of files, and with Workers the number of goroutines. A stream is read by one.
	ReadOptions ReadOptions
}

// ReadFile reads the first array of a file, of any dtype. Trailing data is ignored, as in NumPy.
func ReadFile(path string) (*Array, error) { return Decoder{}.ReadFile(path) }

// Read reads one array of any dtype from r, and not one byte more: the next call reads the next array. At the end of
// r Read returns io.EOF. An array in Fortran order stays in Fortran order.
func Read(r io.Reader) (*Array, error) { return Decoder{}.Read(r) }

// ReadFile is the function of the same name with the limits of d. It cannot be cancelled: [File.ReadAll] of [Decoder.OpenFile] can.
func (d Decoder) ReadFile(path string) (*Array, error) {
	f, s, err := source.OpenFile(path, d.Format())
	if err != nil {
		return nil, err
	}
	defer f.Close()
	a, err := d.array(context.Background(), s)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return a, nil
}

// Read is the function of the same name with the limits of d.
func (d Decoder) Read(r io.Reader) (*Array, error) {
	s, err := source.Open(r, d.Format())
	if err != nil {
		return nil, err
	}
	a, err := d.array(context.Background(), s)
	if err != nil {
		return nil, err
	}
	return a, s.Finish()
}

// Format returns a decoder of headers with the settings of d.
func (d Decoder) Format() format.Decoder {
	return format.Decoder{MaxHeader: d.MaxHeader, VoidAs: d.VoidAs}
}

// check compares the header with the limits, before anything is allocated.
func (d Decoder) check(s *source.Source) error {
	if t := s.Header.DType; t.HasObject() {
		if d.Objects == nil {
			return noObjects(t, "; set Decoder.Objects to read it as data, npy.Decoder{Objects: objects.Decoder{}}")
		}
		return nil // the size in the header is not the size of the pickle
	}
	return s.CheckSize(d.MaxBytes)
}

func (d Decoder) array(ctx context.Context, s *source.Source) (*Array, error) {
	if err := d.check(s); err != nil {
		return nil, err
	}
	if s.Header.DType.HasObject() {
		return d.objects(s)
	}
	s.Using(ctx, d.ReadOptions.Workers)
	data, err := s.Bytes()
	if err != nil {
		return nil, err
	}
	return newArray(s.Header, data), nil
}

// objects reads an array of Python objects.
func (d Decoder) objects(s *source.Source) (a *Array, err error) {
	err = s.Payload(d.MaxBytes, func(r io.Reader) (err error) {
		a, err = d.Objects.DecodeObjects(r, s.Header)
		return err
	})
	return a, err
}

// A Loader reads elements as Go values of type T with settings of the caller's choice. Its fields are the fields of
// [Decoder], and it converts to a Decoder:
//
//	data, shape, err := npy.Loader[float32]{MaxBytes: 1 << 30, Casting: npy.SameKindCasting}.LoadFrom(r)
//
// [Load], [LoadInto], [LoadFrom], [As], [NewRowReader] and [NewColumnReader] use the zero Loader. A Loader may be
// used by several goroutines.
type Loader[T Element] Decoder

// Load reads the elements of a file in C order, whatever its byte order and memory order are, and its shape. The
// number of elements is the product of the shape: one if the shape is empty.
//
// T must hold every value of the file's dtype exactly. The element type itself always does; so do wider integers,
// floats of enough precision (float32 for up to 24 bits, float64 for up to 53), and complex numbers for reals.
// Strings load as string, bytes as string or []byte without the NULs that pad them, void as []byte. [GoTypes] lists
// the choices. Times load as [scalar.Datetime64] and [scalar.Timedelta64], whose unit is in the file only:
// [LoadTimes], [LoadDurations] and [LoadTicks] convert from it. Every other T is a [*TypeError]: nothing is rounded
// or cut, unless [Decoder.Casting] allows it.
func Load[T Element](path string) (data []T, shape []int, err error) { return Loader[T]{}.Load(path) }

// LoadInto is [Load] into the memory of dst if its capacity is large enough for all elements, and into new memory if
// not. The length of dst does not matter. Pass the result of the previous call to reuse its memory:
//
//	buf, shape, err = npy.LoadInto(buf, path)
//
// Python objects always use new memory. After an error the contents of dst are undefined.
func LoadInto[T Element](dst []T, path string) (data []T, shape []int, err error) {
	return Loader[T]{}.LoadInto(dst, path)
}

// LoadFrom is [Load] from a stream. It reads one array and not one byte more: the next call reads the next array. At
// the end of r it returns io.EOF. A service that accepts arrays should limit their size: Loader[T]{MaxBytes: n}.
func LoadFrom[T Element](r io.Reader) (data []T, shape []int, err error) {
	return Loader[T]{}.LoadFrom(r)
}

// Load is the function [Load] with the settings of l.
func (l Loader[T]) Load(path string) (data []T, shape []int, err error) { return l.LoadInto(nil, path) }

// LoadInto is the function [LoadInto] with the settings of l.
func (l Loader[T]) LoadInto(dst []T, path string) (data []T, shape []int, err error) {
	d := Decoder(l)
	f, s, err := source.OpenFile(path, d.Format())
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if data, err = loadFrom(d, dst, s); err != nil {
		return nil, nil, &fs.PathError{Op: "load", Path: path, Err: err}
	}
	return data, slices.Clone(s.Header.Shape), nil
}

// LoadFrom is the function [LoadFrom] with the settings of l.
func (l Loader[T]) LoadFrom(r io.Reader) (data []T, shape []int, err error) {
	d := Decoder(l)
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
	s.Using(context.Background(), d.ReadOptions.Workers)
	if sharesMemory[T](t.WithByteOrder(dtype.NativeEndian)) {
		return source.Shared(s, dst, swapWidth(t))
	}
	return source.Load(s, dst, decode)
}

// decoderOf returns the conversion of the elements of h to T, as package source needs it.
func decoderOf[T Element](d Decoder, h format.Header) (source.Decode[T], error) {
	decode, err := Loader[T](d).decoder(h.DType)
	if err != nil {
		return nil, err
	}
	if err := checkEmptyItems(h.Size(), h.DType.ItemSize()); err != nil {
		return nil, err
	}
	_, exact := decoderFor[T](h.DType)
	return func(dst []T, src []byte, first int) error {
		err := decodeBlocks(decode, dst, src, first)
		if exact {
			err = locate(h, err) // the bytes are at fault; under another casting the value is
		}
		return err
	}, nil
}

// decoder returns the decoder from t to T that the Casting of l allows.
func (l Loader[T]) decoder(t dtype.Type) (decoder[T], error) {
	if decode, ok := decoderFor[T](t); ok {
		return decode, nil
	}
	if l.Casting > SafeCasting {
		if decode, ok := castingDecoder[T](t, l.Casting); ok {
			return decode, nil
		}
	}
	return nil, doesNotFit[T](t)
}

// castingDecoder returns a decoder that first casts elements to the dtype of T.
func castingDecoder[T Element](t dtype.Type, casting Casting) (decoder[T], bool) {
	to, convert, ok := casterTo[T](t, casting)
	if !ok {
		return nil, false
	}
	if sharesMemory[T](to) {
		return func(dst []T, src []byte) error {
			raw, _ := bulk.Bytes(dst)
			return convert(raw, src, len(dst))
		}, true
	}
	decode, ok := decoderFor[T](to)
	return func(dst []T, src []byte) error {
		buf := make([]byte, len(dst)*to.ItemSize())
		if err := convert(buf, src, len(dst)); err != nil {
			return err
		}
		return decode(dst, buf)
	}, ok
}

// casterTo returns the dtype of T for elements of t, and the caster to it that casting allows.
func casterTo[T Element](t dtype.Type, casting Casting) (dtype.Type, cast.Caster, bool) {
	to := cast.Target(t, DTypeOf[T]())
	if to.Kind() == dtype.KindStr && to.ItemSize() == 0 || to.IsStruct() {
		return to, nil, false
	}
	convert, err := cast.For(t, to, cast.Casting(casting))
	return to, convert, err == nil
}

// loadObjects reads an array of Python objects. Each object must be a T.
func loadObjects[T Element](d Decoder, s *source.Source) ([]T, error) {
	a, err := d.objects(s)
	if err != nil {
		return nil, err
	}
	v, err := As[T](a)
	if err != nil {
		return nil, err
	}
	s.Header.Shape = a.nd.Shape
	return v.ToSlice(), nil
}

// swapWidth returns the number of bytes to reverse for native byte order, 1 if the order is native. Each part of a
// complex number is reversed by itself.
func swapWidth(t dtype.Type) int {
	switch {
	case t.IsNative():
		return 1
	case t.Kind() == dtype.KindComplex:
		return t.ItemSize() / 2
	}
	return t.ItemSize()
}

// locate adds the offset in the file to the error for an element that cannot be decoded.
func locate(h format.Header, err error) error {
	e, ok := err.(*elementError)
	if !ok {
		return err
	}
	return &format.Error{Offset: h.DataOffset + int64(e.Index)*int64(h.DType.ItemSize()), Err: e.Err}
}
