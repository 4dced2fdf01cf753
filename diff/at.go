package diff

import (
	"context"
	"fmt"
	"io"

	"github.com/npygo/npy/internal/bulk"
)

// waveBytes is the size of the part of each array that all goroutines share before their results are merged.
const waveBytes = 64 << 20

// compareAt compares two files. Each goroutine reads its own parts of both and compares them while they are in its
// cache.
func (c *comparer) compareAt(ctx context.Context, a, b io.ReaderAt) error {
	wave := max(waveBytes/max(c.sizeA, c.sizeB)/c.per, 1) * c.per
	for first := 0; first < c.elems; first += wave {
		n := min(wave, c.elems-first)
		err := c.share(ctx, n, func(low, high int, parts [][]judge) error {
			var s scratch
			x, y := bulk.Make(min(c.per, n)*c.sizeA), bulk.Make(min(c.per, n)*c.sizeB)
			for i := low; i < high; i += c.per {
				m := min(c.per, high-i)
				x, y := x[:m*c.sizeA], y[:m*c.sizeB]
				if err := readAt(a, x, first+i, c.sizeA); err != nil {
					return &ReadError{Side: 'a', Err: err}
				}
				if err := readAt(b, y, first+i, c.sizeB); err != nil {
					return &ReadError{Side: 'b', Err: err}
				}
				parts[i/c.per] = c.block(&s, x, y, m, first+i)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// readAt reads elements, starting at number first. The file must contain them; an early end means that it was truncated.
func readAt(r io.ReaderAt, data []byte, first, size int) error {
	n, err := r.ReadAt(data, int64(first)*int64(size))
	switch {
	case n == len(data):
		return nil
	case err == io.EOF:
		return fmt.Errorf("the data ends within element %d: %w", first+n/size, io.ErrUnexpectedEOF)
	}
	return err
}
