package npy

import "github.com/npygo/npy/internal/par"

// SetWorkers limits the goroutines that one call of this module works with, in all of its packages, to n: a service that
// answers many requests at once may want 1. 0 and less stand for the default, [runtime.GOMAXPROCS]. It returns the limit
// of before, 0 if that was the default.
//
// Only work on several megabytes is shared out at all, and what reads or moves memory to four goroutines at most. Results
// are the same for any number. SetWorkers may be called at any time, and counts for calls that begin afterwards.
func SetWorkers(n int) (before int) { return par.SetWorkers(n) }
