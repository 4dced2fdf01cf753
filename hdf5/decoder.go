package hdf5

import (
	"cmp"
	"io"
	"math"

	"github.com/npygo/npy/hdf5/internal/reading"
	"github.com/npygo/npy/internal/closable"
)

// A Decoder opens files with limits of the caller's choice. [Open] and [NewReader] use the zero Decoder, which is safe for
// untrusted files.
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

// limits returns the limits of d, with the defaults in their places.
func (d Decoder) limits() reading.Limits {
	l := reading.Limits{Bytes: d.MaxBytes, Ratio: int64(d.MaxRatio), Chunk: cmp.Or(d.MaxChunk, DefaultMaxChunk), Entries: orDefault(d.MaxEntries, DefaultMaxEntries), Header: orDefault(d.MaxHeader, DefaultMaxHeader), Total: d.Total}
	if d.MaxRatio == 0 {
		l.Ratio = DefaultMaxRatio
	}
	return l
}

// orDefault resolves a limit: 0 is the default, a negative number no limit.
func orDefault(limit, def int) int {
	switch {
	case limit == 0:
		return def
	case limit < 0:
		return math.MaxInt
	}
	return limit
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
	f, err := reading.Open(r, size, d.limits())
	if err == nil {
		err = f.CheckRoot()
	}
	if err != nil {
		return nil, err
	}
	return &Reader{f}, nil
}
