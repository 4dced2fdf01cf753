package container

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/magic"
)

// A Format is one kind of container. Formats are values: hdf5.Format returns one with the limits of a decoder.
type Format struct {
	Name    string   // for people: "HDF5"
	Endings []string // of file names, lower case with the dot: ".h5", ".hdf5"

	// Is reports whether a file is of this format, by its content. Of a stream r has the first 1024 bytes or more, and
	// size is the largest int64.
	Is func(r io.ReaderAt, size int64) bool

	// May reports whether Open can open a file that Is does not recognise, but whose name has one of the endings. It is nil
	// for a format whose files are all recognised.
	May func(r io.ReaderAt, size int64) bool

	// Open opens a file of size bytes. It reads the structure and no elements. r is used as long as the Container is.
	Open func(r io.ReaderAt, size int64) (Container, error)

	// New starts a file. It is nil for a format that cannot be written.
	New func(w io.WriteSeeker, o WriteOptions) (Writer, error)

	// InStream says that New writes from the start of the file to its end and never calls Seek.
	InStream bool

	// Has lists the features of entries that a file of the format can hold. A Writer reports every other feature to
	// Lost of the [WriteOptions].
	Has Feature
}

// Formats are the formats that a program knows. Where several accept a file, the first is taken.
type Formats []Format

// ErrFormat says that a file is of no format that is known.
var ErrFormat = errors.New("container: the file is of no known format")

// ForName returns the format whose ending the name of a file has.
func (s Formats) ForName(name string) (Format, bool) {
	ending := strings.ToLower(filepath.Ext(name))
	i := slices.IndexFunc(s, func(f Format) bool { return slices.Contains(f.Endings, ending) })
	if i < 0 {
		return Format{}, false
	}
	return s[i], true
}

// Of returns the format of a file, by its content.
func (s Formats) Of(r io.ReaderAt, size int64) (Format, bool) {
	i := slices.IndexFunc(s, func(f Format) bool { return f.Is(r, size) })
	if i < 0 {
		return Format{}, false
	}
	return s[i], true
}

// Named returns the format of a file by its content, and where the content leaves a choice, by its name.
func (s Formats) Named(name string, r io.ReaderAt, size int64) (Format, bool) {
	found, ok := s.Of(r, size)
	if named, has := s.ForName(name); ok && has && named.May != nil && named.May(r, size) {
		return named, true
	}
	return found, ok
}

// NewReader opens a file of size bytes by its content. The error wraps [ErrFormat] if no format accepts it.
func (s Formats) NewReader(r io.ReaderAt, size int64) (Container, error) {
	f, ok := s.Of(r, size)
	if !ok {
		return nil, errFormat(r)
	}
	return f.Open(r, size)
}

// errFormat returns an error that wraps ErrFormat and says what the file is, if it is known.
func errFormat(r io.ReaderAt) error {
	return fmt.Errorf("%w%s", ErrFormat, magic.Colon(magic.ExplainFile(r, "")))
}

// Open opens a file by its content, and by its name as [Formats.Named] says. The error wraps [ErrFormat] if no format accepts it.
func (s Formats) Open(path string) (*File, error) {
	return closable.Open(path, func(r *closable.ReaderAt, size int64) (*File, error) {
		f, ok := s.Named(path, r.Below(), size)
		if !ok {
			return nil, errFormat(r)
		}
		c, err := f.Open(r.Below(), size) // Readers look for the file: npz to map it
		return &File{c, r}, err
	})
}

// headOf returns the first n bytes of a file, or fewer if it is shorter or cannot be read.
func headOf(r io.ReaderAt, n int) []byte {
	head := make([]byte, n)
	n, _ = r.ReadAt(head, 0)
	return head[:n]
}

// A File is a Container in an open file. It may be used by several goroutines.
type File struct {
	c    Container
	file io.Closer
}

// Close closes the file. Its Sources then fail.
func (f *File) Close() error { return f.file.Close() }

// Format implements [Container].
func (f *File) Format() string { return f.c.Format() }

// Entries implements [Container].
func (f *File) Entries() iter.Seq[Entry] { return f.c.Entries() }

// Entry implements [Container].
func (f *File) Entry(path string) (Entry, error) { return f.c.Entry(path) }

// Source implements [Container].
func (f *File) Source(path string) (npy.Source, error) { return f.c.Source(path) }

// Omitted implements [Omitter].
func (f *File) Omitted() []Loss { return Omitted(f.c) }

// Attributes implements [Container].
func (f *File) Attributes(path string) ([]Attribute, error) { return f.c.Attributes(path) }
