package feed

import (
	"context"
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/diag"
)

// Memory is the memory for blocks of a Source. More would only help where the elements must be reordered.
const Memory = 64 << 20

// Piece is the size of one read where blocks do not fit.
const Piece = 8 << 20

// Blocks calls add for the bytes of src, in C order.
func Blocks(ctx context.Context, src npy.Source, memory int64, add func(data []byte)) error {
	for block, err := range src.Blocks(ctx, memory) {
		if err != nil {
			return err
		}
		data, _ := block.ViewBytes() // the block is in C order
		add(data)
	}
	return nil
}

// Pieces calls add for n bytes of r, piece by piece in order.
func Pieces(r io.Reader, n int64, add func(data []byte)) error {
	buf := make([]byte, min(n, Piece))
	for n > 0 {
		k, err := io.ReadFull(r, buf[:min(n, int64(len(buf)))])
		if err != nil {
			return early(err)
		}
		add(buf[:k])
		n -= int64(k)
	}
	return nil
}

// ReadAt fills data from an offset.
func ReadAt(r io.ReaderAt, data []byte, offset int64) error {
	_, err := io.ReadFull(io.NewSectionReader(r, offset, int64(len(data))), data)
	return early(err)
}

// early turns the end of a source into an error.
func early(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return diag.Errorf("stats", "the data ends early: %w", io.ErrUnexpectedEOF)
	}
	return err
}
