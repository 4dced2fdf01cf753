package query

import (
	"context"
	"io"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/query/internal/order"
)

// A Sorted is the result of a [Sort]. It is a [npy.Source], so that package convert writes it in any format. It may be
// used by several goroutines.
type Sorted struct{ rows *order.Sorted }

// Close removes the temporary file, if there is one. The Sorted must not be read afterwards.
func (s *Sorted) Close() error {
	return s.rows.Close()
}

// DType returns the dtype, which is the dtype of the source.
func (s *Sorted) DType() dtype.Type {
	return s.rows.DType()
}

// Shape returns the shape of the source. The slice is a copy.
func (s *Sorted) Shape() []int {
	return s.rows.Shape()
}

// Select returns a part of the array. Reading it sorts the rows up to the last that is selected, and takes memory for the
// rows from the first to the last.
func (s *Sorted) Select(index ...npy.Index) (npy.Source, error) {
	return s.rows.Select(index...)
}

// ReadAll returns the sorted rows in memory of their own.
func (s *Sorted) ReadAll(ctx context.Context) (*npy.Array, error) {
	return s.rows.ReadAll(ctx)
}

// Blocks yields the sorted rows in blocks, of at most 4 MiB or one row. Memory is not used.
func (s *Sorted) Blocks(ctx context.Context, _ int64) iter.Seq2[*npy.Array, error] {
	return s.rows.Blocks(ctx, 0)
}

// WriteFile writes the rows to an .npy file, which takes the place of an old one at the end.
func (s *Sorted) WriteFile(ctx context.Context, path string) error {
	return s.rows.WriteFile(ctx, path)
}

// Write writes the rows to w as an .npy file.
func (s *Sorted) Write(ctx context.Context, w io.Writer) error {
	return s.rows.Write(ctx, w)
}
