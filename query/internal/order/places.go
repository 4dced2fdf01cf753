package order

import (
	"cmp"
	"context"
	"slices"

	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/query/internal/rowsource"
)

// Rows of a [Sorted] are read by their places in the sorted order after Settle.

// Settle merges the runs of a temporary file into one and gives its memory back. The rows must not be counted.
func (s *Sorted) Settle(ctx context.Context, temp string) error {
	if s.spill == nil {
		return nil
	}
	err := s.reduce(ctx, temp, 1)
	s.memory = nil
	return err
}

// onlyRun is rowsOnce for a file with one run.
func (s *Sorted) onlyRun(ctx context.Context, emit func(rows []byte) error) error {
	size := int64(s.plan.Row)
	buf := bulk.Make(int(min(max(pieceBytes/size, 1)*size, s.spill.end)))
	for at := int64(0); at < s.spill.end; at += int64(len(buf)) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		buf = buf[:min(int64(len(buf)), s.spill.end-at)]
		if err := s.readAt(buf, at); err != nil {
			return err
		}
		if err := emit(buf); err != nil {
			return err
		}
	}
	return nil
}

// readAt fills data with the bytes of the only run.
func (s *Sorted) readAt(data []byte, at int64) error {
	if n, err := s.spill.f.ReadAt(data, at); n < len(data) {
		return rowsource.EndsEarly(err)
	}
	return nil
}

// ReadRows fills dst with the rows from place first on.
func (s *Sorted) ReadRows(dst []byte, first int) error {
	size := s.plan.Row
	switch {
	case s.closed.Load():
		return closable.ErrClosed
	case len(dst) == 0:
		return nil
	case s.spill != nil:
		return s.readAt(dst, int64(first)*int64(size))
	case s.rows == nil:
		copy(dst, s.data[first*size:])
		return nil
	}
	for i := range len(dst) / size {
		copy(dst[i*size:(i+1)*size], s.row(first+i))
	}
	return nil
}

// row returns the row at a place, of rows in memory.
func (s *Sorted) row(place int) []byte {
	if s.rows != nil {
		place = int(s.rows[place])
	}
	return s.data[place*s.plan.Row : (place+1)*s.plan.Row]
}

// Gather copies the rows at some places, without their first skip bytes, to dst: each to offset of its element of stride bytes.
// A negative place leaves an element as it is.
func (s *Sorted) Gather(ctx context.Context, dst []byte, offset, stride int, places []int, skip int) error {
	switch {
	case s.closed.Load():
		return closable.ErrClosed
	case s.plan.Row == skip:
		return nil
	case s.spill != nil:
		return s.gatherFile(ctx, dst, offset, stride, places, skip)
	}
	return par.SplitAmong(ctx, par.Workers(), len(places), fillUnit, func(low, high int) error {
		for i, place := range places[low:high] {
			if place >= 0 {
				copy(dst[(low+i)*stride+offset:], s.row(place)[skip:])
			}
		}
		return nil
	})
}

const (
	windowBytes = 1 << 20  // read at a time
	windowGap   = 32 << 10 // read and dropped to save a read
)

// gatherFile reads the rows in the order of their places, several with one read.
func (s *Sorted) gatherFile(ctx context.Context, dst []byte, offset, stride int, places []int, skip int) error {
	order := make([]int, 0, len(places))
	for i, place := range places {
		if place >= 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(places[a], places[b]) })
	size := s.plan.Row
	most, gap := max(windowBytes/size, 1), windowGap/size
	var buf []byte
	for i, end := 0, 0; i < len(order); i = end {
		first := places[order[i]]
		last := first
		for end = i + 1; end < len(order); end++ {
			next := places[order[end]]
			if next-last > gap+1 || next-first >= most {
				break
			}
			last = next
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		buf = bulk.Reuse(buf, (last-first+1)*size)
		if err := s.readAt(buf, int64(first)*int64(size)); err != nil {
			return err
		}
		for _, to := range order[i:end] {
			at := (places[to] - first) * size
			copy(dst[to*stride+offset:], buf[at+skip:at+size])
		}
	}
	return nil
}
