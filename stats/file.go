package stats

import (
	"fmt"
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
)

// OfFile is [Of] for a[index...] of a file of any size, in little memory. Without an index all processors read and work
// on a few hundred KB each, and the result is that of [Of] to the last bit. Errors are those of the file, and
// [npy.ErrObjects].
func OfFile(f *npy.File, index ...npy.Index) ([]Stats, error) {
	part, err := npy.PartOf(f.Header(), index...)
	if err != nil {
		return nil, err
	}
	acc, err := New(part.DType())
	if err != nil {
		return nil, err
	}
	acc.AddEmpty(int64(format.Header{DType: part.DType(), Shape: part.Shape()}.Size()))
	if len(index) == 0 {
		data := f.Data()
		err = acc.AddAt(data, 0, data.Size())
	} else {
		err = eachBlock(f, index, acc.Add)
	}
	if err != nil {
		return nil, err
	}
	return acc.Result()
}

// partMemory is how much to work with on part of a file: more would only help where it is in Fortran order.
const partMemory = 64 << 20

// eachBlock calls add for the bytes of a[index...], in C order.
func eachBlock(f *npy.File, index []npy.Index, add func(data []byte)) error {
	for block, err := range f.Blocks(partMemory, index...) {
		if err != nil {
			return err
		}
		data, _ := block.ViewBytes() // it is in C order
		add(data)
	}
	return nil
}

// maxBlocks is how many blocks are counted at a time: as many as have a number on every machine.
const maxBlocks = 1 << 30

// AddAt adds n bytes of r from an offset on, as Add does. All processors read, so r must allow that, as io.ReaderAt
// demands. If r ends early the error wraps io.ErrUnexpectedEOF; after an error the Accumulator is of no more use.
func (acc *Accumulator) AddAt(r io.ReaderAt, offset, n int64) error {
	size := acc.t.ItemSize()
	if size == 0 {
		return nil
	}
	block := max(blockBytes/size, 1) * size
	if len(acc.rest) > 0 || block > pieceBytes { // blocks begin within the data, or are too large for one each
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
		if err := acc.readBlocks(r, offset, block, blocks); err != nil {
			return err
		}
		offset, n = offset+int64(blocks)*int64(block), n-int64(blocks)*int64(block)
	}
	return eachPiece(io.NewSectionReader(r, offset, n), n, pieceBytes, acc.Add)
}

// readBlocks adds blocks that each goroutine reads by itself.
func (acc *Accumulator) readBlocks(r io.ReaderAt, offset int64, block, blocks int) error {
	acc.elems += int64(blocks) * int64(block/acc.t.ItemSize())
	return acc.inOrder(blocks, func(s *scratch, part []tally, i int) error {
		data := s.blockRoom(block)
		if _, err := io.ReadFull(io.NewSectionReader(r, offset+int64(i)*int64(block), int64(block)), data); err != nil {
			return early(err)
		}
		s.block(part, acc.leaves, acc.t.ItemSize(), data)
		return nil
	})
}

// eachPiece calls add for n bytes of r, in pieces, in sequence.
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

// early makes the end of a source an error.
func early(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("stats: the data ends early: %w", io.ErrUnexpectedEOF)
	}
	return err
}
