package diff_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/diff"
	"github.com/npygo/npy/pickle"
)

// randomGraph makes lists that contain each other and small ints.
func randomGraph(r *rand.Rand, n int) []*pickle.List {
	lists := make([]*pickle.List, n)
	for i := range lists {
		lists[i] = new(pickle.List)
	}
	for _, l := range lists {
		for range r.IntN(4) {
			if r.IntN(6) == 0 {
				l.Items = append(l.Items, int64(r.IntN(2)))
			} else {
				l.Items = append(l.Items, lists[r.IntN(n)])
			}
		}
	}
	return lists
}

// equalPairs returns the pairs of lists that are indistinguishable at any depth. It starts with all pairs and removes
// differing pairs until none differs.
func equalPairs(a, b []*pickle.List) map[[2]any]bool {
	pairs := map[[2]any]bool{}
	for _, x := range a {
		for _, y := range b {
			pairs[[2]any{x, y}] = true
		}
	}
	same := func(x, y *pickle.List) bool {
		if len(x.Items) != len(y.Items) {
			return false
		}
		for i, v := range x.Items {
			if w := y.Items[i]; v != w && !pairs[[2]any{v, w}] {
				return false
			}
		}
		return true
	}
	for changed := true; changed; {
		changed = false
		for pair := range pairs {
			if !same(pair[0].(*pickle.List), pair[1].(*pickle.List)) {
				delete(pairs, pair)
				changed = true
			}
		}
	}
	return pairs
}

func objectsOf(t *testing.T, lists []*pickle.List) *npy.Array {
	values := make([]any, len(lists))
	for i, l := range lists {
		values[i] = l
	}
	a, err := npy.FromObjects(values)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Objects that contain each other are equal exactly if they are indistinguishable, in whatever order pairs are met.
func TestObjectGraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	for range 3000 {
		n := 1 + r.IntN(7)
		a, b := randomGraph(r, n), randomGraph(r, n)
		if r.IntN(2) == 0 { // of the same form, except for one list
			for i, l := range a {
				b[i].Items = nil
				for _, v := range l.Items {
					for j, other := range a {
						if v == any(other) {
							v = b[j]
							break
						}
					}
					b[i].Items = append(b[i].Items, v)
				}
			}
			if i := r.IntN(n); r.IntN(2) == 0 {
				b[i].Items = append(b[i].Items, int64(5))
			}
		}
		pairs, want := equalPairs(a, b), int64(0)
		for i := range a {
			if !pairs[[2]any{a[i], b[i]}] {
				want++
			}
		}
		result, err := diff.Compare(context.Background(), objectsOf(t, a), objectsOf(t, b), diff.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := result.Fields[0].Different; got != want {
			t.Fatalf("%d pairs of lists differ, want %d", got, want)
		}
	}
}

// ring makes n lists. Each contains the next.
func ring(n int) []*pickle.List {
	lists := make([]*pickle.List, n)
	for i := range lists {
		lists[i] = new(pickle.List)
	}
	for i, l := range lists {
		l.Items = []any{lists[(i+1)%n]}
	}
	return lists
}

// doubled makes n lists. Each contains the previous list twice.
func doubled(n int) []*pickle.List {
	lists := []*pickle.List{new(pickle.List)}
	for range n - 1 {
		last := lists[len(lists)-1]
		lists = append(lists, &pickle.List{Items: []any{last, last}})
	}
	return lists
}

// The memory allocated by comparing objects grows at most linearly with the number of objects.
func TestObjectWork(t *testing.T) {
	text := func(n int) []*pickle.List {
		shared := strings.Repeat("x", 100*n)
		lists := make([]*pickle.List, n)
		for i := range lists {
			lists[i] = &pickle.List{Items: []any{shared}}
		}
		return lists
	}
	self := func(n int) []*pickle.List {
		lists := make([]*pickle.List, n)
		for i := range lists {
			lists[i] = new(pickle.List)
			lists[i].Items = []any{lists[i]}
		}
		return lists
	}
	for name, make := range map[string]func(n int) []*pickle.List{"ring": ring, "doubled": doubled, "text": text, "self": self} {
		work := func(n int) uint64 {
			a, b := objectsOf(t, make(n)), objectsOf(t, make(n))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if result, err := diff.Compare(context.Background(), a, b, diff.Options{}); err != nil || !result.Equal() {
				t.Fatalf("%s: %v, %v", name, result, err)
			}
			runtime.ReadMemStats(&after)
			return after.Mallocs - before.Mallocs + (after.TotalAlloc-before.TotalAlloc)/100
		}
		n, twice, four := work(500), work(1000), work(2000)
		if four > 6*n+1000 {
			t.Errorf("%s: the work for n, 2n and 4n objects is %d, %d, %d", name, n, twice, four)
		}
	}
}

// Rings whose lengths have no common divisor make a product of pairs, which MaxShared and MaxDepth limit.
func TestObjectLimits(t *testing.T) {
	for _, tt := range []struct {
		n    int
		o    diff.Options
		want string
	}{
		{99, diff.Options{}, ""},
		{99, diff.Options{MaxShared: 1 << 16}, "MaxShared 65536"},
		{99, diff.Options{MaxShared: -1, MaxDepth: -1}, ""},
		{99, diff.Options{MaxDepth: 1000}, "MaxDepth 1000"},
		{999, diff.Options{}, "MaxDepth 10000"},
	} {
		result, err := diff.Compare(context.Background(), objectsOf(t, ring(tt.n)), objectsOf(t, ring(tt.n + 1)[:tt.n]), tt.o)
		if tt.want == "" && (err != nil || !result.Equal()) || tt.want != "" && (!errors.Is(err, npy.ErrLimit) || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("rings of %d and one more with %+v: error %v, want %q", tt.n, tt.o, err, tt.want)
		}
	}
}
