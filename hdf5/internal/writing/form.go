package writing

import (
	"errors"
	"fmt"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/scalar"
)

// A Form is the form of the elements of a dtype in the file. Most elements have the same bytes as in memory. Text and Python objects
// become references to strings in a global heap, so that structs with them have other offsets.
type Form struct {
	t         dtype.Type
	Message   []byte // the datatype message
	size      int    // of an element in the file, in bytes
	Same      bool   // file and memory have the same bytes
	Fields    []formField
	element   *Form // of a subarray
	count     int   // of the elements of a subarray
	reference container.Reference
}

type formField struct {
	name string
	at   int
	form *Form
}

// A Pool takes the targets of elements. Texts go to the heap at once. References are noted, because the addresses of their
// objects are known at the end.
type Pool struct {
	Heap *structure.Heap
	refs []structure.PendingRef
}

// formOf returns the form of a dtype whose elements have a meaning. utf8 says whether Python objects are str, and not bytes.
func formOf(t dtype.Type, utf8 bool, m *container.Meaning) (*Form, error) {
	f, err := newForm(t, utf8, m)
	if err == nil && len(f.Message) > structure.MaxMessage {
		err = diag.Errorf("hdf5", "the datatype takes %d bytes, and the limit of HDF5 is %d; write fewer fields: %w", len(f.Message), structure.MaxMessage, errors.ErrUnsupported)
	}
	return f, err
}

func newForm(t dtype.Type, utf8 bool, m *container.Meaning) (*Form, error) {
	switch {
	case t.IsSubarray():
		return subarrayForm(t, utf8, m)
	case t.IsStruct() && t.NumField() > 0:
		return structForm(t, utf8, m)
	case t.Kind() == dtype.KindStr:
		return &Form{t: t, Message: structure.VariableStringType(true), size: structure.HeapReference}, nil
	case t.Kind() == dtype.KindObject && m != nil && m.Reference == container.ObjectReference:
		return &Form{t: t, Message: structure.ReferenceType(), size: structure.AddressSize, reference: m.Reference}, nil
	case t.Kind() == dtype.KindObject:
		if m == nil {
			m = &container.Meaning{}
		}
		return &Form{t: t, Message: structure.VariableStringType(utf8 && m.Charset != container.ASCII), size: structure.HeapReference, reference: m.Reference}, nil
	}
	message, err := plainType(t)
	if err != nil {
		return nil, err
	}
	switch {
	case m == nil:
	case len(m.Enum) > 0:
		message = structure.EnumType(message, t, m.Enum)
	case m.Charset == container.UTF8 && t.Kind() == dtype.KindBytes:
		message = structure.DatatypeHead(1, structure.ClassString, 1|structure.UTF8Charset, max(t.ItemSize(), 1))
	}
	return &Form{t: t, Message: message, size: max(t.ItemSize(), 1), Same: t.ItemSize() > 0}, nil
}

func subarrayForm(t dtype.Type, utf8 bool, meaning *container.Meaning) (*Form, error) {
	element, err := newForm(t.Elem(), utf8, meaning)
	if err != nil {
		return nil, err
	}
	shape := t.SubShape()
	count := nd.Size(shape)
	if count == 0 || len(shape) > structure.MaxRank {
		return nil, diag.Errorf("hdf5", "a subarray of shape %v, which HDF5 cannot hold: %w", shape, errors.ErrUnsupported)
	}
	f := &Form{t: t, Message: structure.ArrayType(element.Message, shape), size: count * element.size, Same: element.Same, element: element, count: count}
	if f.size/count != element.size || f.size > dtype.MaxItemSize {
		return nil, diag.Errorf("hdf5", "elements of dtype %s are larger than 2 GiB in the file: %w", t, errors.ErrUnsupported)
	}
	return f, nil
}

func structForm(t dtype.Type, utf8 bool, meaning *container.Meaning) (*Form, error) {
	f := &Form{t: t, Same: true}
	for _, field := range t.Fields() {
		m, err := newForm(field.DType, utf8, meaning.Field(field.Name))
		if err != nil {
			return nil, fmt.Errorf("field %q: %w", field.Name, err)
		}
		if strings.Contains(field.Name, "\x00") || field.Name == "" {
			return nil, diag.Errorf("hdf5", "field %q: HDF5 has no fields of this name: %w", field.Name, errors.ErrUnsupported)
		}
		f.Same = f.Same && m.Same
		f.Fields = append(f.Fields, formField{field.Name, field.Offset, m})
	}
	f.size = t.ItemSize()
	if !f.Same {
		f.size = 0
		for i := range f.Fields {
			f.Fields[i].at = f.size
			if f.size += f.Fields[i].form.size; f.size > dtype.MaxItemSize {
				return nil, diag.Errorf("hdf5", "elements of dtype %s are larger than 2 GiB in the file: %w", t, errors.ErrUnsupported)
			}
		}
	}
	members := make([]structure.MemberType, len(f.Fields))
	for i, field := range f.Fields {
		members[i] = structure.MemberType{Name: field.name, Offset: field.at, Form: field.form.Message}
	}
	f.Message = structure.CompoundType(f.size, members)
	return f, nil
}

// Encode returns the elements of a, in C order, as they lie in the file. The result may be the memory of a.
func (f *Form) Encode(a *npy.Array, p *Pool) ([]byte, error) {
	if f.Same {
		data, ok := a.Contiguous().ViewBytes()
		if !ok {
			return nil, diag.Errorf("hdf5", "elements of dtype %s cannot be read as bytes", a.DType())
		}
		return data, nil
	}
	dst := make([]byte, a.Size()*f.size)
	return dst, f.fill(dst, func(i int) int { return i * f.size }, a, p)
}

// fill writes the elements of a, in C order: element i to dst[place(i):].
func (f *Form) fill(dst []byte, place func(i int) int, a *npy.Array, p *Pool) error {
	switch {
	case f.element != nil && a.DType().IsSubarray():
		return diag.New("hdf5", "an array of subarrays") // their dimensions belong to the array
	case f.Fields != nil:
		for _, field := range f.Fields {
			items, err := a.Field(field.name)
			if err != nil {
				return err
			}
			if err := field.form.fillItems(dst, func(i int) int { return place(i) + field.at }, items, p); err != nil {
				return fmt.Errorf("field %q: %w", field.name, err)
			}
		}
		return nil
	case f.t.Kind() == dtype.KindObject:
		return f.fillObjects(dst, place, a, p)
	case f.t.Kind() == dtype.KindStr:
		return f.fillText(dst, place, a, p.Heap)
	}
	data, _ := a.Contiguous().ViewBytes()
	n := f.t.ItemSize() // 0 for S0, whose elements stay a zero byte each
	for i := range a.Size() {
		copy(dst[place(i):], data[i*n:(i+1)*n])
	}
	return nil
}

// fillItems is fill for the items of a field, which may be subarrays: then a has their dimensions.
func (f *Form) fillItems(dst []byte, place func(i int) int, a *npy.Array, p *Pool) error {
	for f.element != nil {
		element, count, outer := f.element, f.count, place
		place = func(i int) int { return outer(i/count) + i%count*element.size }
		f = element
	}
	return f.fill(dst, place, a, p)
}

func (f *Form) fillText(dst []byte, place func(i int) int, a *npy.Array, h *structure.Heap) error {
	data, _ := a.Contiguous().ViewBytes()
	n, big := f.t.ItemSize(), f.t.ByteOrder() == dtype.BigEndian
	var text []byte
	for i := range a.Size() {
		var err error
		if text, err = scalar.AppendUCS4(text[:0], data[i*n:(i+1)*n], big); err != nil {
			return diag.Errorf("hdf5", "element %d: %w", i, err)
		}
		if err := h.Reference(dst[place(i):], unescaped(text)); err != nil {
			return err
		}
	}
	return nil
}

func (f *Form) fillObjects(dst []byte, place func(i int) int, a *npy.Array, p *Pool) error {
	objects, err := a.Objects()
	if err != nil {
		return err
	}
	for i, v := range objects {
		var text []byte
		switch v := v.(type) {
		case string:
			text = unescaped([]byte(v))
		case []byte:
			text = v
		case nil:
			if f.reference == "" {
				return errObject(i, v)
			}
		default:
			return errObject(i, v)
		}
		if f.reference == container.ObjectReference {
			if v != nil {
				p.refs = append(p.refs, structure.PendingRef{At: place(i), Target: string(text)})
			}
			continue
		}
		if err := p.Heap.Reference(dst[place(i):], text); err != nil {
			return err
		}
	}
	return nil
}

func errObject(i int, v any) error {
	return diag.Errorf("hdf5", "element %d is a %T, and of Python objects HDF5 holds str and bytes only; write an .npz file: %w", i, v, errors.ErrUnsupported)
}

// unescaped returns text without the three-byte surrogates that stand for bytes that are not UTF-8: Python's
// "surrogateescape", with which h5py reads and writes text. It changes text.
func unescaped(text []byte) []byte {
	n := 0
	for i := 0; i < len(text); n++ {
		if i+2 < len(text) && text[i] == 0xed && (text[i+1] == 0xb2 || text[i+1] == 0xb3) { // U+DC80 to U+DCFF
			text[n] = text[i+1]<<6 | text[i+2]&0x3f
			i += 3
			continue
		}
		text[n] = text[i]
		i++
	}
	return text[:n]
}

// isText reports whether the objects of an array are all str, or else all bytes. Null references are neither. The error names the
// first object that is neither, or is not like the others.
func isText(a *npy.Array, m *container.Meaning) (utf8 bool, err error) {
	columns, err := objectColumns(a, m)
	utf8 = true
	first := true
	for _, c := range columns {
		for i, v := range c.objects {
			_, isStr := v.(string)
			_, isBytes := v.([]byte)
			switch {
			case c.reference && (isStr || v == nil):
			case c.reference || !isStr && !isBytes:
				return false, errObject(i, v)
			case first:
				first, utf8 = false, isStr
			case isStr != utf8:
				return false, diag.Errorf("hdf5", "element %d is a %T, and others are not: an array of HDF5 has str or bytes: %w", i, v, errors.ErrUnsupported)
			}
		}
	}
	return utf8, err
}

// An objectColumn is the objects of an array, or of a field.
type objectColumn struct {
	objects   []any
	reference bool // paths, and nil
}

// objectColumns returns the objects of an array, or of each field that has any.
func objectColumns(a *npy.Array, m *container.Meaning) ([]objectColumn, error) {
	t := a.DType()
	switch {
	case !t.HasObject():
		return nil, nil
	case !t.IsStruct():
		objects, err := a.Objects()
		return []objectColumn{{objects, m != nil && m.Reference != ""}}, err
	}
	var columns []objectColumn
	for _, field := range t.Fields() {
		items, err := a.Field(field.Name)
		if err != nil {
			return nil, err
		}
		inner, err := objectColumns(items, m.Field(field.Name))
		if err != nil {
			return nil, err
		}
		columns = append(columns, inner...)
	}
	return columns, nil
}
