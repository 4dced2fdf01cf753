package join

import (
	"context"
	"encoding/binary"
	"errors"
	"iter"
	"math"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/query/internal/order"
	"github.com/npygo/npy/query/internal/sortkey"
	"github.com/npygo/npy/source"
)

// A match says which of the sorted right rows a left row is joined with.
type match struct {
	first int // the place of the first right row, or -1 if there is none
	count int // rows of the result
}

// storedType is a match in a sort, after the number of the left row.
var storedType = must(dtype.Packed(
	dtype.Field{Name: "row", DType: dtype.Int64}, dtype.Field{Name: "first", DType: dtype.Int64}, dtype.Field{Name: "count", DType: dtype.Int64},
))

const (
	storedSize = 24 // of a match in a sort
	matchSize  = 16 // of a match in memory
)

func must(t dtype.Type, err error) dtype.Type {
	if err != nil {
		panic(err)
	}
	return t
}

// A matcher walks through the sorted rows of both sides.
type matcher struct {
	how         *Join
	left, right cursor
	find        func() (match, error) // of the next left row
	rowAt       int                   // the offset of the number of a left row
	total       int                   // rows of the result
}

func newMatcher(j *Join, p *plan) (*matcher, error) {
	m := &matcher{how: j, rowAt: p.keySize}
	var by int
	var err error
	if m.left.plan, by, err = p.words(p.keySize + 8); err != nil {
		return nil, err
	}
	if m.right.plan, _, err = p.words(p.rightSize); err != nil {
		return nil, err
	}
	if j.How == asof {
		m.find, err = m.nearest(p.keys[len(p.keys)-1], by)
	} else {
		m.find = m.equal()
	}
	return m, err
}

// walk calls emit for the matches of all left rows, in the order of their keys, with the numbers of the left rows.
func (m *matcher) walk(ctx context.Context, left, right *order.Sorted, emit func(row int, x match) error) error {
	m.left.open(ctx, left)
	defer m.left.stop()
	m.right.open(ctx, right)
	defer m.right.stop()
	for {
		if ok, err := m.left.has(); err != nil || !ok {
			return err
		}
		x, err := m.find()
		if err != nil {
			return err
		}
		x = m.how.kept(x)
		if m.total > math.MaxInt-x.count {
			return diag.Wrap("query", bounded.Over("", math.MaxInt, 0, "the join has more than %d rows", math.MaxInt))
		}
		m.total += x.count
		if err := emit(int(binary.NativeEndian.Uint64(m.left.row()[m.rowAt:])), x); err != nil {
			return err
		}
		m.left.i++
	}
}

// A walked is the matches of a matcher as a Source, in the order of the keys. It can be read once.
type walked struct {
	npy.Source
	walk func(ctx context.Context, emit func(row int, x match) error) error
}

// source returns the matches of n left rows.
func (m *matcher) source(left, right *order.Sorted, n int) npy.Source {
	whole := source.Whole(storedType, []int{n}, func(context.Context) (*npy.Array, error) { return nil, errors.ErrUnsupported })
	return &walked{whole, func(ctx context.Context, emit func(row int, x match) error) error {
		return m.walk(ctx, left, right, emit)
	}}
}

// Blocks implements [npy.Source].
func (s *walked) Blocks(ctx context.Context, _ int64) iter.Seq2[*npy.Array, error] {
	const blockBytes = 16 << 10 * storedSize
	return func(yield func(*npy.Array, error) bool) {
		data := make([]byte, 0, blockBytes)
		stop := errors.New("stop")
		flush := func() error {
			block, err := npy.FromBytes(storedType, data, len(data)/storedSize)
			data = data[:0]
			if err == nil && !yield(block, nil) {
				return stop
			}
			return err
		}
		err := s.walk(ctx, func(row int, x match) error {
			for _, value := range []int{row, x.first, x.count} {
				data = binary.NativeEndian.AppendUint64(data, uint64(int64(value)))
			}
			if len(data) < cap(data) {
				return nil
			}
			return flush()
		})
		if err == nil && len(data) > 0 {
			err = flush()
		}
		if err != nil && err != stop {
			yield(nil, err)
		}
	}
}

// kept returns the right rows of the result for a left row with some matches.
func (j *Join) kept(x match) match {
	switch {
	case x.count == 0 && (j.How == anti || j.keepsAll()):
		return match{-1, 1}
	case j.How == anti:
		return match{-1, 0}
	case j.How == semi:
		x.count = min(x.count, 1)
	}
	return x
}

// equal returns the function that finds the right rows whose keys equal those of the next left row.
func (m *matcher) equal() func() (match, error) {
	var key []uint64 // of the last left row
	var last match
	any := false
	return func() (match, error) {
		want := m.left.key()
		if any && slices.Equal(key, want) {
			return last, nil
		}
		key, any = append(key[:0], want...), true
		if first, count, ok := m.right.run(want); ok {
			last = match{first, count}
			return last, nil
		}
		if err := m.right.skip(want, false); err != nil {
			return last, err
		}
		first := m.right.place()
		err := m.right.skip(want, true)
		last = match{first, m.right.place() - first}
		return last, err
	}
}

// A cursor reads sorted rows with the words of their keys.
type cursor struct {
	plan  *sortkey.Plan
	next  func() (*npy.Array, error, bool)
	stop  func()
	data  []byte
	words []uint64
	n, i  int // rows of data, and the next of them
	first int // the place of the first row of data
}

func (c *cursor) open(ctx context.Context, rows *order.Sorted) {
	c.next, c.stop = par.Pull2(rows.Blocks(ctx, 0))
}

// has reports whether there is a next row, and reads it.
func (c *cursor) has() (bool, error) {
	for c.i == c.n {
		block, err, ok := c.next()
		if err != nil || !ok {
			return false, err
		}
		c.first += c.n
		c.data, _ = block.ViewBytes()
		c.n, c.i = block.Shape()[0], 0
		words := c.plan.Len() * c.n
		if cap(c.words) < words {
			c.words = make([]uint64, words)
		}
		c.words = c.words[:words]
		c.plan.WordsOf(c.words, c.plan.Len(), c.data, c.n)
	}
	return true, nil
}

// skip goes to the first row whose key is not less than another, or is greater if equal is true.
func (c *cursor) skip(key []uint64, equal bool) error {
	limit := 0
	if equal {
		limit = 1
	}
	for {
		if ok, err := c.has(); err != nil || !ok {
			return err
		}
		if len(key) == 1 {
			words := c.words[c.i:c.n]
			for len(words) > 0 && (words[0] < key[0] || equal && words[0] == key[0]) {
				words = words[1:]
			}
			c.i = c.n - len(words)
		} else {
			for c.i < c.n && slices.Compare(c.key(), key) < limit {
				c.i++
			}
		}
		if c.i < c.n {
			return nil
		}
	}
}

// run goes past the rows whose key is one word, and returns the place of the first of them and their number. It reports false, and
// goes nowhere, if the rows that have been read do not tell.
func (c *cursor) run(key []uint64) (first, count int, ok bool) {
	if len(key) != 1 {
		return 0, 0, false
	}
	k, words := key[0], c.words[:c.n]
	i := c.i
	for i < len(words) && words[i] < k {
		i++
	}
	end := i
	for end < len(words) && words[end] == k {
		end++
	}
	if end == len(words) {
		return 0, 0, false
	}
	c.i = end
	return c.first + i, end - i, true
}

// key returns the words of the next row, row its bytes, and place its number.
func (c *cursor) key() []uint64 { return c.words[c.i*c.plan.Len() : (c.i+1)*c.plan.Len()] }
func (c *cursor) row() []byte   { return c.data[c.i*c.plan.Row : (c.i+1)*c.plan.Row] }
func (c *cursor) place() int    { return c.first + c.i }
