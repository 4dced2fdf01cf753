package netcdf

import (
	"context"
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/atomicfile"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/spool"
)

// An Encoder has the settings of the files that are written. The zero Encoder suits most files.
type Encoder struct {
	// Record is the name of the dimension of the records, such as "time": more records can be added to the file later.
	// Arrays whose first dimension has this name are record variables, and must be equally long. With "" it is the
	// first unlimited dimension that the entry of the root defines, or else the first axis of the first array whose
	// first axis is unlimited.
	Record string

	// Sync makes Close return when the data is on disk.
	Sync bool

	// Lost is called with each loss of an entry that is written. nil leaves it unsaid.
	Lost func(container.Loss) `json:"-"`
}

// A Writer writes a netCDF-3 file: with 64-bit offsets, CDF-2, or as CDF-5 where the types or the sizes need it. The
// elements are kept in memory, or in a temporary file, until Close, since the header comes first and has all
// attributes. A path becomes a name with dots in place of slashes. Dimensions without a name are called n3 for a length
// of 3.
//
// Strings become characters along another dimension, as UTF-8. Bools become bytes, float16 becomes float32, and times
// become int64 with the attribute units of the CF conventions.
type Writer struct {
	w          io.Writer
	file       *atomicfile.Owned
	enc        Encoder
	attributes []attribute
	vars       []*output
	names      map[string]bool
	dims       []dimension // the record dimension has length 0
	index      map[string]int
	data       spool.Spool
	records    int64          // -1 before the first record variable
	record     int            // the dimension of the records; -1 if there is none
	defined    map[string]int // the dimensions that groups define, by their paths
	groups     container.GroupList
}

var _ container.Writer = (*Writer)(nil)

// An output is a variable that is to be written.
type output struct {
	name       string
	dims       []int
	attributes []attribute
	typ        uint32
	record     bool
	at, n      int64 // of its data, and the bytes in each record or of all
	begin      int64
}

// Create starts a netCDF-3 file that will be at path after [Writer.Close] has returned. Until then it is a temporary file in the
// same folder, and an old file is unchanged. Call [Writer.Abort] in a defer for the case of an error.
func Create(path string) (*Writer, error) { return Encoder{}.Create(path) }

// NewWriter starts a netCDF-3 file. Nothing is written before [Writer.Close], which does not close w.
func NewWriter(w io.Writer) (*Writer, error) { return Encoder{}.NewWriter(w) }

// Create is the function of the same name with the settings of e.
func (e Encoder) Create(path string) (*Writer, error) {
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	w := e.newWriter(f)
	w.file.File = f
	return w, nil
}

// NewWriter is the function of the same name with the settings of e. The error is nil: it is there because other formats have one.
func (e Encoder) NewWriter(w io.Writer) (*Writer, error) { return e.newWriter(w), nil }

func (e Encoder) newWriter(w io.Writer) *Writer {
	f := &atomicfile.Owned{Sync: e.Sync, Of: "netcdf: the file"}
	return &Writer{w: w, file: f, enc: e, names: map[string]bool{}, index: map[string]int{}, records: -1, record: -1, defined: map[string]int{}}
}

// Add writes an array with its attributes. It is [container.Put] for an array in memory, which can be cancelled.
func (w *Writer) Add(path string, a *npy.Array, attributes ...container.Attribute) error {
	return container.Put(context.Background(), w, container.Entry{Path: path}, attributes, a)
}

// Abort removes the file of [Create], and frees what the Writer holds. After Close it does nothing.
func (w *Writer) Abort() { w.file.Abort(func() { w.data.Close() }) }

// lose reports losses.
func (w *Writer) lose(lost ...container.Loss) { container.WriteOptions{Lost: w.enc.Lost}.Lose(lost...) }

// An arrayWriter takes the elements of one array.
type arrayWriter struct {
	w      *Writer
	e      container.Entry
	v      *output
	stored dtype.Type
	text   bool // whose longest string is not known yet
	n      int64
	parts  [][]byte // of text
	lost   []container.Loss
	done   bool
}

func (a *arrayWriter) fail(err error) error { return diag.At("netcdf", a.e.Path, err) }

// unfit returns the error of texts that are none. Of those in UCS-4 some may have been taken.
func (a *arrayWriter) unfit(err error) error {
	if !a.e.DType.HasObject() {
		return a.fail(err)
	}
	a.done = true
	delete(a.w.names, a.v.name)
	return &container.UnfitError{Err: a.fail(err)}
}
