package par_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/npygo/npy/internal/par"
)

var errItem = errors.New("of an item")

func limited(t *testing.T, n int) {
	before := par.SetWorkers(n)
	t.Cleanup(func() { par.SetWorkers(before) })
}

func TestWorkers(t *testing.T) {
	limited(t, 0)
	if n := par.Workers(); n != runtime.GOMAXPROCS(0) {
		t.Errorf("%d workers without a limit, want GOMAXPROCS %d", n, runtime.GOMAXPROCS(0))
	}
	if before := par.SetWorkers(3); before != 0 || par.Workers() != 3 {
		t.Errorf("the limit was %d and is %d, want 0 and 3", before, par.Workers())
	}
	if before := par.SetWorkers(-1); before != 3 || par.Workers() != runtime.GOMAXPROCS(0) {
		t.Errorf("the limit was %d and is %d, want 3 and none", before, par.Workers())
	}
}

// Every part comes once, in as many parts as the limit and the number of bytes allow.
func TestSplit(t *testing.T) {
	limited(t, 0)
	for _, c := range []struct{ limit, bytes, most int }{
		{0, par.SplitMin - 1, 1},
		{1, 100 * par.SplitMin, 1},
		{3, par.SplitMin, 3},
		{3, par.SplitMin - 1, 1},
		{100, par.SplitMin, par.Moving},
		{0, par.SplitMin, min(runtime.GOMAXPROCS(0), par.Moving)},
	} {
		par.SetWorkers(c.limit)
		var mu sync.Mutex
		var parts [][2]int
		_ = par.Split(t.Context(), 1000, 10, c.bytes, func(low, high int) error {
			mu.Lock()
			defer mu.Unlock()
			parts = append(parts, [2]int{low, high})
			return nil
		})
		slices.SortFunc(parts, func(a, b [2]int) int { return a[0] - b[0] })
		at := 0
		for _, p := range parts {
			if p[0] != at || p[0]%10 != 0 {
				t.Errorf("limit %d, %d bytes: parts %v", c.limit, c.bytes, parts)
			}
			at = p[1]
		}
		if at != 1000 || len(parts) != c.most {
			t.Errorf("limit %d, %d bytes: %d parts %v, want %d", c.limit, c.bytes, len(parts), parts, c.most)
		}
	}
}

// ways are the functions of the package, each as a function that works on n items and passes them to out: in order, if
// the function has an order.
var ways = map[string]func(ctx context.Context, n, workers int, do func(i int) error, out func(i int)) error{
	"Split": func(ctx context.Context, n, workers int, do func(i int) error, _ func(int)) error {
		defer par.SetWorkers(par.SetWorkers(workers))
		return par.Split(ctx, n, 1, par.SplitMin, func(low, high int) error {
			for i := low; i < high; i++ {
				if err := do(i); err != nil {
					return err
				}
			}
			return nil
		})
	},
	"Each": func(ctx context.Context, n, workers int, do func(i int) error, _ func(int)) error {
		return par.Each(ctx, n, workers, func(_, i int) error { return do(i) })
	},
	"Ordered": func(ctx context.Context, n, workers int, do func(i int) error, out func(i int)) error {
		return par.Ordered(ctx, n, workers, func(_, i int) (int, error) { return i, do(i) }, out)
	},
	"Pipeline": func(ctx context.Context, n, workers int, do func(i int) error, out func(i int)) error {
		p := par.NewPipeline(ctx, workers, 2*workers, func(_, i int) error { return do(i) }, func(i int) error { out(i); return nil })
		defer p.Drop()
		for i := range n {
			if err := p.Push(i); err != nil {
				return err
			}
		}
		return p.Drain()
	},
	"Ahead": func(ctx context.Context, n, workers int, do func(i int) error, out func(i int)) error {
		i := -1
		next := func() (int, int64, bool) { i++; return i, 1, i < n }
		for i, err := range par.Ahead(ctx, workers, 10, next, func(i int) (int, error) { return i, do(i) }) {
			if err != nil {
				return err
			}
			out(i)
		}
		return nil
	},
	"Go": func(ctx context.Context, n, workers int, do func(i int) error, out func(i int)) error {
		for i := range n {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			if err := par.Go(func() error { return do(i) }).Wait(); err != nil {
				return err
			}
			out(i)
		}
		return nil
	},
}

// everyWay runs a test for every way with several numbers of workers.
func everyWay(t *testing.T, test func(t *testing.T, ordered bool, workers int, way way)) {
	for name, way := range ways {
		for _, workers := range []int{1, 2, 4, 9} {
			t.Run(fmt.Sprint(name, workers), func(t *testing.T) {
				test(t, name != "Split" && name != "Each", workers, func(ctx context.Context, n int, do func(i int) error, out func(i int)) error {
					return way(ctx, n, workers, do, out)
				})
			})
		}
	}
}

type way = func(ctx context.Context, n int, do func(i int) error, out func(i int)) error

// Every item is done once, and results come out in order, however long each takes.
func TestAllItemsInOrder(t *testing.T) {
	everyWay(t, func(t *testing.T, ordered bool, _ int, way way) {
		for _, n := range []int{0, 1, 2, 500} {
			done := make([]atomic.Int32, n)
			var out []int
			err := way(t.Context(), n, func(i int) error {
				if i%7 == 0 {
					time.Sleep(time.Duration(i%5) * 100 * time.Microsecond) // some items take longer than others
				}
				done[i].Add(1)
				return nil
			}, func(i int) { out = append(out, i) })
			if err != nil {
				t.Fatal(err)
			}
			for i := range done {
				if k := done[i].Load(); k != 1 {
					t.Errorf("item %d of %d was done %d times", i, n, k)
				}
			}
			if ordered && (len(out) != n || !slices.IsSorted(out)) {
				t.Errorf("of %d items came out %v", n, out)
			}
		}
	})
}

// The error is the error of the first failing item, and soon after it no more work starts.
func TestError(t *testing.T) {
	everyWay(t, func(t *testing.T, ordered bool, workers int, way way) {
		var begun atomic.Int32
		last := -1
		err := way(t.Context(), 100_000, func(i int) error {
			begun.Add(1)
			if i >= 40 {
				return fmt.Errorf("item %d: %w", i, errItem)
			}
			time.Sleep(time.Duration(40-i) * 10 * time.Microsecond) // earlier items take longer
			return nil
		}, func(i int) { last = i })
		if !errors.Is(err, errItem) || err.Error() != "item 40: of an item" {
			t.Errorf("error %v, want that of item 40", err)
		}
		if n := int(begun.Load()); n > 41+par.Window*workers {
			t.Errorf("%d items were begun", n)
		}
		if last >= 40 {
			t.Errorf("item %d came out", last)
		}
	})
}

// A panic reaches the caller with its value, after all goroutines have ended.
func TestPanic(t *testing.T) {
	everyWay(t, func(t *testing.T, _ bool, _ int, way way) {
		var working atomic.Int32
		value := any(errItem)
		defer func() {
			if p := recover(); p != value {
				t.Errorf("panic %v, want %v", p, value)
			}
			if n := working.Load(); n != 0 {
				t.Errorf("%d goroutines still work", n)
			}
		}()
		err := way(t.Context(), 100, func(i int) error {
			working.Add(1)
			defer working.Add(-1)
			if i == 30 {
				panic(value)
			}
			time.Sleep(100 * time.Microsecond) // so that others work when one panics
			return nil
		}, func(int) {})
		t.Errorf("no panic, error %v", err)
	})
}

// runtime.Goexit, which a failing test calls, also ends the caller's goroutine.
func TestGoexit(t *testing.T) {
	everyWay(t, func(t *testing.T, _ bool, _ int, way way) {
		returned := false
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = way(t.Context(), 100, func(i int) error {
				if i == 30 {
					runtime.Goexit()
				}
				return nil
			}, func(int) {})
			returned = true
		}()
		<-done
		if returned {
			t.Error("the caller went on")
		}
	})
}

// The end of the context is an error with its cause, and soon after it no more work starts.
func TestCancel(t *testing.T) {
	everyWay(t, func(t *testing.T, _ bool, workers int, way way) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errItem)
		err := way(ctx, 10, func(int) error {
			t.Error("an item was begun")
			return nil
		}, func(int) {})
		if err != errItem {
			t.Errorf("error %v, want the cause %v", err, errItem)
		}
	})
	for _, name := range []string{"Each", "Ordered", "Pipeline", "Ahead", "Go"} {
		ctx, cancel := context.WithCancelCause(t.Context())
		var begun atomic.Int32
		err := ways[name](ctx, 1000, 3, func(i int) error {
			begun.Add(1)
			if i == 20 {
				cancel(errItem)
			}
			if i > 20 { // the item that cancels may be slower than all others
				select {
				case <-ctx.Done():
				case <-time.After(time.Second): // a Pipeline may do them before that item
				}
			}
			return nil
		}, func(int) {})
		if n := begun.Load(); err != errItem || n > 30 {
			t.Errorf("%s: error %v after %d items", name, err, n)
		}
	}
}

// Nested calls share a budget, including calls inside a Pipeline and Ahead.
func TestBudget(t *testing.T) {
	limited(t, 3)
	for name, way := range ways {
		if name == "Split" || name == "Go" {
			continue
		}
		ctx := par.WithBudget(t.Context())
		if par.WithBudget(ctx) != ctx {
			t.Error("a budget within a budget")
		}
		var working, most atomic.Int32
		err := way(ctx, 20, 5, func(int) error {
			return par.Each(ctx, 10, 5, func(_, _ int) error {
				n := working.Add(1)
				defer working.Add(-1)
				for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
				}
				time.Sleep(50 * time.Microsecond) // so that others begin in the meantime
				return nil
			})
		}, func(int) {})
		if n := most.Load(); err != nil || n > 4 || n < 2 {
			t.Errorf("%s: %d worked at a time, error %v; want at most the budget of 3 and the caller", name, n, err)
		}
		if n := par.Left(ctx); n != 3 {
			t.Errorf("%s: %d of the budget of 3 were given back", name, n)
		}
	}
}

// The numbers of workers are below their limit, and no two workers have the same number at the same time.
func TestWorkerNumbers(t *testing.T) {
	var taken [4]atomic.Bool
	use := func(w, i int) error {
		if w >= len(taken) || taken[w].Swap(true) {
			return fmt.Errorf("item %d is for worker %d", i, w)
		}
		runtime.Gosched()
		taken[w].Store(false)
		return nil
	}
	if err := par.Each(t.Context(), 1000, len(taken), use); err != nil {
		t.Error(err)
	}
	p := par.NewPipeline(t.Context(), len(taken), 8, use, func(int) error { return nil })
	for i := range 1000 {
		if err := p.Push(i); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Drain(); err != nil {
		t.Error(err)
	}
}

// A Pipeline works again after Drop and after an error.
func TestPipelineAgain(t *testing.T) {
	for _, workers := range []int{1, 2, 3} {
		var out []int
		fail := -1
		p := par.NewPipeline(t.Context(), workers, 4, func(_, i int) error {
			if i == fail {
				return errItem
			}
			return nil
		}, func(i int) error { out = append(out, i); return nil })
		for i := range 3 {
			if err := p.Push(i); err != nil {
				t.Fatal(err)
			}
		}
		p.Drop()
		fail, out = 7, nil
		var err error
		for i := 5; i < 50 && err == nil; i++ {
			err = p.Push(i)
		}
		if err != errItem || !slices.Equal(out, []int{5, 6}) {
			t.Errorf("%d workers: error %v after %v", workers, err, out)
		}
		fail, out = -1, nil
		if err := errors.Join(p.Push(1), p.Push(2), p.Drain()); err != nil || !slices.Equal(out, []int{1, 2}) {
			t.Errorf("%d workers: error %v after %v, once it has failed", workers, err, out)
		}
	}
}

// Ahead computes no more than the limit allows but always one item, and nothing after the loop has ended.
func TestAheadLimit(t *testing.T) {
	var begun, working atomic.Int32
	i := int32(-1)
	next := func() (int, int64, bool) { i++; return int(i), 3, true }
	for k := range par.Ahead(t.Context(), 4, 10, next, func(i int) (int, error) {
		working.Add(1)
		defer working.Add(-1)
		begun.Add(1)
		return i, nil
	}) {
		time.Sleep(time.Millisecond) // in which items are begun ahead
		if n := int(begun.Load()); n > k+3 {
			t.Errorf("item %d: %d were begun, want at most 3 of 3 bytes ahead", k, n)
		}
		if k == 20 {
			break
		}
	}
	if n := working.Load(); n != 0 {
		t.Errorf("%d still work", n)
	}
	n := 0
	for range par.Ahead(t.Context(), 4, 10, func() (int, int64, bool) { n++; return n, 100, n <= 5 }, func(i int) (int, error) { return i, nil }) {
	}
	if n != 6 {
		t.Errorf("%d items larger than the limit, want 5", n-1)
	}
}

// After a panic in the writer, Write of a Relay returns an error and Check panics.
func TestRelay(t *testing.T) {
	defer func() {
		if p := recover(); p != errItem {
			t.Errorf("panic %v, want that of the writer", p)
		}
	}()
	r := par.NewRelay(panicking{})
	if err := par.Go(func() error { _, err := r.Write(nil); return err }).Wait(); err == nil {
		t.Error("no error")
	}
	r.Check()
	t.Error("no panic")
}

type panicking struct{}

func (panicking) Write([]byte) (int, error) { panic(errItem) }

// Of items that all fail, one may begin after another has failed. Its error is not the one that is returned.
func TestOrderedReturnsTheError(t *testing.T) {
	failed := errors.New("failed")
	for range 20_000 {
		err := par.Ordered(context.Background(), 64, 16, func(_, i int) (int, error) {
			runtime.Gosched()
			if i%3 == 1 {
				return 0, failed
			}
			return 0, nil
		}, func(int) { runtime.Gosched() })
		if err != failed {
			t.Fatalf("error %v", err)
		}
	}
}
