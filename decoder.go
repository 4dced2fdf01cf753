package npy

import (
	"io"
	"io/fs"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
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
}

// ReadFile reads the first array of a file, of any dtype. Trailing data is ignored, as in NumPy.
func ReadFile(path string) (*Array, error) { return Decoder{}.ReadFile(path) }

// Read reads one array of any dtype from r, and not one byte more: the next call reads the next array. At the end of
// r Read returns io.EOF. An array in Fortran order stays in Fortran order.
func Read(r io.Reader) (*Array, error) { return Decoder{}.Read(r) }

// ReadFile is the function of the same name with the limits of d.
func (d Decoder) ReadFile(path string) (*Array, error) {
	f, s, err := source.OpenFile(path, d.Format())
	if err != nil {
		return nil, err
	}
	defer f.Close()
	a, err := d.array(s)
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
	a, err := d.array(s)
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

func (d Decoder) array(s *source.Source) (*Array, error) {
	if err := d.check(s); err != nil {
		return nil, err
	}
	if s.Header.DType.HasObject() {
		return d.objects(s)
	}
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
