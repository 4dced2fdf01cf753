package convert

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// A content is a Source that is being written.
type content struct {
	dtype  dtype.Type
	shape  []int
	array  *npy.Array // if the elements are Python objects: they have no bytes
	blocks func(do func(block []byte, n int) error) error
}

// contentOf returns the content to write for src. Python objects are read as a whole.
func contentOf(ctx context.Context, src npy.Source, o WriteOptions) (c content, err error) {
	c = content{dtype: src.DType(), shape: src.Shape()}
	if c.dtype.HasObject() {
		if c.array, err = src.ReadAll(ctx); err != nil {
			return c, err
		}
	}
	c.blocks = func(do func(block []byte, n int) error) error {
		done, total := int64(0), int64(c.size())*int64(c.dtype.ItemSize())
		for a, err := range src.Blocks(ctx, o.blockMemory()) {
			if err != nil {
				return err
			}
			block, ok := a.ViewBytes()
			if !ok {
				return fmt.Errorf("convert: a block of dtype %s is not in C order", a.DType())
			}
			if err := do(block, a.Size()); err != nil {
				return err
			}
			if done += int64(len(block)); o.Progress != nil {
				o.Progress(done, total)
			}
		}
		return nil
	}
	return c, nil
}

// blockMemory returns the part of Memory for blocks. The rest is for the program itself, and for the blocks of a first reading,
// which may wait for the garbage collector while a table is read again.
func (o WriteOptions) blockMemory() int64 {
	const standard, least, reserved = 256 << 20, 32 << 20, 26 << 20
	memory := o.Memory
	if memory <= 0 {
		memory = standard
	}
	memory = max(memory, least)
	return max(memory-reserved, memory/4) / 2
}

// size returns the number of elements.
func (c content) size() int {
	n := 1
	for _, k := range c.shape {
		n *= k
	}
	return n
}

// as returns a converted to dtype t.
func as(a *npy.Array, t dtype.Type) (*npy.Array, error) {
	if t.Equal(a.DType()) {
		return a, nil
	}
	return a.AsType(t)
}

// castTo returns src converted to dtype t. It first converts an array without elements, so that an impossible conversion
// is an error before anything is written. Python objects are read as a whole.
func castTo(ctx context.Context, src npy.Source, t dtype.Type) (npy.Source, error) {
	if src.DType().HasObject() {
		a, err := src.ReadAll(ctx)
		if err != nil {
			return nil, err
		}
		return as(a, t)
	}
	none, err := npy.New(src.DType(), 0)
	if err != nil {
		return nil, err
	}
	if none, err = as(none, t); err != nil {
		return nil, err
	}
	return cast{src, none.DType()}, nil
}

// A cast is a Source whose elements are converted when they are read, as by [npy.Array.AsType].
type cast struct {
	npy.Source
	dtype dtype.Type
}

// DType implements [npy.Source].
func (c cast) DType() dtype.Type { return c.dtype }

// OnePass reports whether the underlying Source can be read only once.
func (c cast) OnePass() bool {
	return npy.IsOnePass(c.Source)
}

// Select implements [npy.Source]. Fields of another dtype cannot be selected.
func (c cast) Select(index ...npy.Index) (npy.Source, error) {
	s, err := c.Source.Select(index...)
	if err != nil {
		return nil, err
	}
	if !s.DType().Equal(c.Source.DType()) {
		return nil, fmt.Errorf("convert: elements that are converted to dtype %s have no fields to select: %w; select the field first", c.dtype, errors.ErrUnsupported)
	}
	return cast{s, c.dtype}, nil
}

// ReadAll implements [npy.Source].
func (c cast) ReadAll(ctx context.Context) (*npy.Array, error) {
	a, err := c.Source.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	return as(a, c.dtype)
}

// Blocks implements [npy.Source].
func (c cast) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) {
		for a, err := range c.Source.Blocks(ctx, memory) {
			if err == nil {
				a, err = as(a, c.dtype)
			}
			if !yield(a, err) || err != nil {
				return
			}
		}
	}
}
