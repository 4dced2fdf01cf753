package convert

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/npygo/npy/internal/bounded"
)

// defaultHeld is the default number of bytes of a text that are held in memory for a second pass.
const defaultHeld = 256 << 20

// A spool is a text that can be read twice. A seekable text, a file or a string, is read again. Any other text, such as
// a pipe, is kept: first in memory, and in a temporary file if it is longer than the memory limit.
type spool struct {
	r       io.Reader
	limit   int64 // on the whole text; 0 means none
	length  int64 // bytes read in this pass
	seeker  io.Seeker
	start   int64 // offset of the text in seeker
	memory  int64 // maximum length of held
	held    []byte
	file    *os.File
	removed bool // the name of file has been removed
	discard bool // there will be no second pass
}

// newSpool returns a spool. If once is true, it is for one pass and keeps nothing.
func newSpool(r io.Reader, o ReadOptions, once bool) *spool {
	s := &spool{r: bounded.Progress(r), limit: o.MaxBytes, memory: o.Memory, discard: once}
	if s.memory <= 0 {
		s.memory = defaultHeld
	}
	if seeker, ok := r.(io.Seeker); ok && isPlain(r) {
		if at, err := seeker.Seek(0, io.SeekCurrent); err == nil {
			s.seeker, s.start, s.discard = seeker, at, true
		}
	}
	return s
}

// isPlain reports whether a reader with a Seek method can really seek. Terminals claim to but cannot.
func isPlain(r io.Reader) bool {
	f, ok := r.(*os.File)
	if !ok {
		return true
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// Read implements io.Reader. Its errors are errors of this package.
func (s *spool) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if s.length += int64(n); s.limit > 0 && s.length > s.limit {
		return 0, bounded.Over("MaxBytes", s.limit, 0, "convert: text is over MaxBytes %d", s.limit)
	}
	if !s.discard {
		if keep := s.keep(p[:n]); keep != nil {
			return 0, fmt.Errorf("convert: keeping the text for a second pass: %w", keep)
		}
	}
	if err != nil && err != io.EOF {
		err = fmt.Errorf("convert: %w", err)
	}
	return n, err
}

func (s *spool) keep(p []byte) (err error) {
	if s.file == nil && int64(len(s.held)+len(p)) > s.memory {
		if s.file, err = os.CreateTemp("", "npy-text-*"); err != nil {
			return err
		}
		s.removed = os.Remove(s.file.Name()) == nil // where open files can be removed; then a process that is killed leaves nothing
		if _, err = s.file.Write(s.held); err != nil {
			return err
		}
		s.held = nil
	}
	if s.file != nil {
		_, err = s.file.Write(p)
		return err
	}
	s.held = append(s.held, p...)
	return nil
}

// rewind starts the second pass.
func (s *spool) rewind() (err error) {
	s.length = 0
	switch {
	case s.seeker != nil:
		_, err = s.seeker.Seek(s.start, io.SeekStart)
	case s.file != nil:
		s.r, s.discard = s.file, true
		_, err = s.file.Seek(0, io.SeekStart)
	default:
		s.r, s.discard = bytes.NewReader(s.held), true
	}
	if err != nil {
		return fmt.Errorf("convert: going back for the second pass: %w", err)
	}
	return nil
}

// close removes the temporary file, if there is one.
func (s *spool) close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if !s.removed {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}
