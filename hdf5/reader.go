package hdf5

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/structure"
)

// A Reader is an open HDF5 file: a [container.Container]. It may be used by several goroutines.
type Reader struct{ f *file }

// Close closes the file that [Open] opened, but not the r of [NewReader]. Closing twice does nothing. After Close every
// use of the Reader and of its Sources fails with an error that wraps [io/fs.ErrClosed].
func (r *Reader) Close() error { return r.f.Reader.Close() }

// Format describes the version of the file: "HDF5, superblock 0".
func (r *Reader) Format() string {
	text := fmt.Sprintf("HDF5, superblock %d", r.f.Super.Version)
	if r.f.Base > 0 {
		text += fmt.Sprintf(", after a user block of %d bytes", r.f.Base)
	}
	return text
}

// Entries yields the groups and datasets below the root. Links are in the order of their creation if the file keeps it,
// and by name otherwise. A dataset is listed under each of its paths, with a Link for all but one; the contents of a
// group are listed under its first path only. Committed datatypes are no entries: they hold no array.
//
// A file that is damaged or that reaches a limit has entries with an Err; the entries before and after are readable.
func (r *Reader) Entries() iter.Seq[container.Entry] {
	return func(yield func(container.Entry) bool) {
		if err := r.f.Reader.Check(); err != nil {
			yield(container.Entry{Err: err})
			return
		}
		r.f.walk(func(o object) bool {
			e, ok := r.entry(o)
			return !ok || yield(e)
		})
	}
}

// entry describes what a link leads to. It reports false for a committed datatype.
func (r *Reader) entry(o object) (container.Entry, bool) {
	e := container.Entry{Path: o.path}
	switch {
	case o.err != nil:
		e.Err = fault.About(o.path, o.err)
	case o.h.IsGroup():
		e.Group = true
	case o.h.IsDataset():
		d, err := r.f.dataset(o.h, o.path)
		if err != nil {
			e.Err = err
			break
		}
		e = d.entry(context.Background())
	default:
		return e, false
	}
	e.Link, e.LinkKind, e.LinkTarget, e.LinkFile = o.link, o.kind, o.via.Target, o.via.File
	return e, true
}

// lookup returns the header of the object at a path.
func (r *Reader) lookup(path string) (*structure.Header, error) {
	if err := r.f.Reader.Check(); err != nil {
		return nil, fault.About(path, err)
	}
	at, err := r.f.find(r.f.Super.Root, path, 0)
	if err != nil {
		return nil, fault.About(path, err)
	}
	h, err := r.f.Header(at)
	return h, fault.About(path, err)
}

// Entry returns the entry of a path: "group/data", or "/group/data" as references have it. Soft links are followed; an
// entry whose link leads nowhere has an Err. Of links, only soft and external ones have a Link here. The error wraps
// [io/fs.ErrNotExist] if there is no entry.
func (r *Reader) Entry(path string) (container.Entry, error) {
	path = strings.Trim(path, "/")
	if err := r.f.Reader.Check(); err != nil {
		return container.Entry{}, fault.About(path, err)
	}
	group, l, err := r.f.link(r.f.Super.Root, path, 0)
	if err != nil {
		return container.Entry{}, fault.About(path, err)
	}
	e, ok := r.entry(r.f.object(path, group, l))
	if !ok {
		e.Err = fault.About(path, errNotDataset)
	}
	return e, nil
}

// dataset returns the dataset at a path.
func (r *Reader) dataset(path string) (*dataset, error) {
	h, err := r.lookup(path)
	if err != nil {
		return nil, err
	}
	if !h.IsDataset() {
		return nil, fault.About(path, errNotDataset)
	}
	return r.f.dataset(h, path)
}

// Source returns the dataset at a path, and reads none of its elements. Until the Reader is closed, the Source reads
// those of a selection: of contiguous elements as an [npy.File] does, of chunks those that the selection touches, which
// are decoded in parallel. Elements that the file does not have are its fill value. Blocks of chunks are whole rows of
// chunks where the memory allows it, so that each chunk is decoded once; without a limit of the caller that is 256 MiB.
//
// Text of variable length, sequences and references are of dtype |O, and their elements are strings, [*npy.Array] and
// the paths of objects.
func (r *Reader) Source(path string) (npy.Source, error) {
	path = strings.Trim(path, "/")
	d, err := r.dataset(path)
	if err != nil {
		return nil, err
	}
	s, err := d.source()
	return s, fault.About(path, err)
}

// Attributes returns the attributes of a dataset or a group, of the root for "". Those that the file keeps in the header
// are in its order, others in the order of their creation or by name. The attributes of dimension scales, CLASS, NAME,
// REFERENCE_LIST, DIMENSION_LIST and DIMENSION_LABELS, are in the fields of the entry and not here, unless they say something else.
func (r *Reader) Attributes(path string) ([]container.Attribute, error) {
	path = strings.Trim(path, "/")
	h, err := r.lookup(path)
	if err != nil {
		return nil, err
	}
	list, err := r.f.attributes(h, nil)
	if h.IsDataset() {
		hidden := r.f.dimensions(h).hidden
		list = slices.DeleteFunc(list, func(a container.Attribute) bool { return slices.Contains(hidden, a.Name) })
	}
	for i := range list {
		list[i].Err = fault.About(path, list[i].Err)
	}
	return list, fault.About(path, err)
}

// Omitted implements [container.Omitter]: committed datatypes are no entries.
func (r *Reader) Omitted() []container.Loss {
	if r.f.Reader.Check() != nil {
		return nil
	}
	var all []container.Loss
	r.f.walk(func(o object) bool {
		if o.err == nil && !o.h.IsGroup() && !o.h.IsDataset() {
			all = append(all, container.Loss{Path: o.path, What: "the committed datatype", Detail: "arrays have its type without the name"})
		}
		return true
	})
	return all
}

// MarshalJSON returns an error: a Reader is an open file.
func (r *Reader) MarshalJSON() ([]byte, error) {
	return nil, fmt.Errorf("hdf5: a Reader is an open file and has no JSON; marshal its Entries: %w", errors.ErrUnsupported)
}

// isHDF5 reports whether a file has the signature.
func isHDF5(r io.ReaderAt, size int64) bool {
	_, ok := structure.FindSignature(r, size)
	return ok
}
