package writing

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/internal/atomicfile"
	"github.com/npygo/npy/internal/diag"
)

// A File writes an HDF5 file, one entry after the other.
type File struct {
	*contents
	file   *atomicfile.Owned
	last   *arrayWriter   // the array that was begun last
	late   []*arrayWriter // arrays whose headers may refer to other objects
	refers bool           // an attribute of a group refers to an object, or a link leads to a group
}

// Create starts a file that will be at path after Close.
func Create(path string, s Settings) (*File, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	w, err := New(f, s)
	if err != nil {
		f.Abort()
		return nil, err
	}
	w.file.File = f
	return w, nil
}

// New starts a file at the present offset of w.
func New(w io.WriteSeeker, s Settings) (*File, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	out, err := storage.NewOutput(w, len(s.UserBlock), structure.SuperblockSize)
	if err != nil {
		return nil, err
	}
	return &File{contents: newContents(s, out), file: &atomicfile.Owned{Sync: s.Sync, Of: "hdf5: the file"}}, nil
}

// Begin implements [container.Writer].
func (w *File) Begin(e container.Entry, attributes []container.Attribute) (container.ArrayWriter, error) {
	switch err := w.ready(); {
	case err != nil:
		return nil, err
	case e.Group:
		return nil, w.beginGroup(e, attributes)
	}
	if err := checkPath(e.Path); err != nil {
		return nil, err
	}
	if old, err := w.root.find(e.Path); err != nil || old != nil {
		return nil, errors.Join(err, errExists(e.Path, old))
	}
	a, err := w.newArray(e)
	if err != nil {
		return nil, entryError(e.Path, err)
	}
	var lost []container.Loss
	if a.attributes, lost, err = w.attributes(e.Path, a.withLabels(attributes), a.axes.reserved()...); err != nil {
		return nil, entryError(e.Path, err)
	}
	a.lost = append(a.lost, lost...)
	if err := a.begin(); err != nil {
		return nil, entryError(e.Path, err)
	}
	w.root.add(e.Path, a.node)
	if w.last = a; a.mayBeLate() {
		w.late = append(w.late, a)
	}
	return a, nil
}

// ready returns an error if no entry can be begun now.
func (w *File) ready() error {
	switch {
	case w.err != nil:
		return w.err
	case w.last != nil && !w.last.closed:
		return diag.Errorf("hdf5", "%s was begun and not closed", w.last.path)
	}
	return nil
}

func errExists(path string, old *member) error {
	if old == nil {
		return nil
	}
	return &fs.PathError{Op: "write", Path: path, Err: fs.ErrExist}
}

func (w *File) beginGroup(e container.Entry, attributes []container.Attribute) error {
	n, path := w.root, e.Path
	if path != "" {
		if err := checkPath(path); err != nil {
			return err
		}
		old, err := w.root.find(path)
		if err != nil {
			return err
		}
		if n = old; n == nil {
			n = newGroup()
		}
	}
	if n.begun || !n.group {
		return errExists(path, n)
	}
	header, lost, err := w.attributes(path, attributes)
	if err != nil {
		return entryError(path, err)
	}
	n.header, n.begun, n.dims = header, true, dimensionsOf(e)
	w.refers = w.refers || len(header.Refs) > 0
	w.lose(append(lossesOf(e), lost...)...)
	if path != "" {
		if old, _ := w.root.find(path); old == nil {
			w.root.add(path, n)
		}
	}
	return nil
}

// Link implements [container.LinkWriter].
func (w *File) Link(e container.Entry) error {
	if err := w.ready(); err != nil {
		return err
	}
	if err := checkPath(e.Path); err != nil {
		return err
	}
	if old, err := w.root.find(e.Path); err != nil || old != nil {
		return errors.Join(err, errExists(e.Path, old))
	}
	n, err := w.linkTo(e)
	if err != nil {
		return entryError(e.Path, err)
	}
	if n.isLink() {
		w.root.add(e.Path, n)
		return nil
	}
	path := n.path
	w.root.add(e.Path, n)
	n.path = path
	n.links++
	w.refers = w.refers || n.group
	return nil
}

// linkTo returns the target of a new link: another path, or an object of the file.
func (w *File) linkTo(e container.Entry) (*member, error) {
	target := cmp.Or(e.LinkTarget, e.Link)
	if e.LinkKind == container.HardLink {
		n, err := w.root, error(nil)
		if path := strings.Trim(e.Link, "/"); path != "" {
			n, err = w.root.find(path)
		}
		if err != nil || n == nil || n.isLink() {
			return nil, diag.Errorf("hdf5", "a hard link to %s, which is not in the file: %w", e.Link, fs.ErrNotExist)
		}
		return n, nil
	}
	for _, text := range []string{target, e.LinkFile} {
		if strings.Contains(text, "\x00") || !utf8.ValidString(text) || len(target)+len(e.LinkFile) > structure.MaxMessage/2 {
			return nil, diag.Errorf("hdf5", "a link to %.40q, which HDF5 cannot have", text)
		}
	}
	if target == "" || e.LinkKind == container.ExternalLink && e.LinkFile == "" {
		return nil, diag.New("hdf5", "a link to no path")
	}
	n := &member{soft: target}
	if e.LinkKind == container.ExternalLink {
		n.file = e.LinkFile
	}
	return n, nil
}

// Close completes the file.
func (w *File) Close() error {
	err := w.file.Close(w.complete)
	w.err = w.file.Ended()
	return err
}

// complete writes the structures that come last.
func (w *File) complete() error {
	defer w.chunks.Drop()
	err := w.ready()
	if err == nil {
		err = w.chunks.Drain()
	}
	if err == nil {
		err = w.finishLate()
	}
	if err == nil {
		err = w.heap.Flush()
	}
	if err == nil {
		err = w.root.each(w.writeObject)
	}
	if err == nil {
		err = w.out.WriteAt(structure.NewSuperblock(len(w.settings.UserBlock), uint64(w.out.End), w.root.symbol(0)), 0)
	}
	if err == nil {
		err = w.out.WriteAt(w.settings.UserBlock, -int64(len(w.settings.UserBlock)))
	}
	if err == nil {
		err = w.out.Flush()
	}
	return err
}

// Abort discards the file. After Close it does nothing.
func (w *File) Abort() {
	w.file.Abort(w.chunks.Drop)
	w.err = w.file.Ended()
}
