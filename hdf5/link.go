package hdf5

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// The kinds of links.
const (
	linkHard = iota
	linkSoft
	linkExternal
	linkOther // of a program
)

// A link is a name in a group, and what it leads to.
type link struct {
	name   string
	kind   int
	at     uint64 // of the object header, of a hard link
	target string // the path of a soft or external link
	file   string // of an external link
	order  uint64 // of creation
	err    error  // why the link cannot be read; its name is made up then
}

// A group is the links of a group.
type group struct {
	links []link // in the order in which they are listed
	names map[string]int
}

// groupsMax is the number of links of all groups that stay in memory.
const groupsMax = 1 << 20

// group returns the links of the group with a header.
func (h *header) group() (*group, error) {
	f := h.f
	f.groupMu.Lock()
	g, ok := f.groups[h.at]
	f.groupMu.Unlock()
	if ok {
		return g, nil
	}
	links, err := h.links()
	if err != nil {
		return nil, err
	}
	g = &group{links: links, names: make(map[string]int, len(links))}
	for i, l := range links {
		if _, ok := g.names[l.name]; !ok {
			g.names[l.name] = i
		}
	}
	f.groupMu.Lock()
	defer f.groupMu.Unlock()
	if f.links += len(links); f.links > groupsMax || f.groups == nil {
		f.groups, f.links = map[uint64]*group{}, len(links)
	}
	f.groups[h.at] = g
	return g, nil
}

// isGroup reports whether the object with a header is a group.
func (h *header) isGroup() bool {
	return h.has(symbolTableMessage) || h.has(linkInfoMessage) || h.has(groupInfoMessage) || h.has(linkMessage)
}

// A linkList collects links, up to a limit.
type linkList struct {
	f     *file
	links []link
}

func (s *linkList) add(l link) error {
	l.name, l.target, l.file = toText(l.name), toText(l.target), toText(l.file)
	if err := s.f.limits.checkEntries(len(s.links) + 1); err != nil {
		return err
	}
	s.links = append(s.links, l)
	return nil
}

// links reads all links of a group: in the order of their creation if the file keeps it, else by name.
func (h *header) links() ([]link, error) {
	list := &linkList{f: h.f}
	if m, ok := h.find(symbolTableMessage); ok {
		c := h.cursor(m, "symbol table message")
		tree, heap := c.address(), c.address()
		if c.err != nil {
			return nil, c.err
		}
		err := h.f.symbols(tree, heap, list)
		return list.links, err
	}
	ordered, err := h.denseLinks(list)
	if err != nil {
		return nil, err
	}
	for _, m := range h.messages {
		if m.kind != linkMessage {
			continue
		}
		c := h.cursor(m, "link message")
		l, hasOrder := c.link()
		if c.err != nil {
			return nil, c.err
		}
		ordered = ordered && hasOrder
		if err := list.add(l); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(list.links, func(a, b link) int {
		if ordered {
			return cmp.Compare(a.order, b.order)
		}
		return cmp.Compare(a.name, b.name)
	})
	return list.links, nil
}

// symbols reads the links of an old group, which are in the order of their names.
func (f *file) symbols(tree, heap uint64, list *linkList) error {
	names, err := f.localHeap(heap)
	if err != nil {
		return err
	}
	if tree == undefined {
		return nil
	}
	return f.symbolNodes(tree, func(at uint64) error { return f.symbolNode(at, names, list) })
}

// symbolNode reads the links of one node.
func (f *file) symbolNode(at uint64, names localHeap, list *linkList) error {
	const what = "symbol table node"
	c := f.cursor(what, at, 8)
	c.signature("SNOD")
	c.version(1, 1)
	c.skip(1)
	count := c.u16()
	if c.err != nil {
		return c.err
	}
	c = f.cursor(what, at, 8+count*(2*f.offsetSize+24))
	c.skip(8)
	for range count {
		offset := c.uint(f.offsetSize)
		l := link{at: c.address()}
		kind := c.u32()
		c.skip(4)
		value := c.u32()
		c.skip(12)
		if c.err != nil {
			return c.err
		}
		if l.name, l.err = names.text(offset); l.err != nil {
			l.name = fmt.Sprintf("?%d", len(list.links))
		} else if kind == 2 {
			l.kind = linkSoft
			l.target, l.err = names.text(uint64(value))
		}
		if err := list.add(l); err != nil {
			return err
		}
	}
	return nil
}

// link takes a link message. It reports whether the order of creation is known.
func (c *cursor) link() (l link, ordered bool) {
	c.version(1, 1)
	flags, kind := c.u8(), 0
	if flags&8 != 0 {
		kind = c.u8()
	}
	if ordered = flags&4 != 0; ordered {
		l.order = c.uint(8)
	}
	if flags&0x10 != 0 {
		c.skip(1) // the character set
	}
	n := c.uint(1 << (flags & 3))
	if c.err == nil && n > nameMax {
		c.fail("a name of %d bytes", n)
	}
	l.name = string(c.bytes(int(min(n, nameMax))))
	switch kind {
	case 0:
		l.at = c.address()
	case 1:
		l.kind, l.target = linkSoft, string(c.bytes(c.u16()))
	case 64:
		l.kind = linkExternal
		if b := c.bytes(c.u16()); len(b) > 1 {
			file, target, _ := strings.Cut(string(b[1:]), "\x00")
			l.file, l.target = file, upToNUL([]byte(target))
		}
	default:
		l.kind = linkOther
	}
	return l, ordered
}

// dense takes the addresses of a fractal heap and of the B-tree over its objects, with records of the given type. Both
// are nil if the file has none.
func (f *file) dense(c *cursor, kind int) (*fractalHeap, *btree2, error) {
	heapAt, treeAt := c.address(), c.address()
	if c.err != nil || heapAt == undefined || treeAt == undefined {
		return nil, nil, c.err
	}
	heap, err := f.fractalHeap(heapAt)
	if err != nil {
		return nil, nil, err
	}
	tree, err := f.btree2(treeAt, kind)
	return heap, tree, err
}

// denseLinks reads the links that a group keeps in a fractal heap. It reports whether the order of creation of all
// links of the group is known.
func (h *header) denseLinks(list *linkList) (ordered bool, err error) {
	m, ok := h.find(linkInfoMessage)
	if !ok {
		return true, nil
	}
	c := h.cursor(m, "link info message")
	c.version(0, 0)
	flags := c.u8()
	if ordered = flags&1 != 0; ordered {
		c.skip(8)
	}
	heap, tree, err := h.f.dense(&c, 5)
	if tree == nil || err != nil {
		return ordered, err
	}
	return ordered, tree.each(func(record []byte) error {
		at, b, err := heap.object(record[min(4, len(record)):])
		if err != nil {
			return err
		}
		x := &cursor{f: h.f.input, what: "link message", at: at, b: b}
		l, hasOrder := x.link()
		if ordered = ordered && hasOrder; x.err != nil {
			return x.err
		}
		return list.add(l)
	})
}
