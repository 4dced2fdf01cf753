package reading

import (
	"fmt"
	"strings"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
)

// An object is the target of a link.
type object struct {
	path string
	at   uint64
	h    *structure.Header
	link string         // the path of the object, if that in path is a soft link or not the first link
	via  structure.Link // the link, if it is none to the object itself
	kind container.LinkKind
	err  error
}

// object returns the target of a link of a group. path is the path of the link.
func (f *File) object(path string, group uint64, l structure.Link) object {
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

// walk visits all links below the root, a group before its members. A group that several paths lead to is entered
// once.
func (f *File) walk(visit func(o object) bool) {
	root, err := f.Header(f.Super.Root)
	if err != nil {
		visit(object{at: f.Super.Root, err: err})
		return
	}
	w := &walker{f: f, visit: visit, paths: map[uint64]string{f.Super.Root: "/"}}
	w.group(root, "", 0)
}

type walker struct {
	f     *File
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

// object returns the target of a link of a group. It reports whether it is a group to enter.
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

// pathOf returns the path of the object at an address, as h5py's Dataset.name, and nil for no object.
func (f *File) pathOf(at uint64) (any, error) {
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
