package hdf5

import (
	"cmp"
	"errors"
	"io"

	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/magic"
)

// A Decoder opens files with limits of the caller's choice. The zero Decoder is what [Open] and [NewReader] use; it is
// safe for untrusted files.
type Decoder struct {
	// MaxBytes limits the bytes of elements of one read, as for npy.Decoder. 0 stands for no limit.
	MaxBytes int64

	// MaxRatio limits the bytes of elements of one read, or of all blocks of a Source, divided by the size of the file, if they
	// are more than 256 MiB. Files can describe arrays of any size without storing an element of them. Elements that are
	// counted and not read ([npy.RegionsOf]) are free. 0 stands for [DefaultMaxRatio], a negative number for no limit.
	MaxRatio int

	// Total makes MaxRatio a limit of all reads of a Reader together, of the elements that the file does not store and of
	// chunks that decompress to more than MaxRatio times their size. For a program that opens a file for one purpose, as each
	// of a thousand arrays may be just small enough.
	Total bool

	// MaxChunk limits the bytes of a decoded chunk that is more than 64 times as long as in the file. A chunk is decoded as
	// a whole, even for one of its elements. 0 stands for [DefaultMaxChunk], a negative number for no limit.
	MaxChunk int64

	// MaxEntries limits the number of links in one group, and of entries of a file. 0 stands for [DefaultMaxEntries], a
	// negative number for no limit.
	MaxEntries int

	// MaxHeader limits the bytes of the header of one object: its datatype, its attributes, its links. 0 stands for
	// [DefaultMaxHeader], a negative number for no limit.
	MaxHeader int
}

// The default limits of a [Decoder].
const (
	DefaultMaxRatio   = 1032 // the ratio of deflate
	DefaultMaxChunk   = 32 << 20
	DefaultMaxEntries = 1 << 20
	DefaultMaxHeader  = 16 << 20
)

// freeBytes is the number of bytes that a read may always have.
const freeBytes = 256 << 20

// limits are those of a Decoder, with the defaults in their places.
type limits struct {
	bytes, ratio    int64 // 0 and -1 for no limit
	chunk           int64 // negative for no limit
	entries, header int
	total           bool
}

func (d Decoder) limits() limits {
	l := limits{d.MaxBytes, int64(d.MaxRatio), cmp.Or(d.MaxChunk, DefaultMaxChunk), orDefault(d.MaxEntries, DefaultMaxEntries), orDefault(d.MaxHeader, DefaultMaxHeader), d.Total}
	if d.MaxRatio == 0 {
		l.ratio = DefaultMaxRatio
	}
	return l
}

// orDefault resolves a limit: 0 is the default, a negative number no limit.
func orDefault(limit, def int) int {
	switch {
	case limit == 0:
		return def
	case limit < 0:
		return int(storage.MaxInt)
	}
	return limit
}

// checkSize checks the bytes of one read of a file against the limits.
func (l limits) checkSize(n, file int64) error {
	ratio := n / max(file, 1)
	switch {
	case l.bytes > 0 && n > l.bytes:
		return bounded.Over("MaxBytes", l.bytes, n, "%d bytes of elements are over MaxBytes %d", n, l.bytes)
	case l.ratio >= 0 && n > freeBytes && ratio > l.ratio:
		return bounded.Over("MaxRatio", l.ratio, ratio, "%d bytes of elements in a file of %d are over MaxRatio %d", n, file, l.ratio)
	case uint64(n) > storage.MaxInt:
		return bounded.Over("", storage.MaxInt, n, "%d bytes are more than this machine can address", n)
	}
	return nil
}

// expand counts n bytes of elements that the file does not store, if MaxRatio is a limit of all reads.
func (f *file) expand(n int) error {
	l := f.limits
	if !l.total || n == 0 || l.ratio < 0 {
		return nil
	}
	total := f.expanded.Add(int64(n))
	if ratio := total / max(f.Size, 1); total > freeBytes && ratio > l.ratio {
		return bounded.Over("MaxRatio", l.ratio, ratio, "%d bytes of elements that a file of %d does not store have been read, and are over MaxRatio %d", total, f.Size, l.ratio)
	}
	return nil
}

// checkEntries checks a number of links or attributes against the limit.
func (l limits) checkEntries(n int) error {
	if n > l.entries {
		return bounded.Over("MaxEntries", l.entries, n, "%d entries are over MaxEntries %d", n, l.entries)
	}
	return nil
}

// Open opens a file. The caller must close the Reader.
func Open(path string) (*Reader, error) { return Decoder{}.Open(path) }

// NewReader opens a file of size bytes in r, which must allow calls of ReadAt by several goroutines, as io.ReaderAt
// demands. It reads the superblock; all else is read on demand.
func NewReader(r io.ReaderAt, size int64) (*Reader, error) { return Decoder{}.NewReader(r, size) }

// Open is the function of the same name with the limits of d.
func (d Decoder) Open(path string) (*Reader, error) { return closable.Open(path, d.newReader) }

// NewReader is the function of the same name with the limits of d.
func (d Decoder) NewReader(r io.ReaderAt, size int64) (*Reader, error) {
	return d.newReader(closable.New(r, nil), size)
}

func (d Decoder) newReader(r *closable.ReaderAt, size int64) (*Reader, error) {
	base, ok := structure.FindSignature(r, size)
	if !ok {
		why := cmp.Or(magic.ExplainFile(r, magic.HDF5), "its signature is at no offset where it can be")
		return nil, &fault.Error{Offset: -1, Err: fault.Malformed(errors.New("not an HDF5 file: " + why))}
	}
	limits := d.limits()
	s, err := structure.Open(&storage.Input{Reader: r, Base: base, Size: size - base}, limits.header)
	if err != nil {
		return nil, err
	}
	f := &file{File: s, limits: limits}
	if _, err := f.groupAt(f.Super.Root); err != nil {
		return nil, fault.About("/", err)
	}
	return &Reader{f}, nil
}
