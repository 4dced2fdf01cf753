package oracle

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A recorder is a test that keeps its last log line, and panics with the text of Fatal.
type recorder struct {
	testing.TB
	log string
}

func (r *recorder) Logf(format string, args ...any) { r.log = fmt.Sprintf(format, args...) }
func (r *recorder) Fatal(args ...any)               { panic(fmt.Sprint(args...)) }

// The number in a log line, given as NPY_SEED, gives the same seed again.
func TestSeed(t *testing.T) {
	for _, text := range []string{"", "0", "7", "18446744073709551615", "random"} {
		t.Setenv("NPY_SEED", text)
		r := &recorder{TB: t}
		want := Seed(r)
		first := Rand(r).Uint64()
		value, ok := strings.CutPrefix(r.log, "NPY_SEED=")
		if !ok || value == "random" || text != "" && text != "random" && value != text {
			t.Fatalf("NPY_SEED=%s is logged as %q", text, r.log)
		}
		t.Setenv("NPY_SEED", value)
		if Seed(r) != want || Rand(r).Uint64() != first || SharedRand(r).Uint64() != first {
			t.Errorf("%s gives other numbers than NPY_SEED=%s", r.log, text)
		}
		t.Run("of another test", func(t *testing.T) {
			if Seed(t) == want {
				t.Errorf("NPY_SEED=%s: two tests have one seed", text)
			}
		})
		t.Setenv("NPY_SEED", "8")
		if Seed(r) == want {
			t.Errorf("NPY_SEED=8 gives the seed of NPY_SEED=%s", text)
		}
	}
}

// Seeds stay the same from one version of Go to the next.
func TestSeedStays(t *testing.T) {
	if got := mixSeed(1, "TestSeedStays"); got != 0xea74a3fadff2f90d {
		t.Errorf("the seed is %#x", got)
	}
}

func TestSeedOfBadText(t *testing.T) {
	for _, text := range []string{"x", "-1", "0x7", "1.5", "18446744073709551616", " 1", "1_0"} {
		t.Setenv("NPY_SEED", text)
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.HasPrefix(got, "NPY_SEED="+text+": want") {
					t.Errorf("NPY_SEED=%s: %q", text, got)
				}
			}()
			Seed(&recorder{TB: t})
		}()
	}
}

// Goroutines that share a generator get the numbers of its sequence, each once.
func TestSharedRand(t *testing.T) {
	const goroutines, each = 4, 500
	shared, parts := SharedRand(t), [goroutines][]uint64{}
	var all sync.WaitGroup
	for i := range parts {
		all.Go(func() {
			for range each {
				parts[i] = append(parts[i], shared.Uint64())
			}
		})
	}
	all.Wait()
	got := slices.Sorted(slices.Values(slices.Concat(parts[:]...)))
	var want []uint64
	for r := Rand(t); len(want) < goroutines*each; {
		want = append(want, r.Uint64())
	}
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Error("other numbers than a generator of one goroutine gives")
	}
}
