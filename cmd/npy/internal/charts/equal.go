package charts

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/numbers"
)

// counted is values, and how many times each is there: once, or one value that a source knows to be there many times.
type counted struct {
	values []float64
	times  int
}

// everything goes through all elements, some rows at a time. Those that are known to be equal come once, with their number.
func everything(ctx context.Context, s npy.Source, do func(counted) error) error {
	regions, err := npy.RegionsOf(ctx, s)
	if err != nil {
		return err
	}
	if !regions.Pay(s) {
		return eachBand(ctx, s, do)
	}
	for r := range regions.All {
		if err := eachOf(ctx, s, r, do); err != nil {
			return err
		}
	}
	return nil
}

// eachOf goes through the elements of a region.
func eachOf(ctx context.Context, s npy.Source, r npy.Region, do func(counted) error) error {
	if r.Value != nil {
		values, err := coordinates(r.Value, magnitude)
		if err != nil {
			return err
		}
		return do(counted{values, r.Size()})
	}
	part, err := s.Select(r.Index()...)
	if err != nil {
		return err
	}
	return eachBand(ctx, part, do)
}

// eachBand goes through all elements, some rows at a time.
func eachBand(ctx context.Context, s npy.Source, do func(counted) error) error {
	shape := s.Shape()
	if len(shape) == 0 {
		return nil
	}
	row := s.DType().ItemSize()
	for _, n := range shape[1:] {
		row *= n
	}
	step := max(bandBytes/max(row, 1), 1)
	for start := 0; row > 0 && start < shape[0]; start += min(step, shape[0]-start) {
		a, err := numbers.Read(ctx, s, npy.Span(start, start+min(step, shape[0]-start)))
		var values []float64
		if err == nil {
			values, err = coordinates(a, magnitude)
		}
		if err == nil {
			err = do(counted{values, 1})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// check returns an error if a pair has more points than may be read of its files.
func (p pair) check() error {
	for _, c := range []*column{p.x, p.y} {
		if c == nil {
			continue
		}
		if err := npy.CheckBytes(c.Source, int64(c.length)*int64(c.bytes())); err != nil {
			return err
		}
	}
	return nil
}

// lineBytes returns the number of bytes that are read of a column for a line: little of a file that stores far less, of which
// there may be many columns.
func (p pair) lineBytes() int {
	for _, c := range []*column{p.x, p.y} {
		if c != nil && npy.CheckBytes(c.Source, lineMax) != nil {
			return lineLittle
		}
	}
	return lineMax
}
