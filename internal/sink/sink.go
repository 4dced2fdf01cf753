// Package sink writes the header and the elements of an array whose rows come one after another: with their number
// promised, or counted and put into the header at the end.
package sink

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"

	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/atomicfile"
	"github.com/npygo/npy/internal/closable"
)

// Unknown is the number of rows that nobody knows yet.
const Unknown = -1

// Rows writes the rows of one array. After an error there is no more to write.
type Rows struct {
	w      io.Writer
	header format.Header
	start  int64 // where the header is in w, if it has to be written again
	bytes  int   // of a row
	want   int   // rows, or Unknown
	have   int
	begun  bool // rows of which Done has not told
	err    error
	file   *atomicfile.File // nil if w is the caller's
	path   string           // of the file
}

// New writes the header of h, whose first axis becomes rows. If that is Unknown, w must be an io.WriteSeeker.
func New(w io.Writer, h format.Header, rows int) (*Rows, error) {
	r := &Rows{w: w, header: h, want: rows}
	r.header.Shape = append([]int{max(rows, 0)}, h.Shape...)
	if rows < Unknown {
		return nil, fmt.Errorf("npy: %d rows are promised, want 0 or more, or -1 if nobody knows", rows)
	}
	head, err := r.header.Append(nil)
	if err != nil {
		return nil, err
	}
	row := format.Header{DType: h.DType, Shape: h.Shape}
	if err := row.Validate(); err != nil { // no rows of any size are valid
		return nil, err
	}
	r.bytes = int(row.NBytes())
	if row.Size() == 0 {
		r.have = r.header.Shape[0] // nothing of them is ever written
	}
	if rows == Unknown {
		if r.start, err = position(w); err != nil {
			return nil, err
		}
	}
	if _, err := w.Write(head); err != nil {
		return nil, err
	}
	return r, nil
}

// position returns where w stands, if something can be written there later.
func position(w io.Writer) (int64, error) {
	s, ok := w.(io.WriteSeeker)
	err := error(errors.ErrUnsupported)
	if ok {
		var at int64
		if at, err = s.Seek(0, io.SeekCurrent); err == nil {
			err = notAppending(w)
		}
		if err == nil {
			return at, nil
		}
	}
	return 0, fmt.Errorf("npy: the number of rows goes into the header at the end, where this writer cannot go back (%w); promise a number of rows, or write to a file", err)
}

// notAppending makes sure of files that what is written goes where it should.
func notAppending(w io.Writer) error {
	if f, ok := w.(*os.File); ok {
		_, err := f.WriteAt(nil, 0) // an error if the system puts everything to the end
		return err
	}
	return nil
}

// Create starts a file that will be at path when it is closed, with rows of which nobody knows the number.
func Create(path string, h format.Header) (*Rows, error) {
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	r, err := New(f.File, h, Unknown)
	if err != nil {
		f.Abort()
		return nil, &fs.PathError{Op: "create", Path: path, Err: err}
	}
	r.file, r.path = f, path
	return r, nil
}

// Begin makes sure that n more rows can be written. Done, Fail or an error of Write follows: where none of them does,
// because the rows were given up by a panic, the file is not completed.
func (r *Rows) Begin(n int) error {
	switch {
	case r.err != nil:
		return r.err
	case r.begun:
		return errBegun
	case r.want != Unknown && n > r.want-r.have:
		return fmt.Errorf("npy: %d rows are more than the %d promised: %d have been written", n, r.want, r.have)
	case n > math.MaxInt-r.have || r.bytes > 0 && n > math.MaxInt/r.bytes-r.have:
		return fmt.Errorf("npy: %d rows behind %d are more than a file can hold", n, r.have)
	}
	r.begun = true
	return nil
}

// Write writes elements. All errors but those of Begin are final.
func (r *Rows) Write(data []byte) error {
	if r.err == nil && len(data) > 0 {
		_, r.err = r.w.Write(data)
	}
	return r.err
}

// Fail makes err the error of everything that follows: a row has been written in part.
func (r *Rows) Fail(err error) error {
	if r.err == nil {
		r.err = err
	}
	return err
}

// Done counts n rows that have been written.
func (r *Rows) Done(n int) { r.have, r.begun = r.have+n, false }

var errBegun = errors.New("npy: rows were given up before their end")

var errClosed = fmt.Errorf("npy: writer of rows %w", closable.ErrClosed)

// Close completes the array. A file goes to its place, or if there has been an error is removed. Closing twice does
// nothing.
func (r *Rows) Close() error {
	if r.err == errClosed {
		return nil
	}
	err := r.finish()
	r.err = errClosed
	if r.file == nil {
		return err
	}
	if err == nil {
		err = r.file.Commit(false)
	}
	r.file.Abort()
	if err != nil {
		err = &fs.PathError{Op: "write", Path: r.path, Err: err}
	}
	return err
}

func (r *Rows) finish() error {
	switch {
	case r.err != nil:
		return r.err
	case r.begun:
		return errBegun
	case r.want == Unknown:
		return r.patch()
	case r.have < r.want:
		return fmt.Errorf("npy: only %d of the %d rows promised have been written: %w", r.have, r.want, io.ErrShortWrite)
	}
	return nil
}

// patch writes the header again, with the number of rows. It has the same length: there is room for every number.
func (r *Rows) patch() error {
	r.header.Shape[0] = r.have
	head, err := r.header.Append(nil)
	if err != nil {
		return err
	}
	s := r.w.(io.WriteSeeker)
	end, err := s.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if _, err := s.Seek(r.start, io.SeekStart); err != nil {
		return err
	}
	if _, err := s.Write(head); err != nil {
		return err
	}
	_, err = s.Seek(end, io.SeekStart)
	return err
}

// Abort gives up: a file is removed, what was there before stays. After Close it does nothing.
func (r *Rows) Abort() {
	if r.err == errClosed {
		return
	}
	r.err = errClosed
	if r.file != nil {
		r.file.Abort()
	}
}
