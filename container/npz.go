package container

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"iter"
	"path"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/lastname"
	"github.com/npygo/npy/internal/readonly"
	"github.com/npygo/npy/npz"
)

// archiveFeatures are the features of an archive: every member has a CRC-32.
const archiveFeatures = Checksums | FortranOrder

// NPZ returns the format of NumPy's archives, read with the limits of d and written with e, whose Store, Zstd, Level and
// Workers come from [WriteOptions]. The path of an array is the name of its member without the ending .npy.
//
// If e.Array.Objects is nil, texts of any length, of dtype |O, are written as str of a fixed length, and other Python objects are an
// [UnfitError].
func NPZ(d npz.Decoder, e npz.Encoder) Format {
	f := Format{
		Name:     "npz",
		Endings:  []string{".npz"},
		InStream: true,
		Is:       isZip,
		Open: func(r io.ReaderAt, size int64) (Container, error) {
			z, err := d.NewReader(r, size)
			if err != nil {
				return nil, err
			}
			return archive{z}, nil
		},
		Has: archiveFeatures,
	}
	if !readonly.Build {
		f.New = func(w io.WriteSeeker, o WriteOptions) (Writer, error) {
			e.Store, e.Zstd, e.Level, e.Workers = o.Store, o.Zstd, o.Level, o.Workers
			z, err := e.NewWriter(w)
			if err != nil {
				return nil, err
			}
			return &archiveWriter{z: z, array: e.Array, options: o, names: map[string]bool{}}, nil
		}
	}
	return f
}

// IsArchive reports whether a file begins as an archive does, with or without members, by its first four bytes.
func IsArchive(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06"))
}

func isZip(r io.ReaderAt, _ int64) bool {
	return IsArchive(headOf(r, 4))
}

// An archive is an [npz.Reader] as a Container.
type archive struct{ *npz.Reader }

// ArchiveOf returns c as an [npz.Reader] if it is an archive of [NPZ], for features that other formats lack: members as
// bytes, mappings. Otherwise it returns nil.
func ArchiveOf(c Container) *npz.Reader {
	switch c := c.(type) {
	case archive:
		return c.Reader
	case *File:
		return ArchiveOf(c.c)
	}
	return nil
}

// Format implements [Container].
func (z archive) Format() string { return "NumPy archive (.npz)" }

// Names returns the paths of all members. Of several members with one name only the last can be read, here and in NumPy.
func (z archive) Names() []string {
	all := z.Reader.Names()
	last := lastname.Of(len(all), func(i int) string { return all[i] })
	var hidden []int
	for i, name := range all {
		if at, _ := last.Find(name); at != i {
			hidden = append(hidden, i)
		}
	}
	if hidden == nil {
		return all
	}
	names := all[:0]
	for i, name := range all {
		if len(hidden) > 0 && hidden[0] == i {
			hidden = hidden[1:]
		} else {
			names = append(names, name)
		}
	}
	return names
}

// Entries implements [Container].
func (z archive) Entries() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for name := range z.Members() {
			if e, _ := z.Entry(name); !yield(e) {
				return
			}
		}
	}
}

// ErrNotArray is the Err of a member of an archive that is not an array and whose name does not say that it is one: a
// text, for example.
var ErrNotArray = diag.New("container", "not an array")

// Entry implements [Container].
func (z archive) Entry(name string) (Entry, error) {
	m, ok := z.Reader.Entry(name)
	if !ok {
		_, err := z.Info(name)
		return Entry{}, err
	}
	e := Entry{Path: name, Stored: m.CompressedSize, Checksum: "CRC-32"}
	if m.Method != npz.Store {
		e.Codec = m.Method.String()
	}
	info, err := z.Info(name)
	switch {
	case err == nil:
		e.DType, e.Shape, e.FortranOrder = info.Header.DType, info.Header.Shape, info.Header.FortranOrder
	case errors.Is(err, format.ErrMagic) && path.Ext(m.Name) != ".npy":
		e.Err = ErrNotArray
	default:
		e.Err = err
	}
	return e, nil
}

// Attributes implements [Container]. Members have none.
func (z archive) Attributes(name string) ([]Attribute, error) {
	if name != "" && !z.Has(name) {
		_, err := z.Info(name)
		return nil, err
	}
	return nil, nil
}

// An archiveWriter writes an archive.
type archiveWriter struct {
	z       *npz.Writer
	array   npy.Encoder
	options WriteOptions
	names   map[string]bool
	groups  GroupList
}

// ArchiveWriterOf returns w as an [npz.Writer] if it writes an archive of [NPZ]: it also takes members that are not arrays.
// Otherwise it returns nil.
func ArchiveWriterOf(w Writer) *npz.Writer {
	if w, ok := w.(*archiveWriter); ok {
		return w.z
	}
	return nil
}

// KeepsFortran implements [FortranWriter].
func (w *archiveWriter) KeepsFortran() {}

// Begin implements [Writer].
func (w *archiveWriter) Begin(e Entry, attributes []Attribute) (ArrayWriter, error) {
	if !e.Group && w.names[e.Path] {
		return nil, &fs.PathError{Op: "write", Path: e.Path, Err: fs.ErrExist}
	}
	lost := LossesOf(e, attributes, archiveFeatures)
	if e.Group {
		w.groups.Add(e)
		w.options.Lose(lost...)
		return nil, nil
	}
	w.names[e.Path] = true
	if e.DType.HasObject() {
		return &objectWriter{e: e, encoder: w.array, options: w.options, lost: lost, write: func(data []byte) error {
			w.groups.Add(e)
			return w.z.AddBytes(e.Path+".npy", data)
		}, undo: func() { delete(w.names, e.Path) }}, nil
	}
	w.groups.Add(e)
	w.options.Lose(lost...)
	return &memberWriter{w: w, e: e}, nil
}

// Close implements [Writer].
func (w *archiveWriter) Close() error {
	w.options.Lose(w.groups.Empty()...)
	return w.z.Close()
}

// A memberWriter writes a member: an array in one block as it is, all others block by block.
type memberWriter struct {
	w    *archiveWriter
	e    Entry
	done bool
	pipe *blockWriter // nil until it is needed
	out  *npz.MemberWriter
}

// Write implements [ArrayWriter].
func (m *memberWriter) Write(block *npy.Array) error {
	if m.pipe == nil && !m.done && block.DType().Equal(m.e.DType) {
		whole := block
		if m.e.FortranOrder {
			whole = block.T()
		}
		if m.done = slices.Equal(whole.Shape(), m.e.Shape); m.done {
			return m.w.z.Add(m.e.Path, whole)
		}
	}
	if m.done {
		return errTooMany(m.e)
	}
	if err := m.start(); err != nil {
		return err
	}
	return m.pipe.Write(block)
}

// start begins a member whose elements come in several blocks.
func (m *memberWriter) start() (err error) {
	if m.pipe != nil {
		return nil
	}
	m.out = m.w.z.Start(m.e.Path + ".npy")
	m.pipe, err = newBlockWriter(m.e, m.w.array, m.out, func(err error) error {
		if err != nil {
			m.out.Abort()
			return nil
		}
		return m.out.Close()
	})
	return err
}

// Close implements [ArrayWriter].
func (m *memberWriter) Close() error {
	if m.done {
		return nil
	}
	if err := m.start(); err != nil {
		return err
	}
	return m.pipe.Close()
}
