package atomicfile

import "github.com/npygo/npy/internal/closable"

// An Owned is the file of a Writer that was made for a path. Without a file it belongs to a Writer into a file of its caller, and
// only remembers that the Writer has ended. It is for one goroutine at a time.
type Owned struct {
	File *File // nil for a Writer that does not own its file
	Sync bool
	end  error // of every call after Close or Abort
}

// Own creates the file of a Writer at path. Close returns when the data is on disk if sync is set.
func Own(path string, sync bool) (*Owned, error) {
	f, err := Create(path)
	if err != nil {
		return nil, err
	}
	return &Owned{File: f, Sync: sync}, nil
}

// Ended returns nil, or the error of every call after Close or Abort.
func (o *Owned) Ended() error { return o.end }

// Close ends the Writer. If complete returns no error, the file takes its place; otherwise there is no new file.
func (o *Owned) Close(complete func() error) error {
	if o.end != nil {
		return o.end
	}
	o.end = closable.ErrClosed
	err := complete()
	if o.File == nil {
		return err
	}
	defer o.File.Abort()
	if err != nil {
		return err
	}
	return o.File.Commit(o.Sync)
}

// Abort ends the Writer, and there is no new file. After Close or Abort it does nothing.
func (o *Owned) Abort() {
	if o.end != nil {
		return
	}
	o.end = closable.ErrAborted
	if o.File != nil {
		o.File.Abort()
	}
}
