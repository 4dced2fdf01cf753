// Package par runs the parallel work of this module. A test ensures that all goroutines of its libraries start here.
//
//	Split     one range, a part for each goroutine
//	SplitAmong the same for a given number of goroutines
//	Each      many items, the next item for each free goroutine
//	Ordered   Each, with the results merged in the order of the items
//	Ahead     results for a loop, computed ahead of it
//	Pipeline  items that are pushed, computed ahead, and emitted in order
//	Go        one function
//	Pull2     an iterator, one step at a time
//
// All goroutines are guarded. A panic, including the panic of a fault in mapped memory, is repeated with its value on
// the goroutine that waits. A caller that guards itself against faults therefore need not know how many goroutines
// work.
//
// Split, Each and Ordered return, or panic, after all goroutines that they started have ended. After an error, a panic
// or the end of the context they start no further work.
package par

import (
	"context"
	"runtime"
	"sync/atomic"
)

// SplitMin is the number of bytes from which [Split] uses a second goroutine: for less data it does not pay.
const SplitMin = 4 << 20

const moving = 4 // goroutines for one range: more are limited by memory bandwidth

var limit atomic.Int64

// SetWorkers limits Workers to n, or to GOMAXPROCS if n is 0 or less. It returns the previous limit, 0 if there was
// none.
func SetWorkers(n int) int { return int(limit.Swap(int64(max(n, 0)))) }

// Workers returns the number of goroutines that may work for one call, including the caller's.
func Workers() int {
	if n := int(limit.Load()); n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// A budget holds one element for each goroutine that may still start.
type budget chan struct{}

type budgetKey struct{}

// WithBudget returns a context for nested calls that share [Workers]: all calls with the context together use at most
// Workers goroutines at a time, besides the one that called WithBudget. If ctx already has a budget, the budget stays.
func WithBudget(ctx context.Context) context.Context {
	if budgetOf(ctx) != nil {
		return ctx
	}
	n := Workers()
	b := make(budget, n)
	b.give(n)
	return context.WithValue(ctx, budgetKey{}, b)
}

// budgetOf returns the budget of a context, or nil for no limit.
func budgetOf(ctx context.Context) budget {
	b, _ := ctx.Value(budgetKey{}).(budget)
	return b
}

// take takes up to n elements without waiting, and returns the number taken.
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

// wait waits for an element and takes it.
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
