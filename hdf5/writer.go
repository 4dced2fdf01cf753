package hdf5

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/internal/atomicfile"
	"github.com/npygo/npy/internal/closable"
)

// Encoder configures writing. The zero Encoder compresses with gzip.
type Encoder struct {
	Store   bool // no compression: arrays are contiguous unless they have a chunk shape or can grow
	Level   int  // of gzip or Zstandard, 1 to 9 (22 for Zstandard); 0 chooses what suits the data
	Zstd    bool // compresses with Zstandard, the registered filter 32015, which readers need a plugin for
	Workers int  // goroutines that compress; 0 for the limit of [npy.SetWorkers]

	// Unlimited lets the first axis of every array grow, for [OpenAppend] and other programs.
	Unlimited bool

	// UserBlock is written before everything that is HDF5. Its length is 512 or a larger power of two.
	UserBlock []byte

	// Terminated marks text of dtype S in attributes as ending with a NUL, or with its size, as MATLAB does. Without it the
	// text is padded with NULs, as h5py does. The bytes are the same, but libmatio finds no class in padded text.
	Terminated bool

	// Sync makes Close return when the data is on disk.
	Sync bool

	// Lost is called with what the file does not hold of an entry that is written. An attribute that HDF5 cannot hold is then left
	// out. Without Lost such an attribute is an error, and other losses are not told.
	Lost func(container.Loss) `json:"-"`
}

// A Writer writes an HDF5 file, one entry after the other: a [container.Writer]. It is for one goroutine at a time. It
// compresses on several goroutines itself, so that errors of the file may be reported by a later call.
type Writer struct {
	settings Encoder
	file     *atomicfile.File // nil if the Writer does not own a file
	out      *storage.Output
	heap     *structure.Heap
	chunks   *chunkPipeline
	root     *member
	open     *arrayWriter   // begun and not closed
	late     []*arrayWriter // whose headers refer to other objects
	refers   bool           // an attribute of a group refers to an object, or a link leads to a group
	err      error          // final
	ended    bool           // by Close or Abort
}

var _ container.LinkWriter = (*Writer)(nil)

// Create starts a file that will be at path after [Writer.Close] has returned. Until then it is a temporary file in the
// same folder, and an old file is unchanged. Call [Writer.Abort] in a defer for the case of an error.
func Create(path string) (*Writer, error) { return Encoder{}.Create(path) }

// NewWriter starts a file at the present offset of w. [Writer.Close] does not close w.
func NewWriter(w io.WriteSeeker) (*Writer, error) { return Encoder{}.NewWriter(w) }

// Create is the function of the same name with the settings of e.
func (e Encoder) Create(path string) (*Writer, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	w, err := e.NewWriter(f)
	if err != nil {
		f.Abort()
		return nil, err
	}
	w.file = f
	return w, nil
}

// NewWriter is the function of the same name with the settings of e. The error names an invalid setting, or says that w
// cannot seek.
func (e Encoder) NewWriter(w io.WriteSeeker) (*Writer, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	out, err := storage.NewOutput(w, len(e.UserBlock), structure.SuperblockSize)
	if err != nil {
		return nil, err
	}
	chunks := newChunkPipeline(e.Workers)
	f := &Writer{settings: e, out: out, chunks: chunks, root: newGroup()}
	f.heap = structure.NewHeap(out, f.drain)
	return f, nil
}

func (e Encoder) check() error {
	most := 9
	if e.Zstd {
		most = 22
	}
	n := len(e.UserBlock)
	switch {
	case e.Level < 0 || e.Level > most:
		return fmt.Errorf("hdf5: Level %d, and the levels are 1 to %d, or 0", e.Level, most)
	case e.Workers < 0:
		return fmt.Errorf("hdf5: Workers %d is negative", e.Workers)
	case n > 0 && (n < 512 || n&(n-1) != 0):
		return fmt.Errorf("hdf5: a user block of %d bytes, and its length must be 512 or a larger power of two", n)
	}
	return nil
}

// Begin implements [container.Writer]. Groups on the way to an array are added. An array without chunks that is compressed,
// can grow, or has a checksum gets chunks of up to 1 MiB of whole rows. Chunks that cut rows are collected until they are
// complete: rows that take more than 512 MiB together are a [limit.Error].
//
// Scales become dimension scales of HDF5, and so do the dimensions that a group defines. Of an array without scales the names of
// dimensions become labels. A scale, and the object of a reference, may be written later than what refers to it; if it is
// not there at the end, the axis has a label, and the reference is null.
//
// Text becomes strings of variable length in UTF-8, str and bytes of dtype |O too; all other Python objects are an
// [container.UnfitError] that wraps [errors.ErrUnsupported]. Attributes of 64 KiB and more, except for text, are an error
// unless [Encoder.Lost] takes them.
//
// [limit.Error]: https://pkg.go.dev/github.com/npygo/npy/limit#Error
func (w *Writer) Begin(e container.Entry, attributes []container.Attribute) (container.ArrayWriter, error) {
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
func (w *Writer) lose(lost ...container.Loss) {
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

func (w *Writer) beginGroup(e container.Entry, attributes []container.Attribute) error {
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
func (w *Writer) Link(e container.Entry) error {
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

// linkTo returns what a new link leads to: another path, or an object of the file.
func (w *Writer) linkTo(e container.Entry) (*member, error) {
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
func (w *Writer) writeObject(n *member) error {
	switch {
	case n.group:
		return n.writeGroup(w)
	case n.links > 0:
		return w.out.WriteAt(binary.LittleEndian.AppendUint32(nil, uint32(1+n.links)), int64(n.addr)+4)
	}
	return nil
}

// Add writes an array with its attributes.
func (w *Writer) Add(path string, a *npy.Array, attributes ...container.Attribute) error {
	return container.Put(context.Background(), w, container.Entry{Path: path}, attributes, a)
}

// Close completes the file. The file of [Create] is moved to its path. After an error there is no new file. Close after
// Close or Abort is an error, which wraps [fs.ErrClosed].
func (w *Writer) Close() error {
	err := w.err
	defer w.end(errWriterClosed)
	if err != nil {
		return err
	}
	if w.open != nil {
		return fmt.Errorf("hdf5: %s was begun and not closed", w.open.path)
	}
	err = w.chunks.Drain()
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
	if err != nil || w.file == nil {
		return err
	}
	return w.file.Commit(w.settings.Sync)
}

// Abort discards the file: there is no new file, and an old one is unchanged. After Close it does nothing.
func (w *Writer) Abort() { w.end(errWriterAborted) }

// end makes err the error of all later calls, unless the Writer has ended before.
func (w *Writer) end(err error) {
	if w.ended {
		return
	}
	w.ended, w.err = true, err
	w.chunks.Drop()
	if w.file != nil {
		w.file.Abort()
	}
}

var (
	errWriterClosed  = fmt.Errorf("hdf5: the file %w", closable.ErrClosed)
	errWriterAborted = fmt.Errorf("hdf5: the file %w", closable.ErrAborted)
)

// drain writes all chunks that have come.
func (w *Writer) drain() error { return w.fail(w.chunks.Drain()) }

// fail makes an error final.
func (w *Writer) fail(err error) error {
	if err != nil && w.err == nil {
		w.err = err
	}
	return err
}
