package matlab

import (
	"context"
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/internal/atomicfile"
)

// An Encoder has the settings of the files that are written. The zero Encoder writes version 7, which is compressed.
type Encoder struct {
	// HDF5 writes version 7.3, an HDF5 file: for arrays of 2 GiB and more, which older versions cannot hold.
	HDF5 bool

	Store   bool // no compression: version 5, which MATLAB calls 6
	Level   int  // of compression, 1 to 9; 0 for the default
	Workers int  // goroutines that compress; 0 for the limit of [npy.SetWorkers]

	// Sync makes Close return when the data is on disk.
	Sync bool

	// Lost is called with each loss of an entry that is written. nil leaves it unsaid.
	Lost func(container.Loss) `json:"-"`
}

// A Writer writes a MAT-file, one entry after the other: a [container.Writer]. It is for one goroutine at a time. It compresses on
// several goroutines itself.
//
// Entries at the top become variables, in Fortran order, without another copy of them if that is the order in which their elements
// come. Groups become structs, groups whose members are called 0, 1, … cells or arrays of structs, and groups with the members of
// a sparse matrix a sparse matrix; they are kept in memory or a temporary file and written by Close. Version 7.3 has neither cells
// nor sparse matrices: such groups become structs.
//
// Vectors become rows. Strings become character arrays, with one row for each string; arrays of Python strings become
// cells. Names are made names of MATLAB: other characters than letters, digits and underscores become underscores.
type Writer struct {
	file *atomicfile.Owned
	w    versionWriter
}

// A versionWriter writes a version of MAT-files.
type versionWriter interface {
	container.FortranWriter
	drop() // frees what the writer holds
}

var _ container.FortranWriter = (*Writer)(nil)

// Create starts a MAT-file that will be at path after [Writer.Close] has returned. Until then it is a temporary file in the same
// folder, and an old file is unchanged. Call [Writer.Abort] in a defer for the case of an error.
func Create(path string) (*Writer, error) { return Encoder{}.Create(path) }

// NewWriter starts a MAT-file at the present offset of w. [Writer.Close] does not close w.
func NewWriter(w io.WriteSeeker) (*Writer, error) { return Encoder{}.NewWriter(w) }

// Create is the function of the same name with the settings of e.
func (e Encoder) Create(path string) (*Writer, error) {
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	w, err := e.NewWriter(f)
	if err != nil {
		f.Abort()
		return nil, err
	}
	w.file.File = f
	return w, nil
}

// NewWriter is the function of the same name with the settings of e.
func (e Encoder) NewWriter(w io.WriteSeeker) (*Writer, error) {
	f := &atomicfile.Owned{Sync: e.Sync, Of: "matlab: the file"}
	o := container.WriteOptions{Store: e.Store, Level: e.Level, Workers: e.Workers, Lost: e.Lost}
	if e.HDF5 {
		x, err := newWriter73(w, o)
		return &Writer{f, x}, err
	}
	x, err := newWriter5(w, o)
	return &Writer{f, x}, err
}

// Begin implements [container.Writer]. MAT-files have no attributes.
func (w *Writer) Begin(e container.Entry, attributes []container.Attribute) (container.ArrayWriter, error) {
	if err := w.file.Ended(); err != nil {
		return nil, err
	}
	return w.w.Begin(e, attributes)
}

// KeepsFortran implements [container.FortranWriter].
func (w *Writer) KeepsFortran() {}

// Add writes an array. Attributes go to Lost of the [Encoder]. Add cannot be cancelled: [container.Put] can.
func (w *Writer) Add(path string, a *npy.Array, attributes ...container.Attribute) error {
	return container.Put(context.Background(), w, container.Entry{Path: path}, attributes, a)
}

// Close writes the groups and completes the file. The file of [Create] is moved to its path; after an error there is no new file.
// Close after Close or [Writer.Abort] is an error, which wraps [fs.ErrClosed].
func (w *Writer) Close() error { return w.file.Close(w.w.Close) }

// Abort removes the file of [Create], and frees what the Writer holds. After Close it does nothing.
func (w *Writer) Abort() { w.file.Abort(w.w.drop) }
