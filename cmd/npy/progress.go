package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

const (
	progressAfter = 500 * time.Millisecond // nothing is shown of what is done before
	progressEvery = 100 * time.Millisecond
)

// A progress shows on a terminal how far something has come, if it takes long.
type progress struct {
	w              io.Writer // nil if nobody is looking
	name           string
	started, shown time.Time
}

func (a *app) progress(name string) *progress {
	p := &progress{name: printable(name), started: time.Now()}
	if isTerminal(a.err) {
		p.w = a.err
	}
	return p
}

// set says how many bytes of all have been done.
func (p *progress) set(done, total int64) {
	now := time.Now()
	if p.w == nil || now.Sub(p.started) < progressAfter || now.Sub(p.shown) < progressEvery {
		return
	}
	p.shown = now
	fmt.Fprintf(p.w, "\r\x1b[K%s", progressLine(p.name, done, total, now.Sub(p.started)))
}

// progressLine is the line that is shown: how much, how fast, and how long it will take.
func progressLine(name string, done, total int64, took time.Duration) string {
	rate := float64(done) / took.Seconds()
	line := fmt.Sprintf("%s %3d%%  %.0f MB/s", name, 100*done/max(total, 1), rate/1e6)
	if done > 0 {
		left := time.Duration(float64(total-done) / rate * float64(time.Second))
		line += fmt.Sprintf("  %s left", left.Round(time.Second))
	}
	return line
}

// clear removes the line.
func (p *progress) clear() {
	if p.w != nil && !p.shown.IsZero() {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// watch returns f, of which a terminal shows how far it has been read. Of what has no size, such as a pipe, nothing is shown.
func (a *app) watch(f io.ReadCloser, name string, size int64) io.ReadCloser {
	p := a.progress(fileName(name))
	if p.w == nil || size <= 0 {
		return f
	}
	return &watched{f, p, 0, size}
}

type watched struct {
	io.ReadCloser
	progress    *progress
	done, total int64
}

// Read implements io.Reader.
func (w *watched) Read(b []byte) (int, error) {
	n, err := w.ReadCloser.Read(b)
	w.done += int64(n)
	w.progress.set(w.done, w.total)
	return n, err
}

// Close implements io.Closer.
func (w *watched) Close() error {
	w.progress.clear()
	return w.ReadCloser.Close()
}

// watchedAt is a file that is read anywhere, by several goroutines, and more than once from end to end.
type watchedAt struct {
	io.ReaderAt
	progress *progress
	total    int64

	mu   sync.Mutex
	done int64
}

// ReadAt implements io.ReaderAt.
func (w *watchedAt) ReadAt(b []byte, offset int64) (int, error) {
	n, err := w.ReaderAt.ReadAt(b, offset)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done += int64(n)
	w.progress.set(w.done%(w.total+1), w.total)
	return n, err
}

// sizeOf returns the size of a regular file, and 0 of everything else.
func sizeOf(f any) int64 {
	file, ok := f.(*os.File)
	if !ok {
		return 0
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}
