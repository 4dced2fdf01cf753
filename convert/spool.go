package convert

import (
	"fmt"
	"io"
	"os"

	"github.com/npygo/npy/internal/bounded"
	keeper "github.com/npygo/npy/internal/spool"
)

// A spool is a text that can be read twice. A seekable text, a file or a string, is read again. Any other text, such as
// a pipe, is kept: first in memory, and in a temporary file if it is longer than the memory limit.
type spool struct {
	r       io.Reader
	limit   int64 // on the whole text; 0 means none
	length  int64 // bytes read in this pass
	seeker  io.Seeker
	start   int64 // offset of the text in seeker
	kept    keeper.Spool
	discard bool // there will be no second pass
}

// newSpool returns a spool. If once is true, it is for one pass and keeps nothing.
func newSpool(r io.Reader, o ReadOptions, once bool) *spool {
	s := &spool{r: bounded.Progress(r), limit: o.MaxBytes, kept: keeper.Spool{Memory: max(o.Memory, 0)}, discard: once}
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
		if _, keep := s.kept.Write(p[:n]); keep != nil {
			return 0, fmt.Errorf("convert: keeping the text for a second pass: %w", keep)
		}
	}
	if err != nil && err != io.EOF {
		err = fmt.Errorf("convert: %w", err)
	}
	return n, err
}

// rewind starts the second pass.
func (s *spool) rewind() (err error) {
	s.length = 0
	switch {
	case s.seeker != nil:
		_, err = s.seeker.Seek(s.start, io.SeekStart)
	default:
		s.r, s.discard = io.NewSectionReader(&s.kept, 0, s.kept.Size()), true
	}
	if err != nil {
		return fmt.Errorf("convert: going back for the second pass: %w", err)
	}
	return nil
}

// close removes the temporary file, if there is one.
func (s *spool) close() error { return s.kept.Close() }
