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

// Temporaries are the files to remove if the command is interrupted. The library removes its own.
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

// endAtSignal removes half-written files when Ctrl-C or another signal asks the program to end. The exit code is the
// one that a shell gives a program ended by a signal. Ignored signals, as under nohup, stay ignored.
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
		a.temporaries.Lock() // no goroutine adds a file, complains about closed files or exits first
		npy.AbortWrites()
		for _, remove := range a.temporaries.remove {
			remove()
		}
		if terminal.Is(a.err) {
			fmt.Fprintln(a.err) // keep the line of progress
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
