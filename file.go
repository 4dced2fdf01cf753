package npy

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/source"
)

// A File is an array on disk, or in another place that can be read at any offset. The header is read when the File is
// opened, the elements on demand. A File is a [Source] for one array, at the start of the file; trailing data is
// ignored.
//
// A File may be used by several goroutines. [Decoder.ReadOptions] configures its reads.
type File struct {
	source source.Source // at the start of the elements
	r      *closable.ReaderAt
	dec    Decoder
	path   string // for errors; "" if there is none
}

// Open opens a file and reads its header, numpy.load(path, mmap_mode='r') without a mapping. The caller must close
// the File. A file that is shorter than the header says, or empty, is an error that wraps io.ErrUnexpectedEOF.
func Open(path string) (*File, error) { return Decoder{}.Open(path) }

// OpenReaderAt reads the header of an array in r, which has size bytes: an object in a store, a range of a larger
// file, a slice of bytes. Elements are only read on demand. Data that is shorter than the header says is an error
// that wraps io.ErrUnexpectedEOF, before anything is allocated. r must allow calls of ReadAt by several goroutines,
// as io.ReaderAt demands.
//
// If r has a method WillRead(offset, n int64), it is called where all of a range is read, one piece after another, before
// the first piece: a source that is slow to answer can read ahead. remote.File has it.
func OpenReaderAt(r io.ReaderAt, size int64) (*File, error) { return Decoder{}.OpenReaderAt(r, size) }

// Open is the function of the same name with the limits of d. MaxBytes limits the size of each read.
func (d Decoder) Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	file, err := d.OpenFile(f)
	if err != nil {
		f.Close()
	}
	return file, err
}

// OpenFile is [Decoder.Open] for a file that is open already. The array is at the start of the file. Closing the result
// closes f. After an error f is still open, and the position of f is never changed: what is no array can be read as
// something else. A pipe or a device is an error that wraps [errors.ErrUnsupported].
func (d Decoder) OpenFile(f *os.File) (*File, error) {
	file, err := d.openFile(f)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: f.Name(), Err: err}
	}
	file.path = f.Name()
	return file, nil
}

func (d Decoder) openFile(f *os.File) (*File, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, diag.Errorf("npy", "a pipe or device cannot be read at any offset: %w; Read reads it in sequence", errors.ErrUnsupported)
	}
	return d.openReaderAt(closable.New(f, f), info.Size())
}

// OpenReaderAt is the function of the same name with the limits of d. MaxBytes limits the size of each read.
func (d Decoder) OpenReaderAt(r io.ReaderAt, size int64) (*File, error) {
	return d.openReaderAt(closable.New(r, nil), size)
}

// FileOf returns the array that h describes as a File. Its elements begin in r at h.DataOffset, and r has size bytes.
// Errors, and the conditions on r, are as for [OpenReaderAt].
func FileOf(h format.Header, r io.ReaderAt, size int64) (*File, error) {
	return Decoder{}.FileOf(h, r, size)
}

// FileOf is the function of the same name with the ReadOptions of d. MaxBytes limits the size of each read.
func (d Decoder) FileOf(h format.Header, r io.ReaderAt, size int64) (*File, error) {
	if err := check(h); err != nil {
		return nil, err
	}
	h.Shape = slices.Clone(h.Shape)
	c := closable.New(r, nil)
	s, err := source.Over(c, size, h)
	if err != nil {
		return nil, err
	}
	return &File{source: *s, r: c, dec: d}, nil
}

func (d Decoder) openReaderAt(r *closable.ReaderAt, size int64) (*File, error) {
	s, err := source.OpenAt(r, size, d.Format())
	if err != nil {
		return nil, err
	}
	return &File{source: *s, r: r, dec: d}, nil
}

// Header returns the header, with the offset of the elements. The shape is shared and must not be changed.
func (f *File) Header() format.Header { return f.source.Header }

// DType returns the type of the elements.
func (f *File) DType() dtype.Type { return f.source.Header.DType }

// Shape returns the number of elements along each axis. The slice is a copy.
func (f *File) Shape() []int { return append([]int{}, f.source.Header.Shape...) }

// ReadAll reads the whole array, as [ReadFile] does.
func (f *File) ReadAll(ctx context.Context) (*Array, error) {
	if err := f.r.Check(); err != nil {
		return nil, f.wrap(err)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	s := f.source
	a, err := f.dec.array(ctx, &s)
	return a, f.wrap(err)
}

// Select returns a[index...] and reads nothing. Until the File is closed, the returned [Source] reads its elements
// from the file as [ReadOptions] configure: the elements of the index and small gaps between them. Files in Fortran
// order are read as efficiently as files in C order. Python objects have no known places in a file: each read of a
// part reads all of them.
func (f *File) Select(index ...Index) (Source, error) {
	if err := f.r.Check(); err != nil {
		return nil, f.wrap(err)
	}
	s, err := f.whole().Select(index...)
	if err != nil && f.DType().HasObject() {
		err = f.wrap(err)
	}
	return s, err
}

// whole returns f as a Source whose parts are found by strides. A Source of objects has no parts and is read as a
// whole.
func (f *File) whole() Source {
	h := f.source.Header
	if h.DType.HasObject() {
		return wholeOf(h.DType, h.Shape, f.ReadAll)
	}
	return &stored{f, newArray(h, nil), h.Version}
}

// Slice reads a[index...]: [File.Select] and [Source.ReadAll] in one call. [As] gives the result as Go values. The
// result has memory of its own, and its elements have the order of the file. The two calls can be cancelled, and Slice cannot.
func (f *File) Slice(index ...Index) (*Array, error) {
	s, err := f.Select(index...)
	if err != nil {
		return nil, err
	}
	return s.ReadAll(context.Background())
}

// Blocks yields the array in pieces: see [Source].
func (f *File) Blocks(ctx context.Context, memory int64) iter.Seq2[*Array, error] {
	return f.whole().Blocks(ctx, memory)
}

// StoredOrder returns f, or the transposed array and true if the file is in Fortran order: see [StoredOrder].
func (f *File) StoredOrder() (Source, bool) {
	if s, ok := f.whole().(*stored); ok {
		if s, reversed := s.StoredOrder(); reversed {
			return s, true
		}
	}
	return f, false
}

// Data returns the bytes of the elements if they are in C order: see [DataOf]. It reports false for Python objects
// and for files in Fortran order. The bytes of a file in Fortran order are the Data of its [File.StoredOrder].
func (f *File) Data() (*io.SectionReader, bool) {
	s, ok := f.whole().(*stored)
	if !ok {
		return nil, false
	}
	return s.Data()
}

func (f *File) check() error { return f.r.Check() }

// readPart reads a part, which is not larger than the file.
func (f *File) readPart(ctx context.Context, p Selection, buf []byte) (*Array, error) {
	if err := f.r.Check(); err != nil {
		return nil, err
	}
	if buf == nil {
		if err := source.CheckSize(int64(p.array.NBytes()), f.dec.MaxBytes); err != nil {
			return nil, err
		}
		return p.Read(ctx, f.r, f.source.Header.DataOffset, f.dec.ReadOptions)
	}
	buf = buf[:p.array.NBytes()]
	if err := p.readInto(ctx, buf, f.r, f.source.Header.DataOffset, f.dec.ReadOptions); err != nil {
		return nil, err
	}
	return p.array.compact(p.array.nd.DType, buf), nil
}

// data implements partReader.
func (f *File) data() io.ReaderAt {
	h := f.source.Header
	return io.NewSectionReader(f.r, h.DataOffset, h.NBytes())
}

// Close closes the file that [Open] opened, but not the r of [OpenReaderAt]. Closing twice does nothing. After Close
// the header is still known, and every read fails with an error that wraps [fs.ErrClosed].
func (f *File) Close() error { return f.r.Close() }

// wrap adds the name of the file to an error; nil stays nil.
func (f *File) wrap(err error) error {
	if err == nil || f.path == "" {
		return err
	}
	return &fs.PathError{Op: "read", Path: f.path, Err: err}
}
