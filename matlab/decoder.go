package matlab

import (
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/magic"
)

var _ container.Container = (*Reader)(nil)

// Open opens a MAT-file. The caller must close the Reader.
func Open(path string) (*Reader, error) { return Decoder{}.Open(path) }

// NewReader opens the MAT-file of size bytes in r. The names of its variables are read, and no elements.
func NewReader(r io.ReaderAt, size int64) (*Reader, error) { return Decoder{}.NewReader(r, size) }

// Open is the function of the same name with the limits of d.
func (d Decoder) Open(path string) (*Reader, error) { return closable.Open(path, d.newReader) }

// NewReader is the function of the same name with the limits of d.
func (d Decoder) NewReader(r io.ReaderAt, size int64) (*Reader, error) {
	return d.newReader(closable.New(r, nil), size)
}

func (d Decoder) newReader(r *closable.ReaderAt, size int64) (*Reader, error) {
	most := d.maxEntries(size)
	m := &Reader{dec: d, r: r, size: size, names: map[string]*variable{}, entries: limit{left: most, most: most}}
	level, order, err := detect(r, size)
	if err != nil {
		return nil, err
	}
	m.order = order
	switch level {
	case level4:
		m.version = "MATLAB 4"
		err = m.scan4()
	case level5:
		m.version = "MATLAB 5"
		err = m.scan5()
	case level73:
		m.version = "MATLAB 7.3"
		err = m.scan73()
	}
	if err != nil {
		return nil, err
	}
	if order == binary.BigEndian {
		m.version += ", big-endian"
	}
	m.index()
	return m, nil
}

// index finds variables by name: the last of several with one name, as in MATLAB.
func (m *Reader) index() {
	at := map[string]int{}
	for i, v := range m.vars {
		if k, again := at[v.name]; again && m.vars[k].zlib != nil {
			old := m.vars[k]
			m.vars[k] = old.zlib.hidden(old.at)
			m.names[m.vars[k].name] = m.vars[k]
		}
		at[v.name], m.names[v.name] = i, v
	}
}

// The versions of MAT-files.
const (
	level4  = 4
	level5  = 5
	level73 = 7
)

var errNotMAT = diag.New("matlab", "not a MAT-file")

// detect returns the version and the byte order of a file.
func detect(r io.ReaderAt, size int64) (level int, order binary.ByteOrder, err error) {
	var head [128]byte
	n, err := r.ReadAt(head[:min(size, 128)], 0)
	if err != nil && err != io.EOF {
		return 0, nil, diag.Errorf("matlab", "reading the header: %w", err)
	}
	if n == 128 {
		switch mark, version := string(head[126:]), head[124:126]; {
		case mark == "IM" && version[1] == 1:
			return level5, binary.LittleEndian, nil
		case mark == "MI" && version[0] == 1:
			return level5, binary.BigEndian, nil
		case mark == "IM" && version[1] == 2, mark == "MI" && version[0] == 2:
			return level73, binary.LittleEndian, nil
		}
	}
	if order, ok := detect4(head[:n], size); ok {
		return level4, order, nil
	}
	return 0, nil, fmt.Errorf("%w%s", errNotMAT, magic.Colon(magic.ExplainFile(r, magic.MATLAB)))
}

// Close closes the file that [Open] opened. Its Sources then fail.
func (m *Reader) Close() error { return m.r.Close() }

// Format implements [container.Container].
func (m *Reader) Format() string { return m.version }

// Entries implements [container.Container]. Of several variables with one name the last is listed.
func (m *Reader) Entries() iter.Seq[container.Entry] {
	return func(yield func(container.Entry) bool) {
		for _, v := range m.vars {
			if m.names[v.name] != v {
				continue
			}
			for _, n := range m.expand(v) {
				if !yield(n.Entry) {
					return
				}
			}
		}
	}
}

// Entry implements [container.Container].
func (m *Reader) Entry(path string) (container.Entry, error) {
	n, err := m.find(path)
	if err != nil {
		return container.Entry{}, err
	}
	return n.Entry, nil
}

// Source implements [container.Container].
func (m *Reader) Source(path string) (npy.Source, error) {
	n, err := m.find(path)
	switch {
	case err != nil:
		return nil, err
	case n.Err != nil:
		return nil, n.Err
	case n.Group:
		return nil, diag.Errorf("matlab", "%s is a group and no array; its members are %s/…", path, path)
	}
	return n.source()
}

// Attributes implements [container.Container]. Variables have none.
func (m *Reader) Attributes(path string) ([]container.Attribute, error) {
	if path == "" {
		return nil, nil
	}
	_, err := m.find(path)
	return nil, err
}

func (m *Reader) find(path string) (*node, error) {
	name, _, _ := strings.Cut(path, "/")
	if v := m.names[name]; v != nil {
		m.expand(v)
		if n := v.index[path]; n != nil {
			return n, nil
		}
	}
	return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
}
