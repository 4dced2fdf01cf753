package hdf5

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
)

// A file is an open file. Structures are read when they are needed, and those that will be needed again are kept.
type file struct {
	*structure.File
	limits limits
	large  largeChunks

	expanded atomic.Int64 // bytes of elements that were read and are not stored

	groupMu sync.Mutex
	groups  map[uint64]*group // by the addresses of their headers
	links   int               // of all groups

	pathsOnce sync.Once
	paths     map[uint64]string // of all objects, by the addresses of their headers
}

// linksMax is the number of soft links that may follow each other, H5L_NUM_LINKS of HDF5.
const linksMax = 16

// groupAt returns the links of the group at an address.
func (f *file) groupAt(at uint64) (*group, error) {
	f.groupMu.Lock()
	g, ok := f.groups[at]
	f.groupMu.Unlock()
	if ok {
		return g, nil
	}
	h, err := f.Header(at)
	if err != nil {
		return nil, err
	}
	if !h.IsGroup() {
		return nil, fault.Invalid("object header", f.Offset(at), "%w", errNotGroup)
	}
	return f.group(h)
}

var errNotGroup = errors.New("not a group")

// find returns the address of the object at a path: from the root, or from a group for a path without a leading slash.
func (f *file) find(from uint64, path string, depth int) (uint64, error) {
	group, l, err := f.link(from, path, depth)
	if err != nil {
		return 0, err
	}
	return f.follow(group, l, depth)
}

// link returns the last link of a path, which is not followed, and the address of its group. For the path of no link it
// is a link to the group itself.
func (f *file) link(group uint64, path string, depth int) (uint64, structure.Link, error) {
	if depth > linksMax {
		return 0, structure.Link{}, &fault.Error{Offset: -1, Err: fault.Malformed(fmt.Errorf("more than %d soft links follow each other", linksMax))}
	}
	if strings.HasPrefix(path, "/") {
		group = f.Super.Root
	}
	l, walked := structure.Link{At: group}, ""
	for name := range strings.SplitSeq(path, "/") {
		if name == "" || name == "." {
			continue
		}
		var err error
		if group, err = f.follow(group, l, depth); err != nil {
			return 0, l, err
		}
		g, err := f.groupAt(group)
		if errors.Is(err, errNotGroup) {
			return 0, l, fault.Missing("", "%.200q is not a group", walked)
		}
		if err != nil {
			return 0, l, err
		}
		i, ok := g.names[name]
		if !ok {
			return 0, l, fault.Missing("", "there is no %.200q%s", name, in(walked))
		}
		l = g.links[i]
		walked += "/" + name
	}
	return group, l, nil
}

// in returns where something is, for errors.
func in(group string) string {
	if group == "" {
		return ""
	}
	return fmt.Sprintf(" in %.200q", group)
}

// follow returns the address of the object that a link in the group at from leads to.
func (f *file) follow(from uint64, l structure.Link, depth int) (uint64, error) {
	if l.Err != nil {
		return 0, l.Err
	}
	switch l.Kind {
	case structure.LinkHard:
		return l.At, nil
	case structure.LinkSoft:
		at, err := f.find(from, l.Target, depth+1)
		if err != nil && depth > 0 { // the first link is named
			return 0, err
		}
		if err != nil {
			return 0, &fault.Error{Structure: fmt.Sprintf("soft link to %.200q", l.Target), Offset: -1, Err: reason(err)}
		}
		return at, nil
	case structure.LinkExternal:
		return 0, fault.Unsupported("external link", -1, "its object is in another file, %.200q, and no other file is opened", l.File)
	}
	return 0, fault.Unsupported("link", -1, "links of a program's own kind")
}

// reason returns what is wrong, without the place, if err has no place.
func reason(err error) error {
	var located *fault.Error
	if errors.As(err, &located) && located.Structure == "" && located.Path == "" {
		return located.Err
	}
	return err
}

// pathOf returns the path of the object at an address, as h5py's Dataset.name, and nil for no object.
func (f *file) pathOf(at uint64) (any, error) {
	if at == 0 || at == storage.Undefined {
		return nil, nil
	}
	f.pathsOnce.Do(func() {
		f.paths = map[uint64]string{f.Super.Root: "/"}
		f.walk(func(o object) bool {
			if _, ok := f.paths[o.at]; !ok && o.err == nil && o.link == "" {
				f.paths[o.at] = "/" + o.path
			}
			return true
		})
	})
	if path, ok := f.paths[at]; ok {
		return path, nil
	}
	if err := f.Reader.Check(); err != nil {
		return nil, err
	}
	return fmt.Sprintf("an object without a path at byte %d", f.Offset(at)), nil
}

// An object is what a link leads to.
type object struct {
	path string
	at   uint64
	h    *structure.Header
	link string         // the path of the object, if that in path is a soft link or not the first link
	via  structure.Link // the link, if it is none to the object itself
	kind container.LinkKind
	err  error
}

// object returns what a link of a group leads to. path is that of the link.
func (f *file) object(path string, group uint64, l structure.Link) object {
	o := object{path: path}
	switch l.Kind {
	case structure.LinkSoft:
		o.via, o.kind = l, container.SoftLink
		if o.link = l.Target; !strings.HasPrefix(l.Target, "/") {
			o.link = "/" + path[:strings.LastIndexByte(path, '/')+1] + l.Target
		}
	case structure.LinkExternal:
		o.via, o.kind, o.link = l, container.ExternalLink, l.Target
	}
	if o.at, o.err = f.follow(group, l, 0); o.err == nil {
		o.h, o.err = f.Header(o.at)
	}
	return o
}

// depthMax is the deepest nesting of groups.
const depthMax = 1000

// walk visits all links below the root, a group before what it holds. A group that several paths lead to is entered
// once.
func (f *file) walk(visit func(o object) bool) {
	root, err := f.Header(f.Super.Root)
	if err != nil {
		visit(object{at: f.Super.Root, err: err})
		return
	}
	w := &walker{f: f, visit: visit, paths: map[uint64]string{f.Super.Root: "/"}}
	w.group(root, "", 0)
}

type walker struct {
	f     *file
	visit func(o object) bool
	paths map[uint64]string // of the groups that were entered, and of other objects with several links
	count int
}

// group visits the links of a group. It reports whether to go on.
func (w *walker) group(h *structure.Header, prefix string, depth int) bool {
	g, err := w.f.group(h)
	if err != nil {
		return w.visit(object{path: strings.TrimSuffix(prefix, "/"), at: h.At, err: err})
	}
	for _, l := range g.links {
		path := prefix + l.Name
		w.count++
		if err := w.f.limits.checkEntries(w.count); err != nil {
			w.visit(object{path: path, err: err})
			return false
		}
		o, enter := w.object(path, h.At, l, depth)
		if !w.visit(o) || enter && !w.group(o.h, path+"/", depth+1) {
			return false
		}
	}
	return true
}

// object returns what a link of a group leads to. It reports whether it is a group to enter.
func (w *walker) object(path string, group uint64, l structure.Link, depth int) (o object, enter bool) {
	if l.Name == "" || l.Name == "." || strings.Contains(l.Name, "/") {
		return object{path: path, err: fault.Invalid("link", -1, "its name is %.200q, which no path can have", l.Name)}, false
	}
	o = w.f.object(path, group, l)
	if o.err != nil || o.link != "" {
		return o, false
	}
	isGroup := o.h.IsGroup()
	if !isGroup && !o.h.HasLinks() {
		return o, false
	}
	if o.link = w.paths[o.at]; o.link != "" {
		o.kind = container.HardLink
		return o, false
	}
	if isGroup && depth >= depthMax {
		o.err = fault.Invalid("group", w.f.Offset(o.at), "groups within groups, more than %d deep", depthMax)
		return o, false
	}
	w.paths[o.at] = "/" + path
	return o, isGroup
}
