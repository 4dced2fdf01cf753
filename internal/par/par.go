// Package par runs the parallel work of this module. Every goroutine of its libraries starts here, which a test enforces.
//
//	Split     one range, a part for each goroutine
//	Each      many items, the next one for the goroutine that is free
//	Ordered   Each, with the results merged in the order of the items
//	Ahead     results for a loop, computed ahead of it
//	Pipeline  items that are pushed, computed ahead of those that are passed on
//	Go        one function
//	Pull2     an iterator, one step at a time
//
// All goroutines are guarded. A fault in mapped memory is a panic there, and a panic reaches the goroutine that waits,
// with the value that it had: so a caller that guards itself against faults need not know how many goroutines work.
//
// Split, Each and Ordered return, or panic, after all goroutines that they started have ended. After an error, a panic
// or the end of the context nothing further is begun.
package par

import (
	"context"
	"runtime"
	"sync/atomic"
)

// SplitMin is from how many bytes on [Split] uses a second goroutine: less is not worth it.
const SplitMin = 4 << 20

const moving = 4 // goroutines for one range: beyond, the memory is the limit

var limit atomic.Int64

// SetWorkers limits Workers to n, or to GOMAXPROCS again if n is 0 or less. It returns the limit of before, 0 if there was
// none.
func SetWorkers(n int) int { return int(limit.Swap(int64(max(n, 0)))) }

// Workers returns how many goroutines may work for one call, the caller's among them.
func Workers() int {
	if n := int(limit.Load()); n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// A budget has an element for each goroutine that may still begin.
type budget chan struct{}

type budgetKey struct{}

// WithBudget returns a context for calls within each other that share [Workers]: no more goroutines than that work at a
// time for all calls with the context together, besides the one that called WithBudget. A budget that ctx has stays.
func WithBudget(ctx context.Context) context.Context {
	if budgetOf(ctx) != nil {
		return ctx
	}
	n := Workers()
	b := make(budget, n)
	b.give(n)
	return context.WithValue(ctx, budgetKey{}, b)
}

// budgetOf returns the budget of a context, nil for none: everything is free then.
func budgetOf(ctx context.Context) budget {
	b, _ := ctx.Value(budgetKey{}).(budget)
	return b
}

// take takes at most n, those that are there, and returns how many.
func (b budget) take(n int) int {
	if b == nil {
		return n
	}
	for i := range n {
		select {
		case <-b:
		default:
			return i
		}
	}
	return n
}

// wait takes one when there is one.
func (b budget) wait() {
	if b != nil {
		<-b
	}
}

func (b budget) give(n int) {
	if b != nil {
		for range n {
			b <- struct{}{}
		}
	}
}
