package main

import (
	"context"
	"fmt"

	"github.com/npygo/npy"
	"github.com/npygo/npy/stats"
)

// statsRows summarise an array.
func statsRows(c *corpus) []*row {
	size := sizeText(c.bytes(8))
	var a *npy.Array
	load := func() (err error) {
		a, err = npy.ReadFile(c.path("float64.npy"))
		return err
	}
	return []*row{
		{
			name: "summary of " + size, does: "min, max, mean, std and the number of NaN of float64 in memory",
			bytes: c.bytes(8), files: []string{"float64.npy"},
			setup: load,
			npy:   func() (any, error) { return summary(stats.Of(context.Background(), a)) },
			numpy: `"%.6g %.6g %.6g %.6g %d" % (a.min(), a.max(), a.mean(), a.std(), np.isnan(a).sum())`, numpySetup: `a = np.load("float64.npy")`,
			limit: memcpy(c.bytes(8)),
		},
		{
			name: "summary of a file of " + size, does: "the same, read from a file and not kept in memory",
			bytes: c.bytes(8), files: []string{"float64.npy"},
			npy: func() (any, error) {
				f, err := npy.Open(c.path("float64.npy"))
				if err != nil {
					return nil, err
				}
				defer f.Close()
				return summary(stats.Of(context.Background(), f))
			},
			numpy:      `summary(np.load("float64.npy", mmap_mode="r"))`,
			numpySetup: `summary = lambda a: "%.6g %.6g %.6g %.6g %d" % (a.min(), a.max(), a.mean(), a.std(), np.isnan(a).sum())`,
			limit:      c.pread("float64.npy"),
		},
		{
			name: "quantiles of " + size, does: "five of them, exact, of float64 in memory",
			bytes: c.bytes(8), files: []string{"float64.npy"},
			setup: load,
			npy: func() (any, error) {
				qs, err := stats.QuantilesOf(context.Background(), a, 0.01, 0.25, 0.5, 0.75, 0.99)
				if err != nil {
					return "", err
				}
				xs := make([]float64, len(qs[0].Values))
				for i, v := range qs[0].Values {
					xs[i] = v.Float64()
				}
				return fmt.Sprintf("%.6g", xs), nil
			},
			numpy: `"[" + " ".join("%.6g" % x for x in np.quantile(a, [0.01, 0.25, 0.5, 0.75, 0.99])) + "]"`, numpySetup: `a = np.load("float64.npy")`,
			limit: memcpy(c.bytes(8)),
		},
	}
}

func summary(all []stats.Stats, err error) (string, error) {
	if err != nil {
		return "", err
	}
	s := all[0]
	return fmt.Sprintf("%.6g %.6g %.6g %.6g %d", s.Min.Float64(), s.Max.Float64(), s.Mean.Float64(), s.Std.Float64(), s.NaNs), nil
}
