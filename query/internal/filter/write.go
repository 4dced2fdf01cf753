package filter

import (
	"context"
	"errors"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/sink"
)

// WriteFile writes the rows of src that satisfy the expression to an .npy file, and returns their number. It reads src once. After
// an error a file at path is as it was.
func (c *Filter) WriteFile(ctx context.Context, path string, src npy.Source) (rows int, err error) {
	if err := c.checkRows(src); err != nil {
		return 0, err
	}
	if c.DType.HasObject() {
		return 0, npy.ErrObjects
	}
	h := format.Header{DType: c.DType, Shape: c.RowShape} // of a row
	w, err := sink.Create(path, h, sink.Unknown, false)
	if err != nil {
		return 0, err
	}
	defer w.Abort()
	for block, err := range c.Rows(ctx, src) {
		if err != nil {
			return 0, err
		}
		data, ok := block.ViewBytes()
		if !ok {
			return 0, diag.New("query", "a block of rows is not in C order") // cannot happen
		}
		n := block.Len()
		if err := errors.Join(w.Begin(n), w.Write(data)); err != nil {
			return 0, err
		}
		w.Done(n)
		rows += n
	}
	return rows, w.Close()
}
