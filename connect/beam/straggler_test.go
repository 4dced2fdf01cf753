package npyio

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
)

// An actor does work that a runner gave to a worker. It goes on from one point to the next when the test lets it.
type actor struct {
	name  string
	next  chan struct{}
	at    chan string // the points; closed at the end
	point string      // "" before the first, and "ended"
	err   error
}

// actors run one at a time.
type actors struct {
	all     []*actor
	running *actor
}

// add adds an attempt, which has not begun.
func (as *actors) add(name string, do func() error) *actor {
	a := &actor{name: name, next: make(chan struct{}), at: make(chan string)}
	as.all = append(as.all, a)
	go func() {
		<-a.next
		a.err = do()
		close(a.at)
	}()
	return a
}

// hold holds the attempt that is running.
func (as *actors) hold(point string) {
	a := as.running
	a.at <- point
	<-a.next
}

// step lets an attempt go on to its next point, and reports whether there is one.
func (as *actors) step(a *actor) bool {
	if a.point == "ended" {
		return false
	}
	as.running = a
	a.next <- struct{}{}
	point, more := <-a.at
	if a.point = point; !more {
		a.point = "ended"
	}
	return more
}

// whole does all work of a job in order, and returns what the last DoFn gets.
func whole(t *testing.T, j job) (all []written) {
	t.Helper()
	for i := range j.Middle.blocks() {
		fn := &splitFn{job: j}
		if err := inOrder(fn.Setup, func() error { return fn.ProcessElement(t.Context(), middle{int(i)}, func(middle) {}) }, fn.Teardown); err != nil {
			t.Fatal(err)
		}
	}
	for i := range j.Options.Shards {
		w, err := j.writeOne(t.Context(), i)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, w)
	}
	return all
}

func inOrder(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// writeOne writes a shard as a worker does.
func (j *job) writeOne(ctx context.Context, number int) (w written, err error) {
	fn := &writeFn{job: *j}
	err = inOrder(fn.Setup, func() error { return fn.ProcessElement(ctx, shard{number}, func(x written) { w = x }) }, fn.Teardown)
	return w, err
}

// finish ends a job as a worker does.
func (j *job) finish(ctx context.Context, all []written) error {
	fn, i := &finishFn{*j}, 0
	_, err := fn.ProcessElement(ctx, 0, func(w *written) bool {
		if i == len(all) {
			return false
		}
		*w, i = all[i], i+1
		return true
	})
	return err
}

// addStragglers adds attempts of all kinds, which may be late.
func (as *actors) addStragglers(ctx context.Context, j job, all []written, random *rand.Rand) {
	for range 4 {
		number := random.IntN(j.Options.Shards)
		switch random.IntN(4) {
		case 0: // whose length must be right also in the complete folder
			as.add("write", func() error {
				w, err := j.writeOne(ctx, number)
				if err == nil && w != all[number] {
					err = fmt.Errorf("shard %v, want %v", w, all[number])
				}
				return err
			})
		case 1, 2: // with a temporary file, of a shard or of a middle file
			name := []string{shard{number}.name(), middle{number}.name()}[random.IntN(2)]
			as.add("temporary "+name, func() error {
				data, _ := os.ReadFile(filepath.Join(j.Stage, name))
				_, err := j.inStage(func() error {
					return npy.ReplaceFile(j.path(name), func(w io.Writer) error {
						at("writing")
						_, err := w.Write(data)
						at("written")
						return err
					})
				})
				return err
			})
		case 3:
			if n := int(j.Middle.blocks()); n > 0 {
				as.add("middle", func() error {
					fn := &splitFn{job: j}
					return inOrder(fn.Setup, func() error {
						return fn.ProcessElement(ctx, middle{random.IntN(n)}, func(middle) {})
					}, fn.Teardown)
				})
			}
		}
	}
}

// However late attempts are that a runner repeats or has given up, and wherever they stop while the folder gets its name, they leave
// nothing beside the folder or in it, and its bytes are right.
func TestStragglers(t *testing.T) {
	defer func(few, size int) { fewFromDisk, middleBytes = few, size }(fewFromDisk, middleBytes)
	defer func(old func(string)) { at = old }(at)
	fewFromDisk, middleBytes = 2, 8<<10
	pattern, _ := saveSkewed(t, 700, 3, 200)
	d, err := Open(t.Context(), pattern)
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]Options{"rows": {Shards: 3}, "shuffle": {Shards: 2, Shuffle: true}, "columns": {Shards: 3, Axis: 1}} {
		t.Run(name, func(t *testing.T) {
			at = func(string) {}
			want := filepath.Join(t.TempDir(), "want")
			wanted := done(newJob(d, want, o))
			if err := wanted.finish(t.Context(), whole(t, wanted)); err != nil {
				t.Fatal(err)
			}
			late, runs := map[string]int{}, oracle.Cases(t, 100)
			for seed := range runs {
				stragglers(t, d, o, want, uint64(seed), late)
			}
			t.Logf("%d jobs; where stragglers were when the folder got its name: %v", runs, late)
		})
	}
}

// stragglers runs a job whose last DoFn is two attempts among stragglers, in an order that the seed chooses.
func stragglers(t *testing.T, d Dataset, o Options, want string, seed uint64, late map[string]int) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 25))
	parent := t.TempDir()
	j := done(newJob(d, filepath.Join(parent, "out"), o))
	at = func(string) {}
	all := whole(t, j)
	as := &actors{}
	at = as.hold
	ends := []*actor{as.add("finish", func() error { return j.finish(t.Context(), all) }), as.add("finish again", func() error { return j.finish(t.Context(), all) })}
	as.addStragglers(t.Context(), j, all, random)
	var order []string
	moved := false
	for live := slices.Clone(as.all); len(live) > 0; {
		i := random.IntN(len(live))
		more := as.step(live[i])
		order = append(order, live[i].name+" "+live[i].point)
		if !more {
			live = slices.Delete(live, i, i+1)
		}
		if !moved && j.complete() {
			moved = true
			for _, a := range as.all[2:] {
				late[a.point]++
			}
		}
	}
	if ends[0].err != nil && ends[1].err != nil {
		t.Fatalf("seed %d: %v, %v; %q", seed, ends[0].err, ends[1].err, order)
	}
	for _, a := range as.all[2:] {
		if a.err != nil && a.name == "write" && moved {
			t.Logf("seed %d: %s: %v", seed, a.name, a.err)
		}
	}
	if got := listing(t, parent); !slices.Equal(got, []string{"out"}) {
		t.Fatalf("seed %d: left are %q; %q", seed, got, order)
	}
	names := listing(t, j.Dir)
	if !slices.Equal(names, listing(t, want)) {
		t.Fatalf("seed %d: the folder has %q; %q", seed, names, order)
	}
	for _, name := range names {
		a, b := done(os.ReadFile(filepath.Join(j.Dir, name))), done(os.ReadFile(filepath.Join(want, name)))
		if !bytes.Equal(a, b) {
			t.Fatalf("seed %d: %s differs; %q", seed, name, order)
		}
	}
}
