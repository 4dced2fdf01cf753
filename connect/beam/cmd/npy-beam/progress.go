package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	npyio "github.com/npygo/npy/connect/beam"
	"github.com/npygo/npy/internal/par"
	"golang.org/x/term"
)

const (
	progressAfter = 500 * time.Millisecond // work that ends earlier shows nothing
	progressEvery = 250 * time.Millisecond
)

// A progress shows on a terminal how much of a job is done, on one line.
type progress struct {
	w       io.Writer // nil if it is not a terminal
	name    string
	total   int64 // bytes; 0 if it is not known
	started time.Time
	stop    context.CancelFunc
	task    *par.Task // that shows it, or nil
	shown   bool
	ending  sync.Once
}

// line is the progress of this process's job, or nil in the process of a worker.
var line *progress

// newProgress returns the progress of a command that deals with total bytes.
func newProgress(w io.Writer, name string, total int64) *progress {
	p := &progress{name: name, total: total, started: time.Now(), stop: func() {}}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" {
		p.w = w
	}
	return p
}

// watch shows the progress of the job that this process is about to run, until end is called. A runner without a job server at
// an endpoint has progress of its own.
func (p *progress) watch(ctx context.Context, endpoint string) {
	if p.w == nil || endpoint == "" {
		return
	}
	setDefault(jobopts.JobName, fmt.Sprintf("npy-beam-%s-%d-%d", p.name, os.Getpid(), p.started.UnixNano()))
	name := *jobopts.JobName
	ctx, p.stop = context.WithCancel(ctx)
	p.task = par.Go(func() error {
		return npyio.Watch(ctx, endpoint, name, progressEvery, func(n int64) { p.set(n, time.Since(p.started)) })
	})
}

// set updates the line.
func (p *progress) set(done int64, took time.Duration) {
	if took < progressAfter {
		return
	}
	p.shown = true
	fmt.Fprint(p.w, "\r\x1b[K", p.line(done, took))
}

// line tells the amount done, the speed and the time left, in the words of npy.
func (p *progress) line(done int64, took time.Duration) string {
	rate := float64(done) / took.Seconds()
	speed := fmt.Sprintf("%.0f MB/s", rate/1e6)
	if done <= 0 || done > p.total { // more than one pass
		return fmt.Sprintf("%s %.0f MB  %s", p.name, float64(done)/1e6, speed)
	}
	left := time.Duration(float64(p.total-done) / rate * float64(time.Second))
	return fmt.Sprintf("%s %3.0f%%  %s  %s left", p.name, 100*float64(done)/float64(p.total), speed, left.Round(time.Second))
}

// end removes the line. It must be called before anything else is printed.
func (p *progress) end() {
	if p == nil {
		return
	}
	p.ending.Do(func() {
		p.stop()
		if p.task != nil {
			_ = p.task.Wait() // the job has errors of its own
		}
		if p.shown {
			fmt.Fprint(p.w, "\r\x1b[K")
		}
	})
}
