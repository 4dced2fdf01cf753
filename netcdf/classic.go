package netcdf

import (
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/escape"
)

// A classic is an open netCDF-3 file.
type classic struct {
	dec     Decoder
	r       *closable.ReaderAt
	size    int64
	h       *header
	entries []container.Entry
	index   map[string]int
	records records
}

// records are the places of the records.
type records struct {
	n     int64 // number of records
	size  int64 // bytes from one to the next
	first int64 // where the first begins
	err   error // why the places are not known
}

func (d Decoder) classic(r *closable.ReaderAt, size int64) (*classic, error) {
	h, err := readHeader(r, size)
	if err != nil {
		return nil, err
	}
	f := &classic{dec: d, r: r, size: size, h: h, index: map[string]int{}}
	f.records = h.places(size)
	for i, v := range h.vars {
		if _, ok := f.index[v.name]; !ok {
			f.index[v.name] = i
		}
	}
	for _, v := range h.vars {
		f.entries = append(f.entries, f.entry(v))
	}
	return f, nil
}

// places finds where the records are.
func (h *header) places(size int64) records {
	x := records{n: h.records, first: math.MaxInt64}
	var only int64
	count := 0
	for _, v := range h.vars {
		if v.err != nil && x.err == nil && (len(v.dims) == 0 || v.dims[0] >= len(h.dims) || h.dims[v.dims[0]].n == 0) {
			x.err = fmt.Errorf("the size of the records is not known: %w", v.err)
		}
		if !h.isRecord(v) {
			continue
		}
		n, ok := h.perRecord(v)
		if x.size += (n + 3) &^ 3; !ok || x.size < 0 {
			x.err = fmt.Errorf("variable %s makes the records larger than 2**63 bytes", v.name)
			return x
		}
		only = n
		count++
		x.first = min(x.first, v.begin)
	}
	if count == 1 { // one alone is not padded
		x.size = only
	}
	if x.n < 0 && x.size > 0 {
		x.n = max(size-x.first, 0) / x.size
	}
	return x
}

// entry describes a variable.
func (f *classic) entry(v *variable) container.Entry {
	e := container.Entry{Path: v.name, Err: v.err}
	if e.Err != nil {
		return e
	}
	fail := func(format string, args ...any) container.Entry {
		e.Err = &Error{v.name, v.begin, fmt.Errorf(format, args...)}
		return e
	}
	record := f.h.isRecord(v)
	if record && f.records.err != nil {
		return fail("%w", f.records.err)
	}
	n, ok := f.h.perRecord(v)
	if !ok {
		return fail("more than 2**63 bytes")
	}
	e.Dims = f.h.names(v)
	e.Scales, e.IsScale = f.scales(v)
	if e.IsScale {
		e.ScaleName = v.name
	}
	shape, ok := f.shape(v)
	if !ok {
		return fail("shape %v has too many elements", shape)
	}
	t, shape := v.texts(&e, shape, record)
	e.DType, e.Shape = t, shape
	e.Fill = v.fill(t)
	if record {
		e.MaxShape = append([]int{container.Unlimited}, shape[1:]...)
	}
	h := format.Header{DType: t, Shape: shape}
	if err := h.Validate(); err != nil {
		return fail("%w", err)
	}
	if e.Stored = h.NBytes(); !record {
		e.At = v.begin
	}
	end := n
	if record {
		e.Notes = append(e.Notes, "record variable")
		if end = 0; f.records.n > 0 {
			end = n
			if f.records.n-1 > (math.MaxInt64-n)/max(f.records.size, 1) {
				return fail("%d records of %d bytes are more than 2**63 bytes", f.records.n, f.records.size)
			}
			end += (f.records.n - 1) * f.records.size
		}
		if v.begin-f.records.first > f.records.size-n {
			return fail("the data begins %d bytes after that of the first variable, in records of %d bytes", v.begin-f.records.first, f.records.size)
		}
	}
	if end > 0 && end > f.size-v.begin {
		return fail("%d bytes are needed and %d are left: %w", end, max(f.size-v.begin, 0), io.ErrUnexpectedEOF)
	}
	return e
}

// root returns the entry of the root, with the dimensions of the file.
func (f *classic) root() container.Entry {
	e := container.Entry{Group: true}
	for _, d := range f.h.dims {
		n := d.n
		if n == 0 {
			n = max(f.records.n, 0)
		}
		if int64(int(n)) != n {
			continue
		}
		e.Dims, e.Shape, e.MaxShape = append(e.Dims, d.name), append(e.Shape, int(n)), append(e.MaxShape, int(n))
		if d.n == 0 {
			e.MaxShape[len(e.MaxShape)-1] = container.Unlimited
		}
	}
	if slices.Equal(e.MaxShape, e.Shape) {
		e.MaxShape = nil
	}
	return e
}

// scales returns the paths of the dimension scales of a variable, as netCDF-4 has them, and whether it is one itself: a
// coordinate variable has the name of its dimension. Where another variable has this name, there is no scale.
func (f *classic) scales(v *variable) (scales [][]string, isScale bool) {
	if v.isCoordinate(f.h) {
		return nil, true
	}
	for _, d := range v.dims {
		name := f.h.dims[d].name
		if i, ok := f.index[name]; ok && !f.h.vars[i].isCoordinate(f.h) {
			scales = append(scales, nil)
			continue
		}
		scales = append(scales, []string{name})
	}
	return scales, false
}

// isCoordinate reports whether a variable is the coordinates of the dimension of its name, its first one.
func (v *variable) isCoordinate(h *header) bool {
	return v.err == nil && len(v.dims) > 0 && h.dims[v.dims[0]].name == v.name
}

// fill returns the fill value of a variable whose elements have a dtype, or nil if _FillValue does not say it.
func (v *variable) fill(t dtype.Type) *npy.Array {
	for _, a := range v.attributes {
		if a.name != "_FillValue" || a.typ != v.typ || a.n != 1 {
			continue
		}
		fill, err := npy.FromBytes(types[v.typ].WithByteOrder(dtype.BigEndian), a.data, []int{}...)
		switch {
		case err != nil:
			return nil
		case v.typ == ncChar:
			return textFill(fill, t.ItemSize())
		}
		return fill
	}
	return nil
}

// shape returns the shape of a variable, and false if this machine cannot have it.
func (f *classic) shape(v *variable) ([]int, bool) {
	shape := make([]int, len(v.dims))
	for i, d := range v.dims {
		n := f.h.dims[d].n
		if n == 0 {
			n = f.records.n
		}
		if shape[i] = int(n); int64(shape[i]) != n {
			return shape, false
		}
	}
	return shape, true
}

// Format implements [container.Container].
func (f *classic) Format() string {
	return fmt.Sprintf("netCDF-3, CDF-%d", f.h.version)
}

// Entries implements [container.Container].
func (f *classic) Entries() iter.Seq[container.Entry] { return slices.Values(f.entries) }

func (f *classic) find(path string) (int, error) {
	i, ok := f.index[path]
	if !ok {
		return 0, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}
	return i, nil
}

// texts returns the dtype and the shape of a variable: characters are texts along their last dimension, unless that is the one of
// the records.
func (v *variable) texts(e *container.Entry, shape []int, record bool) (dtype.Type, []int) {
	t, _ := typeOf(v.typ)
	last := len(shape) - 1
	if v.typ != ncChar || last < 0 || last == 0 && record || shape[last] > dtype.MaxItemSize || shape[last] == 0 {
		return t, shape
	}
	e.TextDim = e.Dims[last]
	e.Notes = append(e.Notes, "characters along "+e.TextDim)
	e.Dims = e.Dims[:last]
	if e.Scales != nil {
		e.Scales = e.Scales[:last]
	}
	return dtype.Bytes(shape[last]), shape[:last]
}

// Entry implements [container.Container]. The root has the dimensions of the file.
func (f *classic) Entry(path string) (container.Entry, error) {
	if path == "" {
		return f.root(), nil
	}
	i, err := f.find(path)
	if err != nil {
		return container.Entry{}, err
	}
	return f.entries[i], nil
}

// Source implements [container.Container].
func (f *classic) Source(path string) (npy.Source, error) {
	i, err := f.find(path)
	if err != nil {
		return nil, err
	}
	e, v := f.entries[i], f.h.vars[i]
	if e.Err != nil {
		return nil, e.Err
	}
	h := format.Header{DType: e.DType, Shape: e.Shape, DataOffset: v.begin}
	n, _ := f.h.perRecord(v)
	if h.NBytes() == 0 { // the data may begin after the end of the file
		return npy.New(e.DType, e.Shape...)
	}
	if !f.h.isRecord(v) || n == f.records.size {
		return f.dec.Array.FileOf(h, f.r, f.size)
	}
	return f.recordSource(e, v)
}

// recordSource returns the Source of a record variable among others: a field of the records, which are structs. Parts
// are found by strides, so only the bytes of the variable are read.
func (f *classic) recordSource(e container.Entry, v *variable) (npy.Source, error) {
	if f.records.size > dtype.MaxItemSize {
		return nil, &Error{v.name, v.begin, unsupported("records of %d bytes, more than 2 GiB", f.records.size)}
	}
	t, err := dtype.Subarray(e.DType, e.Shape[1:]...)
	if err == nil {
		t, err = dtype.Struct(int(f.records.size), dtype.Field{Name: "v", DType: t, Offset: int(v.begin - f.records.first)})
	}
	if err != nil {
		return nil, &Error{v.name, v.begin, err}
	}
	all := format.Header{DType: t, Shape: e.Shape[:1], DataOffset: f.records.first}
	file, err := f.dec.Array.FileOf(all, f.r, max(f.size, all.DataOffset+all.NBytes())) // the last record may lack its padding; entry has checked the variable
	if err != nil {
		return nil, err
	}
	return file.Select(npy.Named("v"))
}

// Attributes implements [container.Container].
func (f *classic) Attributes(path string) ([]container.Attribute, error) {
	from := f.h.attributes
	if path != "" {
		i, err := f.find(path)
		if err != nil {
			return nil, err
		}
		from = f.h.vars[i].attributes
	}
	var all []container.Attribute
	for _, a := range from {
		value, err := a.value()
		x := container.Attribute{Name: a.name, Value: value, Null: a.n == 0, Err: err}
		if x.Stored, err = a.stored(); x.Err == nil {
			x.Err = err
		}
		all = append(all, x)
	}
	return all, nil
}

// value returns the values of an attribute: text, one number, or an array of one dimension.
func (a attribute) value() (*npy.Array, error) {
	if a.typ == ncChar {
		text := string(escape.AppendBytes(nil, trimNUL(a.data)))
		return npy.FromObjects([]any{text}, []int{}...)
	}
	shape := []int{int(a.n)}
	if a.n == 1 {
		shape = []int{}
	}
	t, _ := typeOf(a.typ)
	return npy.FromBytes(t, a.data, shape...)
}

// stored returns the values as netCDF-4 has them: an array of one dimension, and text of a fixed size.
func (a attribute) stored() (*npy.Array, error) {
	t, _ := typeOf(a.typ)
	if a.typ == ncChar && a.n > 0 {
		return npy.FromBytes(dtype.Bytes(int(a.n)), a.data, []int{}...)
	}
	return npy.FromBytes(t, a.data, int(a.n))
}

// trimNUL returns text without the NULs at its end.
func trimNUL(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] == 0 {
		b = b[:len(b)-1]
	}
	return b
}
