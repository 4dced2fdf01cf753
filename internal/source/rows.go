package source

import (
	"io"
	"iter"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
)

// Rows reads the elements of one array as Go values, a few rows at a time, in the order of the source. It buffers only
// a block of the source besides the memory of the caller.
type Rows[T any] struct {
	len    int // elements of a row
	left   int // rows that have not been read
	done   int // elements that have been read
	loader loader[T]
	shared bool // the bytes of the source are values of T

	block []T   // memory for reading ahead
	ahead []T   // the elements at the end of block that have not been delivered
	err   error // the error that ended reading
}

// NewRows reads elements as [Load] does. s holds n rows of equal length.
func NewRows[T any](s *Source, n int, decode Decode[T]) (*Rows[T], error) {
	r := &Rows[T]{len: 1, left: n, loader: loader[T]{s: s, decode: decode, size: s.Header.DType.ItemSize()}}
	if n > 0 {
		r.len = s.Header.Size() / n
	}
	if r.len*r.loader.size == 0 && n > emptyRowsMax {
		return nil, diag.Wrap("npy", bounded.Over("", emptyRowsMax, n, "%d rows of 0 bytes are over %d", n, emptyRowsMax))
	}
	return r, r.finish()
}

// emptyRowsMax is the most rows without bytes that are delivered: the size of the source does not limit their number.
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

// Next fills dst with as many whole rows as fit, or as are left, and returns their number: at the end 0 and io.EOF. It
// first delivers rows that were read ahead. An error after them is returned by the next call.
func (r *Rows[T]) Next(dst []T) (int, error) {
	if err := r.ready(); err != nil {
		return 0, err
	}
	n := r.rest()
	if r.len > 0 {
		n = min(n, len(dst)/r.len)
	}
	if n == 0 {
		return 0, diag.Errorf("npy", "%d elements do not hold a row of %d: %w", len(dst), r.len, io.ErrShortBuffer)
	}
	have := r.unread(dst[:n*r.len])
	if have == n {
		return n, nil
	}
	if err := r.read(dst[have*r.len:n*r.len], n-have); err != nil {
		if have == 0 {
			return 0, err
		}
		return have, nil
	}
	return n, nil
}

// ready returns the reason why no whole row can be delivered, at the end io.EOF, or nil.
func (r *Rows[T]) ready() error {
	if len(r.ahead) > 0 {
		if n := len(r.ahead) % r.len; n != 0 {
			return diag.Errorf("npy", "%d of %d elements of a row are left from a loop over single elements: read those before whole rows", n, r.len)
		}
		return nil
	}
	if r.err == nil && r.left == 0 {
		return io.EOF
	}
	return r.err
}

// rest returns the number of rows that have not been delivered.
func (r *Rows[T]) rest() int {
	if len(r.ahead) == 0 {
		return r.left
	}
	return r.left + len(r.ahead)/r.len
}

// unread delivers whole rows that were read ahead, and returns their number.
func (r *Rows[T]) unread(dst []T) int {
	if len(r.ahead) == 0 {
		return 0
	}
	n := copy(dst, r.ahead)
	r.ahead = r.ahead[n:]
	return n / r.len
}

// Blocks yields n rows at a time, and the remaining rows at the end. The next block reuses the memory. An error ends
// the iteration.
func (r *Rows[T]) Blocks(n int) iter.Seq2[[]T, error] {
	return func(yield func([]T, error) bool) {
		if n <= 0 {
			yield(nil, diag.Errorf("npy", "blocks of %d rows, want 1 or more", n))
			return
		}
		var block []T
		for {
			err := r.ready()
			if err == io.EOF {
				return
			}
			if err == nil {
				block, err = r.next(block, n)
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

// next returns up to n rows. At least one row must be left: in block, or in new memory if block is nil.
func (r *Rows[T]) next(block []T, n int) ([]T, error) {
	n = min(n, r.rest())
	if block != nil && r.len > 0 {
		n, err := r.Next(block[:n*r.len])
		return block[:n*r.len], err
	}
	if len(r.ahead) == 0 {
		return r.take(n)
	}
	block = make([]T, min(n*r.len, len(r.ahead)))
	n -= r.unread(block)
	if n == 0 {
		return block, nil
	}
	more, _ := r.take(n) // an error is returned with the next block
	return append(block, more...), nil
}

// All yields one row at a time. Rows are read ahead in blocks; each row is a part of a block, with a capacity equal to
// its length. If a loop ends early, the next call continues with the rows that it has not seen.
func (r *Rows[T]) All() iter.Seq2[[]T, error] {
	return func(yield func([]T, error) bool) {
		for r.len == 0 && r.left > 0 && r.err == nil {
			if err := r.advance(1); !yield(nil, err) || err != nil {
				return
			}
		}
		for {
			r.readAhead()
			if err := r.ready(); err != nil {
				if err != io.EOF {
					yield(nil, err)
				}
				return
			}
			for len(r.ahead) >= r.len {
				row := r.ahead[:r.len:r.len]
				r.ahead = r.ahead[r.len:]
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}

// Elements yields one element at a time. A loop may end inside a row; the next loop continues there.
func (r *Rows[T]) Elements() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		if r.len == 0 && r.left > 0 && r.err == nil {
			r.advance(r.left)
		}
		for {
			r.readAhead()
			for len(r.ahead) > 0 {
				x := r.ahead[0]
				r.ahead = r.ahead[1:]
				if !yield(x, nil) {
					return
				}
			}
			if r.err != nil {
				yield(*new(T), r.err)
				return
			}
			if r.left == 0 {
				return
			}
		}
	}
}

// readAhead reads the next rows if none are ahead.
func (r *Rows[T]) readAhead() {
	if len(r.ahead) > 0 || r.left == 0 || r.err != nil {
		return
	}
	n := min(max(rowsPiece/max(r.len*r.loader.size, 1), 1), r.left)
	if r.block == nil {
		r.block, _ = r.take(n)
		r.ahead = r.block
	} else if block := r.block[:n*r.len]; r.read(block, n) == nil {
		r.ahead = block
	}
}

// rowsPiece is the number of bytes read ahead, large enough to make the cost of reading a single row negligible.
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

// read reads the next n rows to dst.
func (r *Rows[T]) read(dst []T, n int) error {
	if r.err == nil {
		r.err = r.fill(dst)
	}
	if r.err != nil {
		return r.err
	}
	return r.advance(n)
}

// take reads the next n rows into new memory, which grows with the data that arrives if the length of the source is
// unknown.
func (r *Rows[T]) take(n int) (data []T, err error) {
	if r.err != nil {
		return nil, r.err
	}
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
		r.err = err
		return nil, err
	}
	return data, r.advance(n)
}

// advance counts rows that have been read.
func (r *Rows[T]) advance(n int) error {
	r.left -= n
	r.done += n * r.len
	r.err = r.finish()
	return r.err
}

// finish moves the position of a file to the end of its array.
func (r *Rows[T]) finish() error {
	if r.left > 0 {
		return nil
	}
	return r.loader.s.Finish()
}
