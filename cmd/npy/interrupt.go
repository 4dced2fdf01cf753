package main

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
)

// Temporaries are files that are to go if the command is interrupted. The library knows those of its own.
type temporaries struct {
	sync.Mutex
	last   int
	remove map[int]func()
}

// add has a file removed if the command is interrupted before done is called.
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

// endAtSignal makes Ctrl-C, and what else asks a program to end, leave nothing half-written. The exit code is that of a
// shell for a program that a signal has ended. Signals that are ignored, as of nohup, stay so.
func (a *app) endAtSignal() (stop func()) {
	signals := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	go func() {
		s, ok := (<-signals).(syscall.Signal)
		if !ok { // stopped
			return
		}
		a.temporaries.Lock() // and nobody adds one any more, complains of files that are closed, or ends first
		npy.AbortWrites()
		for _, remove := range a.temporaries.remove {
			remove()
		}
		if terminal.Is(a.err) {
			fmt.Fprintln(a.err) // leave the line of progress
		}
		os.Exit(128 + int(s))
	}()
	return func() {
		a.temporaries.Lock()
		defer a.temporaries.Unlock()
		signal.Stop(signals)
		close(signals)
	}
}
