package reading

import (
	"cmp"
	"slices"

	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
)

// A group is the links of a group.
type group struct {
	links []structure.Link // in the order in which they are listed
	names map[string]int
}

// groupsMax is the number of links of all groups that stay in memory.
const groupsMax = 1 << 20

// group returns the links of the group with a header.
func (f *File) group(h *structure.Header) (*group, error) {
	f.groupMu.Lock()
	g, ok := f.groups[h.At]
	f.groupMu.Unlock()
	if ok {
		return g, nil
	}
	links, err := f.readLinks(h)
	if err != nil {
		return nil, err
	}
	g = &group{links: links, names: make(map[string]int, len(links))}
	for i, l := range links {
		if _, ok := g.names[l.Name]; !ok {
			g.names[l.Name] = i
		}
	}
	f.groupMu.Lock()
	defer f.groupMu.Unlock()
	if f.links += len(links); f.links > groupsMax || f.groups == nil {
		f.groups, f.links = map[uint64]*group{}, len(links)
	}
	f.groups[h.At] = g
	return g, nil
}

// A linkList collects links, up to a limit.
type linkList struct {
	f     *File
	links []structure.Link
}

func (s *linkList) add(l structure.Link) error {
	l.Name, l.Target, l.File = structure.ToText(l.Name), structure.ToText(l.Target), structure.ToText(l.File)
	if err := s.f.limits.checkEntries(len(s.links) + 1); err != nil {
		return err
	}
	s.links = append(s.links, l)
	return nil
}

// readLinks reads all links of a group: in the order of their creation if the file keeps it, else by name.
func (f *File) readLinks(h *structure.Header) ([]structure.Link, error) {
	list := &linkList{f: f}
	if m, ok := h.Find(structure.SymbolTableMessage); ok {
		c := h.Cursor(m, "symbol table message")
		tree, heap := c.Address(), c.Address()
		if c.Err != nil {
			return nil, c.Err
		}
		err := f.Symbols(tree, heap, list.add)
		return list.links, err
	}
	ordered, err := f.denseLinks(h, list)
	if err != nil {
		return nil, err
	}
	for _, m := range h.Messages {
		if m.Kind != structure.LinkMessage {
			continue
		}
		c := h.Cursor(m, "link message")
		l, hasOrder := structure.ReadLink(&c)
		if c.Err != nil {
			return nil, c.Err
		}
		ordered = ordered && hasOrder
		if err := list.add(l); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(list.links, func(a, b structure.Link) int {
		if ordered {
			return cmp.Compare(a.Order, b.Order)
		}
		return cmp.Compare(a.Name, b.Name)
	})
	return list.links, nil
}

// denseLinks reads the links that a group keeps in a fractal heap. It reports whether the order of creation of all
// links of the group is known.
func (f *File) denseLinks(h *structure.Header, list *linkList) (ordered bool, err error) {
	m, ok := h.Find(structure.LinkInfoMessage)
	if !ok {
		return true, nil
	}
	c := h.Cursor(m, "link info message")
	c.Version(0, 0)
	flags := c.U8()
	if ordered = flags&1 != 0; ordered {
		c.Skip(8)
	}
	heap, tree, err := f.Dense(&c, 5)
	if tree == nil || err != nil {
		return ordered, err
	}
	return ordered, tree.Each(func(record []byte) error {
		at, b, err := heap.Object(record[min(4, len(record)):])
		if err != nil {
			return err
		}
		x := &storage.Cursor{In: f.Input, What: "link message", At: at, Data: b}
		l, hasOrder := structure.ReadLink(x)
		if ordered = ordered && hasOrder; x.Err != nil {
			return x.Err
		}
		return list.add(l)
	})
}
