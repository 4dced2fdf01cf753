package par

import (
	"errors"
	"io"
	"runtime/debug"
)

// A Relay is a writer for code that writes on goroutines of its own. If writing panics, the code gets an error, and
// [Relay.Check] repeats the panic on the caller's goroutine.
type Relay struct {
	w        io.Writer
	panicked any
}

// NewRelay returns a Relay to w. It is for one goroutine at a time.
func NewRelay(w io.Writer) *Relay { return &Relay{w: w} }

var errPanicked = errors.New("writing has panicked")

// Write writes to w.
func (r *Relay) Write(b []byte) (n int, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			r.panicked, err = p, errPanicked
		}
	}()
	return r.w.Write(b)
}

// Check repeats the panic of Write, if there was one, with the same value. It must be called after the last Write.
func (r *Relay) Check() {
	if r.panicked != nil {
		panic(r.panicked)
	}
}
