package bulk

import (
	"runtime"
	"slices"
	"sync"
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
