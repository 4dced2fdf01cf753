package hdf5

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"
)

// A member is a group or a dataset that is being written.
type member struct {
	addr     uint64 // of the object header, once it has a place
	path     string
	group    bool
	begun    bool               // Begin was called for it
	children map[string]*member // of a group
	header   headerBuilder      // the attributes of a group
	scratch  []byte             // what the link to a group says of its symbol table
	dims     []dimension        // that a group defines
	links    int                // hard links to the object, besides the first
	soft     string             // the path of a soft or external link, which is no object
	file     string             // of an external link
	late     *arrayWriter       // of an array whose header is written at the end
}

func newGroup() *member { return &member{group: true, children: map[string]*member{}} }

// isLink reports whether n is a link, and no object.
func (n *member) isLink() bool { return n.soft != "" }

// checkPath returns an error unless path can be that of an object.
func checkPath(path string) error {
	for name := range strings.SplitSeq(path, "/") {
		switch {
		case name == "":
			return fmt.Errorf("hdf5: path %q: a name is empty; write group/name", path)
		case name == ".":
			return fmt.Errorf("hdf5: path %q: the name . stands for the group itself", path)
		case strings.Contains(name, "\x00") || !utf8.ValidString(name):
			return fmt.Errorf("hdf5: path %q: names must be UTF-8 without NUL characters", path)
		case len(name) > maxMessage-64:
			return fmt.Errorf("hdf5: path %.20q…: a name of %d bytes, and a message of HDF5 has %d", path, len(name), maxMessage)
		}
	}
	return nil
}

// find returns the node of a path, and adds nothing. It is nil if there is none. An array on the way is an error.
func (n *member) find(path string) (*member, error) {
	at := ""
	for name := range strings.SplitSeq(path, "/") {
		if n.isLink() {
			return nil, fmt.Errorf("hdf5: %w", &fs.PathError{Op: "write", Path: path, Err: fmt.Errorf("%s is a link: %w", at, fs.ErrExist)})
		}
		if !n.group {
			return nil, fmt.Errorf("hdf5: %w", &fs.PathError{Op: "write", Path: path, Err: fmt.Errorf("%s is an array: %w", at, fs.ErrExist)})
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

// Group parameters of the superblock: half the number of entries of a leaf and of a node within.
const (
	leafK     = 4
	internalK = 16
)

// maxLinks is the number of links of a group that lie in its object header. Readers look through all of them for one.
const maxLinks = 4096

// asMessages reports whether the links of a group are messages of its header, as only links to other files must be.
func (n *member) asMessages(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return n.children[name].file != "" }) ||
		slices.ContainsFunc(names, func(name string) bool { return !isASCII(name) }) && len(names) <= maxLinks
}

// groupHeader returns the header of a group. Its length does not depend on addresses.
func (n *member) groupHeader(names []string) ([]byte, error) {
	var b headerBuilder
	if n.asMessages(names) {
		n.addLinks(&b, names)
	} else {
		b.add(symbolTableMessage, append(n.scratch, make([]byte, 2*addressSize-len(n.scratch))...), false)
	}
	b.append(&n.header)
	return b.header(1 + n.links)
}

// place gives the header of a group its address before it is written, for references and links to it.
func (n *member) place(out *output) error {
	data, err := n.groupHeader(n.names())
	if err == nil {
		n.addr = uint64(out.reserve(int64(len(data))))
	}
	return err
}

// writeGroup writes a group, after the groups within.
func (n *member) writeGroup(w *Writer) error {
	names := n.names()
	if !n.asMessages(names) {
		if err := n.writeSymbolTable(w.out, names); err != nil {
			return err
		}
	}
	w.resolve(n.path, n.header.buf, n.header.refs)
	data, err := n.groupHeader(names)
	if err != nil {
		return err
	}
	n.header = headerBuilder{}
	if n.addr == 0 {
		n.addr = uint64(w.out.reserve(int64(len(data))))
	}
	return w.out.writePadded(data, int64(n.addr))
}

// addLinks adds the members of a group as messages, whose names may be UTF-8.
func (n *member) addLinks(h *headerBuilder, names []string) {
	info := []byte{0, 0}
	info = binary.LittleEndian.AppendUint64(info, undefined)
	info = binary.LittleEndian.AppendUint64(info, undefined)
	h.add(linkInfoMessage, info, false)
	h.add(groupInfoMessage, []byte{0, 0}, true)
	for _, name := range names {
		h.add(linkMessage, n.children[name].linkMessage(name), false)
	}
}

// linkMessage returns the data of the message of a link to n.
func (n *member) linkMessage(name string) []byte {
	b := []byte{1, 0x10}
	switch {
	case n.file != "":
		b = []byte{1, 0x18, 64}
	case n.soft != "":
		b = []byte{1, 0x18, 1}
	}
	b = append(b, 1) // the character set: UTF-8
	if len(name) < 256 {
		b = append(b, byte(len(name)))
	} else {
		b[1] |= 1
		b = binary.LittleEndian.AppendUint16(b, uint16(len(name)))
	}
	b = append(b, name...)
	target := n.soft
	if n.file != "" {
		target = "\x00" + n.file + "\x00" + n.soft + "\x00"
	}
	if target == "" {
		return binary.LittleEndian.AppendUint64(b, n.addr)
	}
	return append(binary.LittleEndian.AppendUint16(b, uint16(len(target))), target...)
}

// writeSymbolTable writes the members of a group as a local heap of names and a B-tree, whose addresses are n.scratch then.
func (n *member) writeSymbolTable(out *output, names []string) error {
	segment := make([]byte, 8)
	places := make([]uint64, len(names))
	for i, name := range names {
		places[i] = uint64(len(segment))
		segment = append(segment, paddedName(name)...)
		if child := n.children[name]; child.isLink() {
			child.scratch = binary.LittleEndian.AppendUint32(nil, uint32(len(segment)))
			segment = append(segment, paddedName(child.soft)...)
		}
	}
	at, err := out.put(segment)
	if err != nil {
		return err
	}
	head := []byte("HEAP\x00\x00\x00\x00")
	for _, x := range []uint64{uint64(len(segment)), 1, at} { // 1: no free space
		head = binary.LittleEndian.AppendUint64(head, x)
	}
	heap, err := out.put(head)
	if err != nil {
		return err
	}
	root, err := n.writeSymbols(out, names, places)
	if err != nil {
		return err
	}
	n.scratch = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, root), heap)
	return nil
}

// writeSymbols writes the symbol nodes and their B-tree. Nodes have their full size even if they are empty.
func (n *member) writeSymbols(out *output, names []string, places []uint64) (root uint64, err error) {
	const size = 8 + 2*leafK*symbolSize
	t := treeBuilder{kind: treeGroup, k: internalK, keySize: 8, n: (len(names) + 2*leafK - 1) / (2 * leafK)}
	first := out.reserve(int64(t.n) * size)
	for i := range t.n {
		low, high := i*2*leafK, min((i+1)*2*leafK, len(names))
		b := binary.LittleEndian.AppendUint16([]byte("SNOD\x01\x00"), uint16(high-low))
		for j, name := range names[low:high] {
			b = appendSymbol(b, places[low+j], n.children[name])
		}
		b = append(b, make([]byte, size-len(b))...)
		if err := out.writeAt(b, first+int64(i)*size); err != nil {
			return 0, err
		}
	}
	t.appendKey = func(b []byte, i int) []byte {
		return binary.LittleEndian.AppendUint64(b, places[min((i+1)*2*leafK, len(places))-1])
	}
	t.addr = func(i int) uint64 { return uint64(first + int64(i)*size) }
	return t.write(out)
}

// symbolSize is the size of an entry of a symbol table.
const symbolSize = 40

// appendSymbol appends an entry of a symbol table. name is the place of the name in the heap.
func appendSymbol(b []byte, name uint64, to *member) []byte {
	cached, addr := 0, to.addr // the scratch space has nothing
	switch {
	case to.isLink(): // the place of its path in the heap
		cached, addr = 2, undefined
	case len(to.scratch) > 0: // the addresses of a symbol table
		cached = 1
	}
	b = binary.LittleEndian.AppendUint64(b, name)
	b = binary.LittleEndian.AppendUint64(b, addr)
	b = append(b, byte(cached), 0, 0, 0, 0, 0, 0, 0)
	b = append(b, to.scratch...)
	return append(b, make([]byte, 16-len(to.scratch))...)
}
