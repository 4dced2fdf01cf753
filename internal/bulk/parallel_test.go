package bulk

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// Every part comes once, and there are as many as the limit allows and the bytes are worth.
func TestParallel(t *testing.T) {
	defer SetWorkers(SetWorkers(0))
	for _, c := range []struct{ limit, bytes, most int }{
		{0, parallelMin - 1, 1},
		{1, 100 * parallelMin, 1},
		{3, parallelMin, 3},
		{3, parallelMin - 1, 1},
		{100, parallelMin, maxWorkers},
		{0, parallelMin, min(runtime.GOMAXPROCS(0), maxWorkers)},
	} {
		SetWorkers(c.limit)
		var mu sync.Mutex
		var parts [][2]int
		_ = Parallel(1000, 10, c.bytes, func(low, high int) error {
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

// A panic of any part is the caller's, after all parts are done; an error is that of the first part.
func TestParallelFails(t *testing.T) {
	defer SetWorkers(SetWorkers(4))
	var done atomic.Int32
	defer func() {
		if p := recover(); p != "part 2" || done.Load() != 3 {
			t.Errorf("panic %v after %d parts, want that of part 2 after 3", p, done.Load())
		}
	}()
	errPart := errors.New("of a part")
	err := Parallel(400, 100, parallelMin, func(low, _ int) error {
		if low >= 200 {
			return fmt.Errorf("part %d: %w", low/200, errPart)
		}
		return nil
	})
	if !errors.Is(err, errPart) || err.Error() != "part 1: of a part" {
		t.Errorf("error %v, want that of the first part that has one", err)
	}
	_ = Parallel(4, 1, parallelMin, func(low, _ int) error {
		if low == 2 {
			panic("part 2")
		}
		done.Add(1)
		return nil
	})
	t.Error("no panic")
}
