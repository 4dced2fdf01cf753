package hdf5

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/nd"
)

// attributes returns the attributes of an object, in the order of the header, and those that have storage of their own
// in the order of their creation or by name. wanted says of which names; nil wants all.
func (h *header) attributes(wanted func(name string) bool) ([]container.Attribute, error) {
	return h.attributesBy(h.f.reading(), wanted)
}

// attributesBy is attributes within the limits of r.
func (h *header) attributesBy(r *reading, wanted func(name string) bool) ([]container.Attribute, error) {
	var list []container.Attribute
	for _, m := range h.messages {
		if m.kind == attributeMessage {
			c := h.cursor(m, "attribute message")
			if a, ok := h.attribute(&c, r, wanted); ok {
				list = append(list, a)
			}
		}
	}
	m, ok := h.find(attributeInfoMessage)
	if !ok {
		return list, nil
	}
	c := h.cursor(m, "attribute info message")
	c.version(0, 0)
	flags := c.u8()
	if flags&1 != 0 {
		c.skip(2)
	}
	heap, tree, err := h.f.dense(&c, 8)
	if tree == nil || err != nil {
		return list, err
	}
	dense, err := h.denseAttributes(heap, tree, flags&1 != 0, r, wanted)
	return append(list, dense...), err
}

// denseAttributes returns the attributes that a fractal heap keeps.
func (h *header) denseAttributes(heap *fractalHeap, tree *btree2, ordered bool, r *reading, wanted func(string) bool) ([]container.Attribute, error) {
	type numbered struct {
		container.Attribute
		order uint32
	}
	var list []numbered
	err := tree.each(func(record []byte) error {
		x := &cursor{f: h.f.input, what: "attribute record", at: tree.at, b: record}
		id, flags, order := x.bytes(8), x.u8(), x.u32()
		if x.err != nil {
			return x.err
		}
		var at uint64
		var b []byte
		var err error
		if flags&2 != 0 {
			at, b, err = h.f.sharedMessage(attributeMessage, id)
		} else {
			at, b, err = heap.object(id)
		}
		if err == nil {
			err = h.f.limits.checkEntries(len(list) + 1)
		}
		if err != nil {
			return err
		}
		c := &cursor{f: h.f.input, what: "attribute message", at: at, b: b}
		if a, ok := h.attribute(c, r, wanted); ok {
			list = append(list, numbered{a, order})
		}
		return nil
	})
	slices.SortStableFunc(list, func(a, b numbered) int {
		if ordered {
			return cmp.Compare(a.order, b.order)
		}
		return cmp.Compare(a.Name, b.Name)
	})
	var all []container.Attribute
	for _, a := range list {
		all = append(all, a.Attribute)
	}
	return all, err
}

// attribute reads an attribute message, if its name is wanted.
func (h *header) attribute(c *cursor, r *reading, wanted func(string) bool) (container.Attribute, bool) {
	version := c.version(1, 3)
	flags := c.u8()
	nameLen, typeLen, spaceLen := c.u16(), c.u16(), c.u16()
	if version == 3 {
		c.skip(1) // the character set
	}
	take := func(n int) cursor {
		at := c.at + uint64(c.pos)
		b := c.bytes(n)
		if version == 1 {
			c.skip(min(-n&7, c.left()))
		}
		return cursor{f: c.f, what: c.what, at: at, b: b, err: c.err}
	}
	name := take(nameLen)
	a := container.Attribute{Name: toText(upToNUL(name.b))}
	if wanted != nil && !wanted(a.Name) {
		return a, false
	}
	typeAt, spaceAt := take(typeLen), take(spaceLen)
	if version == 1 {
		flags = 0
	}
	typeAt = h.f.resolve(typeAt, datatypeMessage, flags&1 != 0)
	t, err := h.f.datatype(&typeAt)
	var s space
	if err == nil {
		spaceAt = h.f.resolve(spaceAt, dataspaceMessage, flags&2 != 0)
		s, err = h.f.space(&spaceAt)
	}
	if err == nil {
		err = c.err
	}
	if err == nil {
		err = h.value(&a, t, s, c, r)
	}
	if err != nil {
		a.Value, a.Err = nil, err
	}
	return a, true
}

// value reads the value of an attribute, the rest of its message.
func (h *header) value(a *container.Attribute, t *datatype, s space, c *cursor, r *reading) error {
	coded, err := t.coding(h.f)
	if err != nil {
		return h.f.failed("datatype", c.at, err)
	}
	if err := (format.Header{DType: coded.t.Elem(), Shape: append(slices.Clone(s.dims), coded.t.SubShape()...)}).Validate(); err != nil {
		return h.f.failed("attribute message", c.at, err)
	}
	n, ok := bounded.Mul(nd.Size(s.dims), t.size)
	if !ok {
		return h.f.failed("attribute message", c.at, fault{fmt.Errorf("%v elements of %d bytes", s.dims, t.size)})
	}
	data := c.bytes(n)
	if c.err != nil {
		return c.err
	}
	a.Meaning, a.Null = coded.meaning, s.null
	a.Value, err = coded.array(context.Background(), r, data, s.dims)
	return err
}
