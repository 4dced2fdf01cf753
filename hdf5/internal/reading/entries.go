package reading

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/structure"
)

// Format describes the version of the file.
func (f *File) Format() string {
	text := fmt.Sprintf("HDF5, superblock %d", f.Super.Version)
	if f.Base > 0 {
		text += fmt.Sprintf(", after a user block of %d bytes", f.Base)
	}
	return text
}

// Entries yields the groups and datasets below the root.
func (f *File) Entries() iter.Seq[container.Entry] {
	return func(yield func(container.Entry) bool) {
		if err := f.Reader.Check(); err != nil {
			yield(container.Entry{Err: err})
			return
		}
		f.walk(func(o object) bool {
			e, ok := f.entryOf(o)
			return !ok || yield(e)
		})
	}
}

// entryOf describes the target of a link. It reports false for a committed datatype.
func (f *File) entryOf(o object) (container.Entry, bool) {
	e := container.Entry{Path: o.path}
	switch {
	case o.err != nil:
		e.Err = fault.About(o.path, o.err)
	case o.h.IsGroup():
		e.Group = true
	case o.h.IsDataset():
		d, err := f.dataset(o.h, o.path)
		if err != nil {
			e.Err = err
			break
		}
		e = d.Entry(context.Background())
	default:
		return e, false
	}
	e.Link, e.LinkKind, e.LinkTarget, e.LinkFile = o.link, o.kind, o.via.Target, o.via.File
	return e, true
}

// lookup returns the header of the object at a path.
func (f *File) lookup(path string) (*structure.Header, error) {
	if err := f.Reader.Check(); err != nil {
		return nil, fault.About(path, err)
	}
	at, err := f.find(f.Super.Root, path, 0)
	if err != nil {
		return nil, fault.About(path, err)
	}
	h, err := f.Header(at)
	return h, fault.About(path, err)
}

// Entry returns the entry of a path.
func (f *File) Entry(path string) (container.Entry, error) {
	path = strings.Trim(path, "/")
	if err := f.Reader.Check(); err != nil {
		return container.Entry{}, fault.About(path, err)
	}
	group, l, err := f.link(f.Super.Root, path, 0)
	if err != nil {
		return container.Entry{}, fault.About(path, err)
	}
	e, ok := f.entryOf(f.object(path, group, l))
	if !ok {
		e.Err = fault.About(path, errNotDataset)
	}
	return e, nil
}

// DatasetAt returns the dataset at a path.
func (f *File) DatasetAt(path string) (*Dataset, error) {
	h, err := f.lookup(path)
	if err != nil {
		return nil, err
	}
	if !h.IsDataset() {
		return nil, fault.About(path, errNotDataset)
	}
	return f.dataset(h, path)
}

// Source returns the dataset at a path.
func (f *File) Source(path string) (npy.Source, error) {
	path = strings.Trim(path, "/")
	d, err := f.DatasetAt(path)
	if err != nil {
		return nil, err
	}
	s, err := d.source()
	return s, fault.About(path, err)
}

// AttributesAt returns the attributes of the object at a path, except the attributes of dimension scales.
func (f *File) AttributesAt(path string) ([]container.Attribute, error) {
	path = strings.Trim(path, "/")
	h, err := f.lookup(path)
	if err != nil {
		return nil, err
	}
	list, err := f.attributes(h, nil)
	if h.IsDataset() {
		hidden := f.dimensions(h).hidden
		list = slices.DeleteFunc(list, func(a container.Attribute) bool { return slices.Contains(hidden, a.Name) })
	}
	for i := range list {
		list[i].Err = fault.About(path, list[i].Err)
	}
	return list, fault.About(path, err)
}

// Omitted returns the committed datatypes.
func (f *File) Omitted() []container.Loss {
	if f.Reader.Check() != nil {
		return nil
	}
	var all []container.Loss
	f.walk(func(o object) bool {
		if o.err == nil && !o.h.IsGroup() && !o.h.IsDataset() {
			all = append(all, container.Loss{Path: o.path, What: "the committed datatype", Detail: "arrays have its type without the name"})
		}
		return true
	})
	return all
}
