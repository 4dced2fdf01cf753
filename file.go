package npy

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/source"
)

// A File is an array that stays where it is, of any size: its header has been read, and of its elements those are that
// somebody asks for. It is for one array, at the start; what stands behind it is ignored.
//
// A File may be used by several goroutines; ReadOptions are set before that.
type File struct {
	// ReadOptions say how parts are read.
	ReadOptions ReadOptions

	source source.Source // at the start of the elements
	r      *closable.ReaderAt
	dec    Decoder
	path   string // for errors; "" if there is none
}

// Open opens a file and reads its header, numpy.load(path, mmap_mode='r') without a mapping. The caller closes it. A file
// that is shorter than the header says is an error that wraps io.ErrUnexpectedEOF, and so is an empty one.
func Open(path string) (*File, error) { return Decoder{}.Open(path) }

// OpenReaderAt reads the header of an array in r, which has size bytes: an object in a store, a range of a larger file, a
// slice of bytes. Only what is asked for is ever read. Data that is shorter than the header says is an error that wraps
// io.ErrUnexpectedEOF, before anything is allocated. r must allow calls of ReadAt by several goroutines, as io.ReaderAt
// demands.
func OpenReaderAt(r io.ReaderAt, size int64) (*File, error) { return Decoder{}.OpenReaderAt(r, size) }

// Open is the function of the same name with the limits of d. MaxBytes limits what is read at a time.
func (d Decoder) Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	file, err := d.openFile(f)
	if err != nil {
		f.Close()
		return nil, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	file.path = path
	return file, nil
}

func (d Decoder) openFile(f *os.File) (*File, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("npy: a pipe or device cannot be read at any place: %w; Read takes it in sequence", errors.ErrUnsupported)
	}
	return d.openReaderAt(closable.New(f, f), info.Size())
}

// OpenReaderAt is the function of the same name with the limits of d. MaxBytes limits what is read at a time.
func (d Decoder) OpenReaderAt(r io.ReaderAt, size int64) (*File, error) {
	return d.openReaderAt(closable.New(r, nil), size)
}

func (d Decoder) openReaderAt(r *closable.ReaderAt, size int64) (*File, error) {
	s, err := source.OpenAt(r, size, d.Format())
	if err != nil {
		return nil, err
	}
	return &File{source: *s, r: r, dec: d}, nil
}

// Header returns the header, with the offset at which the elements begin. The shape is shared and not to be changed.
func (f *File) Header() format.Header { return f.source.Header }

// DType returns the type of the elements.
func (f *File) DType() dtype.Type { return f.source.Header.DType }

// Shape returns the number of elements along each axis. The slice is a copy.
func (f *File) Shape() []int { return append([]int{}, f.source.Header.Shape...) }

// ReadAll reads the whole array, as [ReadFile] does.
func (f *File) ReadAll() (*Array, error) {
	if err := f.r.Check(); err != nil {
		return nil, f.wrap(err)
	}
	s := f.source
	a, err := f.dec.array(&s)
	return a, f.wrap(err)
}

// Data gives the bytes of the elements as they lie in the file, those of no Python objects. Any of its methods but ReadAt
// is for one goroutine.
func (f *File) Data() *io.SectionReader {
	h := f.source.Header
	return io.NewSectionReader(f.r, h.DataOffset, h.NBytes())
}

// Slice reads a[index...] and nothing else but small gaps between: see [ReadOptions]. [Array.Slice] says what an index
// can be; [As] gives the result as Go values. Its memory is its own, and it lies there in the order of the file.
//
// Files in Fortran order are read as well as those in C order. Arrays of Python objects can only be read whole: the error
// is [ErrObjects].
func (f *File) Slice(index ...Index) (*Array, error) {
	p, err := f.part(index)
	if err != nil {
		return nil, err
	}
	return f.read(p)
}

// ReadPart reads a part that [PartOf] found for the header of f, with the settings of f: Slice, for those who want to know
// first what an index selects, or who select in steps.
func (f *File) ReadPart(p Part) (*Array, error) { return f.read(p) }

// Blocks goes through a[index...] in pieces that follow each other in C order, each an array in C order with the dimensions
// of the whole. Both files in C order and in Fortran order are read so, with buffers of about so many bytes; 0 stands for
// 256 MiB. A piece is valid until the next one. After an error there are no more; there are none of arrays without bytes.
func (f *File) Blocks(memory int64, index ...Index) iter.Seq2[*Array, error] {
	return func(yield func(*Array, error) bool) {
		x, err := Copier{Memory: memory, Order: COrder}.copying(f, index)
		if err != nil {
			yield(nil, err)
			return
		}
		x.sequence = true
		stop := errors.New("no more is wanted")
		err = x.each(false, func(b block, data []byte) error {
			if !yield(newArray(format.Header{DType: x.h.DType, Shape: b.shape}, data), nil) {
				return stop
			}
			return nil
		})
		if err != nil && err != stop {
			yield(nil, err)
		}
	}
}

func (f *File) part(index []Index) (Part, error) {
	if err := noObjects(f.source.Header.DType, "; no part of them has a place that is known, so ReadAll takes the whole"); err != nil {
		return Part{}, f.wrap(err)
	}
	if err := f.r.Check(); err != nil {
		return Part{}, f.wrap(err)
	}
	p, err := PartOf(f.source.Header, index...)
	return p, f.wrap(err)
}

// read reads a part. It is not larger than the file.
func (f *File) read(p Part) (*Array, error) {
	if err := f.r.Check(); err != nil {
		return nil, f.wrap(err)
	}
	if err := source.CheckSize(int64(p.array.NBytes()), f.dec.MaxBytes); err != nil {
		return nil, f.wrap(err)
	}
	a, err := p.Read(f.r, f.source.Header.DataOffset, f.ReadOptions)
	return a, f.wrap(err)
}

// readInto reads a part into buf, which is large enough, and returns it as an array there.
func (f *File) readInto(buf []byte, p Part) (*Array, error) {
	buf = buf[:p.array.NBytes()]
	if err := p.readInto(buf, f.r, f.source.Header.DataOffset, f.ReadOptions); err != nil {
		return nil, f.wrap(err)
	}
	return p.compact(p.array.dtype, buf), nil
}

// Close closes what [Open] opened, but not the r of [OpenReaderAt]. Closing twice does nothing. Afterwards the header is
// still known, and everything that reads fails with an error that wraps [fs.ErrClosed].
func (f *File) Close() error { return f.r.Close() }

// wrap adds the name of the file to an error; nil stays nil.
func (f *File) wrap(err error) error {
	if err == nil || f.path == "" {
		return err
	}
	return &fs.PathError{Op: "read", Path: f.path, Err: err}
}
