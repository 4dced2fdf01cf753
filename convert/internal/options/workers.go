package options

import (
	"context"

	"github.com/npygo/npy/internal/par"
)

// Split is [par.Split] among a number of workers, or among as many as par allows if the number is 0.
func Split(ctx context.Context, workers, n, unit, bytes int, do func(low, high int) error) error {
	if workers > 0 && bytes >= par.SplitMin {
		return par.SplitAmong(ctx, workers, n, unit, do)
	}
	return par.Split(ctx, n, unit, bytes, do)
}

// Workers returns the number of goroutines for a given number, where 0 stands for as many as par allows.
func Workers(n int) int {
	if n > 0 {
		return n
	}
	return par.Workers()
}
