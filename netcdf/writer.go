package netcdf

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/spool"
)

// An Encoder has the settings of the files that are written. The zero Encoder suits most files.
type Encoder struct {
	// Record is the name of the dimension of the records, such as "time": more records can be added to the file later.
	// Arrays whose first dimension has this name are record variables, and must be equally long. "" means none.
	Record string
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
	enc        Encoder
	attributes []attribute
	vars       []*output
	names      map[string]bool
	dims       []dimension // 0 is the length of that of the records
	index      map[string]int
	data       spool.Spool
	records    int64 // -1 before the first record variable
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

// Create writes a netCDF-3 file to path by calling write. The file is a temporary one until write has returned without
// an error; then it takes the place of an old file.
func Create(path string, write func(w container.Writer) error) error {
	return Format(Decoder{}, Encoder{}).Create(path, container.WriteOptions{}, write)
}

// NewWriter starts a netCDF-3 file. Nothing is written before Close.
func NewWriter(w io.Writer) *Writer { return Encoder{}.NewWriter(w) }

// NewWriter is the function of the same name with the settings of e.
func (e Encoder) NewWriter(w io.Writer) *Writer {
	return &Writer{w: w, enc: e, names: map[string]bool{}, index: map[string]int{}, records: -1}
}

// Begin implements [container.Writer]. Attributes that netCDF-3 cannot hold, such as lists of strings, are left out.
func (w *Writer) Begin(e container.Entry, attributes []container.Attribute) (container.ArrayWriter, error) {
	if e.Path == "" {
		w.attributes = append(w.attributes, encodeAttributes(attributes, 0)...)
		return nil, nil
	}
	if e.Group {
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
	v.record = w.enc.Record != "" && len(e.Dims) > 0 && len(e.Dims) == len(e.Shape) && e.Dims[0] == w.enc.Record
	for i, n := range e.Shape {
		if n == 0 && !(v.record && i == 0) {
			return nil, unsupported("netcdf: axis %d has length 0, which in netCDF-3 only the dimension of the records can have", i)
		}
	}
	own := v.attributes // one or two
	for _, x := range encodeAttributes(attributes, v.typ) {
		if !slices.ContainsFunc(own, func(y attribute) bool { return y.name == x.name }) {
			v.attributes = append(v.attributes, x)
		}
	}
	if v.record {
		if w.records >= 0 && w.records != int64(e.Shape[0]) {
			return nil, fmt.Errorf("netcdf: %s has %d records, and other arrays have %d", e.Path, e.Shape[0], w.records)
		}
		w.records = int64(e.Shape[0])
	}
	w.names[v.name] = true
	v.dims = w.dimensions(e, v.record)
	return a, nil
}

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

// dimensions returns the numbers of the dimensions of an array.
func (w *Writer) dimensions(e container.Entry, record bool) []int {
	var dims []int
	for i, n := range e.Shape {
		name := ""
		if len(e.Dims) == len(e.Shape) && e.Dims[i] != "" {
			name = validName(e.Dims[i])
		}
		if record && i == 0 {
			dims = append(dims, w.dimension(name, 0))
			continue
		}
		if name == "" {
			name = fmt.Sprintf("n%d", n)
		}
		dims = append(dims, w.dimension(name, int64(n)))
	}
	return dims
}

// dimension returns the number of a dimension. If the name has another length, the dimension gets another name.
func (w *Writer) dimension(name string, n int64) int {
	for try := name; ; try = fmt.Sprintf("%s_%d", try, n) {
		i, ok := w.index[try]
		if !ok {
			i = len(w.dims)
			w.dims = append(w.dims, dimension{try, n})
			w.index[try] = i
		}
		if w.dims[i].n == n {
			return i
		}
	}
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
	done   bool
}

func (a *arrayWriter) fail(err error) error { return fmt.Errorf("netcdf: %s: %w", a.e.Path, err) }

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
		all, _, err := texts(block)
		if err != nil {
			return a.fail(err)
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
	if a.n > 0 {
		return a.fail(errMissing)
	}
	if a.done {
		return nil
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
	if a.v.typ == ncChar {
		a.v.dims = append(a.v.dims, a.w.dimension(fmt.Sprintf("string%d", length), int64(length)))
	}
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

// Close writes the file.
func (w *Writer) Close() error {
	defer w.data.Close()
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

// header returns the header with what is known of the begins.
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
