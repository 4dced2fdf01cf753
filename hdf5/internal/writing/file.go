package writing

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/internal/atomicfile"
	"github.com/npygo/npy/internal/closable"
)

// A File writes an HDF5 file, one entry after the other.
type File struct {
	settings Settings
	file     *atomicfile.Owned
	out      *storage.Output
	heap     *structure.Heap
	chunks   *chunkPipeline
	root     *member
	open     *arrayWriter   // begun and not closed
	late     []*arrayWriter // whose headers refer to other objects
	refers   bool           // an attribute of a group refers to an object, or a link leads to a group
	err      error          // final
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
	f := &File{settings: s, file: &atomicfile.Owned{Sync: s.Sync, Of: "hdf5: the file"}, out: out, chunks: NewChunkPipeline(s.Workers), root: newGroup()}
	f.heap = structure.NewHeap(out, f.drain)
	return f, nil
}

// Begin implements [container.Writer].
func (w *File) Begin(e container.Entry, attributes []container.Attribute) (container.ArrayWriter, error) {
	switch {
	case w.err != nil:
		return nil, w.err
	case w.open != nil:
		return nil, fmt.Errorf("hdf5: %s was begun and not closed", w.open.path)
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
	if a.attributes, lost, err = w.attributes(e.Path, a.withLabels(attributes), a.reserved()...); err != nil {
		return nil, entryError(e.Path, err)
	}
	a.lost = append(a.lost, lost...)
	if err := a.begin(); err != nil {
		return nil, entryError(e.Path, err)
	}
	w.root.add(e.Path, a.node)
	w.open = a
	return a, nil
}

// lose reports losses.
func (w *File) lose(lost ...container.Loss) {
	container.WriteOptions{Lost: w.settings.Lost}.Lose(lost...)
}

func errExists(path string, old *member) error {
	if old == nil {
		return nil
	}
	return &fs.PathError{Op: "write", Path: path, Err: fs.ErrExist}
}

func entryError(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", path, err)
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
	switch {
	case w.err != nil:
		return w.err
	case w.open != nil:
		return fmt.Errorf("hdf5: %s was begun and not closed", w.open.path)
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
			return nil, fmt.Errorf("hdf5: a hard link to %s, which is not in the file: %w", e.Link, fs.ErrNotExist)
		}
		return n, nil
	}
	for _, text := range []string{target, e.LinkFile} {
		if strings.Contains(text, "\x00") || !utf8.ValidString(text) || len(target)+len(e.LinkFile) > structure.MaxMessage/2 {
			return nil, fmt.Errorf("hdf5: a link to %.40q, which HDF5 cannot have", text)
		}
	}
	if target == "" || e.LinkKind == container.ExternalLink && e.LinkFile == "" {
		return nil, errors.New("hdf5: a link to no path")
	}
	n := &member{soft: target}
	if e.LinkKind == container.ExternalLink {
		n.file = e.LinkFile
	}
	return n, nil
}

// writeObject writes a group, or the number of links to an array, whose header is written.
func (w *File) writeObject(n *member) error {
	switch {
	case n.group:
		return n.writeGroup(w)
	case n.links > 0:
		return w.out.WriteAt(binary.LittleEndian.AppendUint32(nil, uint32(1+n.links)), int64(n.addr)+4)
	}
	return nil
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
	switch {
	case w.err != nil:
		return w.err
	case w.open != nil:
		return fmt.Errorf("hdf5: %s was begun and not closed", w.open.path)
	}
	err := w.chunks.Drain()
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

// ErrWriterClosed is the error for any use of an array or an appender after Close.
var ErrWriterClosed = fmt.Errorf("hdf5: the file %w", closable.ErrClosed)

// drain writes all chunks that have come.
func (w *File) drain() error { return w.fail(w.chunks.Drain()) }

// fail makes an error final.
func (w *File) fail(err error) error {
	if err != nil && w.err == nil {
		w.err = err
	}
	return err
}
