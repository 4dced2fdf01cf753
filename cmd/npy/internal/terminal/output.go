package terminal

import (
	"errors"
	"io"
	"os"
)

// An Output is the output of a program. It keeps the first error of writing, so that no caller has to check each line
// that it prints. Writes after an error are dropped.
type Output struct {
	Err error // of the first write that failed
	to  io.Writer
}

// NewOutput returns an Output that writes to w.
func NewOutput(w io.Writer) *Output { return &Output{to: w} }

// Write implements io.Writer.
func (o *Output) Write(p []byte) (n int, err error) {
	if o.Err != nil {
		return 0, o.Err
	}
	n, o.Err = o.to.Write(p)
	return n, o.Err
}

// Seek implements io.Seeker, for standard output that is a file.
func (o *Output) Seek(offset int64, whence int) (int64, error) {
	s, ok := o.to.(io.Seeker)
	if !ok {
		return 0, errors.ErrUnsupported
	}
	return s.Seek(offset, whence)
}

// fileOf returns the file that a stream is.
func fileOf(stream any) (*os.File, bool) {
	if o, ok := stream.(*Output); ok {
		stream = o.to
	}
	f, ok := stream.(*os.File)
	return f, ok
}
