package join

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"sort"
	"sync/atomic"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/query/internal/order"
	"github.com/npygo/npy/source"
)

// A Result has the joined rows, and is a [npy.Source]. Several goroutines may use it.
type Result struct {
	*plan
	rows   int
	right  *order.Sorted // rows by their keys
	starts []int         // the rows of the result before each indexRows left rows
	closed atomic.Bool

	// The matches of the left rows, in their order, are either in memory or in a sort.
	inMemory []match
	inFile   *order.Sorted
}

// indexRows is the number of left rows after which the rows of the result are counted.
const indexRows = 4 << 10

func (p *plan) result() *Result { return &Result{plan: p} }

// Close removes the temporary files, if there are some. The Result must not be read afterwards.
func (r *Result) Close() error {
	if r.closed.Swap(true) {
		return nil
	}
	var errs []error
	for _, rows := range []*order.Sorted{r.right, r.inFile} {
		if rows != nil {
			errs = append(errs, rows.Close())
		}
	}
	return errors.Join(errs...)
}

// count counts the rows of the result.
func (r *Result) count(ctx context.Context, total int) error {
	r.rows = total
	if err := r.header().Validate(); err != nil {
		return err
	}
	var buf []match
	rows := 0
	for first := 0; first < r.plan.left.rows; first += indexRows {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		r.starts = append(r.starts, rows)
		m, err := r.matchesOf(&buf, first, min(indexRows, r.plan.left.rows-first))
		if err != nil {
			return err
		}
		for _, x := range m {
			rows += x.count
		}
	}
	return nil
}

// matchesOf returns the matches of n left rows.
func (r *Result) matchesOf(buf *[]match, first, n int) ([]match, error) {
	if r.inFile == nil {
		return r.inMemory[first : first+n], nil
	}
	*buf = bulk.Reuse(*buf, n)
	stored := bulk.MakeFill[byte](n * storedSize)
	err := r.inFile.ReadRows(stored, first)
	for i := range *buf {
		x := stored[i*storedSize:]
		(*buf)[i] = match{int(int64(binary.NativeEndian.Uint64(x[8:]))), int(binary.NativeEndian.Uint64(x[16:]))}
	}
	return *buf, err
}

func (r *Result) header() format.Header {
	return format.Header{DType: r.record, Shape: []int{r.rows}}
}

// DType implements [npy.Source].
func (r *Result) DType() dtype.Type { return r.record }

// Shape implements [npy.Source].
func (r *Result) Shape() []int { return []int{r.rows} }

// ReadAll implements [npy.Source].
func (r *Result) ReadAll(ctx context.Context) (*npy.Array, error) {
	h := r.header()
	if err := r.checkOpen(h.NBytes()); err != nil {
		return nil, err
	}
	data := bulk.MakeFill[byte](int(h.NBytes()))
	rest := data
	err := r.pieces(ctx, 0, func(n int) (piece []byte) {
		piece, rest = rest[:n], rest[n:]
		return piece
	}, func([]byte, int) error { return nil })
	if err != nil {
		return nil, err
	}
	return npy.FromHeader(h, data)
}

// checkOpen returns an error if the Result is closed, or n bytes are more than the limits of left allow.
func (r *Result) checkOpen(n int64) error {
	if r.closed.Load() {
		return closable.ErrClosed
	}
	return source.CheckBytes(r.plan.left.src, n)
}

// Select implements [npy.Source].
func (r *Result) Select(index ...npy.Index) (npy.Source, error) {
	if r.closed.Load() {
		return nil, closable.ErrClosed
	}
	src, err := source.FromParts(r.header(), func(ctx context.Context, p npy.Selection) (*npy.Array, error) {
		return p.Read(ctx, bytesOf{ctx, r}, 0, npy.ReadOptions{Workers: 1})
	})
	if err != nil {
		return nil, err
	}
	return src.Select(index...)
}

// A bytesOf is the bytes of the rows of a Result.
type bytesOf struct {
	ctx context.Context
	r   *Result
}

// ReadAt implements [io.ReaderAt].
func (b bytesOf) ReadAt(p []byte, off int64) (int, error) {
	size := int64(b.r.record.ItemSize())
	if size == 0 || len(p) == 0 {
		return 0, nil
	}
	low, high := off/size, min((off+int64(len(p))+size-1)/size, int64(b.r.rows))
	data := p
	if off%size != 0 || (high-low)*size != int64(len(p)) {
		data = bulk.MakeFill[byte](int((high - low) * size))
	}
	if err := b.r.read(b.ctx, data, int(low)); err != nil {
		return 0, err
	}
	if n := copy(p, data[off-low*size:]); n < len(p) {
		return n, io.EOF
	}
	return len(p), nil
}

// read fills dst with the rows from first on.
func (r *Result) read(ctx context.Context, dst []byte, first int) error {
	if err := r.checkOpen(int64(len(dst))); err != nil {
		return err
	}
	size := r.record.ItemSize()
	var buf []match
	for i := max(sort.SearchInts(r.starts, first+1)-1, 0); len(dst) > 0; i++ {
		if i+1 < len(r.starts) && r.starts[i+1] <= first {
			continue
		}
		low := i * indexRows
		n := min(indexRows, r.plan.left.rows-low)
		m, err := r.matchesOf(&buf, low, n)
		if err != nil {
			return err
		}
		w := walk{matches: m}
		w.skip(first - r.starts[i])
		part, err := r.plan.left.src.Select(npy.Span(low+w.row, low+n))
		if err != nil {
			return err
		}
		left, err := part.ReadAll(ctx)
		if err != nil {
			return err
		}
		next := r.rows
		if i+1 < len(r.starts) {
			next = r.starts[i+1]
		}
		rows := min(len(dst)/size, next-first)
		if err := r.fill(ctx, dst[:rows*size], left.Bytes(), w.row, &w); err != nil {
			return err
		}
		dst, first = dst[rows*size:], first+rows
	}
	return nil
}

// pieceBytes is the size of the blocks of the result.
const pieceBytes = 4 << 20

// Blocks implements [npy.Source]. It reads the rows of left once, in sequence.
func (r *Result) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) {
		var buf []byte
		stop := errors.New("stop")
		err := r.pieces(ctx, memory, func(n int) []byte {
			buf = bulk.Reuse(buf, n)
			return buf
		}, func(data []byte, rows int) error {
			piece, err := npy.FromBytes(r.record, data, rows)
			if err == nil && !yield(piece, nil) {
				err = stop
			}
			return err
		})
		if err != nil && err != stop {
			yield(nil, err)
		}
	}
}

// pieces makes all rows, some at a time, in the memory that buffer returns for n bytes, and calls emit for each piece.
func (r *Result) pieces(ctx context.Context, memory int64, buffer func(n int) []byte, emit func(data []byte, rows int) error) error {
	if err := r.checkOpen(0); err != nil || r.rows == 0 {
		return err
	}
	if memory <= 0 {
		memory = 4 * pieceBytes
	}
	size := r.record.ItemSize()
	per := max(int(min(memory/2, pieceBytes))/max(size, 1), 1)
	var matches []match
	var w walk
	first := 0
	for block, err := range r.plan.left.src.Blocks(ctx, memory/2) {
		if err != nil {
			return err
		}
		left, _ := block.ViewBytes() // blocks are in C order
		n := block.Shape()[0]
		m, err := r.matchesOf(&matches, first, n)
		if err != nil {
			return err
		}
		w.matches, w.row, w.used = m, 0, 0
		for rows := w.left(per); rows > 0; rows = w.left(per) {
			data := buffer(rows * size)
			if err := r.fill(ctx, data, left, 0, &w); err != nil {
				return err
			}
			if err := emit(data, rows); err != nil {
				return err
			}
		}
		first += n
	}
	return nil
}

// fill makes the next rows of a walk in dst. left has the bytes of the left rows from a row of the walk on.
func (r *Result) fill(ctx context.Context, dst, left []byte, row int, w *walk) error {
	size := r.record.ItemSize()
	if size == 0 {
		return nil
	}
	n := len(dst) / size
	rows, places := w.next(n)
	from := r.plan.left.size
	err := par.SplitAmong(ctx, par.Workers(), n, indexRows, func(low, high int) error {
		for _, c := range r.copies {
			at, width := c.from.Offset-row*from, c.from.DType.ItemSize()
			for i := low; i < high; i++ {
				copy(dst[i*size+c.to.Offset:i*size+c.to.Offset+width], left[rows[i]*from+at:])
			}
		}
		if len(r.missing) == 0 {
			return nil
		}
		for i := low; i < high; i++ {
			if places[i] < 0 {
				copy(dst[i*size+r.leftSize:], r.missing)
			}
		}
		return nil
	})
	if err != nil || len(r.missing) == 0 {
		return err
	}
	return r.right.Gather(ctx, dst, r.leftSize, size, places, r.keySize)
}

// A walk goes through the rows of the result of some left rows.
type walk struct {
	matches []match
	row     int // of left
	used    int // rows of the result of this left row that were visited

	rows, places []int // what next returned
}

// skip leaves out n rows. More follow.
func (w *walk) skip(n int) {
	for ; n >= w.matches[w.row].count; w.row++ {
		n -= w.matches[w.row].count
	}
	w.used = n
}

// left returns the number of rows that follow, at most some.
func (w *walk) left(most int) int {
	n := -w.used
	for _, x := range w.matches[w.row:] {
		if x.count >= most-n {
			return most
		}
		n += x.count
	}
	return n
}

// next returns the left row and the place of the right row, or -1, of each of the next n rows. They are valid until the next call.
func (w *walk) next(n int) (rows, places []int) {
	w.rows, w.places = bulk.Reuse(w.rows, n), bulk.Reuse(w.places, n)
	rows, places = w.rows, w.places
	for i := range rows {
		for w.used == w.matches[w.row].count {
			w.row, w.used = w.row+1, 0
		}
		rows[i], places[i] = w.row, -1
		if first := w.matches[w.row].first; first >= 0 {
			places[i] = first + w.used
		}
		w.used++
	}
	return rows, places
}

var _ npy.Source = (*Result)(nil)
