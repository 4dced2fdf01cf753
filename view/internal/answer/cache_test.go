package answer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/internal/raster"
)

func noHold() func() { return func() {} }

// All who want a value wait for one computation, and keep its value.
func TestCacheShares(t *testing.T) {
	c := newCache(1 << 20)
	defer c.close()
	var computed atomic.Int64
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			v, err := c.get(t.Context(), fmt.Sprint(i%4), noHold, func(context.Context) (any, int64, error) {
				computed.Add(1)
				time.Sleep(5 * time.Millisecond) // in which others ask for the same
				return i % 4, 100, nil
			})
			if err != nil || v != i%4 {
				t.Errorf("%v, %v, want %d", v, err, i%4)
			}
		})
	}
	all.Wait()
	if n := computed.Load(); n != 4 || c.used != 400 {
		t.Errorf("%d computations, %d bytes; want 4 and 400", n, c.used)
	}
}

// A question that is dropped and asked again goes on with the computation; after a while without any it ends, and its hold too.
func TestCacheLeft(t *testing.T) {
	c := newCache(1 << 20)
	c.grace = 50 * time.Millisecond
	defer c.close()
	var started, held atomic.Int64
	hold := func() func() {
		held.Add(1)
		return func() { held.Add(-1) }
	}
	finish := make(chan struct{})
	ended := make(chan error, 10)
	compute := func(ctx context.Context) (any, int64, error) {
		started.Add(1)
		select {
		case <-finish:
			return 7, 1, nil
		case <-ctx.Done():
			ended <- context.Cause(ctx)
			return nil, 0, context.Cause(ctx)
		}
	}
	ask := func() error {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		_, err := c.get(ctx, "a", hold, compute)
		return err
	}
	for range 8 { // each comes before the grace period of the last has passed
		if err := ask(); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
	}
	if n := started.Load(); n != 1 {
		t.Errorf("%d computations, want 1", n)
	}
	if err := <-ended; err != errLeft {
		t.Errorf("it ended with %v", err)
	}
	for range 100 {
		if held.Load() == 0 {
			break
		}
		time.Sleep(time.Millisecond) // the end of a hold tells nobody
	}
	if held.Load() != 0 {
		t.Error("the hold has not ended")
	}
	close(finish)
	if v, err := c.get(t.Context(), "a", hold, compute); err != nil || v != 7 || started.Load() != 2 {
		t.Errorf("%v, %v after %d computations", v, err, started.Load())
	}
}

// A computation that fails or panics tells all who wait, and the next one tries again.
func TestCacheFails(t *testing.T) {
	c := newCache(1 << 20)
	defer c.close()
	bad := errors.New("bad")
	for range 3 {
		if _, err := c.get(t.Context(), "a", noHold, func(context.Context) (any, int64, error) { return nil, 0, bad }); err != bad {
			t.Errorf("error %v", err)
		}
		func() {
			defer func() {
				if r := recover(); r != "fault" {
					t.Errorf("panic %v", r)
				}
			}()
			c.get(t.Context(), "a", noHold, func(context.Context) (any, int64, error) { panic("fault") })
		}()
	}
	if v, err := c.get(t.Context(), "a", noHold, func(context.Context) (any, int64, error) { return 1, 2 << 20, nil }); v != 1 || err != nil || len(c.items) != 0 {
		t.Errorf("%v, %v, %d items: a value over the budget is not kept", v, err, len(c.items))
	}
}

// A question that ends does not close the file under a computation that goes on.
func TestCacheHoldsFile(t *testing.T) {
	closed := make(chan struct{})
	var source *slow
	in := Input{Name: "a", Open: func(context.Context) (*File, error) {
		return &File{Entries: []container.Entry{{}}, Source: func(int) (npy.Source, error) { return source, nil }, Close: func() { close(closed) }}, nil
	}}
	array, err := npy.FromSlice(make([]float32, 10_000_000), 2500, 4000)
	if err != nil {
		t.Fatal(err)
	}
	source = &slow{Array: array, begun: make(chan struct{}), free: make(chan struct{})}
	a := New([]Input{in})
	ctx, cancel := context.WithCancel(t.Context())
	answered := make(chan error)
	q := url.Values{"at": {"mean,x"}}
	var all sync.WaitGroup
	all.Go(func() { answered <- a.Answer(ctx, "line", q, &sunk{}) })
	<-source.begun
	cancel()
	if err := <-answered; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	a.files[0].mu.Lock()
	a.files[0].forget()
	a.files[0].mu.Unlock()
	select {
	case <-closed:
		t.Error("the file was closed while it was read")
	case <-time.After(20 * time.Millisecond):
	}
	close(source.free)
	<-closed
	a.Close()
	all.Wait()
}

// slow is an array that is read when it is free.
type slow struct {
	*npy.Array
	once        sync.Once
	begun, free chan struct{}
}

func (s *slow) Select(...npy.Index) (npy.Source, error) { return s, nil }

func (s *slow) StoredOrder() (npy.Source, bool) { return s, false }

func (s *slow) ReadAll(ctx context.Context) (*npy.Array, error) {
	s.once.Do(func() { close(s.begun) })
	<-s.free
	return s.Array.ReadAll(ctx)
}

func (s *slow) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	s.once.Do(func() { close(s.begun) })
	<-s.free
	return s.Array.Blocks(ctx, memory)
}

type sunk struct{ n int }

func (s *sunk) Write(b []byte) (int, error) { s.n += len(b); return len(b), nil }
func (s *sunk) Head(Head)                   {}
func (s *sunk) Flush()                      {}

// Concurrent questions, some of them dropped, get the same pictures as one alone.
func TestConcurrentPictures(t *testing.T) {
	const n = 3000
	values := make([]float32, n*n)
	for i := range values {
		values[i] = float32(i % n)
	}
	array, err := npy.FromSlice(values, n, n)
	if err != nil {
		t.Fatal(err)
	}
	a := New([]Input{{Name: "a", Open: func(context.Context) (*File, error) {
		return &File{Entries: []container.Entry{{}}, Source: func(int) (npy.Source, error) { return array, nil }, Close: func() {}}, nil
	}}})
	defer a.Close()
	var all sync.WaitGroup
	for i := range 24 {
		all.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if i%3 == 0 {
				time.AfterFunc(time.Duration(i)*time.Millisecond, cancel)
			}
			s, err := a.selection(ctx, url.Values{"at": {"y,x"}}, "yx", "")
			if err != nil {
				t.Error(err)
				return
			}
			defer s.done()
			src, _ := drawn(s.src)
			p, err := a.draw(ctx, s, src, s.key, raster.Window{Y1: n, X1: n}, 30, 30, "mean", false)
			if err != nil {
				if i%3 != 0 || !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
				return
			}
			side := (p.X1 - p.X0) / p.W
			for j := range p.W {
				low, high := j*side, min((j+1)*side, n)
				if want := float64(low+high-1) / 2; math.Abs(float64(p.Values[j])-want) > 1e-3 {
					t.Errorf("pixel %d is %v, want %v", j, p.Values[j], want)
					return
				}
			}
		})
	}
	all.Wait()
	if len(a.kept.items) != 1 || a.kept.used != a.kept.order.Front().Value.(*item).size {
		t.Errorf("%d items of %d bytes are kept", len(a.kept.items), a.kept.used)
	}
}

// A quick answer is exact where its data is in memory.
func TestQuickFromMemory(t *testing.T) {
	const n = 2500
	array, err := npy.FromSlice(make([]float32, n*n), n, n)
	if err != nil {
		t.Fatal(err)
	}
	line, err := array.Reshape(n * n)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, at string
		src      npy.Source
	}{{"picture", "y,x", array}, {"line", "x", line}} {
		a := New([]Input{{Name: "a", Open: func(context.Context) (*File, error) {
			return &File{Entries: []container.Entry{{}}, Source: func(int) (npy.Source, error) { return c.src, nil }, Close: func() {}}, nil
		}}})
		defer a.Close()
		exact := func(quick string) bool {
			w := &framed{}
			if err := a.Answer(t.Context(), c.name, url.Values{"at": {c.at}, "h": {"50"}, "w": {"60"}, "quick": {quick}}, w); err != nil {
				t.Fatal(err)
			}
			return bytes.Contains(w.Bytes(), []byte(`"exact":true`))
		}
		if before, whole, after := exact("1"), exact("0"), exact("1"); before || !whole || !after {
			t.Errorf("%s: quick, whole and quick again are exact: %v, %v, %v; want false, true, true", c.name, before, whole, after)
		}
	}
}

type framed struct{ bytes.Buffer }

func (*framed) Head(Head) {}
func (*framed) Flush()    {}
