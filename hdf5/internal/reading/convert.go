package reading

import (
	"context"
	"fmt"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/par"
)

// vlenCoding codes strings and sequences of variable length.
func vlenCoding(t *structure.Datatype, f *File) (coding, error) {
	c := coding{DType: dtype.Object, size: t.Size}
	if t.Size != 4+f.OffsetSize+4 {
		return c, fmt.Errorf("elements of variable length take %d bytes, not %d", 8+f.OffsetSize, t.Size)
	}
	if t.Text {
		if !t.UTF8 {
			c.meaning = &container.Meaning{Charset: container.ASCII}
		}
		c.get = func(r *structure.Reading, src []byte) (any, error) { return r.Text(src, t.Pad) }
		c.text = func(r *structure.Reading, src []byte) (string, error) { return r.Text(src, t.Pad) }
		return c, nil
	}
	base, err := codingOf(t.Base, f)
	if err != nil {
		return c, err
	}
	c.notes = append([]string{"sequences of " + base.DType.Descr()}, base.notes...)
	c.get = func(r *structure.Reading, src []byte) (any, error) {
		b, n, err := r.Sequence(src, base.size)
		if err != nil {
			return nil, err
		}
		return base.Array(context.Background(), r, b, []int{n})
	}
	return c, nil
}

// referenceCoding codes references as the paths of their objects.
func referenceCoding(t *structure.Datatype, f *File) coding {
	c := coding{DType: dtype.Object, size: t.Size}
	switch {
	case t.Ref == 0 && t.Size == f.OffsetSize:
		c.notes, c.meaning = []string{"object reference"}, &container.Meaning{Reference: container.ObjectReference}
		c.get = func(r *structure.Reading, src []byte) (any, error) {
			at := (&storage.Cursor{In: f.Input, Data: src}).Address()
			return f.pathOf(at)
		}
	case t.Ref == 1 && t.Size == f.OffsetSize+4:
		c.notes, c.meaning = []string{"region reference"}, &container.Meaning{Reference: container.RegionReference}
		c.get = func(r *structure.Reading, src []byte) (any, error) {
			x := &storage.Cursor{In: f.Input, Data: src}
			p := structure.Place{Count: 1, Collection: x.Address(), Number: x.U32()}
			if p.IsNone() {
				return nil, nil
			}
			g, e, err := r.Object(p)
			if err != nil {
				return nil, err
			}
			x = &storage.Cursor{In: f.Input, What: "region reference", At: p.Collection, Data: g.Bytes[e.At : e.At+e.N]}
			if at := x.Address(); x.Err == nil {
				return f.pathOf(at)
			}
			return nil, x.Err
		}
	default:
		return raw(t, fmt.Sprintf("reference of type %d", t.Ref))
	}
	return c
}

// Array returns the elements of data, which has the bytes of the file in C order. An array type's dimensions are appended
// to the shape. The result has memory of its own.
func (c *coding) Array(ctx context.Context, r *structure.Reading, data []byte, shape []int) (*npy.Array, error) {
	n := nd.Size(shape)
	t := c.DType
	if t.IsSubarray() {
		t, shape = t.Elem(), append(append([]int{}, shape...), t.SubShape()...)
	}
	size, ok := bounded.Mul(n, c.DType.ItemSize())
	if n*c.size != len(data) || !ok {
		return nil, fmt.Errorf("%d bytes for %d elements of %d", len(data), n, c.size)
	}
	switch {
	case t.HasObject():
		return c.objects(ctx, r, data, t, n, shape)
	case c.plain:
		out := bulk.MakeFill[byte](size)
		copy(out, data)
		return npy.FromBytes(t, out, shape...)
	}
	out := bulk.Make(size)
	item := c.DType.ItemSize()
	err := par.Split(ctx, n, 1, len(data), func(low, high int) error {
		for i := low; i < high; i++ {
			c.convert(out[i*item:(i+1)*item], data[i*c.size:(i+1)*c.size])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return npy.FromBytes(t, out, shape...)
}

// convert converts one element without objects.
func (c *coding) convert(dst, src []byte) {
	switch {
	case c.plain:
		copy(dst, src)
	case c.put != nil:
		c.put(dst, src)
	case c.elem != nil:
		from, to := c.elem.size, c.elem.DType.ItemSize()
		for i := range nd.Size(c.dims) {
			c.elem.convert(dst[i*to:(i+1)*to], src[i*from:(i+1)*from])
		}
	default:
		for i := range c.fields {
			f := &c.fields[i]
			f.convert(dst[f.to:f.to+f.DType.ItemSize()], src[f.offset:f.offset+f.size])
		}
	}
}

// objects returns n elements with objects.
func (c *coding) objects(ctx context.Context, r *structure.Reading, data []byte, t dtype.Type, n int, shape []int) (*npy.Array, error) {
	if c.text != nil {
		values, err := c.texts(ctx, r, data, n)
		if err != nil {
			return nil, err
		}
		return npy.FromObjects(values, shape...)
	}
	if c.get != nil {
		values := make([]any, n)
		for i := range values {
			if i&0xfff == 0 && ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			v, err := c.get(r, data[i*c.size:(i+1)*c.size])
			if err != nil {
				return nil, err
			}
			values[i] = v
		}
		return npy.FromObjects(values, shape...)
	}
	a, err := npy.NewObjects(t, shape...)
	if err != nil || n == 0 {
		return a, err
	}
	flat, err := a.Reshape(append([]int{n}, a.Shape()[len(shape)-len(c.DType.SubShape()):]...)...)
	if err != nil {
		return nil, err
	}
	v, err := viewOf(flat, c)
	if err != nil {
		return nil, err
	}
	index := make([]int, 1, flat.NDim()+8)
	for i := range n {
		if i&0xfff == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		index[0] = i
		if err := v.set(r, index, data[i*c.size:(i+1)*c.size]); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// texts returns n strings as objects.
func (c *coding) texts(ctx context.Context, r *structure.Reading, data []byte, n int) ([]any, error) {
	texts := make([]string, n)
	err := par.Split(ctx, n, 1, len(data), func(low, high int) error {
		r := r.File.Reading()
		for i := low; i < high; i++ {
			var err error
			if texts[i], err = c.text(r, data[i*c.size:(i+1)*c.size]); err != nil {
				return err
			}
		}
		return nil
	})
	return bulk.AppendBoxed(make([]any, 0, n), texts), err
}

// A view is the part of an array that a coding fills: the array itself, or a field of it.
type view struct {
	*coding
	a      *npy.Array
	elem   *view
	fields []view
}

func viewOf(a *npy.Array, c *coding) (view, error) {
	v := view{coding: c, a: a}
	if !c.DType.HasObject() {
		return v, nil
	}
	if c.elem != nil {
		elem, err := viewOf(a, c.elem)
		v.elem = &elem
		return v, err
	}
	for i := range c.fields {
		f, err := a.Field(c.fields[i].name)
		if err != nil {
			return v, err
		}
		x, err := viewOf(f, &c.fields[i].coding)
		if err != nil {
			return v, err
		}
		v.fields = append(v.fields, x)
	}
	return v, nil
}

// set converts the element at src, whose place in the view is index and, for an array type, the axes after it.
func (v *view) set(r *structure.Reading, index []int, src []byte) error {
	switch c := v.coding; {
	case c.get != nil:
		x, err := c.get(r, src)
		if err == nil {
			v.a.SetObject(x, index...)
		}
		return err
	case !c.DType.HasObject():
		v.copy(index, src)
	case c.elem != nil:
		for i := range nd.Size(c.dims) {
			at := append(index[:len(index):len(index)], nd.Unravel(int64(i), c.dims)...)
			if err := v.elem.set(r, at, src[i*c.elem.size:(i+1)*c.elem.size]); err != nil {
				return err
			}
		}
	default:
		for i := range v.fields {
			f := &c.fields[i]
			if err := v.fields[i].set(r, index, src[f.offset:f.offset+f.size]); err != nil {
				return err
			}
		}
	}
	return nil
}

// copy converts an element without objects.
func (v *view) copy(index []int, src []byte) {
	c := v.coding
	if !c.DType.IsSubarray() {
		c.convert(v.a.Item(index...), src)
		return
	}
	if c.DType.ItemSize() == 0 {
		return
	}
	item := make([]byte, c.DType.ItemSize()) // its elements follow each other in the array, too
	c.convert(item, src)
	part := c.DType.Elem().ItemSize()
	for i := range nd.Size(c.DType.SubShape()) {
		at := append(index[:len(index):len(index)], nd.Unravel(int64(i), c.DType.SubShape())...)
		copy(v.a.Item(at...), item[i*part:(i+1)*part])
	}
}
