package terminal

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestProgressLine(t *testing.T) {
	for _, c := range []struct {
		done, total int64
		took        time.Duration
		want        string
	}{
		{50e6, 200e6, 2 * time.Second, "a.npy  25%  25 MB/s  6s left"},
		{200e6, 200e6, 4 * time.Second, "a.npy 100%  50 MB/s  0s left"},
		{1e9, 100e9, time.Second, "a.npy   1%  1000 MB/s  1m39s left"},
		{0, 200e6, 3 * time.Second, "a.npy   0%  0 MB/s"},
		{0, 0, time.Second, "a.npy   0%  0 MB/s"},
	} {
		if got := progressLine("a.npy", c.done, c.total, c.took); got != c.want {
			t.Errorf("%d of %d in %v: %q, want %q", c.done, c.total, c.took, got, c.want)
		}
	}
}

// Short work shows nothing, the line is updated once in a while, and it is cleared at the end.
func TestProgressShows(t *testing.T) {
	var out bytes.Buffer
	p := &Progress{w: &out, name: "a.npy", started: time.Now()}
	p.Set(1, 2)
	p.Clear()
	if out.Len() != 0 {
		t.Errorf("at once: %q", &out)
	}
	p.started = time.Now().Add(-10 * time.Second)
	p.Set(50e6, 100e6)
	p.Set(60e6, 100e6)
	p.Clear()
	if want := "\r\x1b[Ka.npy  50%  5 MB/s  10s left\r\x1b[K"; out.String() != want {
		t.Errorf("%q, want %q", &out, want)
	}
}

func TestProgressIsForTerminals(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&out, "a.npy", nil)
	p.started = p.started.Add(-10 * time.Second)
	p.Set(1, 2)
	p.Clear()
	if out.Len() != 0 {
		t.Errorf("not on a terminal: %q", &out)
	}
}

// Several goroutines read a file, and from end to end more than once.
func TestWatchedAt(t *testing.T) {
	var out bytes.Buffer
	w := &watchedAt{ReaderAt: strings.NewReader("0123456789"), progress: &Progress{w: &out, name: "a.npy", started: time.Now().Add(-time.Minute)}, total: 10}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for at := range int64(10) {
				if n, err := w.ReadAt(make([]byte, 1), at); n != 1 || err != nil {
					t.Errorf("at %d: %d, %v", at, n, err)
				}
			}
		})
	}
	wg.Wait()
	if w.done != 20 || !strings.Contains(out.String(), "a.npy ") {
		t.Errorf("%d bytes, %q", w.done, &out)
	}
}
