package stats

import (
	"context"
	"fmt"
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/announce"
)

// blockMemory is the memory for blocks of a Source. More would only help where the elements must be reordered.
const blockMemory = 64 << 20

// eachBlock calls add for the bytes of src, in C order.
func eachBlock(ctx context.Context, src npy.Source, memory int64, add func(data []byte)) error {
	for block, err := range src.Blocks(ctx, memory) {
		if err != nil {
			return err
		}
		data, _ := block.ViewBytes() // the block is in C order
		add(data)
	}
	return nil
}

// maxBlocks is the largest number of blocks counted at a time, so that the count fits in an int on every machine.
const maxBlocks = 1 << 30

// AddAt adds n bytes of r, starting at offset, as Add does. r must allow concurrent calls, as io.ReaderAt demands. If r
// ends early the error wraps io.ErrUnexpectedEOF. After an error the Accumulator must not be used.
func (acc *Accumulator) AddAt(ctx context.Context, r io.ReaderAt, offset, n int64) error {
	size := acc.t.ItemSize()
	if size == 0 {
		return nil
	}
	announce.Reads(r, offset, n)
	block := BlockElements(acc.t) * size
	if len(acc.rest) > 0 || block > pieceBytes { // blocks begin within the data, or are too large to hold one per goroutine
		first := n
		if block <= pieceBytes {
			first = min(n, int64(block-len(acc.rest)))
		}
		if err := eachPiece(io.NewSectionReader(r, offset, first), first, pieceBytes, acc.Add); err != nil {
			return err
		}
		offset, n = offset+first, n-first
	}
	for n >= int64(block) {
		blocks := int(min(n/int64(block), maxBlocks))
		if err := acc.readBlocks(ctx, r, offset, block, blocks); err != nil {
			return err
		}
		offset, n = offset+int64(blocks)*int64(block), n-int64(blocks)*int64(block)
	}
	return eachPiece(io.NewSectionReader(r, offset, n), n, pieceBytes, acc.Add)
}

// readBlocks adds blocks. Each goroutine reads its own.
func (acc *Accumulator) readBlocks(ctx context.Context, r io.ReaderAt, offset int64, block, blocks int) error {
	return acc.eachOf(ctx, blocks, block, func(s *scratch, i int) ([]byte, error) {
		data := s.blockBuffer(block)
		_, err := io.ReadFull(io.NewSectionReader(r, offset+int64(i)*int64(block), int64(block)), data)
		return data, early(err)
	})
}

// eachPiece calls add for n bytes of r, piece by piece in order.
func eachPiece(r io.Reader, n, piece int64, add func(data []byte)) error {
	buf := make([]byte, min(n, piece))
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

// early turns the end of a source into an error.
func early(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("stats: the data ends early: %w", io.ErrUnexpectedEOF)
	}
	return err
}
