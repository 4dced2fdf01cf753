package hdf5

import (
	"context"
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5/internal/writing"
)

// Encoder configures writing. The zero Encoder compresses with gzip.
type Encoder struct {
	Store   bool // no compression: arrays are contiguous unless they have a chunk shape or can grow
	Level   int  // of gzip or Zstandard, 1 to 9 (22 for Zstandard); 0 chooses a level for the data
	Zstd    bool // compresses with Zstandard, the registered filter 32015, which readers need a plugin for
	Workers int  // goroutines that compress; 0 for the limit of [npy.SetWorkers]

	// Unlimited lets the first axis of every array grow, for [OpenAppend] and other programs.
	Unlimited bool

	// UserBlock is written before all HDF5 data. Its length is 512 or a larger power of two.
	UserBlock []byte

	// Terminated marks text of dtype S in attributes as ending with a NUL, or with its size, as MATLAB does. Without it the
	// text is padded with NULs, as h5py does. The bytes are the same, but libmatio finds no class in padded text.
	Terminated bool

	// Sync makes Close return when the data is on disk.
	Sync bool

	// Lost is called with the properties of a written entry that the file cannot hold. An attribute that HDF5 cannot hold is then left
	// out. Without Lost such an attribute is an error, and other losses are not reported.
	Lost func(container.Loss) `json:"-"`
}

// A Writer writes an HDF5 file, one entry after the other: a [container.Writer]. It is for one goroutine at a time. It
// compresses on several goroutines itself, so that errors of the file may be reported by a later call.
type Writer struct{ w *writing.File }

var _ container.LinkWriter = (*Writer)(nil)

// Create starts a file that will be at path after [Writer.Close] has returned. Until then it is a temporary file in the
// same folder, and an old file is unchanged. Call [Writer.Abort] in a defer for the case of an error.
func Create(path string) (*Writer, error) { return Encoder{}.Create(path) }

// NewWriter starts a file at the present offset of w. [Writer.Close] does not close w.
func NewWriter(w io.WriteSeeker) (*Writer, error) { return Encoder{}.NewWriter(w) }

// Create is the function of the same name with the settings of e.
func (e Encoder) Create(path string) (*Writer, error) {
	return newWriter(writing.Create(path, writing.Settings(e)))
}

// NewWriter is the function of the same name with the settings of e. The error names an invalid setting, or says that w
// cannot seek.
func (e Encoder) NewWriter(w io.WriteSeeker) (*Writer, error) {
	return newWriter(writing.New(w, writing.Settings(e)))
}

func newWriter(w *writing.File, err error) (*Writer, error) {
	if err != nil {
		return nil, err
	}
	return &Writer{w}, nil
}

// Begin implements [container.Writer]. Groups on the way to an array are added. An array without chunks that is compressed,
// can grow, or has a checksum gets chunks of up to 1 MiB of whole rows. Chunks that cut rows are collected until they are
// complete: rows that take more than 512 MiB together are a [npy.LimitError].
//
// Scales become dimension scales of HDF5, and so do the dimensions that a group defines. Of an array without scales the
// names of dimensions become labels. A scale, and the object of a reference, may be written later than the reference to
// it. If it is missing at the end, the axis has a label, and the reference is null.
//
// Text becomes strings of variable length in UTF-8, str and bytes of dtype |O too; all other Python objects are an
// [container.UnfitError] that wraps [errors.ErrUnsupported]. Attributes of 64 KiB and more, except for text, are an error
// unless [Encoder.Lost] takes them.
func (w *Writer) Begin(e container.Entry, attributes []container.Attribute) (container.ArrayWriter, error) {
	return w.w.Begin(e, attributes)
}

// Link implements [container.LinkWriter].
func (w *Writer) Link(e container.Entry) error { return w.w.Link(e) }

// Add writes an array with its attributes. It cannot be cancelled: [container.Put] can.
func (w *Writer) Add(path string, a *npy.Array, attributes ...container.Attribute) error {
	return container.Put(context.Background(), w, container.Entry{Path: path}, attributes, a)
}

// Close completes the file. The file of [Create] is moved to its path. After an error there is no new file. Close after
// Close or Abort is an error, which wraps [io/fs.ErrClosed].
func (w *Writer) Close() error { return w.w.Close() }

// Abort discards the file: there is no new file, and an old one is unchanged. After Close it does nothing.
func (w *Writer) Abort() { w.w.Abort() }
