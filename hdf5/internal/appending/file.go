package appending

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/reading"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/hdf5/internal/writing"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/filelock"
)

// A File adds rows to an array of an existing file. It writes the chunks first, then a new index, and the header with
// the new shape last.
type File struct {
	settings writing.Settings
	limits   reading.Limits
	file     appendFile
	path     string
	name     string // of the array
	f        *reading.File
	d        *reading.Dataset
	tail     []byte         // the rows of the last chunks if these are not full; nil if they have not been read
	start    int64          // the end of the file when it was opened, as an address
	free     []storage.Span // after start, which nothing refers to
	err      error          // final
}

// An appendFile has the methods of a file that an Appender calls.
type appendFile interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
	Sync() error
	io.Closer
}

// Open opens an array of a file for appending.
func Open(path, array string, s writing.Settings, l reading.Limits) (*File, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	a := &File{settings: s, limits: l, file: f, path: path, name: array}
	if err := a.open(f); err != nil {
		f.Close()
		return nil, a.located(err)
	}
	return a, nil
}

// located adds the name of the file to an error.
func (a *File) located(err error) error {
	var pe *fs.PathError
	if err == nil || errors.As(err, &pe) {
		return err
	}
	return &fs.PathError{Op: "append", Path: a.path, Err: err}
}

func (a *File) open(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return diag.Errorf("hdf5", "only regular files can be appended to: %w", errors.ErrUnsupported)
	}
	if err := filelock.TryLock(f); err != nil {
		return diag.Errorf("hdf5", "the file is in use: %w", err)
	}
	now, err := os.Stat(a.path)
	if err != nil {
		return err
	}
	if !os.SameFile(info, now) {
		return diag.Errorf("hdf5", "the file is being replaced: %w", filelock.ErrLocked)
	}
	if err := a.load(now.Size()); err != nil {
		return err
	}
	return fault.About(a.name, a.checkRoom())
}

// checkRoom returns an error if the first axis has all the rows that it can have. An array whose last rows an Append has
// added is full, too, and that is no error.
func (a *File) checkRoom() error {
	if rows := a.d.Space.Dims[0]; a.d.Space.Most[0] == uint64(rows) {
		return fmt.Errorf("its first axis cannot grow: it has %d rows, the limit of the array; write it again with Encoder.Unlimited: %w", rows, errors.ErrUnsupported)
	}
	return nil
}

// load reads the header of the array.
func (a *File) load(size int64) (err error) {
	if a.f, err = reading.Open(closable.New(a.file, nil), size, a.limits); err == nil {
		err = a.f.CheckRoot()
	}
	if err != nil {
		return err
	}
	if a.d, err = a.f.DatasetAt(a.name); err != nil {
		return err
	}
	return fault.About(a.name, a.check())
}

// check returns an error unless rows can be added to the array in this way.
func (a *File) check() error {
	d := a.d
	refuse := func(format string, args ...any) error {
		return fmt.Errorf(format+": %w", append(args, errors.ErrUnsupported)...)
	}
	switch {
	case d.Layout.Class != structure.LayoutChunked || len(d.Space.Dims) == 0:
		return refuse("its elements are not in chunks; write it again with Encoder.Unlimited")
	case d.Layout.Index != structure.IndexBTree1 || d.Layout.Version != 3:
		return refuse("its chunks have an index of layout %d, and only B-trees of version 1 are appended to; write it again", d.Layout.Version)
	case a.f.OffsetSize != 8 || a.f.LengthSize != 8:
		return refuse("addresses of %d bytes", a.f.OffsetSize)
	}
	band := append([]int{d.Layout.Chunk[0]}, d.Space.Dims[1:]...)
	if n, ok := bounded.Count(band, d.Type.Size); !ok || n*d.Type.Size > writing.MaxSlab {
		return bounded.Over("", writing.MaxSlab, n*d.Type.Size, "the rows of a chunk have more than %d bytes together", writing.MaxSlab)
	}
	_, _, err := a.places()
	return err
}

// DType returns the dtype of the rows.
func (a *File) DType() dtype.Type { return a.d.Header.DType }

// Shape returns the present shape of the array. The slice is a copy.
func (a *File) Shape() []int { return slices.Clone(a.d.Header.Shape) }

// Limit returns the largest number of rows that the array can have, and false if there is no limit.
func (a *File) Limit() (rows int, limited bool) {
	most := a.d.Space.Most[0]
	return int(min(most, storage.MaxInt)), most != structure.Unlimited
}

// Close closes the file and releases the lock. Closing twice does nothing.
func (a *File) Close() error {
	if a.file == nil {
		return nil
	}
	err := a.file.Close()
	a.file, a.err = nil, writing.ErrWriterClosed
	return err
}
