package reading

import (
	"context"
	"fmt"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/par"
)

// A coding is how the elements of a datatype become elements of NumPy. Most are the same bytes. A coding that is not
// plain has one of put, get, elem and fields.
type coding struct {
	DType dtype.Type // in NumPy; a subarray for an array type
	size  int        // in the file, in bytes
	plain bool       // the bytes are the same

	put    func(dst, src []byte)                                                    // converts one element without objects
	get    func(ctx context.Context, r *structure.Reading, src []byte) (any, error) // makes the object of one element
	text   func(r *structure.Reading, src []byte) (string, error)                   // the same, if all objects are strings
	elem   *coding                                                                  // of an array type
	dims   []int                                                                    // its shape
	fields []codedField                                                             // of a compound
	notes  []string                                                                 // properties that the dtype lacks

	meaning *container.Meaning // properties that the dtype lacks, as data
}

// A codedField is a member of a compound.
type codedField struct {
	coding
	name   string
	offset int // in the element of the file
	to     int // in the element of NumPy
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
			v, err := c.get(ctx, r, data[i*c.size:(i+1)*c.size])
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
		if err := v.set(ctx, r, index, data[i*c.size:(i+1)*c.size]); err != nil {
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
func (v *view) set(ctx context.Context, r *structure.Reading, index []int, src []byte) error {
	switch c := v.coding; {
	case c.get != nil:
		x, err := c.get(ctx, r, src)
		if err == nil {
			v.a.SetObject(x, index...)
		}
		return err
	case !c.DType.HasObject():
		v.copy(index, src)
	case c.elem != nil:
		for i := range nd.Size(c.dims) {
			at := append(index[:len(index):len(index)], nd.Unravel(int64(i), c.dims)...)
			if err := v.elem.set(ctx, r, at, src[i*c.elem.size:(i+1)*c.elem.size]); err != nil {
				return err
			}
		}
	default:
		for i := range v.fields {
			f := &c.fields[i]
			if err := v.fields[i].set(ctx, r, index, src[f.offset:f.offset+f.size]); err != nil {
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
