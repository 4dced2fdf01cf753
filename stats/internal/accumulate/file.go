package accumulate

import (
	"context"
	"io"

	"github.com/npygo/npy/internal/announce"
	"github.com/npygo/npy/stats/internal/feed"
	"github.com/npygo/npy/stats/internal/items"
)

// maxBlocks is the largest number of blocks counted at a time, so that the count fits in an int on every machine.
const maxBlocks = 1 << 30

// AddAt adds n bytes of r, starting at offset, as Add does. r must allow concurrent calls. If r ends early the error wraps
// io.ErrUnexpectedEOF. After an error the Accumulator must not be used.
func (acc *Accumulator) AddAt(ctx context.Context, r io.ReaderAt, offset, n int64) error {
	if acc.t.ItemSize() == 0 {
		return nil
	}
	announce.Reads(r, offset, n)
	block := acc.block()
	if begun := len(acc.blocks.Rest()); begun > 0 || block > feed.Piece { // blocks begin within the data, or are too large to hold one per goroutine
		first := n
		if block <= feed.Piece {
			first = min(n, int64(block-begun))
		}
		if err := feed.Pieces(io.NewSectionReader(r, offset, first), first, acc.Add); err != nil {
			return err
		}
		offset, n = offset+first, n-first
	}
	for n >= int64(block) {
		blocks := int(min(n/int64(block), maxBlocks))
		if err := acc.readBlocks(ctx, r, offset, blocks); err != nil {
			return err
		}
		offset, n = offset+int64(blocks)*int64(block), n-int64(blocks)*int64(block)
	}
	return feed.Pieces(io.NewSectionReader(r, offset, n), n, acc.Add)
}

// readBlocks adds blocks. Each goroutine reads its own.
func (acc *Accumulator) readBlocks(ctx context.Context, r io.ReaderAt, offset int64, blocks int) error {
	block := acc.block()
	return acc.eachOf(ctx, blocks, func(s *items.Scratch, i int) ([]byte, error) {
		data := s.Block(block)
		return data, feed.ReadAt(r, data, offset+int64(i)*int64(block))
	})
}
