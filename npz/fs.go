package npz

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/npygo/npy/internal/zipfile"
)

// There is no tree of directories, because a name may have 30,000 of them. Instead the members are sorted by name, so
// that the members of a directory are next to each other.

// A node is a file or directory of an archive's file system.
type node struct {
	name  string         // the last part of its path
	entry *zipfile.Entry // nil for a directory
}

// Open opens a member by its name in the archive, including .npy, so that a Reader is an [fs.FS]. Members whose names
// are not valid paths are left out. At the end of a file its size and checksum are verified; if they are wrong, the
// last Read returns the error in place of io.EOF.
func (z *Reader) Open(name string) (fs.File, error) {
	n, err := z.node("open", name)
	if err != nil {
		return nil, err
	}
	if n.entry == nil {
		return &openDir{node: n, rest: z.children(name)}, nil
	}
	r, err := z.openEntry(n.entry)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &openFile{n, r}, nil
}

// OpenMember opens a member by its name as [Reader.Array] finds it, also one with a name that no file can have. At the end of its
// contents the reader verifies the checksum. It must be closed, and only one goroutine may use it.
func (z *Reader) OpenMember(name string) (io.ReadCloser, error) {
	e, err := z.find(name)
	if err != nil {
		return nil, err
	}
	return z.openEntry(e)
}

// openEntry returns a reader of a member's contents.
func (z *Reader) openEntry(e *zipfile.Entry) (io.ReadCloser, error) {
	offset, err := z.locate(e, &z.window)
	if err != nil {
		return nil, err
	}
	r, err := z.checkedStream(e, offset)
	if err != nil {
		return nil, about(e, err)
	}
	return r, nil
}

// ReadDir lists a directory, [fs.ReadDirFS].
func (z *Reader) ReadDir(name string) ([]fs.DirEntry, error) {
	n, err := z.node("readdir", name)
	if err != nil {
		return nil, err
	}
	if n.entry != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fmt.Errorf("not a directory")}
	}
	return z.children(name), nil
}

// Stat describes a member or directory, [fs.StatFS].
func (z *Reader) Stat(name string) (fs.FileInfo, error) {
	n, err := z.node("stat", name)
	if err != nil {
		return nil, err
	}
	return n, nil
}

// ReadFile reads a member by its name in the archive, [fs.ReadFileFS].
func (z *Reader) ReadFile(name string) ([]byte, error) {
	n, err := z.node("read", name)
	if err != nil {
		return nil, err
	}
	if n.entry == nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("is a directory")}
	}
	data, err := z.bytes(context.Background(), n.entry, &z.window)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return data, nil
}

// node finds a file or directory.
func (z *Reader) node(op, name string) (*node, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	n := &node{name: path.Base(name)}
	if name == "." || z.isDir(name) { // a directory goes before a file of the same name
		return n, nil
	}
	if n.entry = z.file(name); n.entry == nil {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return n, nil
}

// byName returns the members whose names are valid paths, sorted by name. Members of the same name stay in the order
// of the archive.
func (z *Reader) byName() []*zipfile.Entry {
	z.sortedOnce.Do(func() {
		for i := range z.dir.Entries {
			e := &z.dir.Entries[i]
			if name := strings.TrimSuffix(e.Name, "/"); fs.ValidPath(name) && name != "." {
				z.sorted = append(z.sorted, e)
			}
		}
		slices.SortStableFunc(z.sorted, func(a, b *zipfile.Entry) int { return strings.Compare(a.Name, b.Name) })
	})
	return z.sorted
}

// from returns the members from a name on.
func (z *Reader) from(name string) []*zipfile.Entry {
	all := z.byName()
	i, _ := slices.BinarySearchFunc(all, name, func(e *zipfile.Entry, name string) int { return strings.Compare(e.Name, name) })
	return all[i:]
}

// file returns the last member of a name, nil if there is none.
func (z *Reader) file(name string) (found *zipfile.Entry) {
	for _, e := range z.from(name) {
		if e.Name != name {
			break
		}
		found = e
	}
	return found
}

// isDir reports whether there is a directory of a name, or a member in it.
func (z *Reader) isDir(name string) bool {
	rest := z.from(name + "/")
	return len(rest) > 0 && strings.HasPrefix(rest[0].Name, name+"/")
}

// children returns the entries of a directory, sorted by name.
func (z *Reader) children(dir string) []fs.DirEntry {
	prefix := dir + "/"
	if dir == "." {
		prefix = ""
	}
	const afterSlash = "0"
	found := map[string]*node{}
	for rest := z.from(prefix); len(rest) > 0 && strings.HasPrefix(rest[0].Name, prefix); {
		name, _, isDir := strings.Cut(rest[0].Name[len(prefix):], "/")
		n := &node{name: name}
		if !isDir {
			n.entry = rest[0]
		}
		if old := found[name]; name != "" && (old == nil || old.entry != nil) { // else it is the directory itself, or one
			found[name] = n
		}
		if rest = rest[1:]; isDir {
			rest = z.from(prefix + name + afterSlash)
		}
	}
	list := make([]fs.DirEntry, 0, len(found))
	for _, n := range found {
		list = append(list, n)
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list
}

// A node is its own fs.FileInfo and fs.DirEntry.

func (n *node) Name() string               { return n.name }
func (n *node) IsDir() bool                { return n.entry == nil }
func (n *node) Type() fs.FileMode          { return n.Mode().Type() }
func (n *node) Info() (fs.FileInfo, error) { return n, nil }
func (n *node) Sys() any                   { return nil }

func (n *node) Size() int64 {
	if n.entry == nil {
		return 0
	}
	return n.entry.Size
}

func (n *node) Mode() fs.FileMode {
	if n.entry == nil {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

// ModTime is the time in the archive, which has no time zone, taken as UTC.
func (n *node) ModTime() time.Time {
	if n.entry == nil {
		return time.Time{}
	}
	d, t := int(n.entry.Date), int(n.entry.Time)
	return time.Date(1980+d>>9, time.Month(d>>5&15), d&31, t>>11, t>>5&63, t&31*2, 0, time.UTC)
}

func (n *node) String() string { return fs.FormatFileInfo(n) }

// An openFile is a member that is being read.
type openFile struct {
	*node
	io.ReadCloser
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.node, nil }

// An openDir is a directory that is being listed.
type openDir struct {
	*node
	rest   []fs.DirEntry
	closed bool
}

func (d *openDir) Stat() (fs.FileInfo, error) { return d.node, nil }

func (d *openDir) Close() error {
	d.closed = true
	return nil
}

func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: fmt.Errorf("is a directory")}
}

func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if d.closed {
		return nil, &fs.PathError{Op: "readdir", Path: d.name, Err: fs.ErrClosed}
	}
	if n > 0 && len(d.rest) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(d.rest) {
		n = len(d.rest)
	}
	list := slices.Clone(d.rest[:n])
	d.rest = d.rest[n:]
	return list, nil
}
