package atomicfile

import (
	"fmt"

	"github.com/npygo/npy/internal/closable"
)

// An Owned is the end of a Writer: of its file, if it was made for a path, and of its calls. It is for one goroutine at a time.
type Owned struct {
	File *File  // nil for a Writer into a file of its caller
	Sync bool   // Close returns when the data is on disk
	Of   string // begins the errors after the end: "npz: archive"
	end  error  // of every call after Close or Abort
}

// Ended returns nil, or the error of every call after Close or Abort.
func (o *Owned) Ended() error { return o.end }

// Close ends the Writer. If complete returns no error, the file takes its place; otherwise there is no new file.
func (o *Owned) Close(complete func() error) error {
	if o.end != nil {
		return o.end
	}
	o.end = fmt.Errorf("%s %w", o.Of, closable.ErrClosed)
	err := complete()
	if o.File == nil {
		return err
	}
	defer o.File.Abort() // after Commit it does nothing
	if err != nil {
		return err
	}
	return o.File.Commit(o.Sync)
}

// Abort ends the Writer, and there is no new file. It calls drop first, which frees what the Writer holds. After Close or Abort it
// does nothing.
func (o *Owned) Abort(drop func()) {
	if o.end != nil {
		return
	}
	o.end = fmt.Errorf("%s %w", o.Of, closable.ErrAborted)
	drop()
	if o.File != nil {
		o.File.Abort()
	}
}
