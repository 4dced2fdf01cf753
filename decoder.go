package npy

import (
	"fmt"
	"io"
	"io/fs"

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
	MaxBytes int64
}

// ReadFile reads the first array of a file, of whatever dtype. Data behind it is ignored, as NumPy does.
func ReadFile(path string) (*Array, error) { return Decoder{}.ReadFile(path) }

// Read reads one array from r, of whatever dtype, and not one byte more, so that it can be called again for the next.
// At the end of r it returns io.EOF. An array in Fortran order stays so.
func Read(r io.Reader) (*Array, error) { return Decoder{}.Read(r) }

// ReadFile is the function of the same name with the limits of d.
func (d Decoder) ReadFile(path string) (*Array, error) {
	f, s, err := source.OpenFile(path, d.format())
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
	s, err := source.Open(r, d.format())
	if err != nil {
		return nil, err
	}
	a, err := d.array(s)
	if err != nil {
		return nil, err
	}
	return a, s.Finish()
}

func (d Decoder) format() format.Decoder { return format.Decoder{MaxHeader: d.MaxHeader} }

// check holds the header against the limits, before anything is allocated.
func (d Decoder) check(s *source.Source) error {
	if s.Header.DType.HasObject() {
		return fmt.Errorf("npy: dtype %s: %w", s.Header.DType, ErrObjects)
	}
	return s.CheckSize(d.MaxBytes)
}

func (d Decoder) array(s *source.Source) (*Array, error) {
	if err := d.check(s); err != nil {
		return nil, err
	}
	data, err := s.Bytes()
	if err != nil {
		return nil, err
	}
	return newArray(s.Header, data), nil
}
