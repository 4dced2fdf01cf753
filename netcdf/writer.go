package netcdf

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/atomicfile"
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

// Add writes an array with its attributes. It is [container.Put] for an array in memory.
func (w *Writer) Add(path string, a *npy.Array, attributes ...container.Attribute) error {
	return container.Put(context.Background(), w, container.Entry{Path: path}, attributes, a)
}

// Abort removes the file of [Create], and frees what the Writer holds. After Close it does nothing.
func (w *Writer) Abort() { w.file.Abort(func() { w.data.Close() }) }

// Begin implements [container.Writer]. Attributes that netCDF-3 cannot hold, such as lists of strings, are left out, and told to
// Encoder.Lost.
func (w *Writer) Begin(e container.Entry, attributes []container.Attribute) (container.ArrayWriter, error) {
	if err := w.file.Ended(); err != nil {
		return nil, err
	}
	if e.Group {
		w.group(e, attributes)
		return nil, nil
	}
	h := format.Header{DType: e.DType, Shape: e.Shape}
	if err := h.Validate(); err != nil {
		return nil, err
	}
	v := &output{name: validName(e.Path), at: w.data.Size()}
	if w.names[v.name] {
		return nil, &fs.PathError{Op: "write", Path: e.Path, Err: fmt.Errorf("the name %s is taken: %w", v.name, fs.ErrExist)}
	}
	a := &arrayWriter{w: w, e: e, v: v, n: h.NBytes()}
	switch t := e.DType; {
	case t.IsStruct() || t.IsSubarray():
		_, err := storedAs(t)
		return nil, err
	case t.Kind() == dtype.KindBytes || t.Kind() == dtype.KindStr || t.Kind() == dtype.KindObject:
		a.text = t.Kind() != dtype.KindBytes
		v.typ, a.stored = ncChar, dtype.Bytes(max(t.ItemSize(), 1))
	default:
		s, err := storedAs(t)
		if err != nil {
			return nil, err
		}
		v.typ, a.stored, v.attributes = s.typ, s.t, s.attributes
	}
	v.record = w.hasRecords(e)
	for i, n := range e.Shape {
		if n == 0 && !(v.record && i == 0) {
			return nil, unsupported("netcdf: axis %d has length 0, which in netCDF-3 only the dimension of the records can have", i)
		}
	}
	if v.record && w.records >= 0 && w.records != int64(e.Shape[0]) {
		return nil, fmt.Errorf("netcdf: %s has %d records, and other arrays have %d", e.Path, e.Shape[0], w.records)
	}
	a.addAttributes(attributes)
	w.names[v.name] = true
	return a, nil
}

// lose reports losses.
func (w *Writer) lose(lost ...container.Loss) { container.WriteOptions{Lost: w.enc.Lost}.Lose(lost...) }

// encodeAttributes returns the attributes that netCDF-3 can hold, of a variable of type nc or of the file.
func encodeAttributes(attributes []container.Attribute, nc uint32) []attribute {
	var all []attribute
	names := map[string]bool{}
	for _, a := range attributes {
		if a.Err != nil {
			continue
		}
		x, ok := encodeAttribute(a.Name, a.Value, nc)
		if ok && !names[x.name] {
			names[x.name] = true
			all = append(all, x)
		}
	}
	return all
}

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

func (a *arrayWriter) fail(err error) error { return fmt.Errorf("netcdf: %s: %w", a.e.Path, err) }

// unfit returns the error of texts that are none. Of those in UCS-4 some may have been taken.
func (a *arrayWriter) unfit(err error) error {
	if !a.e.DType.HasObject() {
		return a.fail(err)
	}
	a.done = true
	delete(a.w.names, a.v.name)
	return &container.UnfitError{Err: a.fail(err)}
}

// Write implements [container.ArrayWriter].
func (a *arrayWriter) Write(block *npy.Array) error {
	if !block.DType().Equal(a.e.DType) {
		return a.fail(fmt.Errorf("a block of dtype %s in an array of %s", block.DType(), a.e.DType))
	}
	if a.n -= int64(block.NBytes()); a.n < 0 {
		return a.fail(fmt.Errorf("more elements than the shape has"))
	}
	switch {
	case a.text:
		all, _, err := texts(block, a.e.Meaning)
		if err != nil {
			return a.unfit(err)
		}
		a.parts = append(a.parts, all...)
		return nil
	case a.v.typ != ncChar:
		var err error
		if block, err = block.Cast(a.stored, npy.UnsafeCasting); err != nil {
			return a.fail(err)
		}
	}
	_, err := a.w.data.Write(block.Bytes())
	return err
}

// Close implements [container.ArrayWriter].
func (a *arrayWriter) Close() error {
	if a.done {
		return nil
	}
	if a.n > 0 {
		return a.fail(errMissing)
	}
	a.done = true
	length := a.stored.ItemSize()
	if a.text {
		length = 1
		for _, b := range a.parts {
			length = max(length, len(b))
		}
		for _, b := range a.parts {
			if _, err := a.w.data.Write(append(b, make([]byte, length-len(b))...)); err != nil {
				return err
			}
		}
	} else if a.e.DType.ItemSize() == 0 { // |S0 has one NUL for each
		if _, err := a.w.data.Write(make([]byte, format.Header{DType: dtype.Int8, Shape: a.e.Shape}.Size())); err != nil {
			return err
		}
	}
	a.v.dims = a.w.dimensions(a.e, a.v.record)
	if a.v.typ == ncChar {
		name := fmt.Sprintf("string%d", length)
		if a.e.TextDim != "" {
			name = validName(a.e.TextDim)
		}
		a.v.dims = append(a.v.dims, a.w.dimension(name, int64(length)))
	}
	a.w.groups.Add(a.e)
	a.w.lose(a.losses()...)
	a.v.n = a.w.data.Size() - a.v.at
	switch {
	case a.v.record && a.w.records > 0:
		a.v.n /= a.w.records
	case a.v.record:
		a.v.n = int64(types[a.v.typ].ItemSize())
		for _, d := range a.v.dims[1:] {
			a.v.n *= a.w.dims[d].n
		}
	}
	a.w.vars = append(a.w.vars, a.v)
	return nil
}

// Close writes the file. The file of [Create] is moved to its path; after an error there is no new file. Close after Close or
// [Writer.Abort] is an error, which wraps [fs.ErrClosed].
func (w *Writer) Close() error { return w.file.Close(w.write) }

// write writes the header and the elements.
func (w *Writer) write() error {
	defer w.data.Close()
	w.lose(w.groups.Empty()...)
	version := w.version()
	size := int64(len(w.header(version)))
	var fixed, records []*output
	at := size
	for _, v := range w.vars {
		if v.record {
			records = append(records, v)
			continue
		}
		fixed = append(fixed, v)
		v.begin = at
		at += (v.n + 3) &^ 3
	}
	for _, v := range records {
		v.begin = at
		at += (v.n + 3) &^ 3
	}
	out := bufio.NewWriterSize(w.w, 256<<10)
	if _, err := out.Write(w.header(version)); err != nil {
		return err
	}
	buffer := make([]byte, 32<<10)
	for _, v := range fixed {
		// Without ReadFrom, which takes a buffer of its own for each variable.
		if _, err := io.CopyBuffer(struct{ io.Writer }{out}, io.NewSectionReader(&w.data, v.at, v.n), buffer); err != nil {
			return err
		}
		if _, err := out.Write(make([]byte, -v.n&3)); err != nil {
			return err
		}
	}
	if err := w.writeRecords(out, records); err != nil {
		return err
	}
	return out.Flush()
}

// writeRecords writes record variables, a row of each in every record. One alone is not padded.
func (w *Writer) writeRecords(out io.Writer, vars []*output) error {
	readers := make([]io.Reader, len(vars))
	for i, v := range vars {
		all := io.NewSectionReader(&w.data, v.at, v.n*w.records)
		readers[i] = bufio.NewReaderSize(all, max(4<<10, 4<<20/len(vars)))
	}
	for range max(w.records, 0) {
		for i, v := range vars {
			if _, err := io.CopyN(out, readers[i], v.n); err != nil {
				return err
			}
			if len(vars) == 1 {
				continue
			}
			if _, err := out.Write(make([]byte, -v.n&3)); err != nil {
				return err
			}
		}
	}
	return nil
}

// version returns 2, or 5 if types or sizes need it.
func (w *Writer) version() int {
	wide := func(all []attribute) bool {
		return slices.ContainsFunc(all, func(a attribute) bool { return a.typ >= ncUbyte })
	}
	if wide(w.attributes) || w.records >= math.MaxUint32 {
		return 5
	}
	for _, d := range w.dims {
		if d.n > math.MaxInt32-4 {
			return 5
		}
	}
	for _, v := range w.vars {
		if v.typ >= ncUbyte || v.n > math.MaxUint32-4 || wide(v.attributes) {
			return 5
		}
	}
	return 2
}

// header returns the header with the begins that are known.
func (w *Writer) header(version int) []byte {
	h := &head{b: []byte{'C', 'D', 'F', byte(version)}, wide: version == 5}
	h.count(max(w.records, 0))
	h.list(tagDimension, len(w.dims))
	for _, d := range w.dims {
		h.name(d.name)
		h.count(d.n)
	}
	h.attributes(w.attributes)
	h.list(tagVariable, len(w.vars))
	for _, v := range w.vars {
		h.name(v.name)
		h.count(int64(len(v.dims)))
		for _, d := range v.dims {
			h.count(int64(d))
		}
		h.attributes(v.attributes)
		h.uint32(v.typ)
		h.count((v.n + 3) &^ 3)
		wide := &head{wide: true}
		wide.count(v.begin)
		h.b = append(h.b, wide.b...)
	}
	return h.b
}

// MarshalJSON returns an error: a Writer is an open file.
func (w *Writer) MarshalJSON() ([]byte, error) {
	return nil, unsupported("netcdf: a Writer is not data and has no JSON; marshal what was written")
}
