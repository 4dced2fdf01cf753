package order

import (
	"context"

	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/query/internal/sortkey"
)

// A sorter sorts rows in memory.
type sorter struct {
	plan  *sortkey.Plan
	plain *plain // nil if rows must be moved by number
}

func newSorter(p *sortkey.Plan) *sorter {
	s := &sorter{plan: p}
	if x, ok := plainOf(p); ok {
		s.plain = x
	}
	return s
}

// order makes t the numbers of n rows in sorted order.
func (s *sorter) order(ctx context.Context, t *keyTable, data []byte) error {
	n := len(t.keys)
	units := (n + fillUnit - 1) / fillUnit
	err := par.Each(ctx, units, par.Workers(), func(_, u int) error {
		for i := u * fillUnit; i < min((u+1)*fillUnit, n); i++ {
			t.rows[i] = uint32(i)
		}
		s.fill(t, data, 0, u*fillUnit, min((u+1)*fillUnit, n))
		return nil
	})
	if err != nil || s.plan.Len() == 0 {
		return err
	}
	if err := t.sort(ctx, 0, n); err != nil {
		return err
	}
	return s.refine(ctx, t, data, 1, 0, n)
}

// fill puts word w of the keys of rows into the table.
func (s *sorter) fill(t *keyTable, data []byte, w, low, high int) {
	if w >= s.plan.Len() {
		return
	}
	s.plan.WordOf(w, t.keys[low:high], data, t.rows[low:high])
}

// refine sorts rows with equal words before word w by the words from w on.
func (s *sorter) refine(ctx context.Context, t *keyTable, data []byte, w, low, high int) error {
	if w >= s.plan.Len() {
		return nil
	}
	parts := min(64, max((high-low)/fillUnit, 1))
	bounds := make([]int, parts+1) // each is the start of a range of equal keys
	for i := range bounds {
		at := low + (high-low)/parts*i
		if i == parts {
			at = high
		}
		for at > low && at < high && t.keys[at] == t.keys[at-1] {
			at++
		}
		bounds[i] = at
	}
	large := make([][]keyRange, parts)
	err := par.Each(ctx, parts, par.Workers(), func(_, i int) error {
		for r := range t.equals(bounds[i], max(bounds[i], bounds[i+1])) {
			if r.high-r.low >= bigSort {
				large[i] = append(large[i], r)
				continue
			}
			s.refineAlone(t, data, w, r.low, r.high)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, ranges := range large {
		for _, r := range ranges {
			n := r.high - r.low
			err := par.Each(ctx, (n+fillUnit-1)/fillUnit, par.Workers(), func(_, u int) error {
				s.fill(t, data, w, r.low+u*fillUnit, min(r.low+(u+1)*fillUnit, r.high))
				return nil
			})
			if err == nil {
				err = t.sort(ctx, r.low, r.high)
			}
			if err == nil {
				err = s.refine(ctx, t, data, w+1, r.low, r.high)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// refineAlone sorts a range of rows with equal words before word w, on one goroutine.
func (s *sorter) refineAlone(t *keyTable, data []byte, w, low, high int) {
	for ; w < s.plan.Len(); w++ {
		s.fill(t, data, w, low, high)
		if differing(t.keys[low:high]) != 0 {
			break
		}
	}
	if w == s.plan.Len() {
		return
	}
	t.sortAlone(keyRange{low: low, high: high})
	for r := range t.equals(low, high) {
		s.refineAlone(t, data, w+1, r.low, r.high)
	}
}

// into sorts the n rows of src into dst.
func (s *sorter) into(ctx context.Context, dst, src []byte, n int) error {
	if s.plain != nil {
		t := &keyTable{tempKeys: bulk.MakeFill[uint64](n)}
		if keys, ok := bulk.View[uint64](dst); ok && s.plan.Row == 8 {
			t.keys = keys
		} else {
			t.keys = bulk.MakeFill[uint64](n)
		}
		if done, err := s.plain.sort(ctx, t, dst, src); done || err != nil {
			return err
		}
	}
	t := newKeyTable(n, true)
	if err := s.order(ctx, t, src); err != nil {
		return err
	}
	return gather(ctx, dst, src, t.rows, s.plan.Row)
}

// sorted writes the rows of data in sorted order, in pieces that follow each other.
func (s *sorter) sorted(ctx context.Context, t *keyTable, data []byte, piece int, write func(rows []byte) error) error {
	if s.plain != nil {
		done, err := s.plain.sort(ctx, t, data, data)
		if done && err == nil {
			err = write(data)
		}
		if done || err != nil {
			return err
		}
	}
	if err := s.order(ctx, t, data); err != nil {
		return err
	}
	size := s.plan.Row
	if size == 0 {
		return write(data)
	}
	step := max(piece/size, 1)
	buf := make([]byte, min(step, len(t.rows))*size)
	for low := 0; low < len(t.rows); low += step {
		rows := t.rows[low:min(low+step, len(t.rows))]
		if err := gather(ctx, buf, data, rows, size); err != nil {
			return err
		}
		if err := write(buf[:len(rows)*size]); err != nil {
			return err
		}
	}
	return nil
}

// gather copies rows of data to dst, in the order of their numbers.
func gather(ctx context.Context, dst, data []byte, rows []uint32, size int) error {
	return par.Each(ctx, (len(rows)+fillUnit-1)/fillUnit, par.Workers(), func(_, u int) error {
		for i := u * fillUnit; i < min((u+1)*fillUnit, len(rows)); i++ {
			at := int(rows[i]) * size
			copy(dst[i*size:(i+1)*size], data[at:at+size])
		}
		return nil
	})
}

// Rows sorts the n rows of src into dst, whatever their keys.
func Rows(ctx context.Context, p *sortkey.Plan, dst, src []byte, n int) error {
	return (&sorter{plan: p}).into(ctx, dst, src, n)
}
