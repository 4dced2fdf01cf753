package npz

import (
	"cmp"
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

// A node is a file or directory of the file system that an archive is.
type node struct {
	name     string         // the last part of its path
	entry    *zipfile.Entry // nil for a directory
	children []fs.DirEntry  // of a directory, by name
}

// Open opens a member by its name in the archive, .npy included, so that a Reader is an [fs.FS]. Names that are no valid
// paths are not in it. At the end of a file its size and checksum have been verified; if they are wrong, the last Read
// gives the error in place of io.EOF.
func (z *Reader) Open(name string) (fs.File, error) {
	n, err := z.node("open", name)
	if err != nil {
		return nil, err
	}
	if n.entry == nil {
		return &openDir{node: n, rest: n.children}, nil
	}
	r, err := z.openEntry(n.entry)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &openFile{n, r}, nil
}

// openEntry returns a reader of what a member holds.
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
	return slices.Clone(n.children), nil
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
	z.treeOnce.Do(z.plant)
	n, ok := z.tree[name]
	if !ok {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return n, nil
}

// plant makes the tree. A name that is both a file and a directory is a directory.
func (z *Reader) plant() {
	z.tree = map[string]*node{".": {name: "."}}
	for i := range z.dir.Entries {
		e := &z.dir.Entries[i]
		name, isDir := strings.CutSuffix(e.Name, "/")
		if !fs.ValidPath(name) || name == "." {
			continue
		}
		if isDir {
			z.addDir(name)
			continue
		}
		if parent := path.Dir(name); parent != "." {
			z.addDir(parent)
		}
		if n := z.tree[name]; n == nil || n.entry != nil {
			z.tree[name] = &node{name: path.Base(name), entry: e}
		}
	}
	for name, n := range z.tree {
		if name == "." {
			continue
		}
		parent := z.tree[path.Dir(name)]
		parent.children = append(parent.children, n)
	}
	for _, n := range z.tree {
		slices.SortFunc(n.children, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	}
}

// addDir makes a directory and those it is in.
func (z *Reader) addDir(name string) {
	for ; name != "."; name = path.Dir(name) {
		if n := z.tree[name]; n != nil && n.entry == nil {
			return
		}
		z.tree[name] = &node{name: path.Base(name)}
	}
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

// ModTime is the time that the archive gives, in the zone of UTC; it does not say which.
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
