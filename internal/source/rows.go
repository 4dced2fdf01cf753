package source

import (
	"fmt"
	"io"
	"iter"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
)

// Rows are the elements of one array as Go values, a few rows at a time, in the order in which the source has them. Only
// a block of the source is held beside what the caller gives.
type Rows[T any] struct {
	len    int // elements of a row
	left   int // rows that have not been read
	done   int // elements that have been read
	loader loader[T]
	shared bool // the bytes of the source are values of T
}

// NewRows reads elements as [Load] does. There are n rows of the same number of elements in s.
func NewRows[T any](s *Source, n int, decode Decode[T]) (*Rows[T], error) {
	r := &Rows[T]{len: 1, left: n, loader: loader[T]{s: s, decode: decode, size: s.Header.DType.ItemSize()}}
	if n > 0 {
		r.len = s.Header.Size() / n
	}
	if r.len*r.loader.size == 0 && n > emptyRowsMax {
		return nil, fmt.Errorf("npy: %d rows of 0 bytes are over %d: %w", n, emptyRowsMax, bounded.ErrLimit)
	}
	return r, r.finish()
}

// emptyRowsMax is the number of rows without bytes that are given out without question: no byte of a source has to back
// them.
const emptyRowsMax = 1 << 20

// NewSharedRows reads elements as [Shared] does.
func NewSharedRows[T any](s *Source, n, width int) (*Rows[T], error) {
	r, err := NewRows[T](s, n, nil)
	if err != nil {
		return nil, err
	}
	r.shared = true
	r.loader.work = swapper(width)
	return r, nil
}

// RowLen returns the number of elements of a row.
func (r *Rows[T]) RowLen() int { return r.len }

// Next fills dst with as many whole rows as it holds, or as are left, and returns their number: at the end 0 and io.EOF.
func (r *Rows[T]) Next(dst []T) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n := r.left
	if r.len > 0 {
		n = min(n, len(dst)/r.len)
	}
	if n == 0 {
		return 0, fmt.Errorf("npy: %d elements do not hold a row of %d: %w", len(dst), r.len, io.ErrShortBuffer)
	}
	if err := r.fill(dst[:n*r.len]); err != nil {
		return 0, err
	}
	return n, r.advance(n)
}

// Blocks gives n rows at a time, the last time those that are left, in memory that the next block takes over. An error
// ends it.
func (r *Rows[T]) Blocks(n int) iter.Seq2[[]T, error] {
	return func(yield func([]T, error) bool) {
		if n <= 0 {
			yield(nil, fmt.Errorf("npy: blocks of %d rows are none, want 1 or more", n))
			return
		}
		var block []T
		for r.left > 0 {
			var err error
			if rows := min(n, r.left); block == nil {
				block, err = r.take(rows)
			} else {
				block = block[:rows*r.len]
				_, err = r.Next(block)
			}
			if err != nil {
				block = nil
			}
			if !yield(block, err) || err != nil {
				return
			}
		}
	}
}

// All gives one row after another. They are read by the block, of which each row is a part that cannot grow.
func (r *Rows[T]) All() iter.Seq2[[]T, error] {
	return func(yield func([]T, error) bool) {
		for r.len == 0 && r.left > 0 {
			if err := r.advance(1); !yield(nil, err) || err != nil {
				return
			}
		}
		for block, err := range r.Blocks(max(rowsPiece/max(r.len*r.loader.size, 1), 1)) {
			if err != nil {
				yield(nil, err)
				return
			}
			for ; len(block) > 0; block = block[r.len:] {
				if !yield(block[:r.len:r.len], nil) {
					return
				}
			}
		}
	}
}

// rowsPiece is how many bytes of rows are read ahead, so that a row by itself costs next to nothing.
const rowsPiece = 64 << 10

// fill reads the next elements.
func (r *Rows[T]) fill(dst []T) error {
	l := &r.loader
	if r.shared {
		raw, _ := bulk.Bytes(dst)
		return l.s.fill(raw, l.work)
	}
	if l.size == 0 {
		return l.decode(dst, nil, r.done)
	}
	if l.s.at != nil && len(dst)*l.size > workPiece {
		return l.fromFile(dst, r.done)
	}
	if want := min(len(dst), max(workPiece/l.size, 1)) * l.size; want > len(l.buf) && want <= workPiece {
		l.buf = make([]byte, want)
	}
	return l.convert(l.s, dst, r.done)
}

// take reads the next n rows into new memory, which grows with what arrives if nobody knows how much that is.
func (r *Rows[T]) take(n int) (data []T, err error) {
	elements := n * r.len
	switch {
	case r.shared:
		var raw []byte
		if raw, err = r.loader.s.bytes(elements*r.loader.size, r.loader.work); err == nil {
			data, _ = bulk.View[T](raw)
		}
	case r.loader.size == 0 || r.loader.s.avail >= 0:
		data = bulk.MakeFill[T](elements)
		err = r.fill(data)
	default:
		data, err = r.loader.fromStream(elements, r.done)
	}
	if err != nil {
		return nil, err
	}
	return data, r.advance(n)
}

// advance counts rows that have been read.
func (r *Rows[T]) advance(n int) error {
	r.left -= n
	r.done += n * r.len
	return r.finish()
}

// finish leaves a file where its array ends.
func (r *Rows[T]) finish() error {
	if r.left > 0 {
		return nil
	}
	return r.loader.s.Finish()
}
