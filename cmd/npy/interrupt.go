package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
)

// Temporaries are the files to remove if an interrupted run does not end by itself. The library removes its own.
type temporaries struct {
	sync.Mutex
	last   int
	remove map[int]func()
}

// add registers remove, to be called if the command is interrupted before done is called.
func (t *temporaries) add(remove func()) (done func()) {
	t.Lock()
	defer t.Unlock()
	if t.remove == nil {
		t.remove = map[int]func(){}
	}
	t.last++
	id := t.last
	t.remove[id] = remove
	return func() {
		t.Lock()
		defer t.Unlock()
		delete(t.remove, id)
	}
}

// An interruption is the cause of a.ctx when a signal asked the command to end.
type interruption struct{ signal syscall.Signal }

// Error implements error.
func (i interruption) Error() string { return "interrupted: " + i.signal.String() }

// exitCode returns the code that a shell gives a program that a signal ended.
func (i interruption) exitCode() int { return 128 + int(i.signal) }

// grace is how long a run may take to end by itself after a signal. A read from a pipe where nothing arrives does not
// notice that its context is done.
const grace = 300 * time.Millisecond

// endAtSignal cancels a.ctx when Ctrl-C or another signal asks the command to end. A run that has not ended after some
// time is ended, and half-written files are removed. Ignored signals, as under nohup, stay ignored.
func (a *app) endAtSignal() (stop func()) {
	signals := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	ctx, cancel := context.WithCancelCause(a.ctx)
	a.ctx = ctx
	stopped := make(chan struct{})
	go func() {
		select {
		case s := <-signals:
			i := interruption{s.(syscall.Signal)}
			cancel(i)
			select {
			case <-stopped:
			case <-time.After(grace):
				a.endNow(i)
			}
		case <-stopped:
		}
	}()
	return func() {
		a.temporaries.Lock()
		defer a.temporaries.Unlock()
		signal.Stop(signals)
		close(stopped)
	}
}

// endNow removes half-written files and exits.
func (a *app) endNow(i interruption) {
	a.temporaries.Lock() // no goroutine adds a file, complains about closed files or exits first
	npy.AbortWrites()
	for _, remove := range a.temporaries.remove {
		remove()
	}
	a.keepProgress()
	os.Exit(i.exitCode())
}

// keepProgress ends the line of progress on a terminal.
func (a *app) keepProgress() {
	if terminal.Is(a.err) {
		fmt.Fprintln(a.err)
	}
}
