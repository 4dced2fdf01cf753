package reading

import (
	"errors"
	"fmt"
	"strings"

	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/structure"
)

// CheckRoot returns an error unless the root is a group whose links can be read.
func (f *File) CheckRoot() error {
	_, err := f.groupAt(f.Super.Root)
	return fault.About("/", err)
}

// linksMax is the number of soft links that may follow each other, H5L_NUM_LINKS of HDF5.
const linksMax = 16

// groupAt returns the links of the group at an address.
func (f *File) groupAt(at uint64) (*group, error) {
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
func (f *File) find(from uint64, path string, depth int) (uint64, error) {
	group, l, err := f.link(from, path, depth)
	if err != nil {
		return 0, err
	}
	return f.follow(group, l, depth)
}

// link returns the last link of a path, which is not followed, and the address of its group. For the path of no link it
// is a link to the group itself.
func (f *File) link(group uint64, path string, depth int) (uint64, structure.Link, error) {
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
func (f *File) follow(from uint64, l structure.Link, depth int) (uint64, error) {
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

// reason returns the fault of err, without a place if err has none.
func reason(err error) error {
	var located *fault.Error
	if errors.As(err, &located) && located.Structure == "" && located.Path == "" {
		return located.Err
	}
	return err
}
