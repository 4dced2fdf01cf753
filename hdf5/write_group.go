package hdf5

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"
)

// A member is a group or a dataset that is being written.
type member struct {
	addr     uint64 // of the object header, once it is written
	group    bool
	begun    bool               // Begin was called for it
	children map[string]*member // of a group
	header   headerBuilder      // the attributes of a group
	scratch  []byte             // what the link to a group says of its symbol table
}

func newGroup() *member { return &member{group: true, children: map[string]*member{}} }

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
	dir, name, ok := strings.Cut(path, "/")
	for ; ok; dir, name, ok = strings.Cut(name, "/") {
		if n.children[dir] == nil {
			n.children[dir] = newGroup()
		}
		n = n.children[dir]
	}
	n.children[dir] = leaf
}

// Group parameters of the superblock: half the number of entries of a leaf and of a node within.
const (
	leafK     = 4
	internalK = 16
)

// maxLinks is the number of links of a group that lie in its object header. Readers look through all of them for one.
const maxLinks = 4096

// writeGroups writes a group and the groups within, depth first.
func (n *member) writeGroups(out *output) error {
	names := make([]string, 0, len(n.children))
	for name := range n.children {
		names = append(names, name)
	}
	slices.Sort(names) // the order of a B-tree
	for _, name := range names {
		if child := n.children[name]; child.group {
			if err := child.writeGroups(out); err != nil {
				return err
			}
		}
	}
	attributes := n.header
	n.header = headerBuilder{}
	var err error
	if slices.ContainsFunc(names, func(name string) bool { return !isASCII(name) }) && len(names) <= maxLinks {
		n.addLinks(names)
	} else {
		err = n.addSymbolTable(out, names)
	}
	if err != nil {
		return err
	}
	n.header.buf = append(n.header.buf, attributes.buf...)
	n.header.count += attributes.count
	data, err := n.header.header()
	if err != nil {
		return err
	}
	n.header = headerBuilder{}
	n.addr, err = out.put(data)
	return err
}

// addLinks adds the members of a group as messages, whose names may be UTF-8.
func (n *member) addLinks(names []string) {
	info := []byte{0, 0}
	info = binary.LittleEndian.AppendUint64(info, undefined)
	info = binary.LittleEndian.AppendUint64(info, undefined)
	n.header.add(linkInfoMessage, info, false)
	n.header.add(groupInfoMessage, []byte{0, 0}, true)
	for _, name := range names {
		b := []byte{1, 0x10, 1} // with the character set: UTF-8
		if len(name) < 256 {
			b = append(b, byte(len(name)))
		} else {
			b[1] |= 1
			b = binary.LittleEndian.AppendUint16(b, uint16(len(name)))
		}
		b = append(b, name...)
		n.header.add(linkMessage, binary.LittleEndian.AppendUint64(b, n.children[name].addr), false)
	}
}

// addSymbolTable writes the members of a group as a local heap of names and a B-tree, and adds the message of both.
func (n *member) addSymbolTable(out *output, names []string) error {
	segment := make([]byte, 8)
	places := make([]uint64, len(names))
	for i, name := range names {
		places[i] = uint64(len(segment))
		segment = append(segment, paddedName(name)...)
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
	n.header.add(symbolTableMessage, n.scratch, false)
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
	b = binary.LittleEndian.AppendUint64(b, name)
	b = binary.LittleEndian.AppendUint64(b, to.addr)
	b = append(b, byte(cmp.Compare(len(to.scratch), 0)), 0, 0, 0, 0, 0, 0, 0) // 1: the scratch space is that of a symbol table
	b = append(b, to.scratch...)
	return append(b, make([]byte, 16-len(to.scratch))...)
}
