package bulk

import (
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

const (
	maxWorkers  = 4       // goroutines for one work: beyond, the memory is the limit
	parallelMin = 4 << 20 // bytes from which on a second goroutine pays
)

var limit atomic.Int64

// SetWorkers limits Workers to n, or to GOMAXPROCS again if n is 0 or less. It returns the limit of before, 0 if there was
// none.
func SetWorkers(n int) int { return int(limit.Swap(int64(max(n, 0)))) }

// Workers is how many goroutines may work for one call, the caller's among them.
func Workers() int {
	if n := int(limit.Load()); n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// Parallel calls do for parts of 0 to n, which begin at multiples of unit, on as many goroutines as the bytes that are
// moved are worth: one if they are less than 4 MB. It returns when all are done, with the error of the first part that
// has one. A panic in a part becomes one of the caller, faults of mapped memory among them, so that a caller who guards
// against them need not know how many goroutines there are.
func Parallel(n, unit, bytes int, do func(low, high int) error) error {
	workers := min(Workers(), maxWorkers)
	if bytes < parallelMin || workers == 1 {
		return do(0, n)
	}
	part := (n/workers + unit) / unit * unit
	errs, panics := make([]error, workers), make([]any, workers)
	var wg sync.WaitGroup
	for w := range workers {
		low, high := min(w*part, n), min((w+1)*part, n)
		wg.Go(func() {
			debug.SetPanicOnFault(true)
			defer func() { panics[w] = recover() }()
			errs[w] = do(low, high)
		})
	}
	wg.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
