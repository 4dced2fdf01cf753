package input

import (
	"context"
	"io"

	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/internal/diag"
	keeper "github.com/npygo/npy/internal/spool"
)

// A Spool is a text that can be read several times. A seekable text, a file or a string, is read again. Any other text, such as
// a pipe, is kept: first in memory, and in a temporary file if it is longer than the memory limit.
type Spool struct {
	text    *Text
	seeker  io.Seeker
	start   int64 // offset of the text in seeker
	kept    keeper.Spool
	discard bool // there will be no second pass
}

// NewSpool returns a spool. If once is true, it is for one pass and keeps nothing.
func NewSpool(ctx context.Context, r io.Reader, o options.Read, once bool) *Spool {
	s := &Spool{text: NewText(ctx, r, o), kept: keeper.Spool{Memory: max(o.Memory, 0)}, discard: once}
	if seeker, ok := r.(io.Seeker); ok && IsSeekable(r) {
		if at, err := seeker.Seek(0, io.SeekCurrent); err == nil {
			s.seeker, s.start, s.discard = seeker, at, true
		}
	}
	if !once && s.text.total >= 0 {
		s.text.total *= 2
	}
	return s
}

// Read implements io.Reader.
func (s *Spool) Read(p []byte) (int, error) {
	n, err := s.text.Read(p)
	if !s.discard && n > 0 {
		if _, keep := s.kept.Write(p[:n]); keep != nil {
			return 0, diag.Errorf("convert", "keeping the text for a second pass: %w", keep)
		}
	}
	return n, err
}

// Rewind starts the next pass.
func (s *Spool) Rewind() (err error) {
	length := s.text.length
	s.text.length = 0
	switch {
	case s.seeker != nil:
		if s.text.total >= 0 {
			s.text.total = max(s.text.total, s.text.done+length)
		}
		_, err = s.seeker.Seek(s.start, io.SeekStart)
	default:
		s.text.r, s.discard = io.NewSectionReader(&s.kept, 0, s.kept.Size()), true
		s.text.total = s.text.done + s.kept.Size()
	}
	if err != nil {
		return diag.Errorf("convert", "going back for the second pass: %w", err)
	}
	return nil
}

// Skip reports the progress of a pass that does without the text, after i of n steps.
func (s *Spool) Skip(i, n int) {
	t := s.text
	if t.progress != nil {
		t.progress(t.done+int64(float64(t.length)*float64(i)/float64(n)), t.total)
	}
}

// Close removes the temporary file, if there is one.
func (s *Spool) Close() error { return s.kept.Close() }

// ErrChanged is the error for a text that is another one in the second pass.
var ErrChanged = diag.New("convert", "the text changed while it was read")
