package writing

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/internal/diag"
)

// A member is a group or a dataset that is being written.
type member struct {
	addr     uint64 // of the object header, once it has a place
	path     string
	group    bool
	begun    bool                    // Begin was called for it
	children map[string]*member      // of a group
	header   structure.HeaderBuilder // the attributes of a group
	scratch  []byte                  // addresses of its symbol table, in the link to a group
	dims     []dimension             // that a group defines
	links    int                     // hard links to the object, besides the first
	soft     string                  // the path of a soft or external link, which is no object
	file     string                  // of an external link
	scale    *scale                  // of a dimension scale, once its elements are written
}

// A scale is a dimension scale: the axes of arrays that it belongs to.
type scale struct{ listed []listedAxis }

// A listedAxis is an axis of an array.
type listedAxis struct {
	node *member
	axis int
}

func newGroup() *member { return &member{group: true, children: map[string]*member{}} }

// isLink reports whether n is a link, and no object.
func (n *member) isLink() bool { return n.soft != "" }

// checkPath returns an error unless an object can have this path.
func checkPath(path string) error {
	for name := range strings.SplitSeq(path, "/") {
		switch {
		case name == "":
			return diag.Errorf("hdf5", "path %q: a name is empty; write group/name", path)
		case name == ".":
			return diag.Errorf("hdf5", "path %q: the name . stands for the group itself", path)
		case strings.Contains(name, "\x00") || !utf8.ValidString(name):
			return diag.Errorf("hdf5", "path %q: names must be UTF-8 without NUL characters", path)
		case len(name) > structure.MaxMessage-64:
			return diag.Errorf("hdf5", "path %.20q…: a name of %d bytes, and a message of HDF5 has %d", path, len(name), structure.MaxMessage)
		}
	}
	return nil
}

// find returns the node of a path, and adds nothing. It is nil if there is none. An array on the way is an error.
func (n *member) find(path string) (*member, error) {
	at := ""
	for name := range strings.SplitSeq(path, "/") {
		if n.isLink() {
			return nil, diag.Wrap("hdf5", &fs.PathError{Op: "write", Path: path, Err: fmt.Errorf("%s is a link: %w", at, fs.ErrExist)})
		}
		if !n.group {
			return nil, diag.Wrap("hdf5", &fs.PathError{Op: "write", Path: path, Err: fmt.Errorf("%s is an array: %w", at, fs.ErrExist)})
		}
		if n = n.children[name]; n == nil {
			return nil, nil
		}
		at = strings.TrimPrefix(at+"/"+name, "/")
	}
	return n, nil
}

// add puts a new node to a path, with the groups that lead there.
func (n *member) add(path string, leaf *member) {
	leaf.path = path
	dir, name, ok := strings.Cut(path, "/")
	for ; ok; dir, name, ok = strings.Cut(name, "/") {
		if n.children[dir] == nil {
			n.children[dir] = newGroup()
			n.children[dir].path = strings.TrimPrefix(n.path+"/"+dir, "/")
		}
		n = n.children[dir]
	}
	n.children[dir] = leaf
}

// remove removes the array at a path.
func (n *member) remove(path string) {
	dir, name, ok := strings.Cut(path, "/")
	for ; ok; dir, name, ok = strings.Cut(name, "/") {
		n = n.children[dir]
	}
	delete(n.children, dir)
}

// each calls f with n and every group and array below it, once.
func (n *member) each(f func(n *member) error) error {
	seen := map[*member]bool{}
	var visit func(n *member) error
	visit = func(n *member) error {
		if seen[n] || n.isLink() {
			return nil
		}
		seen[n] = true
		for _, name := range n.names() {
			if err := visit(n.children[name]); err != nil {
				return err
			}
		}
		return f(n)
	}
	return visit(n)
}

// names returns the names in a group, in the order of a B-tree.
func (n *member) names() []string {
	names := make([]string, 0, len(n.children))
	for name := range n.children {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// maxLinks is the number of links of a group that lie in its object header. Readers look through all of them for one.
const maxLinks = 4096

// asMessages reports whether the links of a group are messages of its header, as only links to other files must be.
func (n *member) asMessages(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return n.children[name].file != "" }) ||
		slices.ContainsFunc(names, func(name string) bool { return !structure.IsASCII(name) }) && len(names) <= maxLinks
}

// groupHeader returns the header of a group. Its length does not depend on addresses.
func (n *member) groupHeader(names []string) ([]byte, error) {
	var b structure.HeaderBuilder
	if n.asMessages(names) {
		n.addLinks(&b, names)
	} else {
		b.Add(structure.SymbolTableMessage, append(n.scratch, make([]byte, 2*structure.AddressSize-len(n.scratch))...), false)
	}
	b.Append(&n.header)
	return b.Header(1 + n.links)
}

// place gives the header of a group its address before it is written, for references and links to it.
func (n *member) place(out *storage.Output) error {
	data, err := n.groupHeader(n.names())
	if err == nil {
		n.addr = uint64(out.Reserve(int64(len(data))))
	}
	return err
}

// addLinks adds the members of a group as messages, whose names may be UTF-8.
func (n *member) addLinks(h *structure.HeaderBuilder, names []string) {
	info := []byte{0, 0}
	info = binary.LittleEndian.AppendUint64(info, storage.Undefined)
	info = binary.LittleEndian.AppendUint64(info, storage.Undefined)
	h.Add(structure.LinkInfoMessage, info, false)
	h.Add(structure.GroupInfoMessage, []byte{0, 0}, true)
	for _, name := range names {
		h.Add(structure.LinkMessage, n.children[name].link(name).Message(), false)
	}
}

// link returns the link to n.
func (n *member) link(name string) structure.Link {
	l := structure.Link{Name: name, At: n.addr, Target: n.soft, File: n.file}
	switch {
	case n.file != "":
		l.Kind = structure.LinkExternal
	case n.soft != "":
		l.Kind = structure.LinkSoft
	}
	return l
}

// writeSymbolTable writes the members of a group as a local heap of names and a B-tree, whose addresses are n.scratch then.
func (n *member) writeSymbolTable(out *storage.Output, names []string) error {
	segment := make([]byte, 8)
	places := make([]uint64, len(names))
	for i, name := range names {
		places[i] = uint64(len(segment))
		segment = append(segment, structure.PaddedName(name)...)
		if child := n.children[name]; child.isLink() {
			child.scratch = binary.LittleEndian.AppendUint32(nil, uint32(len(segment)))
			segment = append(segment, structure.PaddedName(child.soft)...)
		}
	}
	heap, err := structure.WriteLocalHeap(out, segment)
	if err != nil {
		return err
	}
	symbols := make([]structure.Symbol, len(names))
	for i, name := range names {
		symbols[i] = n.children[name].symbol(places[i])
	}
	root, err := structure.WriteSymbols(out, symbols)
	if err != nil {
		return err
	}
	n.scratch = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, root), heap)
	return nil
}

// symbol returns the entry of n in a symbol table. name is the place of the name in the heap.
func (n *member) symbol(name uint64) structure.Symbol {
	s := structure.Symbol{Name: name, Addr: n.addr, Scratch: n.scratch}
	switch {
	case n.isLink():
		s.Addr, s.Kind = storage.Undefined, structure.PathScratch
	case len(n.scratch) > 0:
		s.Kind = structure.TableScratch
	}
	return s
}

// A dimension is one that a group defines, as netCDF has them.
type dimension struct {
	name      string
	n         int
	unlimited bool
}

// dimensionsOf returns the dimensions that the entry of a group defines.
func dimensionsOf(e container.Entry) []dimension {
	var dims []dimension
	for i, name := range e.Dims {
		if name == "" || i >= len(e.Shape) || checkPath(name) != nil || strings.Contains(name, "/") {
			continue
		}
		dims = append(dims, dimension{name, e.Shape[i], i < len(e.MaxShape) && e.MaxShape[i] == container.Unlimited})
	}
	return dims
}
