package npy

import (
	"fmt"
	"io"
	"io/fs"
	"math"

	"github.com/npygo/npy/format"
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
}

// ReadFile reads the first array of a file, of whatever dtype. Data behind it is ignored, as NumPy does.
func ReadFile(path string) (*Array, error) { return Decoder{}.ReadFile(path) }

// Read reads one array from r, of whatever dtype, and not one byte more, so that it can be called again for the next.
// At the end of r it returns io.EOF. An array in Fortran order stays so.
func Read(r io.Reader) (*Array, error) { return Decoder{}.Read(r) }

// ReadFile is the function of the same name with the limits of d.
func (d Decoder) ReadFile(path string) (*Array, error) {
	f, s, err := openFile(path, d.format())
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
	s, err := openSource(r, d.format())
	if err != nil {
		return nil, err
	}
	a, err := d.array(s)
	if err != nil {
		return nil, err
	}
	return a, s.finish()
}

func (d Decoder) format() format.Decoder { return format.Decoder{MaxHeader: d.MaxHeader} }

// check holds the header against the limits, before anything is allocated.
func (d Decoder) check(h format.Header) error {
	if h.DType.HasObject() {
		if d.Objects == nil {
			return noObjects(h.DType, "; set Decoder.Objects to read it as data, npy.Decoder{Objects: objects.Decoder{}}")
		}
		return nil // what the header says of their size does not count
	}
	if d.MaxBytes > 0 && h.NBytes() > d.MaxBytes {
		return fmt.Errorf("npy: %d bytes of elements are over MaxBytes %d: %w", h.NBytes(), d.MaxBytes, ErrLimit)
	}
	if h.NBytes() > math.MaxInt {
		return fmt.Errorf("npy: %d bytes of elements are more than this machine can address: %w", h.NBytes(), ErrLimit)
	}
	return nil
}

func (d Decoder) array(s *source) (*Array, error) {
	if err := d.check(s.h); err != nil {
		return nil, err
	}
	if s.h.DType.HasObject() {
		return s.objects(d)
	}
	data, err := s.bytes(int(s.h.NBytes()), nil)
	if err != nil {
		return nil, err
	}
	return newArray(s.h, data), nil
}
