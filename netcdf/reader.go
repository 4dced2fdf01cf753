package netcdf

import (
	"io"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/internal/closable"
)

// A Reader is an open netCDF file: a [container.Container]. It may be used by several goroutines.
type Reader struct {
	c    container.Container
	file io.Closer
}

var _ container.Container = (*Reader)(nil)

// Open opens a netCDF file of any version. The caller must close the Reader.
func Open(path string) (*Reader, error) { return Decoder{}.Open(path) }

// NewReader opens the netCDF file of size bytes in r. Of netCDF-3 only the header is read, of netCDF-4 the superblock.
func NewReader(r io.ReaderAt, size int64) (*Reader, error) { return Decoder{}.NewReader(r, size) }

// Open is the function of the same name with the limits of d.
func (d Decoder) Open(path string) (*Reader, error) { return closable.Open(path, d.newReader) }

// NewReader is the function of the same name with the limits of d.
func (d Decoder) NewReader(r io.ReaderAt, size int64) (*Reader, error) {
	return d.newReader(closable.New(r, nil), size)
}

func (d Decoder) newReader(r *closable.ReaderAt, size int64) (*Reader, error) {
	if isHDF5(d, r, size) {
		h, err := d.HDF5.NewReader(r, size)
		if err != nil {
			return nil, err
		}
		return &Reader{&enhanced{Reader: h}, r}, nil
	}
	f, err := d.classic(r, size)
	if err != nil {
		return nil, err
	}
	return &Reader{f, r}, nil
}

// Format implements [container.Container].
func (f *Reader) Format() string { return f.c.Format() }

// Entries implements [container.Container]. Names of dimensions are in Dims.
func (f *Reader) Entries() iter.Seq[container.Entry] { return f.c.Entries() }

// Entry implements [container.Container].
func (f *Reader) Entry(path string) (container.Entry, error) { return f.c.Entry(path) }

// Source implements [container.Container]. The values are as stored: see [Scaled].
func (f *Reader) Source(path string) (npy.Source, error) { return f.c.Source(path) }

// Omitted implements [container.Omitter]: the types of netCDF-4 are no entries.
func (f *Reader) Omitted() []container.Loss { return container.Omitted(f.c) }

// Attributes implements [container.Container]. The attributes of the root, "", are the global ones.
func (f *Reader) Attributes(path string) ([]container.Attribute, error) {
	return f.c.Attributes(path)
}

// Close closes the file that [Open] opened. The Sources of the Reader then fail.
func (f *Reader) Close() error { return f.file.Close() }
