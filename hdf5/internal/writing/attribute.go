package writing

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/internal/diag"
)

// An attributeWriter makes messages of the attributes of an object, each name once.
type attributeWriter struct {
	w     *contents
	path  string
	names map[string]bool
	lost  []container.Loss
}

// A formedAttribute is an attribute that can be written.
type formedAttribute struct {
	container.Attribute
	form *Form
}

// attributes returns messages of attributes, and the losses. All are checked before anything is written. An attribute
// that HDF5 cannot hold is an error, unless Lost takes it. The names in reserved belong to other attributes.
func (w *contents) attributes(path string, all []container.Attribute, reserved ...string) (b structure.HeaderBuilder, lost []container.Loss, err error) {
	aw := attributeWriter{w: w, path: path, names: map[string]bool{}}
	for _, name := range reserved {
		aw.names[name] = true
	}
	var formed []formedAttribute
	for _, a := range all {
		if a.Stored != nil {
			a.Value = a.Stored
		}
		f, err := aw.check(a)
		switch {
		case err == nil:
			formed = append(formed, formedAttribute{a, f})
		case w.settings.Lost != nil:
			aw.lost = append(aw.lost, container.Loss{Path: path, What: "attribute " + a.Name, Detail: diag.Fault(err, "")})
		default:
			return b, nil, diag.Errorf("hdf5", "attribute %q: %w", a.Name, err)
		}
	}
	for _, a := range formed {
		if err := aw.add(&b, a); err != nil {
			return b, nil, diag.Errorf("hdf5", "attribute %q: %w", a.Name, err)
		}
	}
	return b, aw.lost, nil
}

// check returns the form of an attribute, or why it cannot be one. w.names gets its name.
func (w *attributeWriter) check(a container.Attribute) (*Form, error) {
	switch {
	case a.Err != nil:
		return nil, a.Err
	case a.Value == nil:
		return nil, errors.New("it has no value")
	case a.Name == "" || strings.Contains(a.Name, "\x00") || !utf8.ValidString(a.Name):
		return nil, errors.New("a name must be UTF-8 without NUL characters, and not empty")
	case w.names[a.Name]:
		return nil, errors.New("there are two of this name")
	case a.Value.NDim() > structure.MaxRank:
		return nil, errRank(a.Value.NDim())
	}
	f, err := w.form(a)
	if err != nil {
		return nil, err
	}
	if size := attributeSize(a, f); size > structure.MaxMessage {
		return nil, fmt.Errorf("it takes %d bytes in the file, and the limit of HDF5 is %d; write it as an array: %w", size, structure.MaxMessage, errors.ErrUnsupported)
	}
	w.names[a.Name] = true
	return f, nil
}

// form returns the form of the values of an attribute. Where the meaning cannot be written, it is lost.
func (w *attributeWriter) form(a container.Attribute) (*Form, error) {
	m, err := writableMeaning(a.Value.DType(), a.Meaning)
	if err != nil {
		w.lost = append(w.lost, container.Loss{Path: w.path, What: "the names of an enum, attribute " + a.Name, Detail: err.Error()})
	}
	if m.Refers(container.RegionReference) {
		w.lost = append(w.lost, container.Loss{Path: w.path, What: "the regions of references, attribute " + a.Name, Detail: "the paths of their arrays are written as text"})
	}
	f, err := ArrayForm(a.Value, m)
	if err == nil && w.w.settings.Terminated && a.Value.DType().Kind() == dtype.KindBytes {
		f = f.terminated()
	}
	return f, err
}

// attributeSize returns the size of the message of an attribute.
func attributeSize(a container.Attribute, f *Form) int64 {
	head := 8 + storage.AlignedSize(int64(len(a.Name)+1)) + storage.AlignedSize(int64(len(f.Message))) + 8 + 8*int64(a.Value.NDim())
	return head + storage.AlignedSize(int64(a.Value.Size())*int64(f.size))
}

// ArrayForm returns the form of an array whose objects can be looked at.
func ArrayForm(a *npy.Array, m *container.Meaning) (*Form, error) {
	utf8, err := isText(a, m)
	if err != nil {
		return nil, err
	}
	return formOf(a.DType(), utf8, m)
}

// add adds the message of an attribute to a header.
func (w *attributeWriter) add(to *structure.HeaderBuilder, a formedAttribute) error {
	p := Pool{Heap: w.w.heap}
	data, err := a.form.Encode(a.Value, &p)
	if err != nil {
		return err
	}
	space := structure.Dataspace(a.Value.Shape(), nil)
	if a.Null {
		space, data = structure.NullDataspace(), nil
	}
	to.Attribute(a.Name, a.form.Message, space, data, p.refs)
	return nil
}

// writableMeaning returns the part of a meaning that HDF5 can hold of elements of a dtype, and why it is not all of it.
func writableMeaning(t dtype.Type, m *container.Meaning) (*container.Meaning, error) {
	for t.IsSubarray() {
		t = t.Elem()
	}
	switch {
	case m.IsZero():
		return nil, nil
	case len(m.Enum) > 0:
		if err := checkEnum(t, m.Enum); err != nil {
			return nil, err
		}
		if n := len(structure.EnumType(nil, t, m.Enum)); n > structure.MaxMessage/2 {
			return nil, fmt.Errorf("%d names take %d bytes, and the limit of HDF5 for a datatype is %d", len(m.Enum), n, structure.MaxMessage)
		}
		return m, nil
	case len(m.Fields) == 0:
		return m, nil
	}
	all := &container.Meaning{Fields: map[string]*container.Meaning{}}
	var first error
	for _, f := range t.Fields() {
		field, err := writableMeaning(f.DType, m.Field(f.Name))
		if err != nil && first == nil {
			first = fmt.Errorf("field %q: %w", f.Name, err)
		}
		if field != nil {
			all.Fields[f.Name] = field
		}
	}
	return all, first
}

func errRank(n int) error {
	return fmt.Errorf("%d dimensions, and the limit of HDF5 is %d: %w", n, structure.MaxRank, errors.ErrUnsupported)
}
