package output

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
)

// A Content is a Source that is being written.
type Content struct {
	ctx     context.Context
	workers int
	DType   dtype.Type
	Shape   []int
	Array   *npy.Array // if the elements are Python objects: they have no bytes
	Blocks  func(do func(block []byte, n int) error) error
}

// ContentOf returns the content to write for src. Python objects are read as a whole.
func ContentOf(ctx context.Context, src npy.Source, o options.Write) (c Content, err error) {
	c = Content{ctx: ctx, workers: o.Workers, DType: src.DType(), Shape: src.Shape()}
	if c.DType.HasObject() {
		if c.Array, err = src.ReadAll(ctx); err != nil {
			return c, err
		}
	}
	c.Blocks = func(do func(block []byte, n int) error) error {
		done, total := int64(0), int64(c.Size())*int64(c.DType.ItemSize())
		for a, err := range src.Blocks(ctx, o.BlockMemory()) {
			if err != nil {
				return err
			}
			block, ok := a.ViewBytes()
			if !ok {
				return diag.Errorf("convert", "a block of dtype %s is not in C order", a.DType())
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

// Context returns the context of the write.
func (c Content) Context() context.Context { return c.ctx }

// Size returns the number of elements.
func (c Content) Size() int {
	n := 1
	for _, k := range c.Shape {
		n *= k
	}
	return n
}
