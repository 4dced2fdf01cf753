package npyio

import (
	"context"
	"runtime"

	"golang.org/x/sync/semaphore"
)

// A worker process works on as many pieces at a time as it has CPUs: runners may give it hundreds, and each takes memory.
var (
	cpus  = int64(runtime.GOMAXPROCS(0))
	turns = semaphore.NewWeighted(cpus)
)

// inTurn calls do when the process has a CPU for it. Of memory for the elements of all pieces, do may use share bytes; 0 means
// the default. do must not call inTurn.
func inTurn(ctx context.Context, memory int64, do func(share int64) error) error {
	if memory <= 0 {
		memory = cpus * defaultShare
	}
	n := min(max(memory/leastShare, 1), cpus) // pieces at a time
	each := (cpus + n - 1) / n
	if err := turns.Acquire(ctx, each); err != nil {
		return context.Cause(ctx)
	}
	defer turns.Release(each)
	return do(max(memory/n, leastShare))
}

const (
	leastShare   = 32 << 20 // of npy.Copier
	defaultShare = 64 << 20
)
