package charts

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/source"
)

// counted is values, and how many times each is there: once, or one value that a source knows to be there many times.
type counted struct {
	values []float64
	times  int
}

// everything goes through all elements, some rows at a time. Elements known to be equal come once, with their number.
func everything(ctx context.Context, s npy.Source, do func(counted) error) error {
	return source.EachRegion(ctx, s, func(r npy.Region, stored npy.Source) error {
		if stored != nil {
			return eachBand(ctx, stored, do)
		}
		values, err := coordinates(r.Value, magnitude)
		if err != nil {
			return err
		}
		return do(counted{values, r.Size()})
	})
}

// eachBand goes through all elements, some of a block at a time.
func eachBand(ctx context.Context, s npy.Source, do func(counted) error) error {
	step := max(bandBytes/max(s.DType().ItemSize(), 1), 1)
	for block, err := range s.Blocks(ctx, blockBytes) {
		if err == nil {
			block, err = block.Reshape(-1)
		}
		if err != nil {
			return err
		}
		for start := 0; start < block.Size(); start += step {
			some, err := block.Slice(npy.Span(start, min(start+step, block.Size())))
			if err != nil {
				return err
			}
			values, err := coordinates(some, magnitude)
			if err == nil {
				err = do(counted{values, 1})
			}
			if err != nil {
				return err
			}
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
		if err := source.CheckBytes(c.Source, int64(c.length)*int64(c.bytes())); err != nil {
			return err
		}
	}
	return nil
}

// lineBytes returns the number of bytes that are read of a column for a line: few if the file stores far less, because it
// may have many columns.
func (p pair) lineBytes() int {
	for _, c := range []*column{p.x, p.y} {
		if c != nil && source.CheckBytes(c.Source, lineMax) != nil {
			return lineLittle
		}
	}
	return lineMax
}
