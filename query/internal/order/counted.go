package order

import (
	"context"
	"encoding/binary"
	"io"
	"slices"

	"github.com/npygo/npy/internal/bulk"
)

// countBytes is the size of the number after each row.
const countBytes = 8

// countedRows describes the rows of a [Sorted] in which each row is followed by its number.
type countedRows struct {
	row    int   // bytes, without the number
	copies int64 // bytes of copies that are not zero
	zeros  int64 // bytes of copies that are
	check  func(n int64) error
}

// add counts the copies of a row.
func (c *countedRows) add(row []byte, n int) {
	size := int64(len(row)) * int64(n)
	if bulk.IsZero(row) {
		c.zeros += size
	} else {
		c.copies += size
	}
}

// runs calls emit for the rows of a piece, in which each row is followed by its number: once for adjacent rows with number 1, and
// once for each other row.
func (c *countedRows) runs(piece []byte, buf *[]byte, emit func(rows []byte, times int) error) error {
	single := (*buf)[:0]
	for each := range slices.Chunk(piece, c.row+countBytes) {
		row, n := each[:c.row], int(binary.NativeEndian.Uint64(each[c.row:]))
		if n == 1 {
			single = append(single, row...)
			continue
		}
		if len(single) > 0 {
			if err := emit(single, 1); err != nil {
				return err
			}
		}
		if single = single[:0]; n > 1 {
			if err := emit(row, n); err != nil {
				return err
			}
		}
	}
	*buf = single[:0]
	if len(single) > 0 {
		return emit(single, 1)
	}
	return nil
}

// copiesOf calls emit for the copies of a row, in pieces.
func copiesOf(ctx context.Context, row []byte, times int, emit func(rows []byte) error) error {
	if times == 1 {
		return emit(row)
	}
	for data := range bulk.Copies(row, times, pieceBytes) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := emit(data); err != nil {
			return err
		}
	}
	return nil
}

// A sparseWriter is a file in which zeros can be left out.
type sparseWriter interface {
	io.WriteSeeker
	Truncate(size int64) error
}
