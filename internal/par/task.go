package par

import (
	"runtime"
	"runtime/debug"
)

// A Task is a function on a goroutine of its own.
type Task struct {
	done     chan struct{}
	err      error
	panicked any
	exited   bool // by runtime.Goexit
}

// Go starts work on a new goroutine.
func Go(work func() error) *Task {
	t := &Task{done: make(chan struct{}), exited: true}
	go t.run(work)
	return t
}

func (t *Task) run(work func() error) {
	defer close(t.done)
	defer func() {
		if t.panicked = recover(); t.panicked != nil {
			t.exited = false
		}
	}()
	debug.SetPanicOnFault(true)
	t.err = work()
	t.exited = false
}

// Ended reports whether the function has ended.
func (t *Task) Ended() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

// Wait waits for the end of the function and returns its error. If the function panicked, Wait panics with the same
// value. If it called runtime.Goexit, as a failing test does, Wait calls it too.
func (t *Task) Wait() error {
	<-t.done
	if t.panicked != nil {
		panic(t.panicked)
	}
	if t.exited {
		runtime.Goexit()
	}
	return t.err
}
