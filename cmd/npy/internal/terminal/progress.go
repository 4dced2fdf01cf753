package terminal

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

const (
	progressAfter = 500 * time.Millisecond // work that ends earlier shows nothing
	progressEvery = 100 * time.Millisecond
)

// A Progress shows on a terminal how much of a long task is done.
type Progress struct {
	w              io.Writer // nil if it is not a terminal
	name           string
	note           func() string
	started, shown time.Time
}

// NewProgress returns the progress of a task called name. It writes to w if w is a terminal
// that obeys codes. The text of note ends the line; note may be nil.
func NewProgress(w io.Writer, name string, note func() string) *Progress {
	p := &Progress{name: Printable(name), note: note, started: time.Now()}
	if Is(w) && os.Getenv("TERM") != "dumb" {
		p.w = w
	}
	return p
}

// Shows reports whether p writes to a terminal.
func (p *Progress) Shows() bool { return p.w != nil }

// Set updates the line: done of total bytes have been processed. Updates in quick succession are dropped.
func (p *Progress) Set(done, total int64) {
	now := time.Now()
	if p.w == nil || now.Sub(p.started) < progressAfter || now.Sub(p.shown) < progressEvery {
		return
	}
	p.shown = now
	line := progressLine(p.name, done, total, now.Sub(p.started))
	if p.note != nil {
		if note := p.note(); note != "" {
			line += "  " + note
		}
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s", line)
}

// progressLine formats the amount done, the speed and the time left.
func progressLine(name string, done, total int64, took time.Duration) string {
	rate := float64(done) / took.Seconds()
	line := fmt.Sprintf("%s %3d%%  %.0f MB/s", name, 100*done/max(total, 1), rate/1e6)
	if done > 0 {
		left := time.Duration(float64(total-done) / rate * float64(time.Second))
		line += fmt.Sprintf("  %s left", left.Round(time.Second))
	}
	return line
}

// Clear removes the line.
func (p *Progress) Clear() {
	if p.w != nil && !p.shown.IsZero() {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// Watch returns f and shows on p how much has been read. It shows nothing for a source without a size, such as a
// pipe.
func Watch(p *Progress, f io.ReadCloser, size int64) io.ReadCloser {
	if p.w == nil || size <= 0 {
		return f
	}
	return &watched{f, p, 0, size}
}

type watched struct {
	io.ReadCloser
	progress    *Progress
	done, total int64
}

// Read implements io.Reader.
func (w *watched) Read(b []byte) (int, error) {
	n, err := w.ReadCloser.Read(b)
	w.done += int64(n)
	w.progress.Set(w.done, w.total)
	return n, err
}

// Close implements io.Closer.
func (w *watched) Close() error {
	w.progress.Clear()
	return w.ReadCloser.Close()
}

// WatchAt returns r, which has total bytes, and shows on p how much has been read. Several goroutines may read it,
// and it may be read more than once from end to end.
func WatchAt(r io.ReaderAt, p *Progress, total int64) io.ReaderAt {
	return &watchedAt{ReaderAt: r, progress: p, total: total}
}

type watchedAt struct {
	io.ReaderAt
	progress *Progress
	total    int64

	mu   sync.Mutex
	done int64
}

// Below returns the watched reader.
func (w *watchedAt) Below() io.ReaderAt { return w.ReaderAt }

// ReadAt implements io.ReaderAt.
func (w *watchedAt) ReadAt(b []byte, offset int64) (int, error) {
	n, err := w.ReaderAt.ReadAt(b, offset)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done += int64(n)
	w.progress.Set(w.done%(w.total+1), w.total)
	return n, err
}
