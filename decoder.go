package npy

import (
	"io"
	"io/fs"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/source"
)

// A Decoder reads arrays with limits of the caller's choice. The zero Decoder is what [Load], [Read] and [ReadFile]
// use; it is safe for files from strangers. A Decoder may be used by several goroutines.
type Decoder struct {
	// MaxHeader limits the length of the header in bytes. 0 stands for [format.DefaultMaxHeader], a negative number
	// for no limit.
	MaxHeader int

	// MaxBytes limits the size of the elements in bytes. 0 and negative numbers stand for no limit: memory is only
	// taken for data that is there, so it matters for streams without end and for services that share a machine.
	// For Python objects it limits the size of their pickle too.
	MaxBytes int64

	// Objects reads arrays of Python objects. Without one they are refused with [ErrObjects]. objects.Decoder reads
	// them as data; nothing in a file is ever executed.
	Objects ObjectDecoder

	// Casting says which conversions of elements to Go values are allowed, in this package and in npz, mmap and record.
	// The zero Casting is [SafeCasting], under which no value may change. [SameKindCasting] also rounds float64 to float32,
	// and refuses values out of range; [UnsafeCasting] converts everything that [Array.Cast] does. An [Array] keeps the
	// dtype of the file.
	Casting Casting

	// VoidAs, unless it is the zero Type, is what elements of void are that have its item size: bfloat16 for <V2, a type of
	// one byte such as float8_e4m3fn or int4 for <V1, as NumPy writes the types of ml_dtypes. See [format.Decoder].
	VoidAs dtype.Type
}

// ReadFile reads the first array of a file, of whatever dtype. Data behind it is ignored, as NumPy does.
func ReadFile(path string) (*Array, error) { return Decoder{}.ReadFile(path) }

// Read reads one array from r, of whatever dtype, and not one byte more, so that it can be called again for the next.
// At the end of r it returns io.EOF. An array in Fortran order stays so.
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

// Format returns the decoder of headers that has the settings of d.
func (d Decoder) Format() format.Decoder {
	return format.Decoder{MaxHeader: d.MaxHeader, VoidAs: d.VoidAs}
}

// check holds the header against the limits, before anything is allocated.
func (d Decoder) check(s *source.Source) error {
	if t := s.Header.DType; t.HasObject() {
		if d.Objects == nil {
			return noObjects(t, "; set Decoder.Objects to read it as data, npy.Decoder{Objects: objects.Decoder{}}")
		}
		return nil // what the header says of their size does not count
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
