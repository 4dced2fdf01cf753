package netcdf

import (
	"fmt"
	"io/fs"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/diag"
)

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
			return nil, diag.Wrap("netcdf", unsupported("axis %d has length 0, which in netCDF-3 only the dimension of the records can have", i))
		}
	}
	if v.record && w.records >= 0 && w.records != int64(e.Shape[0]) {
		return nil, diag.Errorf("netcdf", "%s has %d records, and other arrays have %d", e.Path, e.Shape[0], w.records)
	}
	a.addAttributes(attributes)
	w.names[v.name] = true
	return a, nil
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
