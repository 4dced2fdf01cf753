package reading

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/nd"
)

// attributes returns the attributes of an object with wanted names; nil wants all. Attributes in the header keep its
// order, attributes with storage of their own are in the order of their creation or by name.
func (f *File) attributes(h *structure.Header, wanted func(name string) bool) ([]container.Attribute, error) {
	return f.attributesBy(h, f.Reading(), wanted)
}

// attributesBy is attributes within the limits of r.
func (f *File) attributesBy(h *structure.Header, r *structure.Reading, wanted func(name string) bool) ([]container.Attribute, error) {
	var list []container.Attribute
	for _, m := range h.Messages {
		if m.Kind == structure.AttributeMessage {
			c := h.Cursor(m, "attribute message")
			if a, ok := f.attribute(&c, r, wanted); ok {
				list = append(list, a)
			}
		}
	}
	m, ok := h.Find(structure.AttributeInfoMessage)
	if !ok {
		return list, nil
	}
	c := h.Cursor(m, "attribute info message")
	c.Version(0, 0)
	flags := c.U8()
	if flags&1 != 0 {
		c.Skip(2)
	}
	heap, tree, err := f.Dense(&c, 8)
	if tree == nil || err != nil {
		return list, err
	}
	dense, err := f.denseAttributes(heap, tree, flags&1 != 0, r, wanted)
	return append(list, dense...), err
}

// denseAttributes returns the attributes that a fractal heap keeps.
func (f *File) denseAttributes(heap *structure.FractalHeap, tree *structure.BTree2, ordered bool, r *structure.Reading, wanted func(string) bool) ([]container.Attribute, error) {
	type numbered struct {
		container.Attribute
		order uint32
	}
	var list []numbered
	err := tree.Each(func(record []byte) error {
		x := &storage.Cursor{In: f.Input, What: "attribute record", At: tree.At, Data: record}
		id, flags, order := x.Bytes(8), x.U8(), x.U32()
		if x.Err != nil {
			return x.Err
		}
		var at uint64
		var b []byte
		var err error
		if flags&2 != 0 {
			at, b, err = f.SharedMessage(structure.AttributeMessage, id)
		} else {
			at, b, err = heap.Object(id)
		}
		if err == nil {
			err = f.limits.checkEntries(len(list) + 1)
		}
		if err != nil {
			return err
		}
		c := &storage.Cursor{In: f.Input, What: "attribute message", At: at, Data: b}
		if a, ok := f.attribute(c, r, wanted); ok {
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
func (f *File) attribute(c *storage.Cursor, r *structure.Reading, wanted func(string) bool) (container.Attribute, bool) {
	version := c.Version(1, 3)
	flags := c.U8()
	nameLen, typeLen, spaceLen := c.U16(), c.U16(), c.U16()
	if version == 3 {
		c.Skip(1) // the character set
	}
	take := func(n int) storage.Cursor {
		at := c.At + uint64(c.Pos)
		b := c.Bytes(n)
		if version == 1 {
			c.Skip(min(-n&7, c.Left()))
		}
		return storage.Cursor{In: c.In, What: c.What, At: at, Data: b, Err: c.Err}
	}
	name := take(nameLen)
	a := container.Attribute{Name: structure.ToText(storage.UpToNUL(name.Data))}
	if wanted != nil && !wanted(a.Name) {
		return a, false
	}
	typeAt, spaceAt := take(typeLen), take(spaceLen)
	if version == 1 {
		flags = 0
	}
	typeAt = f.Resolve(typeAt, structure.DatatypeMessage, flags&1 != 0)
	t, err := structure.ReadDatatype(&typeAt)
	var s structure.Space
	if err == nil {
		spaceAt = f.Resolve(spaceAt, structure.DataspaceMessage, flags&2 != 0)
		s, err = structure.ReadSpace(&spaceAt)
	}
	if err == nil {
		err = c.Err
	}
	if err == nil {
		err = f.value(&a, t, s, c, r)
	}
	if err != nil {
		a.Value, a.Err = nil, err
	}
	return a, true
}

// value reads the value of an attribute, the rest of its message.
func (f *File) value(a *container.Attribute, t *structure.Datatype, s structure.Space, c *storage.Cursor, r *structure.Reading) error {
	coded, err := codingOf(t, f)
	if err != nil {
		return f.Failed("datatype", c.At, err)
	}
	if err := (format.Header{DType: coded.DType.Elem(), Shape: append(slices.Clone(s.Dims), coded.DType.SubShape()...)}).Validate(); err != nil {
		return f.Failed("attribute message", c.At, err)
	}
	n, ok := bounded.Mul(nd.Size(s.Dims), t.Size)
	if !ok {
		return f.Failed("attribute message", c.At, fault.Malformed(fmt.Errorf("%v elements of %d bytes", s.Dims, t.Size)))
	}
	data := c.Bytes(n)
	if c.Err != nil {
		return c.Err
	}
	a.Meaning, a.Null = coded.meaning, s.Null
	a.Value, err = coded.Array(context.Background(), r, data, s.Dims)
	return err
}
