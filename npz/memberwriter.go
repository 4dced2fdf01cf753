package npz

import (
	"bytes"
	"io"

	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/deflate"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/par"
)

// A MemberWriter writes a member whose bytes come one after another: [Writer.Start]. Nothing else may be added to the archive
// until it is closed. It is for one goroutine at a time.
type MemberWriter struct {
	w      *Writer
	member string
	begun  []byte // the first bytes, as long as they can be all of a small member

	next   func() (struct{}, error, bool) // lets the member take the bytes in give; nil until it is large
	stop   func()
	give   func(out io.Writer) error // nil at the end
	err    error                     // of the member, once it has ended
	closed bool
}

// Start begins a member of any bytes, an array with its header for example. Its name is used unchanged, as by
// [Writer.AddBytes]. The caller must close the result.
func (w *Writer) Start(member string) *MemberWriter {
	return &MemberWriter{w: w, member: member}
}

var errMemberClosed = diag.Errorf("npz", "member %w", closable.ErrClosed)

// Write implements [io.Writer].
func (m *MemberWriter) Write(data []byte) (int, error) {
	if m.next == nil && !m.closed && len(m.begun)+len(data) <= deflate.PieceSize {
		m.begun = append(m.begun, data...)
		return len(data), nil
	}
	err := m.put(func(out io.Writer) error { _, err := out.Write(data); return err })
	if err != nil {
		return 0, err
	}
	return len(data), nil
}

// WriteCopies writes n times value, in far less time than the bytes take if they are compressed by deflate.
func (m *MemberWriter) WriteCopies(value []byte, n int) error {
	if len(value) == 0 || n <= 0 {
		return nil
	}
	return m.put(func(out io.Writer) error {
		if s, ok := out.(*splitter); ok {
			return s.repeat(value, int64(n))
		}
		for data := range bulk.Copies(value, n, deflate.PieceSize) {
			if _, err := out.Write(data); err != nil {
				return err
			}
		}
		return nil
	})
}

// CopiesCost returns about how many bytes [MemberWriter.WriteCopies] visits and writes for n times value.
func (w *Writer) CopiesCost(value []byte, n int) int64 {
	bytes := int64(n) * int64(len(value))
	if w.settings.Store || w.settings.Zstd || !isPeriodic(value) {
		return bytes
	}
	return bytes / DefaultMaxRatio
}

// isPeriodic reports whether all pieces of copies of value have the same bytes.
func isPeriodic(value []byte) bool {
	return deflate.PieceSize%len(value) == 0 || bytes.Equal(value[1:], value[:len(value)-1])
}

// put has the member written as far as give does.
func (m *MemberWriter) put(give func(out io.Writer) error) error {
	if m.closed {
		return errMemberClosed
	}
	if m.next == nil {
		m.start()
	}
	return m.step(give)
}

// step lets the member go on with give, or to its end.
func (m *MemberWriter) step(give func(out io.Writer) error) error {
	m.give = give
	if _, _, going := m.next(); !going {
		return m.err
	}
	return nil
}

// start begins a large member: its body runs when there is something to write, and waits after each.
func (m *MemberWriter) start() {
	m.next, m.stop = par.Pull2(func(yield func(struct{}, error) bool) {
		m.err = m.w.add(m.member, unknown, func(out io.Writer) error {
			for {
				if !yield(struct{}{}, nil) {
					return diag.Errorf("npz", "member %q was abandoned", m.member)
				}
				if m.give == nil {
					return nil
				}
				if err := m.give(out); err != nil {
					return err
				}
			}
		})
	})
	begun := m.begun
	m.begun = nil
	if _, _, going := m.next(); going && len(begun) > 0 {
		_ = m.step(func(out io.Writer) error { _, err := out.Write(begun); return err })
	}
}

// Close ends the member.
func (m *MemberWriter) Close() error {
	switch {
	case m.closed:
		return m.err
	case m.next == nil:
		m.closed = true
		m.err = m.w.AddBytes(m.member, m.begun)
		return m.err
	}
	err := m.step(nil)
	m.closed = true
	m.stop()
	return err
}

// Abort leaves the member incomplete, after which the archive cannot be completed, unless nothing of it was written yet.
func (m *MemberWriter) Abort() {
	if m.closed {
		return
	}
	if m.closed = true; m.next != nil {
		m.stop()
	}
}

// repeat writes n times value. Pieces with the same bytes are compressed once.
func (s *splitter) repeat(value []byte, n int64) error {
	size := int64(len(value))
	left, at := n*size, int64(0) // at is where the bytes go on within value
	write := func(most int64) error {
		data := make([]byte, min(left, most)/size*size+2*size)
		bulk.Repeat(data, value)
		data = data[at%size:][:min(left, most)]
		left, at = left-int64(len(data)), at+int64(len(data))
		_, err := s.Write(data)
		return err
	}
	if err := write(int64(deflate.PieceSize - len(s.last.buf)%deflate.PieceSize)); err != nil {
		return err
	}
	if times := left/deflate.PieceSize - 1; times > 0 && isPeriodic(value) {
		if err := s.sendLast(); err != nil {
			return err
		}
		raw := make([]byte, (deflate.PieceSize/size+2)*size)
		bulk.Repeat(raw, value)
		p := s.pipeline.piece()
		p.raw = raw[at%size:][:deflate.PieceSize]
		p.emit = func(p *piece) error { return s.emitTimes(p, times) }
		if err := s.pipeline.Push(p); err != nil {
			return err
		}
		left, at = left-times*deflate.PieceSize, at+times*deflate.PieceSize
	}
	for left > 0 {
		if err := write(deflate.PieceSize); err != nil {
			return err
		}
	}
	return nil
}

// sendLast sends the last piece, which is full or empty.
func (s *splitter) sendLast() error {
	if len(s.last.buf) == 0 {
		return nil
	}
	if err := s.send(s.last, s.last.buf); err != nil {
		return err
	}
	s.last = s.pipeline.piece()
	return nil
}

// emitTimes writes a piece as often as it is there.
func (s *splitter) emitTimes(p *piece, times int64) error {
	for range times {
		if err := s.emit(p); err != nil {
			return err
		}
	}
	return nil
}
