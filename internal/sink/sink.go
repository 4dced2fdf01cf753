// Package sink writes the header and the elements of an array whose rows come one after another. The number of rows is
// promised, or counted and written into the header at the end.
//
// FitHeader makes a header whose shape lies within one sector, for files that are appended to: a power failure leaves
// the old shape or the new one.
package sink

import (
	"errors"
	"io"
	"io/fs"
	"math"
	"os"

	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/atomicfile"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/diag"
)

// Unknown stands for a number of rows that is not known yet.
const Unknown = -1

// Rows writes the rows of one array. After an error nothing more is written.
type Rows struct {
	w      io.Writer
	header format.Header
	start  int64 // the offset of the header in w, if it must be written again
	bytes  int   // of a row
	want   int   // rows promised, or Unknown
	have   int
	begun  bool             // Begin was called and Done was not
	err    error            // of all later calls but Close
	ended  bool             // by Close or Abort
	closed error            // that Close returns then
	file   *atomicfile.File // nil if w is the caller's
	path   string           // of the file
	sync   bool
}

// New writes the header h with its first axis set to rows. If rows is Unknown, w must be an io.WriteSeeker.
func New(w io.Writer, h format.Header, rows int) (*Rows, error) {
	r := &Rows{w: w, header: h, want: rows}
	r.header.Shape = append([]int{max(rows, 0)}, h.Shape...)
	if rows < Unknown {
		return nil, diag.Errorf("npy", "%d rows are promised, want 0 or more, or -1 if the number is not known", rows)
	}
	head, err := r.header.Append(nil)
	if err != nil {
		return nil, err
	}
	row := format.Header{DType: h.DType, Shape: h.Shape}
	if err := row.Validate(); err != nil { // zero rows would be valid for any row size
		return nil, err
	}
	r.bytes = int(row.NBytes())
	if row.Size() == 0 {
		r.have = r.header.Shape[0] // rows without bytes are never written
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

// position returns the offset of w, if w can be written there again later.
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
	return 0, diag.Errorf("npy", "the number of rows is written into the header at the end, but this writer cannot seek (%w): promise a number of rows, or write to a file", err)
}

// notAppending checks that a file is not open for appending, which would misplace data that is written at an offset.
func notAppending(w io.Writer) error {
	if f, ok := w.(*os.File); ok {
		_, err := f.WriteAt(nil, 0) // an error for a file opened with O_APPEND
		return err
	}
	return nil
}

// Create starts a file that takes its place at path when it is closed. With sync, Close returns when it is on disk.
// rows is as in [New].
func Create(path string, h format.Header, rows int, sync bool) (*Rows, error) {
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	r, err := New(f.File, h, rows)
	if err != nil {
		f.Abort()
		return nil, &fs.PathError{Op: "create", Path: path, Err: err}
	}
	r.file, r.path, r.sync = f, path, sync
	return r, nil
}

// Begin checks that n more rows can be written. Done, Fail or an error of Write must follow. If none of them does,
// because a panic ended the rows, the file is not completed.
func (r *Rows) Begin(n int) error {
	switch {
	case r.err != nil:
		return r.err
	case r.begun:
		return errBegun
	case r.want != Unknown && n > r.want-r.have:
		return diag.Errorf("npy", "%d rows after %d are more than the %d promised", n, r.have, r.want)
	case n > math.MaxInt-r.have || r.bytes > 0 && n > math.MaxInt/r.bytes-r.have:
		return diag.Errorf("npy", "%d rows after %d are more than a file can hold", n, r.have)
	}
	r.begun = true
	return nil
}

// Write writes elements. Every error is final, except the errors of Begin.
func (r *Rows) Write(data []byte) error {
	if r.err == nil && len(data) > 0 {
		_, r.err = r.w.Write(data)
	}
	return r.err
}

// Fail makes err the error of all later calls: a row was written in part.
func (r *Rows) Fail(err error) error {
	if r.err == nil {
		r.err = err
	}
	return err
}

// Done counts n rows that have been written.
func (r *Rows) Done(n int) { r.have, r.begun = r.have+n, false }

var errBegun = diag.New("npy", "rows were given up before their end")

var (
	errClosed  = diag.Errorf("npy", "writer of rows %w", closable.ErrClosed)
	errAborted = diag.Errorf("npy", "writer of rows %w", closable.ErrAborted)
)

// Close completes the array. A file is moved to its path, or removed after an error. A second Close returns the first's
// result, and Close after Abort an error.
func (r *Rows) Close() error {
	if !r.ended {
		err := r.finish()
		if err == nil && r.file != nil {
			err = r.file.Commit(r.sync)
		}
		r.end(errClosed)
		if r.closed = err; err != nil && r.file != nil {
			r.closed = &fs.PathError{Op: "write", Path: r.path, Err: err}
		}
	}
	return r.closed
}

// end makes err the error of all later calls, and removes the file unless it was completed.
func (r *Rows) end(err error) {
	r.ended, r.err = true, err
	if r.file != nil {
		r.file.Abort()
	}
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
		return diag.Errorf("npy", "only %d of the %d rows promised have been written: %w", r.have, r.want, io.ErrShortWrite)
	}
	return nil
}

// patch writes the header again with the final number of rows. Its length is the same: a header has space for any
// number.
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

// Abort gives up: the new file is removed, and an existing file at the path stays. After Close it does nothing.
func (r *Rows) Abort() {
	if !r.ended {
		r.end(errAborted)
		r.closed = errAborted
	}
}
