package answer

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/stats"
)

// projected returns the mean, the largest or the smallest element along some axes. NaN does not count, as in
// numpy.nanmean.
func projected(ctx context.Context, src npy.Source, axes []int, how string) (npy.Source, error) {
	along := stats.Along{Axes: axes, Mean: how == "mean", Max: how == "max", Min: how == "min"}
	all, err := along.Of(ctx, src)
	if err != nil {
		return nil, err
	}
	return map[string]*npy.Array{"mean": all.Mean, "max": all.Max, "min": all.Min}[how], nil
}
