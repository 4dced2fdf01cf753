package container

import (
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/magic"
)

// A Format is one kind of container. Formats are values: hdf5.Format returns one with the limits of a decoder.
type Format struct {
	Name    string   // for people: "HDF5"
	Endings []string // of file names, lower case with the dot: ".h5", ".hdf5"

	// Is reports whether a file is of this format, by its content. Of a stream r has the first 1024 bytes or more, and
	// size is the largest int64.
	Is func(r io.ReaderAt, size int64) bool

	// Open opens a file of size bytes. It reads the structure and no elements. r is used as long as the Container is.
	Open func(r io.ReaderAt, size int64) (Container, error)

	// Extend makes a Container of this format from c, an open file of a format that this one extends, as netCDF-4 extends HDF5. It
	// reports false if c is not of this format; named says that the name of the file has one of Endings. Extend is nil for a format
	// that extends no other. Files that a format without Extend recognises are opened by that format first, so each is opened once.
	Extend func(c Container, named bool) (Container, bool)

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
var ErrFormat = diag.New("container", "the file is of no known format")

// ForName returns the format whose ending the name of a file has.
func (s Formats) ForName(name string) (Format, bool) {
	i := slices.IndexFunc(s, func(f Format) bool { return f.hasEnding(name) })
	if i < 0 {
		return Format{}, false
	}
	return s[i], true
}

// Of returns the format of a file, by its content. A file of a format that extends another is of the other until it is open:
// [Formats.OpenAs] returns its own.
func (s Formats) Of(r io.ReaderAt, size int64) (Format, bool) {
	is := func(f Format) bool { return f.Is(r, size) }
	i := slices.IndexFunc(s, func(f Format) bool { return f.Extend == nil && is(f) })
	if i < 0 {
		i = slices.IndexFunc(s, is)
	}
	if i < 0 {
		return Format{}, false
	}
	return s[i], true
}

// NewReader opens a file of size bytes by its content. The error wraps [ErrFormat] if no format accepts it.
func (s Formats) NewReader(r io.ReaderAt, size int64) (Container, error) {
	c, _, err := s.NewNamedReader(r, size, "")
	return c, err
}

// NewNamedReader opens a file of size bytes by its content, and where the content leaves a choice, by the name of the file. It
// returns the format as well. The error wraps [ErrFormat] if no format accepts the file.
func (s Formats) NewNamedReader(r io.ReaderAt, size int64, name string) (Container, Format, error) {
	f, ok := s.Of(r, size)
	if !ok {
		return nil, f, errFormat(r)
	}
	return s.OpenAs(f, r, size, name)
}

// OpenAs opens a file of size bytes as one of format f, or of a format in s that extends f. It returns the format that the file has.
// name is the name of the file, or "" if that is not known.
func (s Formats) OpenAs(f Format, r io.ReaderAt, size int64, name string) (Container, Format, error) {
	c, err := f.Open(r, size)
	if err != nil {
		return nil, f, err
	}
	for _, g := range s {
		if g.Extend == nil {
			continue
		}
		if extended, ok := g.Extend(c, g.hasEnding(name)); ok {
			return extended, g, nil
		}
	}
	return c, f, nil
}

// hasEnding reports whether the name of a file has one of the endings.
func (f Format) hasEnding(name string) bool {
	return slices.Contains(f.Endings, strings.ToLower(filepath.Ext(name)))
}

// errFormat returns an error that wraps ErrFormat and says what the file is, if it is known.
func errFormat(r io.ReaderAt) error {
	return fmt.Errorf("%w%s", ErrFormat, magic.Colon(magic.ExplainFile(r, "")))
}

// Open opens a file by its content, and by its name as [Formats.NewNamedReader] says. The error wraps [ErrFormat] if no format accepts it.
func (s Formats) Open(path string) (*File, error) {
	return closable.Open(path, func(r *closable.ReaderAt, size int64) (*File, error) {
		c, _, err := s.NewNamedReader(r.Below(), size, path) // Readers look for the file: npz to map it
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
