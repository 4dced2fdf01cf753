package answer

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/stats"
)

// projected returns the mean, the largest or the smallest element, or the sum along some axes. NaN does not count, as in
// numpy.nanmean.
func projected(ctx context.Context, src npy.Source, axes []int, how string) (npy.Source, error) {
	along := stats.Along{Axes: axes, Mean: how == "mean", Max: how == "max", Min: how == "min", Sum: how == "sum"}
	all, err := along.Of(ctx, src)
	if err != nil {
		return nil, err
	}
	a := map[string]*npy.Array{"mean": all.Mean, "max": all.Max, "min": all.Min, "sum": all.Sum}[how]
	if a == nil {
		return nil, wrong("elements of dtype %s have no %s", cut(src.DType().Name(), 100), how)
	}
	return a, nil
}
